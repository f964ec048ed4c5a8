in vec3 from_eye;
in vec3 world_normal;
in vec2 texture_uv;
flat in vec4 surface_diffuse;
flat in vec4 surface_emissive;
flat in vec4 surface_specular;
uniform sampler2D albedo;
uniform sampler2DShadow shadow_map;
uniform bool textured;
uniform bool flat_shaded;
uniform bool cutout;
out vec4 colour;

// Colours are mixed in light, not in code values; a square is close enough to the sRGB curve and free.
vec3 to_light(vec3 code) { return code * code; }
vec3 to_code(vec3 light) { return sqrt(light); }

float lit_by_key(vec3 n) {
    if (key_light.w <= 0.0) return 1.0;
    vec4 p = eye_to_shadow * vec4(from_eye, 1.0);
    vec3 at = p.xyz * 0.5 + 0.5;
    if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
    at.z = min(at.z, 1.0);
    float step = 1.0 / float(textureSize(shadow_map, 0).x);
    at.z -= step * (1.5 + 3.0 * (1.0 - abs(dot(n, key_light.xyz))));
    float lit = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 offset = vec2(i & 1, i >> 1) * 2.0 - 1.0;
        lit += texture(shadow_map, vec3(at.xy + offset * step * 0.9, at.z));
    }
    return mix(1.0, lit * 0.25, key_light.w);
}

void main() {
    vec4 base = surface_diffuse;
    if (textured) {
        vec4 texel = texture(albedo, texture_uv);
        if (cutout && texel.a < 0.5) discard;
        base *= cutout ? vec4(texel.rgb, 1.0) : texel;
    }
    vec3 towards_eye = eye.w > 0.5
        ? vec3(rotation_kw[0].z, rotation_kw[1].z, rotation_kw[2].z) : normalize(-from_eye);
    vec3 n = flat_shaded ? normalize(cross(dFdx(from_eye), dFdy(from_eye))) : normalize(world_normal);
    // Both sides of every surface are drawn: real files have triangles of either winding.
    if (dot(n, towards_eye) < 0.0) n = -n;

    mat3 r = mat3(rotation_kw);
    vec3 n_camera = r * n;
    float facing = max(dot(n, towards_eye), 0.0);
    float key = max(dot(n, key_light.xyz), 0.0);
    // A fill from the lower right and a rim from behind move with the camera, so no side is ever black.
    float fill = max(dot(n_camera, vec3(0.70, -0.14, 0.70)), 0.0);
    float shade = key > 0.0 ? lit_by_key(n) : 0.0;
    vec3 sky = mix(vec3(0.22, 0.205, 0.20), vec3(0.42, 0.45, 0.50), n.z * 0.5 + 0.5);
    vec3 light = sky + vec3(0.64, 0.62, 0.585) * key * shade + vec3(0.13, 0.15, 0.18) * fill + 0.09 * facing;

    vec3 albedo_light = to_light(base.rgb);
    float roughness = clamp(surface_emissive.a, 0.08, 1.0);
    float metalness = surface_specular.a;
    float exponent = 2.0 / (roughness * roughness * roughness) + 2.0;
    float highlight = pow(max(dot(n, normalize(key_light.xyz + towards_eye)), 0.0), exponent) * shade
        + 0.35 * pow(max(dot(n_camera, normalize(vec3(0.70, -0.14, 0.70) + r * towards_eye)), 0.0), exponent);
    vec3 gloss = mix(to_light(surface_specular.rgb) + 0.035, albedo_light, metalness);
    float rim = pow(1.0 - facing, 4.0);
    vec3 mirrored = sky * (0.25 + 0.75 * max(reflect(-towards_eye, n).z, 0.0));
    vec3 result = albedo_light * light * (1.0 - 0.6 * metalness)
        + gloss * highlight * (1.0 - roughness * 0.7) * (0.5 + exponent / 60.0) * step(1e-4, dot(n, n))
        + gloss * mirrored * metalness
        + mix(gloss, vec3(1.0), 0.2) * rim * 0.22 * (1.0 - 0.6 * roughness)
        + to_light(surface_emissive.rgb);
    // Highlights roll off instead of clipping to flat white.
    result = result / (1.0 + max(max(result.r, max(result.g, result.b)) - 0.8, 0.0));
    colour = vec4(to_code(result), base.a);
}
