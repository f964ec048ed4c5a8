flat in vec4 surface_mark;
out vec4 colour;

void main() { colour = surface_mark; }
