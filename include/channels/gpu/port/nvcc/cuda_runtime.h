#pragma once

// nvcc includes <cuda_runtime.h> before anything else, and that includes much of the standard
// library. What that finds changed has to come first: nvcc -I include/channels/gpu/port/nvcc.

#include "builtins.hpp"

#include_next <cuda_runtime.h>
