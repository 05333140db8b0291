#pragma once

#include "analysis/reductions.hpp"
#include "diagnostics/error_collector.hpp"  // obstacle
#include "diagnostics/refusals.hpp"         // reasons
#include "normal_form/plain_complex.hpp"
#include "normal_form/plain_function.hpp"
#include "normal_form/plain_rows.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/PrettyPrinter.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace cilk2chan {

/// Prints expressions of a function for its plain form. Invariant: it has failed once something was
/// printed that a plain function cannot have.
class plain_expressions : public clang::PrinterHelper {
 public:
  plain_expressions(const parsed_file& source, const plain_names& names);

  plain_rows rows;
  plain_complex complex;

  [[nodiscard]] bool failed() const { return !reasons_.empty(); }
  /// Why it has failed, each reason once.
  [[nodiscard]] const std::vector<obstacle>& why() const { return reasons_; }
  /// Something cannot be printed: at `where`, or else in the statement that is being written.
  void fail(llvm::StringRef what, clang::SourceLocation where = {});
  void need(bool fine, llvm::StringRef otherwise, const clang::Expr* at = nullptr) {
    if (!fine) fail(otherwise, at == nullptr ? clang::SourceLocation() : at->getExprLoc());
  }
  /// What `from`, which was a copy of this, could not print, this cannot, either.
  void take_reasons(const plain_expressions& from);
  /// A statement begins at this place.
  void is_at(clang::SourceLocation where) { at_ = where; }

