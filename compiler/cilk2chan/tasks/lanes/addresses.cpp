#include "tasks/lanes/addresses.hpp"

#include "analysis/usage.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/effects.hpp"  // place_read
#include "tasks/lanes/printing.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <algorithm>

namespace cilk2chan {
namespace {

constexpr unsigned address_bits = 64;

const clang::VarDecl* read_variable(const clang::Expr* value) {
  const clang::Expr* place = place_read(value);
  if (place == nullptr) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

}  // namespace

std::optional<address> address_reader::of(const clang::Expr* place) {
  place = place->IgnoreParens();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr) return std::nullopt;
    if (!variable->getType()->isReferenceType())
      return address{key_of(variable), variable, nullptr, {}, false};
    if (const clang::Expr* what = value_of(variable)) return of(what);
    if (loop_.declared.contains(variable)) return std::nullopt;
    return address{key_of(variable), nullptr, variable, {}, false};
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    auto base = pointer(element->getBase());
    const auto index = integer(element->getIdx());
    if (!base || !index) return std::nullopt;
    base->offset = base->offset + *index * linear(bytes_of(element->getType()));
    base->may_wrap = base->may_wrap || may_wrap_;
    return base;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr || field->isBitField() || field->getType()->isReferenceType())
      return std::nullopt;
    auto base = member->isArrow() ? pointer(member->getBase()) : of(member->getBase());
    if (!base) return std::nullopt;
    const auto& layout = source_.context->getASTRecordLayout(field->getParent());
    base->offset =
        base->offset +
        linear(static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8));
    return base;
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(place)) {
    if (node->getOpcode() == clang::UO_Deref) return pointer(node->getSubExpr());
  }
  return std::nullopt;
}

const clang::VarDecl* address_reader::root_of_place(const clang::Expr* place) {
  for (;;) {
    place = place->IgnoreParens();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      place = element->getBase();
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      place = member->getBase();
    } else if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(place);
               node != nullptr &&
               (node->getOpcode() == clang::UO_Deref || node->getOpcode() == clang::UO_AddrOf)) {
      place = node->getSubExpr();
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(place);
               sum != nullptr && sum->isAdditiveOp() && sum->getType()->isPointerType()) {
      place = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    } else if (const clang::VarDecl* variable = read_variable(place)) {
      if (const clang::Expr* what = value_of(variable)) {
        place = what;
        continue;
      }
      const bool fixed = variable->getType()->isPointerType() &&
                         !loop_.changed.contains(variable) && !loop_.declared.contains(variable);
      return fixed ? variable : nullptr;
    } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(place);
               cast != nullptr && cast->getCastKind() != clang::CK_LValueToRValue) {
      place = cast->getSubExpr();
    } else {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
      const auto* variable =
          name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      const bool is_object = variable != nullptr && !variable->getType()->isReferenceType() &&
                             !variable->getType()->isPointerType();
      return is_object ? variable : nullptr;
    }
  }
}

std::optional<address> address_reader::pointer(const clang::Expr* value) {
  value = value->IgnoreParens();
  if (const clang::VarDecl* variable = read_variable(value)) return variable_pointer(variable);
  if (const clang::Expr* place = place_read(value)) {
    // A pointer in memory. Whether the loop changes it there is asked where that place is read.
    if (!is_fixed(value)) return std::nullopt;
    return address{key_of(source_, place), nullptr, nullptr, {}, false};
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) {
    switch (cast->getCastKind()) {
      case clang::CK_ArrayToPointerDecay: return of(cast->getSubExpr());
      case clang::CK_NoOp:
      case clang::CK_BitCast: return pointer(cast->getSubExpr());
      default: return std::nullopt;
    }
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (node->getOpcode() == clang::UO_AddrOf) return of(node->getSubExpr());
  }
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value);
  if (sum == nullptr || !sum->isAdditiveOp()) return std::nullopt;
  const bool left = sum->getLHS()->getType()->isPointerType();
  if (!left && sum->getOpcode() != clang::BO_Add) return std::nullopt;
  const clang::Expr* base = left ? sum->getLHS() : sum->getRHS();
  const clang::QualType to = base->getType()->getPointeeType();
  if (to->isVoidType() || to->isIncompleteType()) return std::nullopt;
  auto found = pointer(base);
  const auto index = integer(left ? sum->getRHS() : sum->getLHS());
  if (!found || !index) return std::nullopt;
  const linear more = *index * linear(bytes_of(to));
  found->offset = sum->getOpcode() == clang::BO_Add ? found->offset + more : found->offset - more;
  found->may_wrap = found->may_wrap || may_wrap_;
  return found;
}

std::optional<address> address_reader::variable_pointer(const clang::VarDecl* variable) {
  if (!variable->getType()->isPointerType()) return std::nullopt;
  if (is_counted(variable)) return address{"", nullptr, nullptr, linear(key_of(variable)), false};
  if (const clang::Expr* what = value_of(variable)) return pointer(what);
  if (loop_.changed.contains(variable) || loop_.declared.contains(variable)) return std::nullopt;
  return address{key_of(variable), nullptr, variable, {}, false};
}

