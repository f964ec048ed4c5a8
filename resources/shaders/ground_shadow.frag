in vec2 ground;
in vec3 from_eye;
uniform sampler2DShadow shadow_map;
uniform float extent;
out vec4 colour;

float shadow() {
    if (key_light.w <= 0.0) return 0.0;
    vec3 at = (eye_to_shadow * vec4(from_eye, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0))) ) return 0.0;
    at.z = min(at.z, 1.0);
    float texel = 1.0 / float(textureSize(shadow_map, 0).x);
    float lit = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 offset = vec2(i & 1, i >> 1) * 2.0 - 1.0;
        lit += texture(shadow_map, vec3(at.xy + offset * texel, at.z - texel));
    }
    return (1.0 - lit * 0.25) * key_light.w;
}

void main() {
    float alpha = shadow() * 0.42 * (1.0 - smoothstep(0.35, 1.0, length(ground) / extent));
    if (alpha < 0.004) discard;
    colour = vec4(0.0, 0.0, 0.0, alpha);
}
