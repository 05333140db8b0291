// Compiled for NVIDIA GPUs by the preset cuda.
#include "device_headers.inc"
