// Only where a surface is: counts the faces of one solid behind the section.
in vec3 position;
uniform mat4 X_WG;
uniform vec3 size;

void main() {
    vec4 p = vec4(position * size, 1.0);
    vec3 from_eye = (X_WG * p).xyz - eye.xyz;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_ClipDistance[0] = kept_by_section(from_eye);
}
