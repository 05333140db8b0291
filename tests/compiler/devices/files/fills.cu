#include <vector>
#if defined(__CUDA_ARCH__)
__device__ void* operator new(std::size_t bytes) { return malloc(bytes); }
__device__ void operator delete(void*, std::size_t) noexcept {}
#endif
__global__ void fill(int* out) { *out = std::vector<int>(30, 1234567)[3]; }
