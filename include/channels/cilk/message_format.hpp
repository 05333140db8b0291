#pragma once

#include <string>  // string

#include "channels/cilk/argument_kind.hpp"

/// Text that tasks on a device format for the host to print, because no vendor's `printf` writes to
/// stderr.
namespace channels::cilk {

/// What `fprintf(_, format, ...)` writes. `kinds`: of the arguments, up to `argument_kind::end`;
/// `arguments`: their values, one behind the other. An argument that is missing or of another kind
/// than its conversion is written as "?".
[[nodiscard]] std::string formatted(const char* format, const char* kinds, const char* arguments);

}  // namespace channels::cilk
