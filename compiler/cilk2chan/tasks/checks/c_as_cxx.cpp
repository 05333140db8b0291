#include "analysis/made_places.hpp"
#include "diagnostics/refusals.hpp"

#include <llvm/ADT/StringSet.h>
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"

namespace cilk2chan {
namespace {

const llvm::StringSet<> cxx_keywords = {
    "alignas",   "alignof",       "and",         "and_eq",    "bitand",   "bitor",
    "bool",      "catch",         "char16_t",    "char32_t",  "char8_t",  "class",
    "co_await",  "co_return",     "co_yield",    "compl",     "concept",  "const_cast",
    "consteval", "constexpr",     "constinit",   "decltype",  "delete",   "dynamic_cast",
    "explicit",  "export",        "false",       "friend",    "mutable",  "namespace",
    "new",       "noexcept",      "not",         "not_eq",    "nullptr",  "operator",
    "or",        "or_eq",         "private",     "protected", "public",   "reinterpret_cast",
    "requires",  "static_assert", "static_cast", "template",  "this",     "thread_local",
    "throw",     "true",          "try",         "typeid",    "typename", "using",
    "virtual",   "wchar_t",       "xor",         "xor_eq"};

class c_checker : public tree_walker {
 public:
  explicit c_checker(const program& source)
      : context_(*source.context), diagnostics_(source.context->getDiagnostics()) {}

  bool VisitNamedDecl(clang::NamedDecl* declaration) override {
    const clang::IdentifierInfo* identifier = declaration->getIdentifier();
    if (identifier != nullptr && cxx_keywords.contains(identifier->getName())) {
      refuse(diagnostics_, declaration->getLocation(), refusals::cxx_keyword,
             identifier->getName());
    }
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    const bool old_style = !function->hasPrototype() && function->getNumParams() > 0;
    if (old_style && !function->getBuiltinID()) {
      refuse(diagnostics_, function->getLocation(), refusals::old_style_definition,
             name_of(function));
    }
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && !callee->hasPrototype() && call->getNumArgs() > 0 &&
        !callee->getBuiltinID() && callee->getNumParams() == 0) {
      refuse(diagnostics_, call->getExprLoc(), refusals::old_style_definition, name_of(callee));
    }
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    const clang::VarDecl* before = variable->getPreviousDecl();
    if (variable->isFileVarDecl() && before != nullptr && !variable->hasExternalStorage() &&
        !before->hasExternalStorage()) {
      refuse(diagnostics_, variable->getLocation(), refusals::tentative_definition,
             name_of(variable));
    }
    check_type_of_value(variable);
    return true;
  }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr* choice) override {
    if (choice->isExprPredicate() && differs(choice->getControllingExpr()))
      refuse(diagnostics_, choice->getGenericLoc(), refusals::truth_type);
    return tree_walker::TraverseGenericSelectionExpr(choice);
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* node) override {
    if (node->isArgumentType()) return true;
    const clang::Expr* value = node->getArgumentExpr()->IgnoreParens();
    if (llvm::isa<clang::CharacterLiteral>(value))
      refuse(diagnostics_, node->getOperatorLoc(), refusals::character_size);
    if (is_truth(value)) refuse(diagnostics_, node->getOperatorLoc(), refusals::truth_size);
    return true;
  }

