#include "analysis/block_variables.hpp"

#include <clang/AST/StmtOpenMP.h>

#include <map>

namespace cilk2chan {

bool variable_uses_finder::TraverseStmt(clang::Stmt* node) {
  const auto* directive = llvm::dyn_cast_or_null<clang::OMPExecutableDirective>(node);
  if (directive == nullptr) return tree_walker::TraverseStmt(node);
  const bool alone = !directive->hasAssociatedStmt() || directive->getAssociatedStmt() == nullptr;
  return alone || TraverseStmt(const_cast<clang::Stmt*>(directive->getRawStmt()));
}

bool variable_uses_finder::VisitImplicitCastExpr(clang::ImplicitCastExpr* node) {
  if (node->getCastKind() == clang::CK_NoOp && node->isLValue() &&
      node->getType().isConstQualified())
    uses_.try_emplace(node->getSubExpr()->IgnoreParens(), variable_use::constant);
  if (node->getCastKind() != clang::CK_LValueToRValue &&
      node->getCastKind() != clang::CK_ArrayToPointerDecay)
    return true;
  const bool reads = node->getCastKind() == clang::CK_LValueToRValue;
  const clang::Expr* inner = node->getSubExpr()->IgnoreParens();
  // Reading a member reads the structure.
  while (reads && llvm::isa<clang::MemberExpr>(inner) &&
         !llvm::cast<clang::MemberExpr>(inner)->isArrow()) {
    inner = llvm::cast<clang::MemberExpr>(inner)->getBase()->IgnoreParens();
  }
  if (llvm::isa<clang::DeclRefExpr>(inner))
    uses_[inner] = reads ? variable_use::read : variable_use::decayed;
  return true;
}

bool variable_uses_finder::VisitBinaryOperator(clang::BinaryOperator* node) {
  if (node->isAssignmentOp()) written_.insert(node->getLHS()->IgnoreParens());
  return true;
}

bool variable_uses_finder::VisitUnaryOperator(clang::UnaryOperator* node) {
  if (node->isIncrementDecrementOp()) written_.insert(node->getSubExpr()->IgnoreParens());
  return true;
}

bool variable_uses_finder::VisitDeclRefExpr(clang::DeclRefExpr* node) {
  const auto found = uses_.find(node);
  const variable_use otherwise = in_size_ > 0 ? variable_use::read : variable_use::other;
  names.emplace_back(node, found == uses_.end() ? otherwise : found->second);
  return true;
}

bool variable_uses_finder::TraverseVariableArrayTypeLoc(clang::VariableArrayTypeLoc type) {
  ++in_size_;
  const bool go_on = tree_walker::TraverseVariableArrayTypeLoc(type);
  --in_size_;
  return go_on;
}

bool variable_uses_finder::VisitTypedefTypeLoc(clang::TypedefTypeLoc node) {
  types.push_back(node.getTypedefNameDecl());
  return true;
}

bool variable_uses_finder::VisitTagTypeLoc(clang::TagTypeLoc node) {
  types.push_back(node.getDecl());
  return true;
}

bool variable_uses_finder::VisitDecl(clang::Decl* node) {
  declared.insert(node);
  return true;
}

llvm::DenseSet<const clang::VarDecl*> shared_variables(const clang::Stmt* function) {
  const variable_uses_finder all(function);
  llvm::DenseSet<const clang::VarDecl*> shared;
  for (const auto& [name, used] : all.names) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && used == variable_use::other && !all.is_written(name))
      shared.insert(variable);
  }
  return shared;
}

std::vector<block_variable> variables_of_block(
    const clang::ASTContext& context, const clang::Stmt* block, const clang::Stmt* function,
    llvm::function_ref<bool(const clang::VarDecl*)> ends_early) {
  const variable_uses_finder body(block);
  const llvm::DenseSet<const clang::VarDecl*> shared = shared_variables(function);
  struct way_of_use {
    bool only_read = true;
    bool only_decayed = true;
  };
  std::map<const clang::VarDecl*, way_of_use> ways;
  std::vector<block_variable> found;
  for (const auto& [name, used] : body.names) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || !variable->hasLocalStorage() || body.declared.contains(variable))
      continue;
    const auto [at, is_new] = ways.try_emplace(variable);
    if (is_new) found.push_back({variable, false, false});
    const bool reads = used == variable_use::read || used == variable_use::constant ||
                       variable->getType().isConstQualified();
    at->second.only_read = at->second.only_read && reads;
    at->second.only_decayed = at->second.only_decayed && used == variable_use::decayed;
  }
  for (block_variable& one : found) {
    const clang::QualType type = one.variable->getType();
    const way_of_use& way = ways[one.variable];
    one.decayed = type->isArrayType() && way.only_decayed;
    const bool can = !type->isDependentType() && !type->isReferenceType() && !type->isArrayType() &&
                     type.isTriviallyCopyableType(context);
    const bool large = can && context.getTypeSizeInChars(type).getQuantity() > largest_usual_copy;
    one.copied = can && way.only_read &&
                 (type.isConstQualified() || !shared.contains(one.variable)) &&
                 (!large || ends_early(one.variable));
  }
  return found;
}

}  // namespace cilk2chan
