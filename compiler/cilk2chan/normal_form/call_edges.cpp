#include "normal_form/call_edges.hpp"

#include "frontend/spelling.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_types.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

// Whether a value of one type may stand for one of the other, perhaps by a cast of a pointer.
bool stands_for(const clang::ASTContext& context, clang::QualType from, clang::QualType to) {
  return context.hasSameUnqualifiedType(from, to) || (from->isPointerType() && to->isPointerType());
}

// Whether a call through a pointer of this type may call the function: the type may be one that its
// address is cast to.
bool can_be_called_as(const clang::ASTContext& context, const clang::FunctionDecl* function,
                      call_targets::type called) {
  const clang::QualType result = function->getReturnType();
  const bool results = stands_for(context, result, called->getReturnType()) ||
                       (called->getReturnType()->isVoidType() && result->isScalarType());
  return results && std::ranges::equal(function->parameters(), called->param_types(),
                                       [&](const auto* parameter, clang::QualType type) {
                                         return stands_for(context, type, parameter->getType());
                                       });
}

}  // namespace

call_targets& call_edges::targets() {
  // Most files have no such calls.
  if (!targets_) targets_.emplace(source_.context);
  return *targets_;
}

const std::vector<virtual_target>& call_edges::of_virtual(const clang::CallExpr* call) {
  const clang::CXXMethodDecl* method = virtual_callee(call);
  const auto [known, fresh] = of_methods_.try_emplace(method);
  if (fresh) known->second = targets().classes().of(method);
  return known->second;
}

const call_targets::function_list& call_edges::of_pointer(const clang::CallExpr* call) {
  const call_targets::type type = type_called(source_.context, call);
  const auto [known, fresh] = of_types_.try_emplace(type);
  if (!fresh) return known->second;
  known->second = targets().of(type);
  std::erase_if(known->second, [&](const clang::FunctionDecl* one) {
    return !can_be_called_as(source_.context, one, type) || !pointer_to(source_, one);
  });
  return known->second;
}

std::vector<const clang::FunctionDecl*> call_edges::of(const clang::FunctionDecl* function) {
  std::vector<const clang::FunctionDecl*> found;
  const references& from = references_.of(function);
  for (const clang::CallExpr* call : from.virtual_calls) {
    for (const virtual_target& one : of_virtual(call)) found.push_back(one.method);
  }
  for (const clang::CallExpr* call : from.pointer_calls) {
    const call_targets::function_list& some = of_pointer(call);
    found.insert(found.end(), some.begin(), some.end());
  }
  return found;
}

std::optional<std::string> pointer_to(const parsed_file& source,
                                      const clang::FunctionDecl* function) {
  const auto type = plain_type(source.context, source.context.getPointerType(function->getType()));
  const auto arguments = written_arguments(function);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool hidden =
      method != nullptr &&
      !plain_type(source.context, source.context.getRecordType(method->getParent()));
  const bool named = type && arguments && !has_hidden_type(*type) && !has_hidden_type(*arguments);
  // Another file may have another function of a weak one's name.
  if (!named || hidden || function->isWeak()) return std::nullopt;
  // The type chooses among overloads.
  return "(" + *type + ")" +
         (source.is_c() ? function->getNameAsString() : "::" + plain_name(function) + *arguments);
}

}  // namespace cilk2chan
