#pragma once

#include "frontend/program.hpp"
#include "frontend/survey.hpp"

namespace cilk2chan {

/// Functions by their canonical declarations.
using function_set = llvm::DenseSet<const clang::FunctionDecl*>;

/// Finds the functions that become tasks, and refuses whatever they contain that is not supported.
/// Returns whether everything was accepted; `source.tasks` is then complete. Every function that
/// spawns has to be a task, and the whole file is checked.
[[nodiscard]] bool check(program& source, const survey& facts);

/// The same for those functions that spawn and are not `left_out`, and for nothing else in the
/// file.
[[nodiscard]] bool check_tasks(program& source, const survey& facts, const function_set& left_out);

/// Refuses what a function may not contain, wherever in it (check_contents.cpp).
void check_contents(const program& source, const task_function& task, const function_facts& facts);

/// Registers the children in the function's statements, and refuses those in places where lowering
/// cannot look (check_statements.cpp).
void check_statements(const program& source, task_function& task, const function_facts& facts);

/// Refuses memory of variable length that lowering cannot give another home, and what a pointer
/// to it could not stand for (check_allocations.cpp).
void check_allocations(const program& source, const task_function& task);

/// Refuses a type that cannot be part of a frame or of a task's arguments (check_types.cpp).
void check_type(const program& source, clang::QualType type, clang::SourceLocation where,
                llvm::StringRef name);

/// Refuses C that C++ would reject or read differently (check_c.cpp): in the whole file, or in one
/// declaration.
void check_c(const program& source);
void check_c(const program& source, clang::Decl* declaration);

}  // namespace cilk2chan
