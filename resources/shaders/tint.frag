flat in vec4 surface_mark;
uniform vec3 selection;
uniform vec3 hover;
out vec4 colour;

void main() {
    // A breath of colour tells which body is meant.
    vec2 tint = surface_mark.xy * vec2(0.10, 0.07);
    if (max(tint.x, tint.y) <= 0.0) discard;
    colour = tint.x > 0.0 ? vec4(selection, tint.x) : vec4(hover, tint.y);
}
