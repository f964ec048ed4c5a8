// A frame in a crowd: three thin triangles and a square at the origin. It says less than triad.vert and costs a third.
in vec3 corner;  // x: axis (0, 1, 2), 3 for the origin mark; y: along, z: side
in vec4 pose_x;
in vec4 pose_y;
in vec4 pose_z;
in vec4 glyph;   // rgb of the kind
in vec4 state;   // x: marked (selected), y: hovered, z: faded, w: size factor
uniform float size;         // logical pixels, or metres
uniform bool metres;
uniform float shaft_width;  // logical pixels
uniform vec3 axis_colours[3];
uniform vec3 selection;
uniform float opacity;
flat out vec4 paint;

void main() {
    vec3 origin = vec3(pose_x.w, pose_y.w, pose_z.w) - eye.xyz;
    if (is_cut_away(origin, state.x)) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float pixel = metres_per_pixel(origin);
    float reach = (metres ? size : size * pixel) * state.w;
    vec3 axis = vec3(equal(vec3(corner.x), vec3(0.0, 1.0, 2.0)));
    float mark = 1.0 - dot(axis, vec3(1.0));
    float width = shaft_width * (1.0 + 0.5 * state.x);
    if (metres) width = min(width, max(0.12 * reach / pixel, 1.0 / viewport.z));

    vec4 a = eye_to_clip * vec4(origin, 1.0);
    vec4 b = a + eye_to_clip * vec4(vec3(dot(pose_x.xyz, axis), dot(pose_y.xyz, axis), dot(pose_z.xyz, axis)) * reach, 0.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport.xy;
    vec2 across = vec2(-along.y, along.x) * inversesqrt(max(dot(along, along), 1e-6)) * corner.z * (width + 0.5);
    float radius = (width * 0.8 + clamp(0.061 * size * state.w, 0.5, 2.2) * float(!metres)) * (1.0 + 0.7 * state.x);
    vec2 offset = mix(across, corner.yz * radius * 2.0, mark) * viewport.z;

    vec3 tone = mix(glyph.rgb, selection, max(state.x, state.y * 0.5));
    tone = mark * tone + axis_colours[0] * axis.x + axis_colours[1] * axis.y + axis_colours[2] * axis.z;
    paint = vec4(tone, opacity * mix(1.0, 0.25, state.z));
    gl_Position = mark < 0.5 && corner.y > 0.5 ? b : a;
    gl_Position.xy += offset / viewport.xy * gl_Position.w;
    gl_Position.z -= 2e-5 * a.w * mark;
    if (min(a.w, b.w) < 1e-4) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
