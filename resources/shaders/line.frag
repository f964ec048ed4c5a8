in float across;
in float half_width;
in vec2 along;
flat in vec3 paint;
flat in float stroke;
uniform float strength;
uniform float wider;
uniform vec3 halo;
out vec4 colour;

void main() {
    bool dashed = (stroke > 0.5 && stroke < 1.5) || stroke > 2.5;
    if (dashed && half_width < 1e3 && mod(along.x, 9.0) > 5.5) discard;
    float alpha = clamp(half_width + 0.5 - abs(across), 0.0, 1.0) * strength;
    if (alpha < 0.02) discard;
    colour = vec4(wider > 0.0 ? halo : paint, alpha);
}
