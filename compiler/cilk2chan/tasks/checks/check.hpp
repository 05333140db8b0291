#pragma once

#include "frontend/program.hpp"
#include "frontend/survey.hpp"

namespace cilk2chan {

/// Functions by their canonical declarations.
using function_set = llvm::DenseSet<const clang::FunctionDecl*>;

/// Checks the whole file: every function that spawns has to become a task. Finds the tasks, and
/// refuses what they contain that is not supported. Returns whether everything was accepted;
/// `source.tasks` is then complete.
[[nodiscard]] bool check(program& source, const survey& facts);

/// The same for the functions that spawn and are not in `left_out`. Checks nothing else in the
/// file.
[[nodiscard]] bool check_tasks(program& source, const survey& facts, const function_set& left_out);

/// Refuses everything that stands in the way of any function, also what `check` leaves out because
/// something else stands in the way already: to tell all of it at once. `source.tasks` is then of
/// no other use.
void list_obstacles(program& source, const survey& facts);

/// Refuses what a function may not contain at any place (contents.cpp).
void check_contents(const program& source, const task_function& task, const function_facts& facts);

/// Registers the children in the function's statements, and refuses those in places that lowering
/// does not know (statements.cpp).
void check_statements(const program& source, task_function& task, const function_facts& facts);

/// Refuses memory of variable length that lowering cannot move out of the function, and uses of an
/// array for which a pointer cannot stand (allocations.cpp).
void check_allocations(const program& source, const task_function& task);

/// Refuses a type that cannot be part of a frame or of a task's arguments (types.cpp).
void check_type(const program& source, clang::QualType type, clang::SourceLocation where,
                llvm::StringRef name);

/// Refuses C that C++ rejects or reads differently (c_as_cxx.cpp): in the whole file, or in one
/// declaration.
void check_c(const program& source);
void check_c(const program& source, clang::Decl* declaration);
/// Whether a name of C is a keyword of C++.
[[nodiscard]] bool is_cxx_keyword(llvm::StringRef name);
/// The constants of enumerations that a C program declares inside of structures: in C++ the file
/// does not see them.
[[nodiscard]] std::string constants_in_structures(const program& source);
/// What stands before the text of a C program, so that the functions of <math.h> that it calls are
/// those of C.
[[nodiscard]] std::string c_mathematics(const program& source);

/// Whether C counts in bytes there, or in functions, and C++ not at all: `p + n` of a `void*`.
[[nodiscard]] bool is_step_of_void(const clang::Expr* value);
/// Whether it is `e++`, `e += n` or their like of an enumeration.
[[nodiscard]] bool is_enumeration_changed(const clang::Expr* value);
/// Whether a text fills an array, so that no zero follows: `char a[3] = "abc"`.
[[nodiscard]] bool is_without_end(const clang::ASTContext& context,
                                  const clang::StringLiteral* text);

}  // namespace cilk2chan
