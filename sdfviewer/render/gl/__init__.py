"""OpenGL 3.3 itself: functions, programs, buffers, framebuffers, contexts without a window."""
