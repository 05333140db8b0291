#include "normal_form/plain_complex.hpp"

#include "analysis/complex_numbers.hpp"
#include "analysis/made_places.hpp"  // literal_read
#include "normal_form/plain_expressions.hpp"

#include <clang/AST/ParentMapContext.h>

#include <algorithm>
#include <utility>

namespace cilk2chan {
namespace {

bool is_complex(clang::QualType type) { return type->isAnyComplexType(); }

clang::QualType element(clang::QualType type) {
  const auto* complex = type->getAs<clang::ComplexType>();
  return complex == nullptr ? type : complex->getElementType();
}

bool is_float(clang::QualType type) {
  return element(type)->isSpecificBuiltinType(clang::BuiltinType::Float);
}

// The imaginary part of a literal in digits that give back the number.
std::string digits(const clang::ImaginaryLiteral* literal) {
  llvm::SmallString<32> text;
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(literal->getSubExpr())) {
    number->getValue().toString(text);
    // It has a point or an exponent, or it is whole.
    if (!llvm::StringRef(text).contains_insensitive('e') && !llvm::StringRef(text).contains('.'))
      text += ".0";
    if (is_float(number->getType())) text += "f";
  } else if (const auto* whole = llvm::dyn_cast<clang::IntegerLiteral>(literal->getSubExpr())) {
    whole->getValue().toStringSigned(text);
  }
  return std::string(text);
}

}  // namespace

std::string plain_complex::function(plain_expressions& in, llvm::StringRef name,
                                    clang::QualType type) const {
  const bool known =
      is_float(type) || element(type)->isSpecificBuiltinType(clang::BuiltinType::Double);
  in.need(known, reasons::complex_operation);
  return prefix + name.str() + (is_float(type) ? "f" : "");
}

// From one type of complex numbers to another.
std::string plain_complex::cast(plain_expressions& in, const std::string& text,
                                clang::QualType from, clang::QualType to) const {
  if (context_->hasSameUnqualifiedType(element(from), element(to))) return text;
  (void)function(in, "", from);
  (void)function(in, "", to);
  return std::string(prefix) + (is_float(to) ? "narrow(" : "wide(") + text + ")";
}

// A value that is calculated with in the type `to`: a real number stays one.
plain_complex::operand plain_complex::as_operand(plain_expressions& in, const std::string& text,
                                                 clang::QualType from, clang::QualType to) const {
  if (is_complex(from)) return {cast(in, text, from, to), false};
  if (from->isRealFloatingType()) return {text, true};
  return {function(in, "of", to) + "(" + text + ")", false};
}

std::string plain_complex::operation(plain_expressions& in, const clang::BinaryOperator* whole,
                                     const operand& left, const operand& right,
                                     clang::QualType type, bool in_place) const {
  const auto how = whole->isCompoundAssignmentOp()
                       ? clang::BinaryOperator::getOpForCompoundAssignment(whole->getOpcode())
                       : whole->getOpcode();
  std::string name;
  switch (how) {
    case clang::BO_Add: name = "plus"; break;
    case clang::BO_Sub: name = "minus"; break;
    case clang::BO_Mul: name = "times"; break;
    case clang::BO_Div: name = "over"; break;
    default: in.fail(reasons::complex_operation); return {};
  }
  std::string first = left.text;
  if (left.real && how == clang::BO_Div) first = function(in, "of", type) + "(" + first + ")";
  if (right.real) {
    name += "_real";
  } else if (left.real && how != clang::BO_Div) {
    name = "real_" + name;
  } else if (how == clang::BO_Mul || how == clang::BO_Div) {
    using range = clang::LangOptions;
    switch (whole->getFPFeaturesInEffect(context_->getLangOpts()).getComplexRange()) {
      case range::CX_Full: break;
      case range::CX_Basic: name += "_limited"; break;
      default: in.fail(reasons::complex_operation);
    }
  }
  if (in_place) name += "_to";
  return function(in, name, type) + "(" + first + ", " + right.text + ")";
}

