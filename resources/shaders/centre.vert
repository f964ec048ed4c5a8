in vec2 corner;
in vec4 icon;   // centre in the world; w: radius in metres, negative for that of a whole model
in vec4 state;  // x: marked (selected), y: hovered
uniform float least;    // radii in logical pixels: of a link at least and at most, of a whole model
uniform float most;
uniform float whole;
uniform float full;     // least radius of what is marked
out vec2 inside;       // device pixels from the centre
flat out float radius; // device pixels
flat out float is_whole;
flat out vec2 marked;

void main() {
    vec3 from_eye = icon.xyz - eye.xyz;
    is_whole = icon.w < 0.0 ? 1.0 : 0.0;
    float smallest = max(state.x, state.y) > 0.0 ? full : least;
    radius = mix(clamp(icon.w / metres_per_pixel(from_eye), smallest, max(most, smallest)), whole, is_whole) * viewport.z;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_Position.xy += corner * (radius + 1.0) * 2.0 / viewport.xy * gl_Position.w;
    // Those of whole models are over all others.
    if (is_whole > 0.5) gl_Position.z = -0.9999 * gl_Position.w;
    inside = corner * (radius + 1.0);
    marked = state.xy;
    if (is_whole < 0.5 && is_cut_away(from_eye, state.x)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
