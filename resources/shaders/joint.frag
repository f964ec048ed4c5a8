in float across;
in float half_width;
flat in vec4 paint;
uniform float strength;
out vec4 colour;

void main() {
    float alpha = clamp(half_width + 0.5 - abs(across), 0.0, 1.0) * paint.a * strength;
    if (alpha < 0.02) discard;
    colour = vec4(paint.rgb, alpha);
}
