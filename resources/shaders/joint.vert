in vec4 corner;  // x: segment, y: along, z: side, w: 1 for the filled sector
in vec4 pose_x;
in vec4 pose_y;
in vec4 pose_z;
in vec4 axis;    // in the joint frame; w: shape
in vec4 zero;    // where the angle is zero; w: pitch, metres per revolution
in vec4 range;   // lower, upper, value; w: 1 where unlimited
in vec4 state;   // x: marked, y: hovered, z: faded, w: size factor
uniform float size;
uniform bool metres;
uniform float arc_segments;
uniform float line_width;
uniform vec3 tone;
uniform vec3 value_tone;
uniform vec3 selection;
uniform vec3 outside_tone;
uniform float opacity;
out float across;
out float half_width;
flat out vec4 paint;

const float TURN = 6.2831853;

vec3 on_range(float t, vec3 u, vec3 v, vec3 w, float reach) {
    int shape = int(axis.w + 0.5);
    if (shape == 1) {  // rail: metres along the axis, seen from where the child is now
        vec2 ends = range.w > 0.5 ? vec2(-reach, reach) : range.xy - range.z;
        return w * mix(ends.x, ends.y, t);
    }
    if (shape == 3) {  // ball: three great circles
        float which = floor(min(t, 0.9999) * 3.0);
        float angle = (t * 3.0 - which) * TURN;
        vec3 p = which < 0.5 ? u : which < 1.5 ? v : w;
        vec3 q = which < 0.5 ? v : which < 1.5 ? w : u;
        return (p * cos(angle) + q * sin(angle)) * reach * 0.5;
    }
    float angle = range.w > 0.5 ? t * TURN : mix(range.x, range.y, t);
    vec3 p = (u * cos(angle) + v * sin(angle)) * reach * 0.55;
    if (shape == 2) p += w * zero.w * (angle - range.z) / TURN;
    return p;
}

void main() {
    vec3 origin = vec3(pose_x.w, pose_y.w, pose_z.w) - eye.xyz;
    if (is_cut_away(origin, state.x)) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    mat3 R = transpose(mat3(pose_x.xyz, pose_y.xyz, pose_z.xyz));
    if (state.w <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float reach = (metres ? size : size * metres_per_pixel(origin)) * state.w;
    vec3 w = R * axis.xyz, u = R * zero.xyz, v = cross(w, u);
    int shape = int(axis.w + 0.5);
    int segment = int(corner.x + 0.5);
    float alpha = opacity * mix(1.0, 0.25, state.z);
    float width = line_width * viewport.z * (1.0 + 0.6 * state.x);
    vec3 from = vec3(0.0), to = vec3(0.0);
    float taper = 0.0;
    // At a value that its limits do not allow: by colour, and by a thick hand.
    bool outside = range.w < 0.5 && shape < 3 && (range.z < range.x - 1e-4 || range.z > range.y + 1e-4);
    paint = vec4(mix(outside ? outside_tone : tone, selection, max(state.x, state.y * 0.5)), alpha);
    if (corner.w > 0.5) {  // sector: corner.y walks the arc, 0 or 1; side 0 is the hub
        bool filled = shape == 0 && range.w < 0.5;
        float t = (corner.x + corner.y) / arc_segments;
        vec3 p = corner.z > 0.5 ? on_range(t, u, v, w, reach) : vec3(0.0);
        gl_Position = filled ? eye_to_clip * vec4(origin + p, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
        across = 0.0;
        half_width = 1e4;
        paint.a *= 0.20;
        return;
    }
    if (segment == 0) {         // the axis
        from = -w * reach * 0.35;
        to = w * reach * 0.86;
        if (shape >= 3) to = from;
    } else if (segment == 1) {  // its head
        from = w * reach * 0.84;
        to = w * reach;
        taper = 1.0;
        if (shape >= 3) to = from;
    } else if (segment == 2) {  // the value
        paint.rgb = mix(outside ? outside_tone : value_tone, selection, state.y * 0.5);
        if (outside) width *= 2.0;
        vec3 hand = u * cos(range.z) + v * sin(range.z);
        if (shape == 0 || shape == 2) to = hand * reach * 0.55;
        if (shape == 1) { from = -hand * reach * 0.14; to = -from; width *= 1.8; }
    } else {
        float i = corner.x - 3.0;
        if (shape != 4) {
            from = on_range(i / arc_segments, u, v, w, reach);
            to = on_range((i + 1.0) / arc_segments, u, v, w, reach);
            if (range.w > 0.5 && shape != 3) paint.a *= 0.55;
        }
    }
    if (from == to) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    vec4 a = eye_to_clip * vec4(origin + from, 1.0), b = eye_to_clip * vec4(origin + to, 1.0);
    float spread = taper > 0.5 ? width * 2.2 * (1.0 - corner.y) : width * 0.5 + 0.75 + viewport.z;  // with the halo
    across = taper > 0.5 ? 0.0 : corner.z * spread;
    half_width = taper > 0.5 ? 1e4 : width * 0.5;
    gl_Position = segment_corner(a, b, corner.y, corner.z, spread * 2.0);
}
