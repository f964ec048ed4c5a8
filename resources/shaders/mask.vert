in vec3 position;
in vec4 pose_x;
in vec4 pose_y;
in vec4 pose_z;
in vec3 scale;
in vec4 mark;  // x: selected, y: hovered
flat out vec4 surface_mark;

void main() {
    vec4 p = vec4(position * scale, 1.0);
    vec3 from_eye = vec3(dot(pose_x, p), dot(pose_y, p), dot(pose_z, p)) - eye.xyz;
    surface_mark = mark;
    gl_ClipDistance[0] = kept_by_section(from_eye);
    gl_Position = mark.x + mark.y > 0.0 ? eye_to_clip * vec4(from_eye, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
