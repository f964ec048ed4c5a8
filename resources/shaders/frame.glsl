// Shared by all shaders: one picture's camera. Points are taken relative to the eye before anything is multiplied, so
// that worlds of kilometres keep their millimetres.
layout(std140) uniform Frame {
    mat4 eye_to_clip;       // projection times the rotation of the view
    mat4 rotation_kw;       // R_KW: world directions seen from the camera
    vec4 viewport;          // width, height in device pixels; pixel ratio; metres per logical pixel at depth 1
    vec4 eye;               // p_WK; w is 1 for an orthographic camera
    vec4 key_light;         // direction to the light in the world; w: strength of its shadow
    mat4 eye_to_shadow;
    vec4 section;           // what has normal . p_eye > w is cut away; p relative to the eye
    vec4 lift;              // x: the light that black surfaces send to an eye that they face
};

// Positive for what a section keeps.
float kept_by_section(vec3 from_eye) { return section.w - dot(section.xyz, from_eye); }

// Whether a mark at a point is left out of a section, unless it is selected. On the plane itself it is shown.
bool is_cut_away(vec3 from_eye, float selected) {
    return selected < 0.5 && kept_by_section(from_eye) < -1e-5 * (1.0 + length(from_eye));
}

vec3 towards_eye(vec3 from_eye) {
    return eye.w > 0.5 ? vec3(rotation_kw[0].z, rotation_kw[1].z, rotation_kw[2].z) : normalize(-from_eye);
}

// The light on a surface with unit normal n: sky and ground, the key light as far as `lit` says, and a fill from the
// lower right that moves with the camera, so that no side is ever black.
vec3 diffuse_light(vec3 n, float facing, float lit) {
    vec3 towards_fill = transpose(mat3(rotation_kw)) * vec3(0.70, -0.14, 0.70);
    vec3 sky = mix(vec3(0.22, 0.205, 0.20), vec3(0.42, 0.45, 0.50), n.z * 0.5 + 0.5);
    return sky + vec3(0.64, 0.62, 0.585) * (max(dot(n, key_light.xyz), 0.0) * lit)
        + vec3(0.13, 0.15, 0.18) * max(dot(n, towards_fill), 0.0) + 0.09 * facing;
}

// Lifts dark surfaces from dark ground; bright colours stay pure.
vec3 lifted(vec3 sent, float facing) {
    float missing = 1.0 - min(max(sent.r, max(sent.g, sent.b)), 1.0);
    float grazing = 1.0 - facing;
    return sent + lift.x * (facing + 2.0 * grazing * grazing) * missing * missing;
}

float metres_per_pixel(vec3 from_eye) {
    float depth = max(-dot(vec3(rotation_kw[0].z, rotation_kw[1].z, rotation_kw[2].z), from_eye), 1e-6);
    return viewport.w * (eye.w > 0.5 ? 1.0 : depth);
}

// A segment's end behind the camera is pulled forward onto the near side, else its pixels would be mirrored.
void clip_segment(inout vec4 a, inout vec4 b) {
    const float nearest = 1e-4;
    if (a.w < nearest && b.w > nearest) a = mix(b, a, (b.w - nearest) / (b.w - a.w));
    else if (b.w < nearest && a.w > nearest) b = mix(a, b, (a.w - nearest) / (a.w - b.w));
}

// The corner of a segment drawn as a quad of constant width: `end` 0 or 1, `side` -1 or 1, width in device pixels.
vec4 segment_corner(vec4 a, vec4 b, float end, float side, float width) {
    clip_segment(a, b);
    vec2 across = (b.xy / b.w - a.xy / a.w) * viewport.xy;
    float length2 = dot(across, across);
    across = length2 > 1e-6 ? vec2(-across.y, across.x) * inversesqrt(length2) : vec2(1.0, 0.0);
    vec4 corner = end > 0.5 ? b : a;
    corner.xy += across * side * width / viewport.xy * corner.w;
    return corner;
}
