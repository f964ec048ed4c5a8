in vec3 corner;   // x: part (0 shaft, 1 head), y: along, z: side
in vec3 start;
in vec3 finish;
in vec4 icon;     // where an icon stands; w: 1 for lines that are sized in pixels
in vec4 tone;     // rgb; w: stroke
in vec4 state;    // x: marked, y: hovered
uniform float line_width;
uniform float wider;  // logical pixels on both sides, for halos
uniform bool cut;   // whether a section leaves out lines of frames that it cuts away
out float across;
out float half_width;
out vec2 along;   // pixels from the start, for dashes; whole length
flat out vec3 paint;
flat out float stroke;

void main() {
    if (cut && is_cut_away(icon.xyz - eye.xyz, state.x)) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    vec3 from = start - eye.xyz, to = finish - eye.xyz;
    if (icon.w > 0.5) {
        vec3 origin = icon.xyz - eye.xyz;
        float pixel = metres_per_pixel(origin);
        from = origin + (start - icon.xyz) * pixel;
        to = origin + (finish - icon.xyz) * pixel;
    }
    vec4 a = eye_to_clip * vec4(from, 1.0), b = eye_to_clip * vec4(to, 1.0);
    clip_segment(a, b);
    stroke = floor(tone.w * 255.0 + 0.5);
    float width = line_width * viewport.z * (1.0 + max(state.x, state.y));
    float pixels = length((b.xy / b.w - a.xy / a.w) * viewport.xy) * 0.5;
    bool head = corner.x > 0.5;
    paint = tone.rgb;
    along = vec2(corner.y * pixels, pixels) / viewport.z;
    if (head) {
        float head_pixels = min(7.0 * width, pixels * 0.5);
        vec4 neck = mix(b, a, head_pixels / max(pixels, 1e-3));
        across = 0.0;
        half_width = 1e4;
        gl_Position = stroke > 1.5 ? segment_corner(neck, b, corner.y, corner.z, width * 5.0 * (1.0 - corner.y))
                                   : vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    half_width = width * 0.5 + wider * viewport.z;
    float spread = half_width + 0.75;
    across = corner.z * spread;
    gl_Position = segment_corner(a, b, corner.y, corner.z, spread * 2.0);
}
