in vec2 corner;
uniform vec2 centre;
uniform float extent;
out vec2 ground;
out vec3 from_eye;

void main() {
    ground = corner * extent;
    from_eye = vec3(centre + ground, 0.0) - eye.xyz;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    // A ground plane at z = 0 would fight with the grid for each pixel: that of a large one is inexact near the camera.
    gl_Position.z -= 1e-4 * gl_Position.w;
}
