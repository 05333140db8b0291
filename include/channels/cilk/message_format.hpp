#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers
#include <string>   // string

/// Text that tasks on a device format for the host to print, because no vendor's `printf` writes to
/// stderr.
namespace channels::cilk {

/// Kinds of arguments in a message. Each takes 8 bytes, and a text its bytes with the zero at its
/// end.
enum class argument_kind : char { end, signed_number, unsigned_number, real, pointer, text };

/// What `fprintf(_, format, ...)` writes. `kinds`: of the arguments, up to `argument_kind::end`;
/// `arguments`: their values, one behind the other. An argument that is missing or of another kind
/// than its conversion is written as "?".
[[nodiscard]] std::string formatted(const char* format, const char* kinds, const char* arguments);

}  // namespace channels::cilk
