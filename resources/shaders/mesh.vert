in vec3 position;
in vec3 normal;
in vec2 uv;
in vec4 pose_x;  // the rows of X_WG
in vec4 pose_y;
in vec4 pose_z;
in vec3 scale;
in vec4 diffuse;
in vec4 emissive;  // w: roughness
in vec4 specular;  // w: metalness
in vec4 tint;
#if PAINTED
in vec4 paint;
#endif
out vec3 from_eye;
out vec3 world_normal;
#if TEXTURED || NORMAL_MAPPED
out vec2 texture_uv;
#endif
#if PAINTED
out vec4 surface_diffuse;
#else
flat out vec4 surface_diffuse;
#endif
flat out vec4 surface_emissive;
flat out vec4 surface_specular;
uniform float opacity;
#if TEXTURED || NORMAL_MAPPED
uniform vec2 texture_scale;
uniform vec2 texture_offset;
#endif

void main() {
    vec4 p = vec4(position * scale, 1.0);
    from_eye = vec3(dot(pose_x, p), dot(pose_y, p), dot(pose_z, p)) - eye.xyz;
    vec3 n = normal / scale;
    world_normal = vec3(dot(pose_x.xyz, n), dot(pose_y.xyz, n), dot(pose_z.xyz, n));
#if TEXTURED || NORMAL_MAPPED
    texture_uv = uv * texture_scale + texture_offset;
#endif
    vec3 base = diffuse.rgb;
#if PAINTED
    base *= paint.rgb;
#endif
    surface_diffuse = vec4(mix(base, tint.rgb, tint.a), diffuse.a * opacity);
    surface_emissive = emissive;
    surface_specular = specular;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_ClipDistance[0] = kept_by_section(from_eye);
}
