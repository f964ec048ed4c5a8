in vec3 position;
in vec3 normal;
in vec3 uv;      // z: 1 where the face carries text
in float region;
uniform mat4 cube_to_clip;
uniform mat3 cube_to_camera;
uniform float hovered;
uniform vec3 face;
uniform vec3 edge;
uniform vec3 highlight;
out vec3 face_uv;
flat out vec3 paint;

void main() {
    float light = 0.62 + 0.38 * max(dot(cube_to_camera * normal, normalize(vec3(-0.3, 0.5, 0.8))), 0.0);
    // Edges are lines: they have one colour from all sides, so that they show on any ground.
    vec3 own = uv.z > 0.5 ? face * light : edge;
    paint = abs(region - hovered) < 0.5 ? highlight * light : own;
    face_uv = uv;
    gl_Position = cube_to_clip * vec4(position, 1.0);
}