std::string plain_complex::sum(plain_expressions& in, const clang::CompoundAssignOperator* whole,
                               const std::string& at, const std::string& by,
                               clang::QualType type) const {
  const clang::QualType to = whole->getLHS()->getType();
  if (!is_complex(to) && !is_complex(type)) return {};
  const clang::QualType used = whole->getComputationLHSType();
  const clang::QualType made = whole->getComputationResultType();
  in.need(is_complex(made) && context_->hasSameUnqualifiedType(element(used), element(made)),
          reasons::complex_operation);
  const std::string result =
      operation(in, whole, as_operand(in, at, to, made), as_operand(in, by, type, made), made);
  return is_complex(to) ? cast(in, result, made, to)
                        : function(in, "real", made) + "(" + result + ")";
}

bool plain_complex::is_condition(const clang::Expr* value) const {
  if (!is_complex(value->getType()) || value == asked_) return false;
  const auto parents = context_->getParents(*value);
  return std::any_of(parents.begin(), parents.end(), [&](const clang::DynTypedNode& one) {
    const auto* code = one.get<clang::Stmt>();
    return code != nullptr && llvm::is_contained(complex_conditions(code), value);
  });
}

bool plain_complex::print_operation(plain_expressions& in, const clang::BinaryOperator* value,
                                    llvm::raw_ostream& out) const {
  const clang::Expr* left = value->getLHS();
  const clang::Expr* right = value->getRHS();
  if (!is_complex_operation(value) || value->isLogicalOp()) return false;
  if (const auto* whole = llvm::dyn_cast<clang::CompoundAssignOperator>(value)) {
    const std::string at = in.text(left);
    const clang::QualType made = whole->getComputationResultType();
    if (left->HasSideEffects(*context_) &&
        context_->hasSameUnqualifiedType(left->getType(), made)) {
      const operand by = as_operand(in, in.text(right), right->getType(), made);
      out << operation(in, whole, {"&(" + at + ")", false}, by, made, true);
      return true;
    }
    const std::string stored = sum(in, whole, at, in.text(right), right->getType());
    in.need(!left->HasSideEffects(*context_), reasons::complex_operation);
    out << at << " = " << stored;
    return true;
  }
  const clang::QualType type = is_complex(left->getType()) ? left->getType() : right->getType();
  const operand first = as_operand(in, in.text(left), left->getType(), type);
  const operand second = as_operand(in, in.text(right), right->getType(), type);
  if (!value->isEqualityOp()) {
    out << operation(in, value, first, second, type);
    return true;
  }
  const auto whole = [&](const operand& one) {
    return one.real ? function(in, "of", type) + "(" + one.text + ")" : one.text;
  };
  out << "(" << (value->getOpcode() == clang::BO_NE ? "!" : "") << function(in, "equal", type)
      << "(" << whole(first) << ", " << whole(second) << "))";
  return true;
}

bool plain_complex::print_operation(plain_expressions& in, const clang::UnaryOperator* value,
                                    llvm::raw_ostream& out) const {
  const clang::Expr* inside = value->getSubExpr();
  if (!is_complex(inside->getType())) {
    const bool part = value->getOpcode() == clang::UO_Real || value->getOpcode() == clang::UO_Imag;
    in.need(!part, reasons::complex_operation);
    return part;
  }
  const auto call = [&](llvm::StringRef name) {
    out << function(in, name, inside->getType()) << "(" << in.text(inside) << ")";
    return true;
  };
  switch (value->getOpcode()) {
    case clang::UO_Minus: return call("negated");
    case clang::UO_Not: return call("conj");
    case clang::UO_Plus: out << in.text(inside); return true;
    case clang::UO_Real:
    case clang::UO_Imag: {
      const bool real = value->getOpcode() == clang::UO_Real;
      if (!inside->isGLValue()) return call(real ? "real" : "imag");
      out << (real ? "__real__ (" : "__imag__ (") << in.text(inside) << ")";
      return true;
    }
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec: in.fail(reasons::complex_operation); return true;
    default: return false;
  }
}

