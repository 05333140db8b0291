#include "host_code/rewriting.hpp"

namespace cilk2chan::host_code {
namespace {

class outer_naming {
 public:
  outer_naming(const parsed_file& source, const clang::FunctionDecl* function)
      : source_(source), before_(source.offset(function->getBeginLoc())) {}

  // Whether the type's spelling has the same meaning before the function.
  bool can_name(clang::QualType type) const {
    const clang::Type* node = type.getTypePtr();
    switch (node->getTypeClass()) {
      case clang::Type::Builtin: return true;
      case clang::Type::Pointer: return can_name(node->getPointeeType());
      case clang::Type::Paren: return can_name(llvm::cast<clang::ParenType>(node)->getInnerType());
      case clang::Type::Elaborated:
        return can_name(llvm::cast<clang::ElaboratedType>(node)->getNamedType());
      case clang::Type::Complex:
        return can_name(llvm::cast<clang::ComplexType>(node)->getElementType());
      case clang::Type::Atomic:
        return can_name(llvm::cast<clang::AtomicType>(node)->getValueType());
      case clang::Type::Vector:
      case clang::Type::ExtVector:
        return can_name(llvm::cast<clang::VectorType>(node)->getElementType());
      case clang::Type::ConstantArray:
      case clang::Type::IncompleteArray:
        return can_name(llvm::cast<clang::ArrayType>(node)->getElementType());
      case clang::Type::FunctionNoProto:
        return can_name(llvm::cast<clang::FunctionType>(node)->getReturnType());
      case clang::Type::FunctionProto: {
        const auto* function = llvm::cast<clang::FunctionProtoType>(node);
        for (const clang::QualType one : function->param_types()) {
          if (!can_name(one)) return false;
        }
        return can_name(function->getReturnType());
      }
      case clang::Type::Typedef: {
        const clang::TypedefNameDecl* name = llvm::cast<clang::TypedefType>(node)->getDecl();
        return is_visible(name);
      }
      case clang::Type::Record:
      case clang::Type::Enum: {
        const auto* tag = llvm::cast<clang::TagType>(node)->getDecl();
        if (tag->getDeclName().isEmpty())
          return tag->getTypedefNameForAnonDecl() != nullptr &&
                 is_visible(tag->getTypedefNameForAnonDecl());
        return is_visible(tag);
      }
      default: return false;
    }
  }

 private:
  bool is_visible(const clang::Decl* declaration) const {
    for (const clang::Decl* one : declaration->redecls()) {
      if (!one->getDeclContext()->isFileContext()) continue;
      if (one->getLocation().isInvalid() || !source_.in_main_file(one->getLocation())) return true;
      if (source_.offset(one->getEndLoc()) < before_) return true;
    }
    return false;
  }

  const parsed_file& source_;
  unsigned before_;
};

}  // namespace

std::optional<std::string> outer_type(const parsed_file& source, clang::QualType type,
                                      const std::string& name,
                                      const clang::FunctionDecl* function) {
  const outer_naming names(source, function);
  clang::PrintingPolicy policy(source.context.getLangOpts());
  policy.AnonymousTagLocations = false;
  const auto write = [&](clang::QualType chosen) {
    std::string text = name;
    chosen.getAsStringInternal(text, policy);
    return text;
  };
  const clang::QualType canonical = type.getCanonicalType();
  if (!type->isVariablyModifiedType()) {
    if (names.can_name(type)) return write(type);
    if (names.can_name(canonical)) return write(canonical);
  }
  // In C a pointer to an object converts to `void*` and back without a cast.
  if (canonical->isPointerType() && !canonical->isFunctionPointerType())
    return write(source.context.VoidPtrTy);
  return std::nullopt;
}

}  // namespace cilk2chan::host_code