  // An enumeration without negative values is an `unsigned` in C, and is promoted to `int` in C++.
  // That makes a difference where what may be below zero is compared, divided, shifted to the right
  // or converted to a wider type.
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    const clang::BinaryOperatorKind kind = node->getOpcode();
    if (is_step_of_void(node)) refuse(diagnostics_, node->getOperatorLoc(), refusals::void_step);
    if (is_enumeration_changed(node))
      refuse(diagnostics_, node->getOperatorLoc(), refusals::enumeration_changed);
    if (!node->isRelationalOp() && kind != clang::BO_Div && kind != clang::BO_Rem &&
        kind != clang::BO_Shr)
      return true;
    const sign left = sign_of(node->getLHS());
    const sign right = sign_of(node->getRHS());
    const bool shift = kind == clang::BO_Shr;
    const bool differs = shift ? left == sign::differs
                               : left != sign::same && right != sign::same &&
                                     (is_below_zero(left) || is_below_zero(right)) &&
                                     (is_enumeration(left) || is_enumeration(right));
    if (differs) refuse(diagnostics_, node->getOperatorLoc(), refusals::enumeration_sign);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (is_step_of_void(node)) refuse(diagnostics_, node->getOperatorLoc(), refusals::void_step);
    if (is_enumeration_changed(node))
      refuse(diagnostics_, node->getOperatorLoc(), refusals::enumeration_changed);
    return true;
  }
  bool VisitExpr(clang::Expr* value) override {
    const auto* text = llvm::dyn_cast<clang::StringLiteral>(value);
    if (text != nullptr && is_without_end(context_, text))
      refuse(diagnostics_, text->getBeginLoc(), refusals::text_without_end);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const bool widens = cast->getCastKind() == clang::CK_IntegralToFloating ||
                        (cast->getCastKind() == clang::CK_IntegralCast &&
                         context_.getTypeSize(cast->getType()) > 32);
    if (widens && sign_of(cast->getSubExpr()) == sign::differs)
      refuse(diagnostics_, cast->getExprLoc(), refusals::enumeration_sign);
    return true;
  }

  bool TraverseStmt(clang::Stmt* code) override {
    // The value of a structure is one in C++, too.
    if (const auto* read = literal_read(code))
      return tree_walker::TraverseStmt(const_cast<clang::Expr*>(read->getInitializer()));
    const auto* literal = llvm::dyn_cast_or_null<clang::CompoundLiteralExpr>(code);
    if (literal != nullptr && !literal->isFileScope())
      refuse(diagnostics_, literal->getLParenLoc(), refusals::compound_literal);
    return tree_walker::TraverseStmt(code);
  }

 private:
  // What an operand of type `unsigned` is in C++.
  enum class sign : std::uint8_t {
    same,         // `unsigned`, too
    number,       // an `int`, not below zero
    below_zero,   // an `int`, perhaps below zero
    enumeration,  // an `int` because an enumeration is in it, not below zero
    differs,      // the same, perhaps below zero
  };
  static bool is_below_zero(sign one) { return one == sign::below_zero || one == sign::differs; }
  static bool is_enumeration(sign one) { return one == sign::enumeration || one == sign::differs; }
  sign sign_of(const clang::Expr* value) const {
    value = value->IgnoreParens();
    if (!value->getType()->isSpecificBuiltinType(clang::BuiltinType::UInt)) return sign::same;
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value)) {
      const clang::Expr* from = cast->getSubExpr();
      if (from->getType()->isEnumeralType()) return sign::enumeration;
      if (!from->getType()->isSignedIntegerType()) return sign::same;
      const auto known = from->getIntegerConstantExpr(context_);
      return known && !known->isNegative() ? sign::number : sign::below_zero;
    }
    if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(value)) {
      const bool changes = one->getOpcode() == clang::UO_Minus || one->getOpcode() == clang::UO_Not;
      return changes && is_enumeration(sign_of(one->getSubExpr())) ? sign::differs : sign::same;
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value))
      return together(sign_of(choice->getTrueExpr()), sign_of(choice->getFalseExpr()), false);
    const auto* two = llvm::dyn_cast<clang::BinaryOperator>(value);
    if (two == nullptr || two->isAssignmentOp() || two->isShiftOp() || two->isCommaOp())
      return sign::same;
    return together(sign_of(two->getLHS()), sign_of(two->getRHS()),
                    two->getOpcode() == clang::BO_Sub);
  }
  static sign together(sign a, sign b, bool subtracted) {
    if (a == sign::same || b == sign::same || (!is_enumeration(a) && !is_enumeration(b)))
      return sign::same;
    return subtracted || is_below_zero(a) || is_below_zero(b) ? sign::differs : sign::enumeration;
  }
  static bool differs(const clang::Expr* value) {
    return is_truth(value) || llvm::isa<clang::CharacterLiteral>(value->IgnoreParens());
  }
  void check_type_of_value(const clang::VarDecl* variable) {
    const auto* of = variable->getType()->getAs<clang::TypeOfExprType>();
    const clang::Expr* value = of != nullptr ? of->getUnderlyingExpr() : nullptr;
    if (variable->getType()->getAs<clang::AutoType>() != nullptr)
      value = variable->getInit() == nullptr ? nullptr : variable->getInit()->IgnoreImpCasts();
    if (value != nullptr && differs(value))
      refuse(diagnostics_, variable->getLocation(), refusals::truth_type);
  }
  // Whether it is an `int` in C, and a `bool` in C++.
  static bool is_truth(const clang::Expr* value) {
    value = value->IgnoreParens();
    if (const auto* two = llvm::dyn_cast<clang::BinaryOperator>(value)) {
      return two->isComparisonOp() || two->isLogicalOp() ||
             (two->isCommaOp() && is_truth(two->getRHS()));
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value))
      return is_truth(choice->getTrueExpr()) && is_truth(choice->getFalseExpr());
    const auto* one = llvm::dyn_cast<clang::UnaryOperator>(value);
    return one != nullptr && one->getOpcode() == clang::UO_LNot;
  }

  const clang::ASTContext& context_;
  clang::DiagnosticsEngine& diagnostics_;
};

}  // namespace