bool plain_complex::print_cast(plain_expressions& in, const clang::CastExpr* cast,
                               llvm::raw_ostream& out) const {
  const clang::Expr* inside = cast->getSubExpr();
  const clang::QualType from = inside->getType();
  const clang::QualType to = cast->getType();
  if (!is_complex(from) && !is_complex(to)) return false;
  const auto* literal = llvm::dyn_cast<clang::ImaginaryLiteral>(inside->IgnoreParens());
  switch (cast->getCastKind()) {
    case clang::CK_FloatingRealToComplex:
      out << function(in, "of", to) << "(" << in.text(inside) << ")";
      return true;
    case clang::CK_FloatingComplexToReal:
      out << function(in, "real", from) << "(" << in.text(inside) << ")";
      return true;
    case clang::CK_FloatingComplexToBoolean:
      out << function(in, "is", from) << "(" << in.text(inside) << ")";
      return true;
    case clang::CK_FloatingComplexCast:
      out << this->cast(in, in.text(inside), from, to);
      return true;
    case clang::CK_IntegralComplexToFloatingComplex:
      in.need(literal != nullptr, reasons::complex_operation);
      if (literal != nullptr) out << function(in, "made", to) << "(0, " << digits(literal) << ")";
      return true;
    case clang::CK_LValueToRValue:
      if (const auto* read = literal_read(cast)) {
        out << in.text(read->getInitializer());
        return true;
      }
      [[fallthrough]];
    case clang::CK_NoOp:
      if (!llvm::isa<clang::ExplicitCastExpr>(cast)) return false;
      out << "(" << in.text(inside) << ")";
      return true;
    case clang::CK_ToVoid: return false;
    default: in.fail(reasons::complex_operation); return true;
  }
}

bool plain_complex::print_call(plain_expressions& in, const clang::CallExpr* call,
                               llvm::raw_ostream& out) const {
  const bool made = call->getBuiltinCallee() == clang::Builtin::BI__builtin_complex;
  const llvm::StringRef name = made ? "made" : complex_function(call->getDirectCallee());
  if (name.empty()) return false;
  out << function(in, name, made ? call->getType() : call->getArg(0)->getType()) << "(";
  const char* comma = "";
  for (const clang::Expr* one : call->arguments())
    out << std::exchange(comma, ", ") << in.text(one);
  out << ")";
  return true;
}

bool plain_complex::print_list(plain_expressions& in, const clang::InitListExpr* list,
                               llvm::raw_ostream& out) const {
  if (!is_complex(list->getType())) {
    // As it is written such a list has no type.
    const bool some = llvm::any_of(list->inits(), [](const clang::Expr* one) {
      return llvm::isa<clang::InitListExpr>(one) && is_complex(one->getType());
    });
    in.need(!some, reasons::complex_operation);
    return in.failed();
  }
  if (list->getNumInits() != 2) {
    in.need(list->getNumInits() == 1, reasons::complex_operation);
    if (list->getNumInits() == 1) out << in.text(list->getInit(0));
    return true;
  }
  out << function(in, "made", list->getType()) << "(" << in.text(list->getInit(0)) << ", "
      << in.text(list->getInit(1)) << ")";
  return true;
}

bool plain_complex::print(plain_expressions& in, const clang::Expr* value, llvm::raw_ostream& out) {
  if (in.names_host_code) {
    // A constant of C stays one, and Clang's printer has no words for a literal of C's header.
    const auto* literal = llvm::dyn_cast<clang::ImaginaryLiteral>(value);
    if (literal == nullptr) return false;
    (void)function(in, "", literal->getType());
    const std::string zero = is_float(literal->getType()) ? "0.0f" : "0.0";
    out << "__builtin_complex(" << zero << ", " << digits(literal) << ")";
    return true;
  }
  if (is_condition(value)) {
    const clang::Expr* before = std::exchange(asked_, value);
    const std::string text = in.text(value);
    asked_ = before;
    out << function(in, "is", value->getType()) << "(" << text << ")";
    return true;
  }
  if (const auto* literal = llvm::dyn_cast<clang::ImaginaryLiteral>(value)) {
    out << function(in, "made", literal->getType()) << "(0, " << digits(literal) << ")";
    return true;
  }
  if (const auto* one = llvm::dyn_cast<clang::BinaryOperator>(value))
    return print_operation(in, one, out);
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(value))
    return print_operation(in, one, out);
  if (const auto* one = llvm::dyn_cast<clang::CastExpr>(value)) return print_cast(in, one, out);
  if (const auto* one = llvm::dyn_cast<clang::CallExpr>(value)) return print_call(in, one, out);
  if (const auto* one = llvm::dyn_cast<clang::InitListExpr>(value)) return print_list(in, one, out);
  const bool either =
      llvm::isa<clang::BinaryConditionalOperator>(value) && is_complex(value->getType());
  in.need(!either, reasons::complex_operation);
  return either;
}

}  // namespace cilk2chan
