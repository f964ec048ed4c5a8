in vec3 from_eye;
uniform sampler2DShadow shadow_map;
out vec4 colour;

float shadow() {
    vec3 at = (eye_to_shadow * vec4(from_eye, 1.0)).xyz * 0.5 + 0.5;
    at.z = min(at.z, 1.0);
    float texel = 1.0 / float(textureSize(shadow_map, 0).x);
#if SHADOW_TAPS == 1
    float lit = texture(shadow_map, vec3(at.xy, at.z - texel));
#else
    float lit = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 offset = vec2(i & 1, i >> 1) * 2.0 - 1.0;
        lit += texture(shadow_map, vec3(at.xy + offset * texel, at.z - texel)) * 0.25;
    }
#endif
    return (1.0 - lit) * key_light.w;
}

void main() {
    float alpha = shadow() * 0.42;
    if (alpha < 0.004) discard;
    colour = vec4(0.0, 0.0, 0.0, alpha);
}
