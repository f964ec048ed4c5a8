in vec4 shade;
#if FLAT_SHADED
in vec3 from_eye;
#endif
#if TEXTURED
in vec2 texture_uv;
uniform sampler2D albedo;
uniform bool cutout;
#endif
out vec4 colour;

void main() {
#if HATCHED
    if (fract((gl_FragCoord.x + gl_FragCoord.y) * 0.1) < 0.5) discard;
#endif
    colour = shade;
#if FLAT_SHADED
    vec3 n = normalize(cross(dFdx(from_eye), dFdy(from_eye)));
    float facing = dot(n, towards_eye(from_eye));
    vec3 light = diffuse_light(facing < 0.0 ? -n : n, abs(facing), 1.0);
    colour.rgb = sqrt(lifted(colour.rgb * colour.rgb * light, abs(facing)));
#endif
#if TEXTURED
    vec4 texel = texture(albedo, texture_uv);
    if (cutout && texel.a < 0.5) discard;
    colour *= cutout ? vec4(texel.rgb, 1.0) : texel;
#endif
}
