in vec3 face_uv;
flat in vec3 paint;
uniform sampler2D atlas;
uniform vec3 text;
out vec4 colour;

void main() {
    float ink = face_uv.z > 0.5 ? texture(atlas, face_uv.xy).r : 0.0;
    colour = vec4(mix(paint, text, ink), 1.0);
}
