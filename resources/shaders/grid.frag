in vec2 ground;   // metres from the centre
in vec3 from_eye;
uniform vec2 centre;   // a multiple of the major spacing
uniform float spacing;  // metres between minor lines; ten of them make a major one
uniform float extent;
uniform float fade_minor;
uniform vec3 minor_tone;
uniform vec3 major_tone;
uniform vec3 axis_tones[2];
out vec4 colour;

// How much of a pixel lines of a given width cover; where lines come closer than pixels they fade to their mean.
float lines(vec2 p, vec2 pixel, float width) {
    vec2 reach = abs(fract(p - 0.5) - 0.5) / pixel;
    vec2 cover = clamp(width * 0.5 + 0.5 - reach, 0.0, 1.0) * clamp(0.5 / pixel - 0.6, 0.0, 1.0);
    return max(cover.x, cover.y);
}

void main() {
    vec2 pixel = max(fwidth(ground), 1e-9);
    float w = viewport.z;
    float minor = lines(ground / spacing, pixel / spacing, w) * 0.30 * fade_minor;
    float major = lines(ground / (spacing * 10.0), pixel / (spacing * 10.0), w) * 0.55;
    vec2 axis_cover = clamp(w * 0.8 + 0.5 - abs(ground + centre) / pixel, 0.0, 1.0);
    vec4 result = vec4(minor_tone, minor);
    if (major > minor) result = vec4(major_tone, major);
    if (axis_cover.y > 0.0) result = vec4(axis_tones[0], max(axis_cover.y * 0.9, result.a));
    if (axis_cover.x > 0.0) result = vec4(axis_tones[1], max(axis_cover.x * 0.9, result.a));
    float grazing = abs(normalize(from_eye).z);
    if (eye.w > 0.5) grazing = abs(rotation_kw[2].z);
    result.a *= (1.0 - smoothstep(0.35, 1.0, length(ground) / extent)) * smoothstep(0.0, 0.09, grazing);
    if (result.a < 0.004) discard;
    colour = result;
}
