uniform vec3 top;
uniform vec3 bottom;
out vec3 tone;

void main() {
    vec2 at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    tone = mix(bottom, top, at.y);
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
