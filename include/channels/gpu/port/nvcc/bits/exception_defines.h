#pragma once

// nvcc makes a trap of what the library tries in code for the device, where nothing is thrown.

#pragma GCC system_header

#include_next <bits/exception_defines.h>

#if defined(__CUDA_ARCH__)
#undef __try
#undef __catch
#undef __throw_exception_again
#define __try if (true)
#define __catch(X) if (false)
#define __throw_exception_again
#endif
