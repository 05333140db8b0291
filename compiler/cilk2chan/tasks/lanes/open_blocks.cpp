#include "tasks/lanes/open_blocks.hpp"

#include "analysis/block_operations.hpp"
#include "analysis/loop_forms.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/tree_builder.hpp"
#include "tasks/lanes/tree_copy.hpp"

#include <string>

namespace cilk2chan {
namespace {

class block_opener : public tree_rewriter {
 public:
  explicit block_opener(const program& source) : tree_rewriter(*source.context), make_(source) {}

 private:
  clang::Stmt* instead_of(clang::Stmt* code) override {
    const auto found = block_operation_of(context_, code);
    // Where the two overlap, the direction matters.
    if (!found || found->what == block_operation::kind::moves) return nullptr;
    clang::Expr* to = pointer_of(found->to);
    const clang::QualType element = to->getType()->getPointeeType();
    if (!element->isScalarType() || element->isBooleanType() || element.isVolatileQualified() ||
        !is_multiple(found->bytes, context_.getTypeSizeInChars(element).getQuantity()))
      return nullptr;
    make_.set_place(code->getBeginLoc());
    const clang::QualType size = context_.getSizeType();
    clang::VarDecl* index =
        make_.local("cilk_block_" + std::to_string(++blocks_), size, make_.literal(0, size));
    clang::Expr* value = found->what == block_operation::kind::fills
                             ? filled(found->from, element)
                             : copied(found->from, element, index);
    if (value == nullptr) return nullptr;
    const std::int64_t bytes = context_.getTypeSizeInChars(element).getQuantity();
    clang::Expr* count =
        make_.binary(make_.paren(make_.converted(const_cast<clang::Expr*>(found->bytes), size)),
                     clang::BO_Div, make_.literal(bytes, size), size);
    clang::Expr* set = clang::BinaryOperator::Create(
        context_, make_.element(to, index), value, clang::BO_Assign, element, clang::VK_PRValue,
        clang::OK_Ordinary, code->getBeginLoc(), clang::FPOptionsOverride());
    const clang::SourceLocation where = code->getBeginLoc();
    return new (context_)
        clang::ForStmt(context_, declaration_of(context_, index),
                       make_.binary(make_.value_of(index), clang::BO_LT, count, context_.IntTy),
                       nullptr, make_.increment(index), set, where, where, where);
  }

  // The pointer as the program has it.
  static clang::Expr* pointer_of(const clang::Expr* value) {
    value = value->IgnoreParens();
    while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) {
      if (cast->getCastKind() != clang::CK_BitCast && cast->getCastKind() != clang::CK_NoOp) break;
      if (!cast->getSubExpr()->getType()->isPointerType()) break;
      if (cast->getSubExpr()->getType()->isVoidPointerType()) break;
      value = cast->getSubExpr()->IgnoreParens();
    }
    return const_cast<clang::Expr*>(value);
  }

  // Whether a factor of the number is a multiple of `size`.
  bool is_multiple(const clang::Expr* number, std::int64_t size) const {
    number = number->IgnoreParenImpCasts();
    clang::Expr::EvalResult known;
    if (number->EvaluateAsInt(known, context_)) return known.Val.getInt().getExtValue() % size == 0;
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(number);
    return size == 1 ||
           (product != nullptr && product->getOpcode() == clang::BO_Mul &&
            (is_multiple(product->getLHS(), size) || is_multiple(product->getRHS(), size)));
  }

  clang::Expr* copied(const clang::Expr* block, clang::QualType element,
                      const clang::VarDecl* index) const {
    clang::Expr* from = pointer_of(block);
    const clang::QualType other = from->getType()->getPointeeType();
    if (!context_.hasSameUnqualifiedType(other, element) || other.isVolatileQualified())
      return nullptr;
    return clang::ImplicitCastExpr::Create(context_, element.getUnqualifiedType(),
                                           clang::CK_LValueToRValue, make_.element(from, index),
                                           nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
  }
  clang::Expr* filled(const clang::Expr* byte, clang::QualType element) const {
    clang::Expr::EvalResult known;
    if (element->isPointerType() || !byte->EvaluateAsInt(known, context_) ||
        known.Val.getInt() != 0)
      return nullptr;
    return make_.literal(0, context_.IntTy);
  }

  tree_builder make_;
  unsigned blocks_ = 0;
};

// Whether a loop in the code is no matter of counting: one lane runs it, and for what it copies
// besides no others have to wait for that.
bool walks(const clang::ASTContext& context, clang::Stmt* code) {
  struct visitor : tree_walker {
    const clang::ASTContext* context = nullptr;
    bool found = false;
    bool VisitForStmt(clang::ForStmt* loop) override {
      return !(found = found || !find_form(*context, loop));
    }
    bool VisitWhileStmt(clang::WhileStmt*) override { return !(found = true); }
    bool VisitDoStmt(clang::DoStmt*) override { return !(found = true); }
    bool VisitCXXForRangeStmt(clang::CXXForRangeStmt*) override { return !(found = true); }
  };
  visitor look;
  look.context = &context;
  look.look_through(code);
  return look.found;
}

}  // namespace

clang::Stmt* with_open_blocks(const program& source, clang::Stmt* code) {
  return walks(*source.context, code) ? code : block_opener(source).rewritten(code);
}

}  // namespace cilk2chan
