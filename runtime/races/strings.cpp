// The C library's functions on strings. cilk2chan links them in the place of the library's own
// (ld's --wrap), as their accesses are not compiled into calls.

#include <cstdlib>  // malloc
#include <cstring>  // size_t

#include "runtime/races/detector.hpp"

using namespace channels::races;

extern "C" {

std::size_t __real_strlen(const char*);
std::size_t __real_strnlen(const char*, std::size_t);
char* __real_strcpy(char*, const char*);
char* __real_strncpy(char*, const char*, std::size_t);
char* __real_strcat(char*, const char*);
char* __real_strncat(char*, const char*, std::size_t);
int __real_strcmp(const char*, const char*);
int __real_strncmp(const char*, const char*, std::size_t);
char* __real_strchr(const char*, int);
char* __real_strrchr(const char*, int);
char* __real_strstr(const char*, const char*);
int __real_memcmp(const void*, const void*, std::size_t);
void* __real_memchr(const void*, int, std::size_t);
}

namespace {

void reads(const void* at, std::size_t bytes, void* pc) {
  check_range(reinterpret_cast<std::uintptr_t>(at), bytes, reinterpret_cast<std::uintptr_t>(pc),
              access_kind::read);
}
void writes(void* at, std::size_t bytes, void* pc) {
  check_range(reinterpret_cast<std::uintptr_t>(at), bytes, reinterpret_cast<std::uintptr_t>(pc),
              access_kind::write);
}
/// The string with the zero at its end.
std::size_t whole(const char* text) { return __real_strlen(text) + 1; }
/// What a comparison reads: up to the first difference or the end.
std::size_t compared(const char* a, const char* b, std::size_t most) {
  std::size_t n = 0;
  while (n < most && a[n] == b[n] && a[n] != 0) ++n;
  return n < most ? n + 1 : n;
}

}  // namespace

#define CHANNELS_RACES_CALLER __builtin_return_address(0)

extern "C" {

std::size_t __wrap_strlen(const char* text) {
  reads(text, whole(text), CHANNELS_RACES_CALLER);
  return __real_strlen(text);
}
std::size_t __wrap_strnlen(const char* text, std::size_t most) {
  const std::size_t length = __real_strnlen(text, most);
  reads(text, length < most ? length + 1 : most, CHANNELS_RACES_CALLER);
  return length;
}
char* __wrap_strcpy(char* to, const char* from) {
  reads(from, whole(from), CHANNELS_RACES_CALLER);
  writes(to, whole(from), CHANNELS_RACES_CALLER);
  return __real_strcpy(to, from);
}
char* __wrap_strncpy(char* to, const char* from, std::size_t bytes) {
  const std::size_t length = __real_strnlen(from, bytes);
  reads(from, length < bytes ? length + 1 : bytes, CHANNELS_RACES_CALLER);
  writes(to, bytes, CHANNELS_RACES_CALLER);
  return __real_strncpy(to, from, bytes);
}
char* __wrap_strcat(char* to, const char* from) {
  reads(to, whole(to), CHANNELS_RACES_CALLER);
  reads(from, whole(from), CHANNELS_RACES_CALLER);
  writes(to + __real_strlen(to), whole(from), CHANNELS_RACES_CALLER);
  return __real_strcat(to, from);
}
char* __wrap_strncat(char* to, const char* from, std::size_t most) {
  const std::size_t length = __real_strnlen(from, most);
  reads(to, whole(to), CHANNELS_RACES_CALLER);
  reads(from, length < most ? length + 1 : most, CHANNELS_RACES_CALLER);
  writes(to + __real_strlen(to), length + 1, CHANNELS_RACES_CALLER);
  return __real_strncat(to, from, most);
}
int __wrap_strcmp(const char* a, const char* b) {
  const std::size_t bytes = compared(a, b, SIZE_MAX);
  reads(a, bytes, CHANNELS_RACES_CALLER);
  reads(b, bytes, CHANNELS_RACES_CALLER);
  return __real_strcmp(a, b);
}
int __wrap_strncmp(const char* a, const char* b, std::size_t most) {
  const std::size_t bytes = compared(a, b, most);
  reads(a, bytes, CHANNELS_RACES_CALLER);
  reads(b, bytes, CHANNELS_RACES_CALLER);
  return __real_strncmp(a, b, most);
}
char* __wrap_strchr(const char* text, int what) {
  char* const found = __real_strchr(text, what);
  reads(text, found != nullptr ? static_cast<std::size_t>(found - text) + 1 : whole(text),
        CHANNELS_RACES_CALLER);
  return found;
}
char* __wrap_strrchr(const char* text, int what) {
  reads(text, whole(text), CHANNELS_RACES_CALLER);
  return __real_strrchr(text, what);
}
char* __wrap_strstr(const char* text, const char* what) {
  reads(text, whole(text), CHANNELS_RACES_CALLER);
  reads(what, whole(what), CHANNELS_RACES_CALLER);
  return __real_strstr(text, what);
}
char* __wrap_strdup(const char* text) {
  const std::size_t bytes = whole(text);
  reads(text, bytes, CHANNELS_RACES_CALLER);
  char* const made = static_cast<char*>(std::malloc(bytes));
  if (made == nullptr) return nullptr;
  writes(made, bytes, CHANNELS_RACES_CALLER);
  return __real_strcpy(made, text);
}
int __wrap_memcmp(const void* a, const void* b, std::size_t bytes) {
  reads(a, bytes, CHANNELS_RACES_CALLER);
  reads(b, bytes, CHANNELS_RACES_CALLER);
  return __real_memcmp(a, b, bytes);
}
void* __wrap_memchr(const void* at, int what, std::size_t bytes) {
  reads(at, bytes, CHANNELS_RACES_CALLER);
  return __real_memchr(at, what, bytes);
}
}
