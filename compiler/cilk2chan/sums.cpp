#include "sums.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

#include <optional>

namespace cilk2chan {
namespace {

/// Variables that get results.
using result_set = llvm::DenseSet<const clang::VarDecl*>;

clang::QualType plain(clang::QualType type) { return type.getCanonicalType().getUnqualifiedType(); }

clang::QualType result_type(const finished_task& task) {
  return plain(task.task->definition->getReturnType());
}

/// The variable that `expression` is, if it is no more than that.
const clang::VarDecl* variable_in(const clang::Expr* expression) {
  const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

/// Looks for what children may change or for what does something: then a term cannot be computed
/// before they have finished.
class change_finder : public clang::RecursiveASTVisitor<change_finder> {
 public:
  change_finder(const variable_usage& usage, const result_set& results)
      : usage_(usage), results_(results) {}

  bool found = false;

  bool VisitStmt(clang::Stmt* node) {
    if (const auto* const cast = llvm::dyn_cast<clang::CastExpr>(node)) {
      const clang::CastKind kind = cast->getCastKind();
      return kind == clang::CK_LValueToRValue || kind == clang::CK_IntegralCast ||
             kind == clang::CK_NoOp || stop();
    }
    if (const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(node)) return is_fixed(*name);
    if (const auto* const two = llvm::dyn_cast<clang::BinaryOperator>(node))
      return !two->isAssignmentOp() || stop();
    if (const auto* const one = llvm::dyn_cast<clang::UnaryOperator>(node))
      return one->isArithmeticOp() || stop();
    return llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::ConstantExpr,
                     clang::ParenExpr, clang::ConditionalOperator>(node) ||
           stop();
  }

 private:
  bool is_fixed(const clang::DeclRefExpr& name) {
    if (llvm::isa<clang::EnumConstantDecl>(name.getDecl())) return true;
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(name.getDecl());
    return (variable != nullptr && variable->hasLocalStorage() &&
            variable->getType()->isIntegerType() && !variable->getType().isVolatileQualified() &&
            !usage_.escaped.contains(variable) && !results_.contains(variable)) ||
           stop();
  }
  bool stop() {
    found = true;
    return false;
  }

  const variable_usage& usage_;
  const result_set& results_;
};

class sum_reader {
 public:
  sum_reader(const finished_task& task, const result_set& results)
      : usage_(task.usage), results_(results), type_(result_type(task)) {}

  /// Whether `expression` is a sum of the results, each once, and of what is known before.
  bool is_sum(const clang::Expr* expression) {
    return add(expression) && seen_.size() == results_.size();
  }

 private:
  bool add(const clang::Expr* expression) {
    expression = expression->IgnoreParens();
    if (const clang::VarDecl* const variable = variable_in(expression);
        variable != nullptr && results_.contains(variable)) {
      return has_type(expression) && seen_.insert(variable).second;
    }
    const auto* const sum = llvm::dyn_cast<clang::BinaryOperator>(expression);
    if (sum != nullptr && has_type(sum)) {
      if (sum->getOpcode() == clang::BO_Add) return add(sum->getLHS()) && add(sum->getRHS());
      if (sum->getOpcode() == clang::BO_Sub) return add(sum->getLHS()) && is_known(sum->getRHS());
    }
    return is_known(expression);
  }
  bool is_known(const clang::Expr* term) const {
    change_finder changes(usage_, results_);
    changes.TraverseStmt(const_cast<clang::Expr*>(term));
    return !changes.found;
  }
  bool has_type(const clang::Expr* expression) const {
    return plain(expression->getType()) == type_;
  }

  const variable_usage& usage_;
  const result_set& results_;
  clang::QualType type_;
  result_set seen_;
};

/// The variables that get the children's results, or nothing if a result goes elsewhere, is
/// dropped, or has another type than the task's.
std::optional<result_set> results_of(const finished_task& task) {
  result_set results;
  for (const auto& entry : task.task->children) {
    const child_call& child = *entry.second;
    if (!child.has_result()) continue;
    const clang::VarDecl* variable = child.variable;
    if (child.place != nullptr) variable = variable_in(child.place);
    if (variable == nullptr || !variable->hasLocalStorage() || !task.task->has_result() ||
        variable->getType().isVolatileQualified() || task.usage.escaped.contains(variable)) {
      return std::nullopt;
    }
    const clang::QualType type = result_type(task);
    if (plain(variable->getType()) != type || plain(child.callee->getReturnType()) != type ||
        !results.insert(variable).second) {
      return std::nullopt;
    }
  }
  return results;
}

}  // namespace

bool sums_up(const finished_task& task) {
  const task_function& function = *task.task;
  if (function.leaf) return true;
  if (function.loop != nullptr || !task.lowered.spawn_bound || task.lowered.resume.size() != 1 ||
      task.lowered.resume.front().steps.size() != 1) {
    return false;
  }
  const std::optional<result_set> results = results_of(task);
  if (!results) return false;
  const step& last = task.lowered.resume.front().steps.front();
  if (last.kind == step_kind::finish_end) return !function.has_result();
  const auto* const returned =
      last.kind != step_kind::text
          ? nullptr
          : llvm::dyn_cast_or_null<clang::ReturnStmt>(last.piece.statement);
  if (returned == nullptr) return false;
  if (returned->getRetValue() == nullptr) return true;
  return function.definition->getReturnType()->isIntegerType() &&
         sum_reader(task, *results).is_sum(returned->getRetValue());
}

}  // namespace cilk2chan
