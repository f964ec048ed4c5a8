// A square in the section plane around one solid.
in vec2 corner;
uniform vec3 centre;  // relative to the eye
uniform vec3 along_u;
uniform vec3 along_v;
uniform float nearer;  // by so much of the depth, so that it wins over the faces of solids around it
out vec3 from_eye;

void main() {
    from_eye = centre + along_u * corner.x + along_v * corner.y;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_Position.z -= nearer * gl_Position.w;
}
