#include "normal_form/plain_rows.hpp"

#include "normal_form/plain_expressions.hpp"
#include "normal_form/plain_types.hpp"

namespace cilk2chan {
namespace {

// A number of elements, in a type that has room for each product of such.
std::string as_long(plain_expressions& in, const clang::Expr* value) {
  return "(long)(" + in.text(value) + ")";
}

std::string in_parentheses(const std::string& text, const clang::Expr* value) {
  const bool name = llvm::isa<clang::DeclRefExpr>(value->IgnoreParenImpCasts());
  return name ? text : "(" + text + ")";
}

// Whether a call passes an array, or a pointer to one, of variable length.
bool passes_rows(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::QualType pointer = call->getCallee()->getType();
  const clang::QualType type = callee != nullptr          ? callee->getType()
                               : pointer->isPointerType() ? pointer->getPointeeType()
                                                          : pointer;
  return has_rows(type);
}

}  // namespace

bool plain_rows::is_array(clang::QualType type) const { return is_array_of_rows(*context_, type); }

bool plain_rows::is_pointer(clang::QualType type) const {
  return type->isPointerType() && is_array(type->getPointeeType());
}

std::string plain_rows::length(const clang::Expr* size) const {
  const auto known = lengths_.find(size);
  return known == lengths_.end() ? "" : known->second;
}

std::vector<const clang::Expr*> plain_rows::sizes(clang::QualType type) const {
  std::vector<const clang::Expr*> found;
  type = type.getCanonicalType();
  for (; !type.isNull() && type->isVariablyModifiedType(); type = next(type)) {
    const auto* array = llvm::dyn_cast<clang::VariableArrayType>(type.getTypePtr());
    if (array != nullptr) found.push_back(array->getSizeExpr());
  }
  return found;
}

bool plain_rows::knows(clang::QualType type) const {
  return llvm::all_of(sizes(type), [&](const auto* one) { return lengths_.contains(one); });
}

std::string plain_rows::length(plain_expressions& in, clang::QualType array) const {
  const clang::ArrayType* type = context_->getAsArrayType(array);
  if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(type))
    return std::to_string(constant->getZExtSize());
  const auto* varies = llvm::dyn_cast<clang::VariableArrayType>(type);
  const clang::Expr* size = varies == nullptr ? nullptr : varies->getSizeExpr();
  if (const std::string known = length(size); !known.empty()) return known;
  if (written_.contains(size)) return as_long(in, size);
  in.fail(reasons::rows);
  return {};
}

std::string plain_rows::count(plain_expressions& in, clang::QualType array) const {
  std::string all;
  for (; is_array(array); array = context_->getAsArrayType(array)->getElementType())
    all += (all.empty() ? "" : " * ") + length(in, array);
  return all;
}

clang::QualType plain_rows::element(clang::QualType type) const {
  while (is_array(type)) type = context_->getAsArrayType(type)->getElementType();
  return type;
}

clang::QualType plain_rows::next(clang::QualType type) const {
  const clang::Type* own = type.getTypePtr();
  if (const auto* pointer = llvm::dyn_cast<clang::PointerType>(own))
    return pointer->getPointeeType();
  if (const auto* array = llvm::dyn_cast<clang::ArrayType>(own)) return array->getElementType();
  if (const auto* adjusted = llvm::dyn_cast<clang::AdjustedType>(own))
    return adjusted->getAdjustedType();
  const bool same = llvm::isa<clang::ParenType, clang::ElaboratedType, clang::AttributedType,
                              clang::MacroQualifiedType, clang::TypeOfType>(own);
  return same ? type.getSingleStepDesugaredType(*context_) : clang::QualType();
}

std::string plain_rows::flat(plain_expressions& in, const place& at, clang::QualType unit) const {
  if (at.index.empty()) return at.root;
  const std::string index = is_array(unit) ? "(" + at.index + ") * " + count(in, unit) : at.index;
  return "(&" + at.root + "[" + index + "])";
}

void plain_rows::add(plain_expressions& in, place& to, const clang::Expr* index, bool minus) const {
  to.index += to.index.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
  to.index += as_long(in, index);
}

