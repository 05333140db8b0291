#pragma once

#include "native/frontend.hpp"

#include <optional>

namespace cilk2chan::native {

/// The native lowering of one file: the same language, the same lines, Cilk replaced by calls of
/// the runtime. Nothing if Clang or this tool found errors, which have been reported; the text as
/// it was if there is no Cilk in it.
[[nodiscard]] std::optional<std::string> translate(const source_file& file, bool lines);

}  // namespace cilk2chan::native
