in vec2 at;
uniform vec3 top;
uniform vec3 bottom;
out vec4 colour;

void main() {
    // Half a code value of noise hides the bands that a dark gradient shows on 8-bit screens.
    float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
    colour = vec4(mix(bottom, top, smoothstep(0.0, 1.0, at.y)) + noise / 255.0, 1.0);
}
