in vec2 at;
uniform sampler2D mask;
uniform vec3 selection;
uniform vec3 hover;
uniform float width;  // device pixels
out vec4 colour;

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(mask, 0));
    vec2 here = texture(mask, at).xy;
    vec2 around = vec2(0.0);
    for (int i = 0; i < 12; ++i) {
        float angle = float(i) * 0.5235988;
        around = max(around, texture(mask, at + vec2(cos(angle), sin(angle)) * pixel * width).xy);
    }
    vec2 edge = clamp(around - here, 0.0, 1.0);
    // The selection's outline lies over the hover's.
    float alpha = max(edge.x, edge.y * 0.9);
    if (alpha <= 0.0) discard;
    colour = vec4(edge.x > 0.0 ? selection : hover, alpha);
}
