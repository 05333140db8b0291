#include "analysis/made_places.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace cilk2chan {
namespace {

// Finds temporary objects and compound literals in the order in which they are made.
class made_place_finder : public tree_walker {
 public:
  made_places places;

  bool TraverseStmt(clang::Stmt* code) override {
    if (const auto* read = literal_read(code))
      return TraverseStmt(const_cast<clang::Expr*>(read->getInitializer()));
    if (llvm::isa_and_nonnull<clang::CXXNewExpr>(code)) return true;
    if (!tree_walker::TraverseStmt(code)) return false;
    const auto* literal = llvm::dyn_cast_or_null<clang::CompoundLiteralExpr>(code);
    const bool one = (literal != nullptr && !literal->isFileScope()) ||
                     llvm::isa_and_nonnull<clang::MaterializeTemporaryExpr>(code);
    if (!one) return true;
    places.found.push_back(llvm::cast<clang::Expr>(code));
    places.conditional = places.conditional || branches_ > 0;
    return true;
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator* node) override {
    if (!TraverseStmt(node->getCond())) return false;
    ++branches_;
    const bool go_on = TraverseStmt(node->getTrueExpr()) && TraverseStmt(node->getFalseExpr());
    --branches_;
    return go_on;
  }
  bool TraverseBinaryOperator(clang::BinaryOperator* node) override {
    if (!node->isLogicalOp()) return tree_walker::TraverseBinaryOperator(node);
    if (!TraverseStmt(node->getLHS())) return false;
    ++branches_;
    const bool go_on = TraverseStmt(node->getRHS());
    --branches_;
    return go_on;
  }
  // What they have is made when they run.
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseStmtExpr(clang::StmtExpr*) override { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }

 private:
  int branches_ = 0;
};

}  // namespace

made_places find_places(const clang::Expr* value) {
  made_place_finder look;
  look.look_through(value);
  return look.places;
}

const clang::CompoundLiteralExpr* literal_read(const clang::Stmt* code) {
  const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(code);
  if (cast == nullptr || cast->getCastKind() != clang::CK_LValueToRValue) return nullptr;
  return llvm::dyn_cast<clang::CompoundLiteralExpr>(cast->getSubExpr()->IgnoreParens());
}

bool may_point(clang::QualType type) {
  return type->isReferenceType() || type->isPointerType() || type->getAsCXXRecordDecl() != nullptr;
}

bool has_pointers_only(clang::QualType type) {
  type = type.getCanonicalType();
  if (type->isPointerType()) return true;
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition() || !record->hasTrivialDestructor())
    return false;
  return llvm::all_of(record->bases(),
                      [](const auto& base) { return has_pointers_only(base.getType()); }) &&
         llvm::all_of(record->fields(),
                      [](const auto* field) { return has_pointers_only(field->getType()); });
}

}  // namespace cilk2chan