  [[nodiscard]] std::string text(const clang::Expr* value);
  /// The address of what a reference that is bound to `value` would refer to.
  [[nodiscard]] std::string address(const clang::Expr* value);
  /// A call of a function that has a plain form.
  [[nodiscard]] std::string call(const clang::CallExpr* call);
  /// Whether a call becomes a statement of its own: what it calls, or may call, has a plain form.
  [[nodiscard]] bool calls_plain(const clang::CallExpr* call) const {
    return (plain_callee(call) != nullptr && !is_leaf(call)) ||
           names_.targets_of(call) != nullptr || names_.targets_through_pointer(call) != nullptr;
  }
  /// Whether the call of a plain form is one as any other.
  [[nodiscard]] bool is_leaf(const clang::CallExpr* call) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee != nullptr && names_.leaves.contains(callee->getCanonicalDecl());
  }
  [[nodiscard]] const plain_names& names() const { return names_; }
  /// The plain form of what a call calls, or nothing.
  [[nodiscard]] const std::string* plain_callee(const clang::CallExpr* call) const;
  /// The object of the call of a member, as a pointer.
  [[nodiscard]] std::string object(const clang::CallExpr* call);

  /// `text` stands for `value`, a call, where an object in a `cilk_held` is passed on.
  void pass_on(const clang::Expr* value, const std::string& text) { passed_on_[value] = text; }
  /// `text` stands for `value` from now on.
  void replace(const clang::Expr* value, const std::string& text) { replaced_[value] = text; }
  [[nodiscard]] bool is_replaced(const clang::Expr* value) const {
    return replaced_.contains(value);
  }
  /// The variable is a pointer in the plain function, and was a reference.
  void is_pointer(const clang::VarDecl* variable) { pointers_.insert(variable); }
  [[nodiscard]] bool was_reference(const clang::VarDecl* variable) const {
    return pointers_.contains(variable);
  }
  /// The variable has another name until `named_again`.
  void rename(const clang::VarDecl* variable, const std::string& name) { others_[variable] = name; }
  void named_again(const clang::VarDecl* variable) { others_.erase(variable); }
  /// The variable is in a `cilk_box`.
  void is_box(const clang::VarDecl* variable) { boxes_.insert(variable); }
  /// The variable is one of the function's own, of its name and type.
  void is_plain(const clang::VarDecl* variable) {
    pointers_.erase(variable);
    boxes_.erase(variable);
    others_.erase(variable);
  }
  /// The code is that of a call operator of a lambda: what that captures is in its object.
  void is_operator_of(const clang::CXXMethodDecl* method);
  /// `value` for a variable or parameter of this type.
  [[nodiscard]] std::string converted(const clang::Expr* value, clang::QualType to);
  /// A variable of the function, as a value.
  [[nodiscard]] std::string variable(const clang::VarDecl* variable);
  /// The name of a variable of the function, also of one without a name.
  [[nodiscard]] std::string name(const clang::VarDecl* variable);

  /// The place of the reducer whose view this is, which is where the first strand has its view.
  [[nodiscard]] std::string place(const named_view& view);
  [[nodiscard]] std::string place(const std::string& reducer, const reducer_facts& facts);
  /// The strand's view: a variable of the loop that is being written, or one of its `views`.
  /// Nothing for a reducer whose place is the view of all strands.
  [[nodiscard]] std::optional<std::string> local_view(const named_view& view);
  /// The strand's sets of views, by their kind; empty: the places are its views.
  std::map<unsigned, std::string> views;
  /// The strand's set of views as an argument.
  [[nodiscard]] std::string views_here(unsigned kind);
  /// The kind of the reducer, if the function has views of it.
  [[nodiscard]] std::optional<unsigned> kind_of(const reducer_facts& facts) const;
  /// Whether a variable of the loop holds the view.
  [[nodiscard]] bool has_variable(const named_view& view);
  /// From now on, until it is forgotten, `variable` is the view of the reducer at `place`.
  void has_view(const std::string& place, const std::string& variable) {
    variables_[place] = variable;
  }
  void forget_view(const std::string& place) { variables_.erase(place); }
  /// `value` initialises, or is passed as, `target`: if that points to a reducer, `&sum` is the
  /// address of the reducer, and not of a view.
  void leads(const clang::DeclaratorDecl* target, const clang::Expr* value);
  /// The function declares the reducer.
  void owns(const clang::VarDecl* reducer) { owned_.insert(reducer); }
  /// Whether nobody else uses the reducer now.
  [[nodiscard]] bool is_alone_with(const named_view& view) const;
  /// Whether no child of the strand may be running.
  bool is_quiet = true;
  /// Whether the function runs alone, as a region of host code does.
  bool is_alone = false;
  /// Whether functions are named as host code names them.
  bool names_host_code = false;
  /// Reducers that the function declares. Those around are not those of an iteration.
  using owned_reducers = llvm::DenseSet<const clang::ValueDecl*>;
  [[nodiscard]] owned_reducers exchange_owned(owned_reducers now) {
    std::swap(now, owned_);
    return now;
  }

  bool handledStmt(clang::Stmt* code, llvm::raw_ostream& out) override;

  /// What `this` is called.
  static constexpr const char* self = "cilk_this";

 private:
  [[nodiscard]] std::string constant(const clang::DeclRefExpr* name);
  [[nodiscard]] std::string reference(const clang::DeclRefExpr* name);
  [[nodiscard]] std::string object_text() const;  // what `this` is
  bool print_closure(const clang::LambdaExpr* lambda, llvm::raw_ostream& out);
  bool print_atomic(const clang::CallExpr* call, llvm::raw_ostream& out);
  bool print_scalar(const clang::Expr* value, llvm::raw_ostream& out);
  bool print_member(const clang::MemberExpr* member, llvm::raw_ostream& out);
  bool print_only_c(const clang::Expr* value, llvm::raw_ostream& out);
  bool print_of_c(const clang::Expr* value, llvm::raw_ostream& out);
  bool print_called_object(const clang::CallExpr* call, llvm::raw_ostream& out);
  /// Prints what uses a view or names a reducer. Returns false for all else.
  bool print_reducer(const clang::Expr* value, llvm::raw_ostream& out);
  /// The value of a view, if it may be read here.
  std::string view_value(const named_view& view);
  /// Prints what a member of a reducer's class does to its view, as `list.push_back(n)`.
  bool print_member_of_reducer(const clang::CallExpr* call, llvm::raw_ostream& out);
  /// The view as a place that may be written here.
  std::string view_place(const named_view& view);

  const parsed_file& source_;
  const plain_names& names_;
  clang::PrintingPolicy policy_;
  std::vector<obstacle> reasons_;
  clang::SourceLocation at_;
  llvm::DenseMap<const clang::Expr*, std::string> replaced_;
  llvm::DenseMap<const clang::Expr*, std::string> passed_on_;
  llvm::DenseSet<const clang::VarDecl*> pointers_;
  llvm::DenseSet<const clang::VarDecl*> boxes_;
  const clang::CXXMethodDecl* operator_ = nullptr;  // of a lambda, that this is the code of
  llvm::DenseMap<const clang::ValueDecl*, clang::FieldDecl*> captured_;
  clang::FieldDecl* captured_object_ = nullptr;
  std::map<std::string, std::string> variables_;  // that hold views, by the reducers' places
  owned_reducers owned_;
  llvm::DenseSet<const clang::Expr*>
      named_;                  // reducers themselves, where views are meant elsewhere
  bool names_places_ = false;  // reducers are named, and not their views
  unsigned unnamed_ = 0;
  llvm::DenseMap<const clang::VarDecl*, std::string>
      others_;  // names of those without one, and renamed
};

/// The function that a call names; one without a prototype as it is defined.
[[nodiscard]] const clang::FunctionDecl* defined_callee(const clang::CallExpr* call);

/// The text as a string literal.
[[nodiscard]] std::string in_quotes(llvm::StringRef text);

/// Whether an argument or initial value of a reference is a temporary object, which has no place.
[[nodiscard]] bool is_temporary(const clang::Expr* value);

}  // namespace cilk2chan
