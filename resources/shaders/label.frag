in vec2 uv;
in vec2 inside;
flat in vec2 half_size;
flat in float plate;
flat in vec4 paint;
uniform sampler2D atlas;
out vec4 colour;

void main() {
    float alpha;
    if (plate > 0.0) {
        vec2 q = abs(inside) - half_size + plate;
        float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - plate;
        alpha = clamp(0.5 - d, 0.0, 1.0);
    } else {
        alpha = texture(atlas, uv).r;
    }
    if (alpha < 0.01) discard;
    colour = vec4(paint.rgb, paint.a * alpha);
}
