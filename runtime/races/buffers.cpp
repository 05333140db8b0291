// The C library's functions that read or write the program's buffers, besides those on strings.
// cilk2chan links them in the place of the library's own (ld's --wrap).

#include <algorithm>  // min
#include <cstdarg>    // va_list
#include <cstdio>     // vsprintf, FILE
#include <cstdlib>    // qsort
#include <cstring>    // strlen

#include "runtime/races/detector.hpp"

using namespace channels::races;

extern "C" {
int __real_vsnprintf(char*, std::size_t, const char*, std::va_list);
char* __real_fgets(char*, int, std::FILE*);
std::size_t __real_fread(void*, std::size_t, std::size_t, std::FILE*);
std::size_t __real_fwrite(const void*, std::size_t, std::size_t, std::FILE*);
void __real_qsort(void*, std::size_t, std::size_t, int (*)(const void*, const void*));
}

namespace {

void note(const void* at, std::size_t bytes, void* pc, access_kind kind) {
  check_range(reinterpret_cast<std::uintptr_t>(at), bytes, reinterpret_cast<std::uintptr_t>(pc),
              kind);
}
/// A text of `length` in a buffer of `bytes`, with its zero.
void note_text(const char* text, std::size_t bytes, int length, void* pc) {
  if (length >= 0)
    note(text, std::min(bytes, static_cast<std::size_t>(length) + 1), pc, access_kind::write);
}

}  // namespace

#define CHANNELS_RACES_CALLER __builtin_return_address(0)

extern "C" {

int __wrap_vsnprintf(char* to, std::size_t bytes, const char* format, std::va_list values) {
  const int length = __real_vsnprintf(to, bytes, format, values);
  note_text(to, bytes, length, CHANNELS_RACES_CALLER);
  return length;
}
int __wrap_snprintf(char* to, std::size_t bytes, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int length = __real_vsnprintf(to, bytes, format, values);
  va_end(values);
  note_text(to, bytes, length, CHANNELS_RACES_CALLER);
  return length;
}
int __wrap_sprintf(char* to, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int length = std::vsprintf(to, format, values);
  va_end(values);
  note_text(to, SIZE_MAX, length, CHANNELS_RACES_CALLER);
  return length;
}
char* __wrap_fgets(char* to, int bytes, std::FILE* from) {
  char* const read = __real_fgets(to, bytes, from);
  if (read != nullptr) note(to, std::strlen(to) + 1, CHANNELS_RACES_CALLER, access_kind::write);
  return read;
}
std::size_t __wrap_fread(void* to, std::size_t bytes, std::size_t count, std::FILE* from) {
  const std::size_t read = __real_fread(to, bytes, count, from);
  note(to, read * bytes, CHANNELS_RACES_CALLER, access_kind::write);
  return read;
}
std::size_t __wrap_fwrite(const void* what, std::size_t bytes, std::size_t count, std::FILE* to) {
  note(what, bytes * count, CHANNELS_RACES_CALLER, access_kind::read);
  return __real_fwrite(what, bytes, count, to);
}
// At its end: what the comparisons have read of the elements is a part of that.
void __wrap_qsort(void* first, std::size_t count, std::size_t bytes,
                  int (*compare)(const void*, const void*)) {
  __real_qsort(first, count, bytes, compare);
  note(first, count * bytes, CHANNELS_RACES_CALLER, access_kind::write);
}
}
