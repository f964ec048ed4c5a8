// Surfaces as a processor draws them while something moves: lit once a vertex, without shadows and highlights.
in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 pose_x;
in vec4 pose_y;
in vec4 pose_z;
in vec3 scale;
in vec4 diffuse;
in vec4 emissive;
in vec4 tint;
#if PAINTED
in vec4 paint;
#endif
out vec4 shade;
#if FLAT_SHADED
out vec3 from_eye;
#endif
#if TEXTURED
out vec2 texture_uv;
#endif
uniform float opacity;
#if TEXTURED
uniform vec2 texture_scale;
uniform vec2 texture_offset;
#endif

void main() {
    vec4 p = vec4(position * scale, 1.0);
    vec3 from = vec3(dot(pose_x, p), dot(pose_y, p), dot(pose_z, p)) - eye.xyz;
    gl_Position = eye_to_clip * vec4(from, 1.0);
    gl_ClipDistance[0] = kept_by_section(from);
    vec3 base = diffuse.rgb;
#if PAINTED
    base *= paint.rgb;
#endif
    base = mix(base, tint.rgb, tint.a);
#if FLAT_SHADED
    from_eye = from;
    shade = vec4(base, diffuse.a * opacity);
#else
    vec3 n = normal / scale;
    n = normalize(vec3(dot(pose_x.xyz, n), dot(pose_y.xyz, n), dot(pose_z.xyz, n)));
    float facing = dot(n, towards_eye(from));
    vec3 light = diffuse_light(facing < 0.0 ? -n : n, abs(facing), 1.0);
    vec3 sent = lifted(base * base * light + emissive.rgb * emissive.rgb, abs(facing));
    shade = vec4(sqrt(min(sent, 1.0)), diffuse.a * opacity);
#endif
#if TEXTURED
    texture_uv = uv * texture_scale + texture_offset;
#endif
}
