in vec3 from_eye;
flat in vec3 base;
uniform vec3 accent;
out vec4 colour;

// How much of a pixel the lines of a hatch cover, in pixels of the whole picture also where a draft has fewer.
float hatch() {
    const float period = 7.0, width = 1.2;  // logical pixels, along the edge of the picture
    vec4 clip = eye_to_clip * vec4(from_eye, 1.0);
    vec2 at = clip.xy / clip.w * viewport.xy / (2.0 * viewport.z);
    float away = abs(fract((at.x + at.y) / period) - 0.5) * period;
    return clamp((width - away) * viewport.z + 0.5, 0.0, 1.0);
}

// As drawings mark cut faces, so that they are not taken for surfaces of the same colour.
void main() {
    float facing = abs(dot(section.xyz, towards_eye(from_eye)));
    vec3 hatched = mix(base, accent, 0.12 + 0.68 * hatch());
    colour = vec4(sqrt(min(hatched * hatched * diffuse_light(section.xyz, facing, 1.0) * 0.9, 1.0)), 1.0);
}
