in float across;
in float half_width;
flat in vec4 paint;
uniform float strength;
uniform float halo_opacity;
uniform vec3 halo;  // a logical pixel around each stroke, so that it is seen on surfaces of any colour
out vec4 colour;

void main() {
    float core = clamp(half_width + 0.5 - abs(across), 0.0, 1.0);
    float around = clamp(half_width + 0.5 + viewport.z - abs(across), 0.0, 1.0);
    colour = vec4(mix(halo, paint.rgb, core), mix(halo_opacity * around, 1.0, core) * paint.a * strength);
    if (colour.a < 0.02) discard;
}
