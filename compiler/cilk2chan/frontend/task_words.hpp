#pragma once

#include <llvm/ADT/StringRef.h>

namespace cilk2chan {

/// The words that the text of tasks is made of, where a program may have a macro of the same name:
/// calls of such a macro are expanded, and the text of the tasks does without it.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> task_words();

/// Whether `name` is one of them.
[[nodiscard]] bool is_task_word(llvm::StringRef name);

}  // namespace cilk2chan
