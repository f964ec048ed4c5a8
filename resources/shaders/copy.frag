in vec2 at;
#if SAMPLES
uniform sampler2DMS picture;
#else
uniform sampler2D picture;
#endif
out vec4 colour;

void main() {
#if SAMPLES
    vec4 sum = vec4(0.0);
    ivec2 texel = ivec2(at * vec2(textureSize(picture)));
    for (int k = 0; k < SAMPLES; ++k) sum += texelFetch(picture, texel, k);
    colour = sum / float(SAMPLES);
#else
    colour = texture(picture, at);
#endif
}
