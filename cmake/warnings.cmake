# The warnings that our own targets are compiled with. Targets that are installed link
# $<BUILD_INTERFACE:channels_warnings> privately, so users of the library do not get these options.
add_library(channels_warnings INTERFACE)
target_compile_options(channels_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual
  # As a part of another project we may meet a compiler with warnings that we do not know.
  $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>
  # Clang's -Wconversion includes it and that of g++ does not: both are to accept the same code.
  -Wno-sign-conversion
  # At -O3, g++ 12 reports null dereferences that only its own inlining makes.
  $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference>)

# g++ 12 reports overlapping copies in std::string's operator+ (GCC bug 105651). For all targets, as cilk2chan has
# its own list of warnings.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# g++ 13 follows fmt 9 into code that is never reached there, and reports what it would read beyond an array.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(channels_warnings INTERFACE -Wno-array-bounds)
endif()