std::string constants_in_structures(const program& source) {
  struct finder : tree_walker {
    std::string text;

    bool VisitNamedDecl(clang::NamedDecl* declaration) override {
      const auto* list = llvm::dyn_cast<clang::EnumDecl>(declaration);
      if (list == nullptr || !llvm::isa<clang::RecordDecl>(list->getLexicalDeclContext()))
        return true;
      for (const clang::EnumConstantDecl* one : list->enumerators()) {
        const std::int64_t value = one->getInitVal().getExtValue();
        text += std::string("static const ") +
                (value == static_cast<std::int32_t>(value) ? "int " : "long ") +
                one->getNameAsString() + " = " + std::to_string(value) + ";\n";
      }
      return true;
    }
  };
  finder found;
  for (clang::Decl* declaration : source.context->getTranslationUnitDecl()->decls()) {
    if (!source.sources().isInSystemHeader(declaration->getLocation()))
      found.TraverseDecl(declaration);
  }
  return found.text;
}

std::string c_mathematics(const program& source) {
  static constexpr llvm::StringLiteral names[] = {
      "abs",       "acos",      "acosh",    "asin",      "asinh", "atan",   "atan2",   "atanh",
      "cbrt",      "ceil",      "copysign", "cos",       "cosh",  "erf",    "erfc",    "exp",
      "exp2",      "expm1",     "fabs",     "fdim",      "floor", "fma",    "fmax",    "fmin",
      "fmod",      "frexp",     "hypot",    "ilogb",     "ldexp", "lgamma", "llrint",  "llround",
      "log",       "log10",     "log1p",    "log2",      "logb",  "lrint",  "lround",  "modf",
      "nearbyint", "nextafter", "pow",      "remainder", "rint",  "round",  "scalbln", "scalbn",
      "sin",       "sinh",      "sqrt",     "tan",       "tanh",  "tgamma", "trunc",   "abs"};
  std::string text;
  for (const llvm::StringLiteral name : names) {
    clang::IdentifierInfo& word = source.context->Idents.get(name);
    // A macro is the program's, or <tgmath.h>'s, whose functions are those of C++.
    if (word.hasMacroDefinition()) continue;
    for (const clang::NamedDecl* one : source.context->getTranslationUnitDecl()->lookup(&word)) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(one);
      if (function == nullptr || !function->isReferenced() || function->isDefined() ||
          !source.sources().isInSystemHeader(function->getLocation()))
        continue;
      if (text.empty()) text = "#include <channels/cilk/c_math.hpp>\n";
      text += ("#define " + name + "(...) channels_c_" + name + "(__VA_ARGS__)\n").str();
    }
  }
  return text;
}

void check_c(const program& source) {
  c_checker checker(source);
  for (clang::Decl* declaration : source.context->getTranslationUnitDecl()->decls()) {
    if (source.sources().isInSystemHeader(declaration->getLocation())) continue;
    if (declaration->isImplicit()) continue;
    checker.TraverseDecl(declaration);
  }
}

void check_c(const program& source, clang::Decl* declaration) {
  c_checker(source).TraverseDecl(declaration);
}

bool is_step_of_void(const clang::Expr* value) {
  const auto is_void = [](const clang::Expr* one) {
    const clang::QualType type = one->getType();
    return type->isPointerType() &&
           (type->getPointeeType()->isVoidType() || type->getPointeeType()->isFunctionType());
  };
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(value))
    return one->isIncrementDecrementOp() && is_void(one->getSubExpr());
  const auto* two = llvm::dyn_cast<clang::BinaryOperator>(value);
  if (two == nullptr) return false;
  const clang::BinaryOperatorKind kind = two->getOpcode();
  return (kind == clang::BO_Add || kind == clang::BO_Sub || kind == clang::BO_AddAssign ||
          kind == clang::BO_SubAssign) &&
         (is_void(two->getLHS()) || is_void(two->getRHS()));
}

bool is_enumeration_changed(const clang::Expr* value) {
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(value))
    return one->isIncrementDecrementOp() && one->getSubExpr()->getType()->isEnumeralType();
  const auto* two = llvm::dyn_cast<clang::CompoundAssignOperator>(value);
  return two != nullptr && two->getLHS()->getType()->isEnumeralType();
}

bool is_without_end(const clang::ASTContext& context, const clang::StringLiteral* text) {
  const clang::ConstantArrayType* array = context.getAsConstantArrayType(text->getType());
  return array != nullptr && array->getSize().getZExtValue() <= text->getLength();
}

bool is_cxx_keyword(llvm::StringRef name) { return cxx_keywords.contains(name); }

}  // namespace cilk2chan
