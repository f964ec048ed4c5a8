in vec3 from_eye;
flat in vec3 base;
out vec4 colour;

void main() {
    float facing = abs(dot(section.xyz, towards_eye(from_eye)));
    colour = vec4(sqrt(min(base * base * diffuse_light(section.xyz, facing, 1.0) * 0.9, 1.0)), 1.0);
}
