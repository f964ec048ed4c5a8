in vec2 at;
uniform sampler2D mask;
uniform vec3 selection;
uniform vec3 hover;
uniform vec3 rim;  // inside the line around what is hovered, so that one of the two is seen on any colour
uniform float width;  // device pixels
out vec4 colour;

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(mask, 0));
    vec2 here = texture(mask, at).xy;
    vec2 most = vec2(0.0);
    float least = 1.0;
    for (int i = 0; i < 12; ++i) {
        float angle = float(i) * 0.5235988;
        vec2 there = texture(mask, at + vec2(cos(angle), sin(angle)) * pixel * width).xy;
        most = max(most, there);
        least = min(least, there.y);
    }
    vec2 edge = clamp(most - here, 0.0, 1.0);
    float inner = clamp(here.y - least, 0.0, 1.0);
    // The selection's outline lies over the hover's.
    float alpha = max(edge.x, 0.9 * max(edge.y, inner));
    if (alpha <= 0.0) discard;
    colour = vec4(edge.x > 0.0 ? selection : edge.y >= inner ? hover : rim, alpha);
}
