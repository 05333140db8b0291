#pragma once

// What the library's containers allocate with. Its two functions are of the host alone, unlike the
// constexpr ones around them, and nvcc leaves their calls out in code for the device without a
// word: a vector in a task then has no memory. As constexpr functions they are of both.

#pragma GCC system_header

#pragma push_macro("_GLIBCXX_NODISCARD")
#undef _GLIBCXX_NODISCARD
#define _GLIBCXX_NODISCARD [[nodiscard]] constexpr
#define deallocate constexpr deallocate
#include_next <bits/new_allocator.h>
#undef deallocate
#pragma pop_macro("_GLIBCXX_NODISCARD")
