in float across;
in float half_width;
in vec4 paint;
out vec4 colour;

void main() {
    colour = vec4(paint.rgb, paint.a * clamp(half_width + 0.5 - abs(across), 0.0, 1.0));
}
