#include "diagnostics/diagnostics.hpp"
#include "host_code/places/place_finder.hpp"

namespace cilk2chan::host_code {

void place_finder::walk_expression(clang::Expr* node, const surroundings& around, position where) {
  if (is_sync(node, source_.sources)) {
    list_.syncs.push_back({node, around.where});
    return;
  }
  if (auto* full = llvm::dyn_cast<clang::FullExpr>(node)) {
    return walk(full->getSubExpr(), around, where);
  }
  if (auto* temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(node)) {
    return walk(temporary->getSubExpr(), around, where);
  }
  if (walk_operator(node, around, where)) return;
  if (where != position::value && walk_dropped(node, around)) return;
  if (auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(node)) return walk_lambda(lambda, around);
  if (auto* block = llvm::dyn_cast<clang::StmtExpr>(node)) {
    return walk_statement_expression(block, around, where);
  }
  if (auto* list = llvm::dyn_cast<clang::InitListExpr>(node)) {
    clang::InitListExpr* form = list->isSemanticForm() ? list->getSyntacticForm() : nullptr;
    return walk_children(form != nullptr ? form : list, around);
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXDefaultArgExpr,
                clang::CXXDefaultInitExpr, clang::CXXNoexceptExpr, clang::RequiresExpr>(node)) {
    return;
  }
  if (llvm::isa<clang::CoroutineSuspendExpr, clang::DependentCoawaitExpr>(node)) coroutine_ = true;
  walk_children(node, around);
}

// Handles spawns, assignments of spawns, and commas. Returns whether `node` was one of them.
bool place_finder::walk_operator(clang::Expr* node, const surroundings& around, position where) {
  if (auto* operation = llvm::dyn_cast<clang::UnaryOperator>(node)) {
    if (!is_spawn(operation, source_.sources)) return false;
    const bool given = where != position::value && around.where->kind != region_kind::outside;
    spawn_site& site = add_spawn(operation, around);
    site.form = given ? spawn_form::dropped : spawn_form::plain;
    site.whole = operation;
    site.value = operation;
    site.operand = where == position::dropped;
    return true;
  }
  if (auto* operation = llvm::dyn_cast<clang::BinaryOperator>(node)) {
    if (operation->getOpcode() == clang::BO_Comma) {
      walk(operation->getLHS(), around, position::dropped);
      walk(operation->getRHS(), around,
           where == position::value ? position::value : position::dropped);
      return true;
    }
    return operation->isAssignmentOp() &&
           walk_assignment(operation, operation->getLHS(), operation->getRHS(),
                           operation->getOpcodeStr(), around, where);
  }
  if (auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(node)) {
    return operation->isAssignmentOp() && operation->getNumArgs() == 2 &&
           walk_assignment(operation, operation->getArg(0), operation->getArg(1),
                           clang::getOperatorSpelling(operation->getOperator()), around, where);
  }
  return false;
}

// Handles operators whose operand's value is not used when their own is not. Returns whether `node`
// was one of them.
bool place_finder::walk_dropped(clang::Expr* node, const surroundings& around) {
  if (auto* parens = llvm::dyn_cast<clang::ParenExpr>(node)) {
    walk(parens->getSubExpr(), around, position::dropped);
    return true;
  }
  if (auto* cast = llvm::dyn_cast<clang::CastExpr>(node)) {
    if (!llvm::isa<clang::ImplicitCastExpr>(cast) && !cast->getType()->isVoidType()) return false;
    walk(cast->getSubExpr(), around, position::dropped);
    return true;
  }
  auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(node);
  if (choice == nullptr) return false;
  walk(choice->getCond(), around, position::value);
  const std::size_t before = list_.spawns.size();
  walk(choice->getTrueExpr(), around, position::dropped);
  walk(choice->getFalseExpr(), around, position::dropped);
  if (list_.spawns.size() != before) {
    list_.void_arms.push_back(choice->getTrueExpr());
    list_.void_arms.push_back(choice->getFalseExpr());
  }
  return true;
}

bool place_finder::walk_assignment(clang::Expr* whole, clang::Expr* place, clang::Expr* value,
                                   llvm::StringRef assignment, const surroundings& around,
                                   position where) {
  const auto* spawn = llvm::dyn_cast<clang::UnaryOperator>(written(value));
  if (spawn == nullptr || !is_spawn(spawn, source_.sources)) return false;
  walk(place, around, position::value);
  spawn_site& site = add_spawn(spawn, around);
  site.whole = whole;
  site.place = place;
  site.value = value;
  site.assignment = assignment.str();
  site.operand = where == position::dropped;
  if (where == position::value || around.where->kind == region_kind::outside) return true;
  site.form = assignment == "=" ? spawn_form::assigned : spawn_form::compound;
  return true;
}

void place_finder::walk_statement_expression(clang::StmtExpr* block, const surroundings& around,
                                             position where) {
  clang::CompoundStmt* body = block->getSubStmt();
  for (clang::Stmt* one : body->body()) {
    // The value of the last statement is the value of the whole expression.
    const bool value =
        one == body->body_back() && llvm::isa<clang::Expr>(one) && where == position::value;
    walk(one, around, value ? position::value : position::statement);
  }
}

spawn_site& place_finder::add_spawn(const clang::UnaryOperator* node, const surroundings& around) {
  spawn_site& site = list_.spawns.emplace_back();
  site.node = node;
  site.where = around.where;
  const clang::Expr* operand = node->getSubExpr()->IgnoreUnlessSpelledInSource()->IgnoreParens();
  site.call = llvm::dyn_cast<clang::CallExpr>(operand->IgnoreUnlessSpelledInSource());
  if (site.call == nullptr || llvm::isa<clang::UserDefinedLiteral>(site.call)) {
    refuse(source_, node->getOperatorLoc(), refusals::spawn_without_call);
    site.call = nullptr;
    return site;
  }
  walk_children(const_cast<clang::CallExpr*>(site.call), around);
  return site;
}

}  // namespace cilk2chan::host_code