std::optional<linear> address_reader::integer(const clang::Expr* value) {
  value = value->IgnoreParens();
  clang::Expr::EvalResult known;
  if (!value->isValueDependent() && value->EvaluateAsInt(known, *source_.context)) {
    const llvm::APSInt& number = known.Val.getInt();
    if (number.isSignedIntN(address_bits)) return linear(number.getExtValue());
  }
  if (const clang::VarDecl* variable = read_variable(value)) return variable_integer(variable);
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (auto sum = operation(node)) return sum;
  }
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (node->getOpcode() == clang::UO_Minus && value->getType()->isSignedIntegerType()) {
      if (const auto inner = integer(node->getSubExpr())) return linear(0) - *inner;
    }
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) {
    const clang::Expr* inner = cast->getSubExpr();
    const bool numbers = inner->getType()->isIntegralOrEnumerationType() &&
                         value->getType()->isIntegerType() && !value->getType()->isBooleanType();
    const unsigned from = numbers ? source_.context->getIntWidth(inner->getType()) : 0;
    const unsigned to = numbers ? source_.context->getIntWidth(value->getType()) : 0;
    const bool same_sign = value->getType()->isSignedIntegerOrEnumerationType() ==
                           inner->getType()->isSignedIntegerOrEnumerationType();
    // A signed number that becomes an unsigned one of few bits may be another one.
    const bool grows =
        numbers && (same_sign                                                ? to >= from
                    : inner->getType()->isUnsignedIntegerOrEnumerationType() ? to > from
                                                                             : to >= address_bits);
    const bool keeps = cast->getCastKind() == clang::CK_NoOp;
    if (keeps || (cast->getCastKind() == clang::CK_IntegralCast && grows)) return integer(inner);
  }
  if (is_fixed(value)) return linear(key_of(source_, value));
  return std::nullopt;
}

std::optional<linear> address_reader::operation(const clang::BinaryOperator* node) {
  if (!node->getType()->isIntegerType()) return std::nullopt;
  const auto left = integer(node->getLHS());
  const auto right = integer(node->getRHS());
  if (!left || !right) return std::nullopt;
  linear result;
  switch (node->getOpcode()) {
    case clang::BO_Add: result = *left + *right; break;
    case clang::BO_Sub: result = *left - *right; break;
    case clang::BO_Mul: result = *left * *right; break;
    case clang::BO_Shl: {
      const auto by = right->constant();
      if (!by || *by < 0 || *by > 31) return std::nullopt;
      result = *left * linear(std::int64_t{1} << *by);
      break;
    }
    default: return std::nullopt;
  }
  const bool few_bits = source_.context->getIntWidth(node->getType()) < address_bits;
  if (few_bits && node->getType()->isUnsignedIntegerOrEnumerationType()) {
    // The loop's first, second and last address show whether one of them wraps; those of the loops
    // in it are not looked at so closely.
    for (const counted_loop& one : around_) {
      if (result.mentions(key_of(one.form.variable))) return std::nullopt;
    }
    may_wrap_ = true;
  }
  return result;
}

std::optional<linear> address_reader::variable_integer(const clang::VarDecl* variable) {
  if (is_counted(variable)) return linear(key_of(variable));
  if (const clang::Expr* what = value_of(variable)) {
    // The variable may be too small for the value.
    const bool same = what->getType()->isIntegerType() &&
                      source_.context->hasSameUnqualifiedType(what->getType(), variable->getType());
    return same ? integer(what) : std::nullopt;
  }
  if (loop_.changed.contains(variable) || loop_.declared.contains(variable)) return std::nullopt;
  return linear(key_of(variable));
}

bool address_reader::is_fixed(const clang::Expr* value) {
  struct visitor : tree_walker {
    address_reader* reader = nullptr;
    bool fixed = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr) return true;
      if (const clang::Expr* what = reader->value_of(variable)) {
        fixed = fixed && reader->is_fixed(what);
      } else if (reader->loop_.changed.contains(variable) ||
                 reader->loop_.declared.contains(variable) || reader->is_counted(variable)) {
        fixed = false;
      }
      return fixed;
    }
    bool VisitCallExpr(clang::CallExpr*) override { return fixed = false; }
    bool VisitStmtExpr(clang::StmtExpr*) override { return fixed = false; }
    bool VisitLambdaExpr(clang::LambdaExpr*) override { return fixed = false; }
  };
  if (value->HasSideEffects(*source_.context)) return false;
  visitor look;
  look.reader = this;
  look.look_through(value);
  return look.fixed;
}

std::vector<std::string> address_reader::symbols() const {
  std::vector<std::string> all = {key_of(loop_.counted)};
  for (const counted_loop& one : around_) all.push_back(key_of(one.form.variable));
  return all;
}

bool address_reader::is_counted(const clang::VarDecl* variable) const {
  return variable == loop_.counted || std::ranges::any_of(around_, [&](const counted_loop& one) {
           return one.form.variable == variable;
         });
}

// The value that a variable of the body has from its declaration on.
const clang::Expr* address_reader::value_of(const clang::VarDecl* variable) const {
  const bool known = loop_.declared.contains(variable) && !loop_.reassigned.contains(variable) &&
                     !is_counted(variable) && variable->hasInit();
  return known ? variable->getInit() : nullptr;
}

std::int64_t address_reader::bytes_of(clang::QualType type) const {
  return source_.context->getTypeSizeInChars(type).getQuantity();
}

}  // namespace cilk2chan
