#include "tasks/lanes/tree_builder.hpp"

namespace cilk2chan {

clang::VarDecl* tree_builder::local(const std::string& name, clang::QualType type,
                                    clang::Expr* value) const {
  auto* made = clang::VarDecl::Create(context_, context_.getTranslationUnitDecl(), where_, where_,
                                      &context_.Idents.get(name), type, nullptr, clang::SC_Auto);
  made->setInit(value);
  return made;
}

clang::Expr* tree_builder::name(const clang::VarDecl* variable) const {
  return clang::DeclRefExpr::Create(context_, clang::NestedNameSpecifierLoc(),
                                    clang::SourceLocation(), const_cast<clang::VarDecl*>(variable),
                                    false, where_, variable->getType(), clang::VK_LValue);
}

clang::Expr* tree_builder::value_of(const clang::VarDecl* variable) const {
  return clang::ImplicitCastExpr::Create(context_, variable->getType().getUnqualifiedType(),
                                         clang::CK_LValueToRValue, name(variable), nullptr,
                                         clang::VK_PRValue, clang::FPOptionsOverride());
}

clang::Expr* tree_builder::literal(std::int64_t value, clang::QualType type) const {
  const unsigned bits = context_.getIntWidth(type);
  return clang::IntegerLiteral::Create(
      context_, llvm::APInt(bits, static_cast<std::uint64_t>(value)), type, where_);
}

clang::Expr* tree_builder::converted(clang::Expr* value, clang::QualType type) const {
  if (context_.hasSameUnqualifiedType(value->getType(), type)) return value;
  return clang::ImplicitCastExpr::Create(context_, type, clang::CK_IntegralCast, value, nullptr,
                                         clang::VK_PRValue, clang::FPOptionsOverride());
}

clang::Expr* tree_builder::cast(clang::Expr* value, clang::QualType type) const {
  if (context_.hasSameUnqualifiedType(value->getType(), type)) return value;
  return clang::CStyleCastExpr::Create(context_, type, clang::VK_PRValue, clang::CK_IntegralCast,
                                       paren(value), nullptr, clang::FPOptionsOverride(),
                                       context_.getTrivialTypeSourceInfo(type), where_, where_);
}

clang::Expr* tree_builder::paren(clang::Expr* value) const {
  return new (context_) clang::ParenExpr(where_, where_, value);
}

clang::Expr* tree_builder::binary(clang::Expr* left, clang::BinaryOperatorKind how,
                                  clang::Expr* right, clang::QualType type) const {
  return clang::BinaryOperator::Create(context_, left, right, how, type, clang::VK_PRValue,
                                       clang::OK_Ordinary, where_, clang::FPOptionsOverride());
}

clang::Expr* tree_builder::conditional(clang::Expr* test, clang::Expr* yes, clang::Expr* no) const {
  return new (context_) clang::ConditionalOperator(test, where_, yes, where_, no, yes->getType(),
                                                   clang::VK_PRValue, clang::OK_Ordinary);
}

clang::Expr* tree_builder::element(clang::Expr* pointer, const clang::VarDecl* index) const {
  const clang::QualType type = pointer->getType()->getPointeeType();
  return new (context_) clang::ArraySubscriptExpr(paren(pointer), value_of(index), type,
                                                  clang::VK_LValue, clang::OK_Ordinary, where_);
}

clang::Expr* tree_builder::assign(const clang::VarDecl* variable, clang::Expr* value) const {
  return clang::BinaryOperator::Create(context_, name(variable), value, clang::BO_Assign,
                                       variable->getType().getUnqualifiedType(), assigned_,
                                       clang::OK_Ordinary, where_, clang::FPOptionsOverride());
}

clang::Expr* tree_builder::increment(const clang::VarDecl* variable) const {
  return clang::UnaryOperator::Create(context_, name(variable), clang::UO_PreInc,
                                      variable->getType(), assigned_, clang::OK_Ordinary, where_,
                                      true, clang::FPOptionsOverride());
}

}  // namespace cilk2chan
