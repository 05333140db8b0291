# What our own targets are compiled with. Linked as $<BUILD_INTERFACE:channels_warnings>, so that nobody
# who uses the library gets our warnings.
add_library(channels_warnings INTERFACE)
target_compile_options(channels_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual -Werror
  # For Clang, but not for g++, -Wconversion includes this: what one accepts the other should.
  -Wno-sign-conversion
  # g++ 12 reports null dereferences that it has itself inlined into being, at -O3.
  $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference>)

# g++ 12 sees overlapping copies in std::string's operator+ (GCC bug 105651). For cilk2chan too, which has
# warnings of its own.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
