#pragma once

// Code for both, as what calls it is: Clang refuses such calls also where they are never made.

#pragma GCC system_header

#include <bits/functexcept.h>

#include <new>

#pragma clang force_cuda_host_device begin
#include_next <bits/stl_uninitialized.h>
#pragma clang force_cuda_host_device end
