in vec2 inside;
in float half_width;
flat in vec4 paint;
flat in float shape;
flat in float ring;
uniform vec3 rim_colour;
uniform vec3 selection;
uniform float strength;
out vec4 colour;

// Distance to the outline of the mark in units of its radius, negative inside. Shapes as in palette.Glyph.
float distance_to_mark(vec2 p) {
    vec2 q = abs(p);
    if (shape < 0.5) return length(p) - 0.82;                                        // circle
    if (shape < 1.5) return max(q.x, q.y) - 0.72;                                    // square
    if (shape < 2.5) return (q.x + q.y - 1.0) * 0.7071;                              // diamond
    if (shape < 3.5) return max(q.x * 0.866 + q.y * 0.5, q.y) - 0.80;                // hexagon
    if (shape < 4.5) return max(q.x * 0.866 + p.y * 0.5, -p.y) - 0.48;               // triangle
    if (shape < 5.5) return abs(length(p) - 0.66) - 0.22;                            // ring
    if (shape < 6.5) return max(abs(q.x - q.y) * 0.7071 - 0.24, max(q.x, q.y) - 0.85); // cross
    return min(max(q.x, q.y), (q.x + q.y) * 0.7071) - 0.62;                          // star of eight
}

void main() {
    float alpha;
    vec3 c = paint.rgb;
    if (half_width < 0.0) {
        float radius = -half_width;
        float d = distance_to_mark(inside / radius) * radius;
        alpha = clamp(0.75 - d, 0.0, 1.0);
        vec3 border = ring > 0.75 ? selection : rim_colour;
        // Of a small mark the rim must leave something.
        float border_width = min(ring > 0.75 ? 1.8 : 1.1, radius * 0.3);
        c = mix(c, border, clamp(d + border_width + 0.5, 0.0, 1.0));
    } else {
        alpha = clamp(half_width + 0.5 - abs(inside.x), 0.0, 1.0);
    }
    alpha *= paint.a * strength;
    if (alpha < 0.02) discard;
    colour = vec4(c, alpha);
}
