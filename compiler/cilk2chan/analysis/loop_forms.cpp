#include "analysis/loop_forms.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace cilk2chan {
namespace {

const clang::VarDecl* variable_of(const clang::Expr* node) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(written(node));
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

// The operands of an operator, built in or not.
struct operation {
  clang::BinaryOperatorKind kind = clang::BO_Comma;
  const clang::Expr* left = nullptr;
  const clang::Expr* right = nullptr;
};

std::optional<operation> binary(const clang::Expr* node) {
  node = node->IgnoreUnlessSpelledInSource()->IgnoreParens();
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(node)) {
    return operation{rewritten->getOperator(), rewritten->getLHS(), rewritten->getRHS()};
  }
  if (const auto* plain = llvm::dyn_cast<clang::BinaryOperator>(node)) {
    return operation{plain->getOpcode(), plain->getLHS(), plain->getRHS()};
  }
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(node);
  if (call == nullptr || call->getNumArgs() != 2 || !call->isInfixBinaryOp()) return std::nullopt;
  return operation{clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0),
                   call->getArg(1)};
}

class form_finder {
 public:
  form_finder(const clang::ASTContext& context, const clang::ForStmt* loop,
              const loop_refusal& refused)
      : context_(context), loop_(loop), refused_(refused) {}

  std::optional<loop_form> run() {
    if (loop_->getInc() == nullptr ||
        !find_step(loop_->getInc()->IgnoreUnlessSpelledInSource()->IgnoreParens())) {
      return fail(loop_->getInc() == nullptr ? loop_->getForLoc() : loop_->getInc()->getExprLoc(),
                  refusals::loop_step, likely_name());
    }
    if (!find_initialisation()) return fail(loop_->getForLoc(), refusals::loop_variable, {});
    const std::string name = form_.variable->getNameAsString();
    const clang::QualType type = form_.variable->getType().getNonReferenceType();
    if (!type->isDependentType() && !type->isIntegralOrEnumerationType() &&
        !type->isPointerType() && !type->isRecordType()) {
      return fail(form_.variable->getLocation(), refusals::loop_variable_type, name);
    }
    if (loop_->getCond() == nullptr || !find_limit()) {
      return fail(loop_->getCond() == nullptr ? loop_->getForLoc() : loop_->getCond()->getExprLoc(),
                  refusals::loop_condition, name);
    }
    if (!check_direction())
      return fail(loop_->getInc()->getExprLoc(), refusals::loop_direction, name);
    if (const auto where = find_change()) return fail(*where, refusals::loop_modified, name);
    return form_;
  }

 private:
  std::optional<loop_form> fail(clang::SourceLocation where, const refusal& why,
                                const std::string& name) {
    refused_(where, why, name);
    return std::nullopt;
  }

