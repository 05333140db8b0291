#pragma once

namespace channels::cilk {

/// Kinds of arguments in a message. Each takes 8 bytes, and a text its bytes with the zero at its
/// end.
enum class argument_kind : char { end, signed_number, unsigned_number, real, pointer, text };

}  // namespace channels::cilk
