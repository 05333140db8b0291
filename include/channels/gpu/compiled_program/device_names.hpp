// Not a header of its own: unit.hpp and host_part.hpp begin with it, and end with an `#undef gpu`.

/// host_part.hpp defines what units only declare.
#define CHANNELS_GPU_HOST_PART_APART

/// The unit's device, as `CHANNELS_DEVICE` names it. A program may have code for several devices,
/// made from the same headers by different compilers. Namespaces keep their definitions apart.
#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_DEVICE "emulated"
#define CHANNELS_CILK_ON on_emulated
#define gpu gpu_emulated
#elif defined(__HIP__)
#include <hip/hip_runtime.h>
#define CHANNELS_CILK_DEVICE "hip"
#define CHANNELS_CILK_ON on_hip
#define gpu gpu_hip
#else
#include <cuda_runtime.h>
#define CHANNELS_CILK_DEVICE "cuda"
#define CHANNELS_CILK_ON on_cuda
#define gpu gpu_cuda
#endif
