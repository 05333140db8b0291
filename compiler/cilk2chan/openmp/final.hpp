#pragma once

#include "openmp/file_changes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <string>
#include <vector>

namespace cilk2chan::openmp {

/// Lets `omp_in_final()` know its task. A function that asks, or calls one that does, gets a second
/// name and one more parameter, which says whether the task that calls it is final; its own name is
/// that of a function that is in no final task.
class final_tasks {
 public:
  final_tasks(file_changes& out, const std::map<unsigned, const clang::FunctionDecl*>& functions);

  /// Changes calls and declarations, when all else is translated.
  void change_text();
  /// A variable that says whether the tasks of a directive are final, as a declaration; nothing if
  /// nobody asks.
  [[nodiscard]] std::string declare(const clang::OMPExecutableDirective* task) const;

 private:
  struct call_site {
    const clang::CallExpr* call;
    std::string final;  // whether the caller's task is final, as text; empty: as its function
  };
  struct final_value {
    std::string name;
    std::string outer;  // of the task around, as above
    const clang::Expr* condition;
    const clang::FunctionDecl* function;
  };
  struct user {
    const clang::FunctionDecl* function = nullptr;
    std::vector<call_site> calls;
  };

  void find_calls(user& one, const clang::Stmt* code, const std::string& final);
  void find_askers();
  /// The text of whether a task is final, in a function.
  [[nodiscard]] std::string resolved(const std::string& final,
                                     const clang::FunctionDecl* function) const;
  [[nodiscard]] bool asks(const clang::CallExpr* call) const;
  [[nodiscard]] bool can_be_asked(const clang::FunctionDecl* function) const;
  void change_call(const user& one, const call_site& site);
  void change_declarations(const clang::FunctionDecl* function);
  /// The text of a declaration, up to its body, with the second name and the parameter.
  [[nodiscard]] std::string second_form(const clang::FunctionDecl* one);

  file_changes& out_;
  std::vector<user> users_;
  bool asked_ = false;
  llvm::DenseSet<const clang::FunctionDecl*> askers_;  // canonical
  llvm::DenseMap<const clang::Stmt*, final_value> values_;
};

}  // namespace cilk2chan::openmp
