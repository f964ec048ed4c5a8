in vec3 tone;
out vec4 colour;

void main() {
#if BANDED
    colour = vec4(tone, 1.0);
#else
    // Half a code value of noise hides the bands that a dark gradient shows on 8-bit screens.
    float noise = fract(52.9829 * fract(dot(gl_FragCoord.xy, vec2(0.06711, 0.00584)))) - 0.5;
    colour = vec4(tone + noise / 255.0, 1.0);
#endif
}
