flat in vec4 paint;
uniform float strength;
out vec4 colour;

void main() { colour = vec4(paint.rgb, paint.a * strength); }
