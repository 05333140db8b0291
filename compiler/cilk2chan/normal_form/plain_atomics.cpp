#include "normal_form/plain_atomics.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/StringSwitch.h>

namespace cilk2chan {
namespace {

// Orders are as strong as they can be: an answer cannot depend on a weaker one.
constexpr const char* order = ", __ATOMIC_SEQ_CST)";

std::string of_operator(clang::OverloadedOperatorKind which, unsigned operands) {
  switch (which) {
    case clang::OO_PlusPlus: return operands == 0 ? "__atomic_add_fetch" : "__atomic_fetch_add";
    case clang::OO_MinusMinus: return operands == 0 ? "__atomic_sub_fetch" : "__atomic_fetch_sub";
    case clang::OO_PlusEqual: return "__atomic_add_fetch";
    case clang::OO_MinusEqual: return "__atomic_sub_fetch";
    case clang::OO_AmpEqual: return "__atomic_and_fetch";
    case clang::OO_PipeEqual: return "__atomic_or_fetch";
    case clang::OO_CaretEqual: return "__atomic_xor_fetch";
    default: return {};
  }
}

}  // namespace

clang::QualType atomic_value_type(const clang::CXXMethodDecl* method) {
  if (method == nullptr || !method->isInstance() || !method->getParent()->isInStdNamespace())
    return {};
  const auto* instance =
      llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent());
  const clang::IdentifierInfo* name = method->getParent()->getIdentifier();
  if (instance == nullptr || name == nullptr ||
      (name->getName() != "atomic" && name->getName() != "__atomic_base") ||
      instance->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  const clang::QualType type = instance->getTemplateArgs()[0].getAsType();
  return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType()
             ? type.getUnqualifiedType()
             : clang::QualType();
}

std::string atomic_operation(const clang::CXXMethodDecl* method, const std::string& address,
                             const std::vector<std::string>& arguments) {
  if (llvm::isa<clang::CXXConversionDecl>(method)) return "__atomic_load_n(" + address + order;
  const clang::OverloadedOperatorKind which = method->getOverloadedOperator();
  if (which == clang::OO_PlusPlus || which == clang::OO_MinusMinus)
    return of_operator(which, method->getNumParams()) + "(" + address + ", 1" + order;
  if (which != clang::OO_None) {
    const std::string made = of_operator(which, 1);
    return made.empty() ? "" : made + "(" + address + ", " + arguments.front() + order;
  }
  if (method->getIdentifier() == nullptr) return {};
  const auto made =
      llvm::StringSwitch<llvm::StringRef>(method->getName())
          .Case("load", "__atomic_load_n")
          .Case("store", "__atomic_store_n")
          .Case("exchange", "__atomic_exchange_n")
          .Case("fetch_add", "__atomic_fetch_add")
          .Case("fetch_sub", "__atomic_fetch_sub")
          .Case("fetch_and", "__atomic_fetch_and")
          .Case("fetch_or", "__atomic_fetch_or")
          .Case("fetch_xor", "__atomic_fetch_xor")
          .Cases("compare_exchange_weak", "compare_exchange_strong", "__atomic_compare_exchange_n")
          .Default("");
  if (made.empty()) return {};
  if (made == "__atomic_load_n") return (made + "(" + address + order).str();
  if (made == "__atomic_compare_exchange_n")
    return (made + "(" + address + ", &(" + arguments[0] + "), " + arguments[1] +
            ", false, __ATOMIC_SEQ_CST" + order)
        .str();
  return (made + "(" + address + ", " + arguments[0] + order).str();
}

}  // namespace cilk2chan
