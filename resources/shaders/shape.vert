in vec2 corner;   // logical pixels from the upper left
in vec4 place;    // x: distance from the middle of the stroke, y: half its width, logical pixels
in vec4 tone;
out float across;
out float half_width;
out vec4 paint;

void main() {
    vec2 p = corner * viewport.z;
    across = place.x * viewport.z;
    half_width = place.y * viewport.z;
    paint = tone;
    gl_Position = vec4(p.x / viewport.x * 2.0 - 1.0, 1.0 - p.y / viewport.y * 2.0, -1.0, 1.0);
}
