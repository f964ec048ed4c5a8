in vec3 corner;  // x: part (0, 1, 2 shafts; 3, 4, 5 heads; 6 origin), y: along, z: side
in vec4 pose_x;
in vec4 pose_y;
in vec4 pose_z;
in vec4 glyph;   // rgb of the kind; w: shape of the origin mark
in vec4 state;   // x: marked (selected), y: hovered, z: faded, w: size factor
uniform float size;         // logical pixels, or metres
uniform bool metres;
uniform float shaft_width;  // logical pixels
uniform vec3 axis_colours[3];
uniform float opacity;
out vec2 inside;      // shaft: x across; origin: position in the mark, -1..1
out float half_width; // device pixels; 0 for the origin mark
flat out vec4 paint;
flat out float shape;
flat out float ring;

void main() {
    vec3 origin = vec3(pose_x.w, pose_y.w, pose_z.w) - eye.xyz;
    if (is_cut_away(origin, state.x)) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float pixel = metres_per_pixel(origin);
    float reach = (metres ? size : size * pixel) * state.w;
    int part = int(corner.x + 0.5);
    int axis = part % 3;
    bool head = part > 2;
    ring = max(state.x, state.y * 0.5);
    shape = floor(glyph.w * 255.0 + 0.5);
    float alpha = opacity * mix(1.0, 0.25, state.z);
    vec4 a = eye_to_clip * vec4(origin, 1.0);
    if (part == 6) {
        // Small triads have small marks: in a crowd it is the marks that would cover everything.
        float rim = metres ? 2.2 : clamp(0.061 * size * state.w, 0.5, 2.2);
        float radius = (shaft_width * 1.15 + rim) * (1.0 + 0.35 * state.x) * viewport.z;
        // In metres the mark shrinks with its triad, so that far frames become dots and not heaps.
        if (metres) radius = min(radius, max(0.3 * reach / pixel * viewport.z, 1.5 * viewport.z));
        gl_Position = a;
        gl_Position.xy += corner.yz * (radius + 1.0) * 2.0 / viewport.xy * a.w;
        gl_Position.z -= 2e-5 * a.w;
        inside = corner.yz * (radius + 1.0);
        half_width = -radius;
        paint = vec4(glyph.rgb, alpha);
        return;
    }
    float width = shaft_width * (1.0 + 0.5 * state.x) * viewport.z;
    if (metres) width = min(width, max(0.12 * reach / pixel * viewport.z, 1.0));
    float neck = 1.0 - 0.9 * min(0.30, 5.0 * shaft_width * pixel / max(reach, 1e-9));
    // Clip coordinates are linear, so all points of an axis come from its two ends.
    vec4 along = eye_to_clip * vec4(vec3(pose_x[axis], pose_y[axis], pose_z[axis]) * reach, 0.0);
    vec4 from = head ? a + along * neck : a;
    vec4 to = head ? a + along : a + along * neck;
    float spread = head ? width * 2.1 * (1.0 - corner.y) : width * 0.5 + 0.75;
    gl_Position = segment_corner(from, to, corner.y, corner.z, spread * 2.0);
    inside = vec2(head ? 0.0 : corner.z * spread, 0.0);
    half_width = head ? 1e4 : width * 0.5;
    paint = vec4(axis_colours[axis], alpha);
}
