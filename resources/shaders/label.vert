in vec2 corner;      // 0..1
in vec4 place;       // x, y, width, height in device pixels from the upper left
in vec4 source;      // u, v of two corners; for plates: corner radius in x, u < 0
in float depth;
in vec4 tone;
out vec2 uv;
out vec2 inside;
flat out vec2 half_size;
flat out float plate;
flat out vec4 paint;

void main() {
    vec2 p = place.xy + corner * place.zw;
    uv = mix(source.xy, source.zw, corner);
    inside = (corner - 0.5) * place.zw;
    half_size = place.zw * 0.5;
    plate = source.x < 0.0 ? -source.x : 0.0;
    paint = tone;
    gl_Position = vec4(p.x / viewport.x * 2.0 - 1.0, 1.0 - p.y / viewport.y * 2.0, depth, 1.0);
}