plain_rows::place plain_rows::array(plain_expressions& in, const clang::Expr* value) {
  value = value->IgnoreParens();
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value)) {
    place found = pointer(in, element->getBase());
    add(in, found, element->getIdx());
    return found;
  }
  if (const auto* star = llvm::dyn_cast<clang::UnaryOperator>(value);
      star != nullptr && star->getOpcode() == clang::UO_Deref)
    return pointer(in, star->getSubExpr());
  if (llvm::isa<clang::DeclRefExpr>(value)) return {in.text(value), ""};
  in.fail(reasons::rows);
  return {};
}

plain_rows::place plain_rows::pointer(plain_expressions& in, const clang::Expr* value) {
  const clang::Expr* inside = value->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(inside);
      cast != nullptr && cast->getCastKind() == clang::CK_ArrayToPointerDecay &&
      is_array(cast->getSubExpr()->getType())) {
    place found = array(in, cast->getSubExpr());
    if (!found.index.empty())
      found.index = "(" + found.index + ") * " + length(in, cast->getSubExpr()->getType());
    return found;
  }
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(inside);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf)
    return array(in, address->getSubExpr());
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(inside);
      sum != nullptr && sum->isAdditiveOp()) {
    const bool first = sum->getLHS()->getType()->isPointerType();
    place found = pointer(in, first ? sum->getLHS() : sum->getRHS());
    add(in, found, first ? sum->getRHS() : sum->getLHS(), sum->getOpcode() == clang::BO_Sub);
    return found;
  }
  return {in_parentheses(in.text(value), value), ""};
}

bool plain_rows::print_operation(plain_expressions& in, const clang::BinaryOperator* value,
                                 llvm::raw_ostream& out) {
  const clang::QualType left = value->getLHS()->getType();
  const clang::QualType right = value->getRHS()->getType();
  if (value->isAdditiveOp() && is_pointer(value->getType())) {
    out << flat(in, pointer(in, value), value->getType()->getPointeeType());
    return true;
  }
  if (value->getOpcode() == clang::BO_Sub && (is_pointer(left) || is_pointer(right))) {
    const clang::QualType unit = (is_pointer(left) ? left : right)->getPointeeType();
    out << "((" << in.text(value->getLHS()) << ") - (" << in.text(value->getRHS()) << ")) / ("
        << count(in, unit) << ")";
    return true;
  }
  if (!value->isCompoundAssignmentOp() || !is_pointer(left)) return false;
  out << in.text(value->getLHS()) << " " << value->getOpcodeStr() << " "
      << as_long(in, value->getRHS()) << " * " << count(in, left->getPointeeType());
  return true;
}

bool plain_rows::print_operation(plain_expressions& in, const clang::UnaryOperator* value,
                                 llvm::raw_ostream& out) {
  const clang::Expr* inside = value->getSubExpr();
  if (value->getOpcode() == clang::UO_AddrOf && is_array(inside->getType())) {
    out << flat(in, array(in, inside), inside->getType());
    return true;
  }
  if (!value->isIncrementDecrementOp() || !is_pointer(inside->getType())) return false;
  const std::string step = count(in, inside->getType()->getPointeeType());
  const bool up = value->isIncrementOp();
  const std::string changed = "(" + in.text(inside) + (up ? " += " : " -= ") + step + ")";
  out << (value->isPrefix() ? changed : "(" + changed + (up ? " - " : " + ") + step + ")");
  return true;
}

bool plain_rows::print_cast(plain_expressions& in, const clang::CastExpr* cast,
                            llvm::raw_ostream& out) {
  const clang::QualType from = cast->getSubExpr()->getType();
  const clang::QualType to = cast->getType();
  if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
    if (is_array(from)) out << flat(in, pointer(in, cast), to->getPointeeType());
    return is_array(from);
  }
  const auto* written = llvm::dyn_cast<clang::ExplicitCastExpr>(cast);
  if (written != nullptr && to->isVariablyModifiedType()) {
    is_written(in, written->getTypeAsWritten());
  } else {
    // From an array of variable length to one of another type: C converts such pointers.
    const bool both = to->isPointerType() && from->isPointerType() && !to->isVoidPointerType() &&
                      !from->isVoidPointerType();
    if (written != nullptr || !both || (!is_pointer(from) && !is_pointer(to))) return false;
    const auto element = [&](clang::QualType type) {
      const clang::QualType plain = without_rows(*context_, type);
      return plain.isNull() ? plain : plain->getPointeeType();
    };
    const clang::QualType first = element(from);
    const clang::QualType second = element(to);
    if (!first.isNull() && !second.isNull() && context_->hasSameUnqualifiedType(first, second))
      return false;
  }
  const auto type = plain_type(*context_, to.getUnqualifiedType());
  in.need(type.has_value(), reasons::rows);
  out << "(" << type.value_or("") << ")(" << in.text(cast->getSubExpr()) << ")";
  return true;
}

