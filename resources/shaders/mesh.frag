// Variants: FLAT_SHADED takes normals from the triangles, TEXTURED reads the albedo map, NORMAL_MAPPED a map of normals,
// PAINTED has a colour in each vertex, HATCHED draws stripes, SHADOW_TAPS is how often the shadow map is read (0: none).
in vec3 from_eye;
in vec3 world_normal;
#if TEXTURED || NORMAL_MAPPED
in vec2 texture_uv;
#endif
#if PAINTED
in vec4 surface_diffuse;
#else
flat in vec4 surface_diffuse;
#endif
flat in vec4 surface_emissive;  // w: roughness
flat in vec4 surface_specular;  // w: metalness
#if TEXTURED
uniform sampler2D albedo;
uniform bool cutout;
#endif
#if NORMAL_MAPPED
uniform sampler2D normal_map;
#endif
#if SHADOW_TAPS
uniform sampler2DShadow shadow_map;
#endif
out vec4 colour;

// Colours are mixed in light, not in code values; a square is close enough to the sRGB curve and free.
vec3 to_light(vec3 code) { return code * code; }

#if SHADOW_TAPS
float lit_by_key(float slant) {
    vec3 at = (eye_to_shadow * vec4(from_eye, 1.0)).xyz * 0.5 + 0.5;
    float texel = 1.0 / float(textureSize(shadow_map, 0).x);
    at.z = min(at.z, 1.0) - texel * (4.5 - 3.0 * slant);
#if SHADOW_TAPS == 1
    float lit = texture(shadow_map, at);
#else
    float lit = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 offset = vec2(i & 1, i >> 1) * 2.0 - 1.0;
        lit += texture(shadow_map, vec3(at.xy + offset * texel * 0.9, at.z)) * 0.25;
    }
#endif
    return mix(1.0, lit, key_light.w);
}
#endif

#if NORMAL_MAPPED
// The tangents come from how the texture lies on the screen, so that no mesh has to bring them.
vec3 with_relief(vec3 n) {
    vec3 px = cross(n, dFdx(from_eye)), py = cross(dFdy(from_eye), n);
    vec2 tx = dFdx(texture_uv), ty = dFdy(texture_uv);
    vec3 along_u = py * tx.x + px * ty.x, along_v = py * tx.y + px * ty.y;
    float longest = max(dot(along_u, along_u), dot(along_v, along_v));
    if (longest <= 0.0) return n;
    vec3 lean = texture(normal_map, texture_uv).xyz * 2.0 - 1.0;
    return normalize((along_u * lean.x + along_v * lean.y) * inversesqrt(longest) + n * lean.z);
}
#endif

// Schlick's stand-in for pow(x, n): a lobe of the same width without a logarithm.
float lobe(float x, float n) { return x / (n - n * x + x); }

void main() {
#if HATCHED
    if (fract((gl_FragCoord.x + gl_FragCoord.y) * 0.1) < 0.5) discard;
#endif
    vec4 base = surface_diffuse;
#if TEXTURED
    vec4 texel = texture(albedo, texture_uv);
    if (cutout && texel.a < 0.5) discard;
    base *= cutout ? vec4(texel.rgb, 1.0) : texel;
#endif
    vec3 to_eye = towards_eye(from_eye);
#if FLAT_SHADED
    vec3 n = normalize(cross(dFdx(from_eye), dFdy(from_eye)));
#else
    vec3 n = normalize(world_normal);
#endif
    // Both sides of every surface are drawn: real files have triangles of either winding.
    float facing = dot(n, to_eye);
    n = facing < 0.0 ? -n : n;
    facing = abs(facing);
#if NORMAL_MAPPED
    n = with_relief(n);
#endif

#if SHADOW_TAPS
    float shade = lit_by_key(max(dot(n, key_light.xyz), 0.0));
#else
    float shade = 1.0;
#endif
    vec3 light = diffuse_light(n, facing, shade);

    vec3 albedo_light = to_light(base.rgb);
    float roughness = clamp(surface_emissive.a, 0.1, 1.0);
    float metalness = surface_specular.a;
    float exponent = 2.0 / (roughness * roughness * roughness) + 2.0;
    float highlight = lobe(max(dot(n, normalize(key_light.xyz + to_eye)), 0.0), exponent) * shade;
    vec3 gloss = mix(to_light(surface_specular.rgb) + 0.035, albedo_light, metalness);
    float rim = (1.0 - facing) * (1.0 - facing);
    float mirrored = 0.25 + 0.75 * max(2.0 * facing * n.z - to_eye.z, 0.0);
    // What surfaces mirror of the sky lifts dark ones from a dark background.
    vec3 sheen = mix(vec3(0.03), gloss, metalness) + rim * rim * 0.4 * (1.0 - 0.6 * roughness);
    vec3 result = albedo_light * light * (1.0 - 0.6 * metalness)
        + gloss * (highlight * (1.0 - roughness * 0.7) * (0.5 + exponent / 60.0))
        + sheen * mirrored
        + to_light(surface_emissive.rgb);
    result = lifted(result, facing);
    // Highlights roll off instead of clipping to flat white.
    result /= 1.0 + max(max(result.r, max(result.g, result.b)) - 0.8, 0.0);
    colour = vec4(sqrt(result), base.a);
}
