in vec2 corner;
uniform vec2 centre;
uniform float extent;
out vec2 ground;
out vec3 from_eye;

void main() {
    ground = corner * extent;
    from_eye = vec3(centre + ground, 0.0) - eye.xyz;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
}