  std::string likely_name() const {
    if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop_->getInit())) {
      if (const auto* one = llvm::dyn_cast<clang::VarDecl>(*declaration->decl_begin()))
        return one->getNameAsString();
    }
    return "i";
  }

  bool find_step(const clang::Expr* step) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(step)) {
      form_.subtracts = unary->isDecrementOp();
      form_.variable = variable_of(unary->getSubExpr());
      return unary->isIncrementDecrementOp() && form_.variable != nullptr;
    }
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(step)) {
      const auto kind = call->getOperator();
      if (kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus) {
        form_.subtracts = kind == clang::OO_MinusMinus;
        form_.variable = variable_of(call->getArg(0));
        return form_.variable != nullptr;
      }
    }
    const auto found = binary(step);
    if (!found) return false;
    form_.variable = variable_of(found->left);
    if (form_.variable == nullptr) return false;
    form_.step = found->right;
    if (found->kind == clang::BO_AddAssign) return true;
    form_.subtracts = true;
    if (found->kind == clang::BO_SubAssign) return true;
    if (found->kind != clang::BO_Assign) return false;
    const auto sum = binary(found->right);
    if (!sum || (sum->kind != clang::BO_Add && sum->kind != clang::BO_Sub)) return false;
    form_.subtracts = sum->kind == clang::BO_Sub;
    form_.step = sum->right;
    if (variable_of(sum->left) == form_.variable) return true;
    form_.step = sum->left;
    return sum->kind == clang::BO_Add && variable_of(sum->right) == form_.variable;
  }

  bool find_initialisation() {
    if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop_->getInit())) {
      form_.declared = true;
      return std::ranges::any_of(declaration->decls(), [&](const clang::Decl* one) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
        return variable == form_.variable && variable->hasInit() &&
               !variable->getType()->isReferenceType();
      });
    }
    const auto* value = llvm::dyn_cast_or_null<clang::Expr>(loop_->getInit());
    if (value == nullptr) return false;
    const auto assignment = binary(value);
    return assignment && assignment->kind == clang::BO_Assign &&
           variable_of(assignment->left) == form_.variable && form_.variable->hasLocalStorage();
  }

  bool find_limit() {
    const auto comparison = binary(loop_->getCond());
    if (!comparison) return false;
    form_.comparison = comparison->kind;
    if (!clang::BinaryOperator::isRelationalOp(comparison->kind) &&
        comparison->kind != clang::BO_NE)
      return false;
    if (variable_of(comparison->left) == form_.variable) {
      form_.limit = comparison->right;
      return variable_of(comparison->right) != form_.variable;
    }
    if (variable_of(comparison->right) != form_.variable) return false;
    form_.limit = comparison->left;
    form_.comparison = clang::BinaryOperator::reverseComparisonOp(comparison->kind);
    return true;
  }

  bool check_direction() {
    std::optional<bool> down;
    if (form_.comparison != clang::BO_NE)
      down = form_.comparison == clang::BO_GT || form_.comparison == clang::BO_GE;
    std::optional<bool> steps_down;
    clang::Expr::EvalResult value;
    if (form_.step == nullptr) {
      steps_down = form_.subtracts;
    } else if (!form_.step->isValueDependent() && form_.step->EvaluateAsInt(value, context_)) {
      const llvm::APSInt number = value.Val.getInt();
      if (number == 0) return false;
      steps_down = number.isNegative() != form_.subtracts;
    }
    if (down && steps_down && *down != *steps_down) return false;
    form_.down = down ? *down : steps_down.value_or(form_.subtracts);
    return true;
  }

  // Where the body changes the control variable.
  std::optional<clang::SourceLocation> find_change() {
    struct visitor : tree_walker {
      const clang::VarDecl* variable;
      std::optional<clang::SourceLocation> where;
      void check(const clang::Expr* target, clang::SourceLocation at) {
        if (!where && variable_of(target) == variable) where = at;
      }
      bool VisitBinaryOperator(clang::BinaryOperator* node) override {
        if (node->isAssignmentOp()) check(node->getLHS(), node->getOperatorLoc());
        return true;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* node) override {
        if (node->isIncrementDecrementOp()) check(node->getSubExpr(), node->getOperatorLoc());
        return true;
      }
      bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* node) override {
        const auto kind = node->getOperator();
        if (node->isAssignmentOp() || kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus) {
          check(node->getArg(0), node->getOperatorLoc());
        }
        return true;
      }
    };
    visitor look;
    look.variable = form_.variable;
    look.look_through(loop_->getBody());
    return look.where;
  }

  const clang::ASTContext& context_;
  const clang::ForStmt* loop_;
  const loop_refusal& refused_;
  loop_form form_;
};

}  // namespace

std::optional<loop_form> find_form(const clang::ASTContext& context, const clang::ForStmt* loop,
                                   const loop_refusal& refused) {
  return form_finder(context, loop, refused).run();
}

std::optional<loop_form> find_form(const clang::ASTContext& context, const clang::ForStmt* loop) {
  return find_form(context, loop, [](clang::SourceLocation, const refusal&, const std::string&) {});
}

bool has_fixed_limit(const clang::ASTContext& context, const clang::ForStmt* loop) {
  const auto form = find_form(context, loop);
  return form && form->limit->isEvaluatable(context);
}

std::vector<clang::Stmt*> statements_of(const clang::Stmt* body) {
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (list == nullptr) return {const_cast<clang::Stmt*>(body)};
  return {list->body_begin(), list->body_end()};
}

const clang::Expr* first_value(const clang::ForStmt* loop, const loop_form& form) {
  if (form.declared) return form.variable->getInit();
  const auto* set = llvm::dyn_cast<clang::BinaryOperator>(
      llvm::cast<clang::Expr>(loop->getInit())->IgnoreUnlessSpelledInSource()->IgnoreParens());
  return set == nullptr ? nullptr : set->getRHS();
}

bool is_inclusive(const loop_form& form) {
  return form.comparison == clang::BO_LE || form.comparison == clang::BO_GE;
}

std::string iterations(const loop_form& form, const std::string& distance,
                       const std::string& step) {
  const std::string stride = form.down ? "-" + step : step;
  const std::string whole = distance + " / (" + stride + ")";
  if (is_inclusive(form)) return distance + " < 0 ? 0 : " + whole + " + 1";
  if (form.comparison == clang::BO_NE) return whole;
  return distance + " <= 0 ? 0 : (" + distance + " - 1) / (" + stride + ") + 1";
}

}  // namespace cilk2chan
