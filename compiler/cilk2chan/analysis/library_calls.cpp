#include "analysis/library_calls.hpp"

#include "frontend/children.hpp"  // ends_in_return

namespace cilk2chan {
namespace {

// Whether an expression asks if it is evaluated for a constant, which is the answer on devices.
bool asks_for_constant(const clang::Expr* value) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  const clang::IdentifierInfo* name = callee == nullptr ? nullptr : callee->getIdentifier();
  return name != nullptr && name->getName().ends_with("is_constant_evaluated");
}

}  // namespace

bool is_in_library(const clang::ASTContext& context, const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = function->getDefinition();
  return context.getSourceManager().isInSystemHeader(
      (definition != nullptr ? definition : function)->getLocation());
}

void library_walker::follow(const clang::FunctionDecl* function) {
  if (!seen_.insert(function->getCanonicalDecl()).second || !enters(function)) return;
  if (const clang::FunctionDecl* definition = function->getDefinition()) look_through(definition);
  if (!llvm::isa<clang::CXXDestructorDecl>(function)) return;
  const auto* record = llvm::cast<clang::CXXMethodDecl>(function)->getParent();
  for (const clang::FieldDecl* each : record->fields()) follow_end(each->getType());
  for (const clang::CXXBaseSpecifier& each : record->bases()) follow_end(each.getType());
}

bool library_walker::TraverseIfStmt(clang::IfStmt* branch) {
  if (branch->isConsteval())
    return TraverseStmt(branch->isNegatedConsteval() ? branch->getElse() : branch->getThen());
  if (branch->isConstexpr()) {
    const auto taken = branch->getNondiscardedCase(context_);
    if (taken) return *taken == nullptr || TraverseStmt(const_cast<clang::Stmt*>(*taken));
  }
  if (asks_for_constant(branch->getCond())) return TraverseStmt(branch->getThen());
  const auto* no = llvm::dyn_cast<clang::UnaryOperator>(branch->getCond()->IgnoreParenImpCasts());
  if (no != nullptr && no->getOpcode() == clang::UO_LNot && asks_for_constant(no->getSubExpr()))
    return branch->getElse() == nullptr || TraverseStmt(branch->getElse());
  return tree_walker::TraverseIfStmt(branch);
}

// What stands behind `if (std::is_constant_evaluated()) return ...;` is not for devices.
bool library_walker::TraverseCompoundStmt(clang::CompoundStmt* block) {
  for (clang::Stmt* one : block->body()) {
    if (!TraverseStmt(one)) return false;
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(one);
    if (branch != nullptr && !branch->isConsteval() && asks_for_constant(branch->getCond()) &&
        ends_in_return(branch->getThen()))
      break;
  }
  return true;
}

bool library_walker::TraverseConditionalOperator(clang::ConditionalOperator* choice) {
  if (asks_for_constant(choice->getCond())) return TraverseStmt(choice->getTrueExpr());
  return tree_walker::TraverseConditionalOperator(choice);
}

bool library_walker::VisitCallExpr(clang::CallExpr* call) {
  if (call->getDirectCallee() != nullptr) follow(call->getDirectCallee());
  if (call->isPRValue()) follow_end(call->getType());
  return true;
}

bool library_walker::VisitCXXConstructExpr(clang::CXXConstructExpr* made) {
  follow(made->getConstructor());
  follow_end(made->getType());
  return true;
}

bool library_walker::VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) {
  follow_end(ended->getDestroyedType());
  return true;
}

bool library_walker::VisitVarDecl(clang::VarDecl* variable) {
  follow_end(variable->getType());
  return true;
}

void library_walker::follow_end(clang::QualType type) {
  if (type.isNull() || type->isDependentType() || type->isReferenceType()) return;
  const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record != nullptr && record->hasDefinition() && record->getDestructor() != nullptr &&
      !record->hasTrivialDestructor())
    follow(record->getDestructor());
}

bool has_sized_name(const clang::FunctionDecl* function) {
  return function->getIdentifier() != nullptr && function->getBuiltinID() != 0 &&
         function->getName().starts_with("__sync_");
}

std::string written_name(const clang::FunctionDecl* function) {
  llvm::StringRef name = function->getName();
  if (has_sized_name(function)) name = name.rtrim("0123456789").rtrim('_');
  return name.str();
}

}  // namespace cilk2chan
