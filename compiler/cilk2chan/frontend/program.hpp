#pragma once

#include "frontend/keywords.hpp"  // keyword_use

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cilk2chan {

struct loop_task;
struct task_function;

/// A call that becomes a task of its own: `cilk_spawn f(...)`, or a plain call of a function that
/// spawns, which is a spawn and an immediate sync. At most one of variable, place and returned is
/// set, and says where the result goes; if none is, the result is dropped.
struct child_call {
  const clang::CallExpr* call = nullptr;
  const clang::FunctionDecl* callee = nullptr;  // canonical
  bool spawned = false;
  const clang::VarDecl* variable = nullptr;  // T x = f(...)
  const clang::Expr* place = nullptr;        // x = f(...), a[i] = f(...)
  bool returned = false;                     // return f(...)
  // A `cilk_for`, which is called and not spawned; `call` and `callee` are null then.
  const task_function* loop = nullptr;

  /// The call or the loop, as it stands in the source.
  [[nodiscard]] const clang::Stmt* node() const;
  /// `void` for a loop.
  [[nodiscard]] bool has_result() const {
    return callee != nullptr && !callee->getReturnType()->isVoidType();
  }
};

/// Memory that a function has besides its frame until it returns: an array of variable length, or
/// alloca's result, which goes to a variable or a place.
struct allocation {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* place = nullptr;
  const clang::CallExpr* call = nullptr;  // of alloca; none: `variable` is the array
};

/// One statement of a list as lowering sees it. A declaration with a child or an allocation is one
/// statement_part for each variable.
struct statement_part {
  const clang::Stmt* statement = nullptr;
  const clang::VarDecl* variable = nullptr;  // of a declaration that was taken apart
  const child_call* child = nullptr;
  const allocation* memory = nullptr;
  bool ends_scope = false;  // the sync at the end of a `cilk_scope`, which `statement` is
};

/// A function, or a `cilk_for` in one, that becomes a task.
struct task_function {
  const clang::FunctionDecl* definition = nullptr;    // of a leaf: any declaration
  std::shared_ptr<const loop_task> loop;              // none: it is a function
  std::vector<std::unique_ptr<task_function>> loops;  // directly in it, before `program` has them
  // The frame's members in which a loop in it finds variables; filled in when the frame is laid
  // out.
  std::map<const clang::VarDecl*, std::string> members;
  std::set<const clang::VarDecl*> converted;  // of these, those that are converted at each use
  std::string name;                           // of the task's struct
  bool leaf = false;                          // spawned, but spawns nothing itself
  // Keyed by the statement, or by the variable where a declaration holds it.
  llvm::DenseMap<const void*, std::unique_ptr<child_call>> children;
  llvm::DenseMap<const void*, std::unique_ptr<allocation>> allocations;  // keyed the same way
  llvm::DenseSet<const clang::Stmt*> scopes;  // statements of a `cilk_scope`
  // Statements around a child, an allocation, a sync, or a return that has to wait for children.
  llvm::DenseSet<const clang::Stmt*> suspending;

  [[nodiscard]] const clang::Stmt* body() const;
  /// Whether the variable belongs to it, and not to the function or loop around it.
  [[nodiscard]] bool owns(const clang::VarDecl* variable) const;
  [[nodiscard]] bool has_result() const {
    return loop == nullptr && !definition->getReturnType()->isVoidType();
  }
  [[nodiscard]] const child_call* child_at(const void* key) const {
    const auto found = children.find(key);
    return found == children.end() ? nullptr : found->second.get();
  }
  [[nodiscard]] const allocation* allocation_at(const void* key) const {
    const auto found = allocations.find(key);
    return found == allocations.end() ? nullptr : found->second.get();
  }
};

/// A place in a file of the user's.
struct user_place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;  ///< from 0
};

/// How text for devices writes an expression: with these texts around a part of it.
struct device_spelling {
  std::string before;
  const clang::Expr* kept = nullptr;  // null: nothing of the expression stays
  std::string after;
};

/// What is known about the file that is being compiled.
struct program {
  clang::ASTContext* context = nullptr;
  std::vector<keyword_use> keywords;
  std::vector<std::unique_ptr<task_function>> tasks;  // in the order of the source; leaves first
  llvm::DenseMap<const clang::FunctionDecl*, task_function*>
      by_function;  // by canonical declaration
  /// Functions that a compiler has refused as C++, or for a device; canonical.
  llvm::DenseSet<const clang::FunctionDecl*> not_cxx;
  /// While text for devices is written: expressions that are spelled in other ways there
  /// (tasks/device/calls.hpp).
  llvm::DenseMap<const clang::Expr*, device_spelling> spelled;
  /// Of the library's functions that have been looked at: whether a compiler for a device leaves
  /// out a call that they make (tasks/device/check.hpp).
  mutable llvm::DenseMap<const clang::FunctionDecl*, bool> drops_calls;
  /// Of the functions that have been asked for: whether they only read
  /// (analysis/overlapped_calls.hpp).
  mutable llvm::DenseMap<const clang::FunctionDecl*, bool> only_read;

  [[nodiscard]] const clang::SourceManager& sources() const { return context->getSourceManager(); }
  /// Where the user wrote what is at `location`, or the macro that makes it.
  [[nodiscard]] user_place place_of(clang::SourceLocation location) const;
  [[nodiscard]] bool is_c() const { return !context->getLangOpts().CPlusPlus; }
  [[nodiscard]] task_function* task_of(const clang::FunctionDecl* function) const {
    return function == nullptr ? nullptr : by_function.lookup(function->getCanonicalDecl());
  }
  [[nodiscard]] const device_spelling* spelling_of(const clang::Expr* one) const {
    const auto found = spelled.find(one);
    return found == spelled.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const task_function* task_of(const child_call& child) const {
    return child.loop != nullptr ? child.loop : task_of(child.callee);
  }
};

/// The statements of `body`, with declarations that hold children taken apart; a single statement
/// is a list of one.
[[nodiscard]] std::vector<statement_part> parts_of(const task_function& task,
                                                   const clang::Stmt* body);

/// Whether lowering has to look into `piece`, rather than copy it.
[[nodiscard]] bool suspends(const task_function& task, const statement_part& piece);

}  // namespace cilk2chan
