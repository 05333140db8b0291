// Compiled for AMD GPUs, and never run, by the preset hip.
#include <hip/hip_runtime.h>

#include "device_headers.inc"
