in vec2 inside;
flat in float radius;
flat in float is_whole;
flat in vec2 marked;
uniform vec3 model;
uniform vec3 selection;
uniform vec3 hover;
out vec4 colour;

void main() {
    float away = length(inside);
    float alpha = clamp(radius + 0.5 - away, 0.0, 1.0);
    if (alpha < 0.02) discard;
    float rim = mix(1.5, 2.5, is_whole) * viewport.z;
    const vec3 dark = vec3(0.07, 0.07, 0.08);
    vec3 bright = mix(vec3(0.98, 0.82, 0.12), vec3(1.0), is_whole);
    // The quarters meet in edges that fade within a pixel.
    float quarter = clamp(inside.x + 0.5, 0.0, 1.0) + clamp(inside.y + 0.5, 0.0, 1.0);
    // A point has no room for quarters and a rim: thousands would run together to a black bar.
    if (radius < 3.0 * viewport.z) {
        colour = vec4(bright, alpha);
        return;
    }
    vec3 disc = mix(dark, bright, 1.0 - abs(quarter - 1.0));
    vec3 edge = marked.x > 0.5 ? selection : marked.y > 0.5 ? hover : mix(dark, model, is_whole);
    colour = vec4(mix(disc, edge, clamp(away - radius + rim + 0.5, 0.0, 1.0)), alpha);
}
