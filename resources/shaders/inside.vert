// Only where a surface is: counts the faces of solids behind the section.
in vec3 position;
in vec4 pose_x;  // the rows of X_WG
in vec4 pose_y;
in vec4 pose_z;
in vec3 scale;

void main() {
    vec4 p = vec4(position * scale, 1.0);
    vec3 from_eye = vec3(dot(pose_x, p), dot(pose_y, p), dot(pose_z, p)) - eye.xyz;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_ClipDistance[0] = kept_by_section(from_eye);
}
