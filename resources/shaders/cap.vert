// A rectangle in the section plane around the face of one solid.
in vec2 corner;
in vec3 place;  // of its middle, relative to the eye
in vec2 reach;  // half its sides
in vec3 tone;
uniform vec3 along_u;
uniform vec3 along_v;
uniform float nearer;  // by so much of the depth, so that it wins over the faces of solids around it
out vec3 from_eye;
flat out vec3 base;

void main() {
    // A little wider, so that rounding to pixels leaves none of the face out.
    vec2 wide = corner * (reach + 0.02 * metres_per_pixel(place));
    from_eye = place + along_u * wide.x + along_v * wide.y;
    base = tone;
    gl_Position = eye_to_clip * vec4(from_eye, 1.0);
    gl_Position.z -= nearer * gl_Position.w;
}
