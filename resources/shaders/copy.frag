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
    for (int k = 0; k < SAMPLES; ++k) sum += texelFetch(picture, ivec2(gl_FragCoord.xy), k);
    colour = sum / float(SAMPLES);
#else
    colour = texture(picture, at);
#endif
}
