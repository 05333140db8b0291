#pragma once

#include "analysis/call_targets.hpp"
#include "diagnostics/error_collector.hpp"  // obstacle
#include "frontend/parsed_file.hpp"
#include "normal_form/regions.hpp"
#include "normal_form/view_kinds.hpp"

#include <clang/AST/Decl.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>

#include <string>
#include <vector>

namespace cilk2chan {

/// Names of plain functions by the functions that they stand for, canonical. Each instance of a
/// template is a function of its own.
struct plain_names : llvm::DenseMap<const clang::FunctionDecl*, std::string> {
  explicit plain_names(const clang::ASTContext& of) : context(of) {}

  const clang::ASTContext& context;
  /// What virtual calls of a method may call that has a plain form.
  llvm::DenseMap<const clang::CXXMethodDecl*, std::vector<virtual_target>> dispatched;
  /// The same of calls through pointers, by the types of the functions that they call.
  llvm::DenseMap<call_targets::type, call_targets::function_list> pointed_to;
  /// Variables beside the plain forms with the addresses that such functions have on the host.
  llvm::MapVector<const clang::FunctionDecl*, std::string> addresses;
  /// Names of such functions in whose place a plain form has what the variable points to.
  llvm::DenseSet<const clang::DeclRefExpr*> values;
  /// Functions of which no task comes out: their calls stay where they are in an expression of C.
  llvm::DenseSet<const clang::FunctionDecl*> leaves;
  /// The id of the file.
  std::string id;
  /// Devices run the tasks: lanes share long loops of functions that spawn.
  bool shares_loops = false;
  /// Complex numbers of C are calculated with by functions.
  bool calculates = false;
  /// The kinds of views that a function with a plain form needs, itself or for what it calls, and
  /// gets in its last parameters; canonical.
  llvm::DenseMap<const clang::FunctionDecl*, view_set> views;
  view_kinds* kinds = nullptr;  // of these

  /// Returns what a virtual call may call, if only the run of the program shows what it calls and
  /// some of it has a plain form; else null.
  [[nodiscard]] const std::vector<virtual_target>* targets_of(const clang::CallExpr* call) const;
  [[nodiscard]] const view_set& views_of(const clang::FunctionDecl* function) const;
  /// Those that go to what a call calls.
  [[nodiscard]] view_set views_of(const clang::CallExpr* call) const;
  /// The same for a call through a pointer.
  [[nodiscard]] const call_targets::function_list* targets_through_pointer(
      const clang::CallExpr* call) const;
  /// Gives the function, which has a plain form, such a variable.
  void add_address(const clang::FunctionDecl* function);
};

/// The variable, and its declaration, that tells where a class has its table of virtual functions.
[[nodiscard]] std::string table_name(const plain_names& names, const clang::CXXRecordDecl* object);
[[nodiscard]] std::string table_declaration(const plain_names& names,
                                            const clang::CXXRecordDecl* object);

/// The declaration of a plain function, without its body: an object comes first, as a pointer, and
/// references are pointers, and `views` come last. Empty where a type has no name.
[[nodiscard]] std::string plain_head(const parsed_file& source,
                                     const clang::FunctionDecl* definition, const std::string& name,
                                     const view_set& views);

/// The same for a region of a function, over the addresses of what it uses.
[[nodiscard]] std::string plain_region_head(const parsed_file& source,
                                            const clang::FunctionDecl* definition,
                                            const parallel_region& region, const std::string& name);

/// What is written for a function or a part of one.
struct written_text {
  std::string text;               // empty where there is something that has no plain form
  std::vector<obstacle> why_not;  // then: what
};

/// A function of the program in plain Cilk: no template, no member, macros expanded, references as
/// pointers, calls of functions that spawn in statements of their own, `x += cilk_spawn f()` as an
/// addition behind the sync. `is_static`: no other file may see it. `is_task`: also without a
/// spawn.
[[nodiscard]] written_text plain_function(const parsed_file& source,
                                          const clang::FunctionDecl* definition,
                                          const plain_names& names, bool is_static,
                                          bool is_task = false);

/// A call operator of a lambda in which nothing is parallel, as a member of its hidden type.
[[nodiscard]] written_text plain_operator(const parsed_file& source,
                                          const clang::CXXMethodDecl* method,
                                          const std::string& type, const plain_names& names);

/// A region of a function in plain Cilk, as the function `name`.
[[nodiscard]] written_text plain_region(const parsed_file& source,
                                        const clang::FunctionDecl* definition,
                                        const parallel_region& region, const std::string& name,
                                        const plain_names& names);

}  // namespace cilk2chan