// The sizes have to be what they are where the type is written, each time that they are asked for.
void plain_rows::is_written(plain_expressions& in, clang::QualType type) {
  while (type->isVariablyModifiedType() && !knows(type)) {
    if (const auto* varies = llvm::dyn_cast<clang::VariableArrayType>(type.getTypePtr())) {
      in.need(varies->getSizeExpr() != nullptr && !varies->getSizeExpr()->HasSideEffects(*context_),
              reasons::rows_with_effects);
      written_.insert(varies->getSizeExpr());
      type = varies->getElementType();
      continue;
    }
    type = next(type);
    in.need(!type.isNull(), reasons::rows);
    if (type.isNull()) return;
  }
}

bool plain_rows::print_size(plain_expressions& in, const clang::UnaryExprOrTypeTraitExpr* value,
                            llvm::raw_ostream& out) {
  clang::QualType type = value->getTypeOfArgument();
  if (!type->isVariablyModifiedType()) return false;
  in.need(value->getKind() == clang::UETT_SizeOf, reasons::rows);
  const clang::Expr* argument = value->isArgumentType() ? nullptr : value->getArgumentExpr();
  if (argument == nullptr) {
    is_written(in, value->getArgumentType());
  } else if (is_array(type)) {
    // It is evaluated: its casts may have sizes.
    in.need(!argument->HasSideEffects(*context_), reasons::rows_with_effects);
    (void)in.text(argument);
  }
  std::string factors;
  if (is_array(type)) factors = " * " + count(in, type);
  type = element(type);
  const auto unit = plain_type(*context_, type);
  in.need(unit.has_value(), reasons::rows);
  out << "(sizeof(" << unit.value_or("") << ")" << factors << ")";
  return true;
}

bool plain_rows::print(plain_expressions& in, const clang::Expr* value, llvm::raw_ostream& out) {
  if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(value))
    return print_size(in, size, out);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) return print_cast(in, cast, out);
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(value))
    return print_operation(in, operation, out);
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (print_operation(in, operation, out)) return true;
    if (operation->getOpcode() != clang::UO_Deref || !is_array(value->getType())) return false;
    out << flat(in, array(in, value), value->getType());
    return true;
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value)) {
    const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    const bool of_rows = decay != nullptr && is_array(decay->getSubExpr()->getType());
    if (is_array(value->getType())) {
      out << flat(in, array(in, value), value->getType());
      return true;
    }
    if (!of_rows || pointer(in, decay).index.empty()) return false;
    const place found = array(in, value);
    out << found.root << "[" << found.index << "]";
    return true;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
    // What has no plain form gets an array, and not its first element.
    if (in.plain_callee(call) == nullptr && passes_rows(call)) in.fail(reasons::rows);
    return false;
  }
  // Others name types, or ask for one.
  const auto* choice = llvm::dyn_cast<clang::GenericSelectionExpr>(value);
  const bool asks = choice != nullptr && choice->isExprPredicate() &&
                    choice->getControllingExpr()->getType()->isVariablyModifiedType();
  const auto* trait = llvm::dyn_cast<clang::TypeTraitExpr>(value);
  const bool names = trait != nullptr && llvm::any_of(trait->getArgs(), [](const auto* one) {
                       return one->getType()->isVariablyModifiedType();
                     });
  const bool literal =
      llvm::isa<clang::CompoundLiteralExpr>(value) && value->getType()->isVariablyModifiedType();
  if (asks || names || literal) in.fail(reasons::rows);
  return false;
}

}  // namespace cilk2chan
