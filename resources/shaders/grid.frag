in vec2 ground;   // metres from the centre
uniform vec2 centre;    // a multiple of the major spacing
uniform float spacing;  // metres between minor lines; ten of them make a major one
uniform float extent;
uniform float fade_minor;
uniform float width;     // of a line, in pixels of the canvas
uniform vec3 minor_tone;
uniform vec3 major_tone;
uniform vec3 axis_tones[2];
out vec4 colour;

// How much of a pixel lines at the whole numbers cover; where they come closer than pixels they fade out.
float lines(vec2 p, vec2 lines_per_pixel) {
    vec2 pixels_per_line = 1.0 / lines_per_pixel;
    vec2 reach = abs(fract(p - 0.5) - 0.5) * pixels_per_line;
    vec2 cover = clamp(width * 0.5 + 0.5 - reach, 0.0, 1.0) * clamp(0.25 * pixels_per_line - 0.6, 0.0, 1.0);
    return max(cover.x, cover.y);
}

void main() {
    vec2 pixel = max(fwidth(ground), 1e-9);
    float scale = 1.0 / spacing;
    float minor = lines(ground * scale, pixel * scale) * 0.30 * fade_minor;
    float major = lines(ground * scale * 0.1, pixel * scale * 0.1) * 0.55;
    // Divided by the depth, the distance to an axis is linear on the screen, so that it is exact also towards the
    // horizon, where one pixel covers much ground: the axis that leads there would else colour all of it.
    vec2 flat_away = (ground + centre) * gl_FragCoord.w;
    vec2 flat_pixel = sqrt(dFdx(flat_away) * dFdx(flat_away) + dFdy(flat_away) * dFdy(flat_away));
    vec2 axis = clamp(width * 0.8 + 0.5 - abs(flat_away) / max(flat_pixel, 1e-20), 0.0, 1.0) * 0.9;
    vec4 result = major > minor ? vec4(major_tone, major) : vec4(minor_tone, minor);
    result = axis.y > 0.0 ? vec4(axis_tones[0], max(axis.y, result.a)) : result;
    result = axis.x > 0.0 ? vec4(axis_tones[1], max(axis.x, result.a)) : result;
    // Towards the rim the grid fades, so that it has no edge.
    float away = dot(ground, ground) / (extent * extent);
    result.a *= clamp((1.0 - away) * 1.25, 0.0, 1.0);
    if (result.a < 0.004) discard;
    colour = result;
}
