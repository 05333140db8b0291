#include "openmp/reductions.hpp"

#include "openmp/sharing.hpp"  // variable_named

#include <optional>

namespace cilk2chan::openmp {
namespace {

// The operation and what each part begins with.
bool set_operation(const clang::OMPReductionClause& clause, reduced_variable& made) {
  const auto& operation = clause.getNameInfo().getName();
  if (operation.isIdentifier()) {
    made.operation = operation.getAsString();
    return made.operation == "min" || made.operation == "max";
  }
  const auto with = [&](const char* first, const char* sign) {
    made.first = first;
    made.operation = sign;
    return true;
  };
  switch (operation.getCXXOverloadedOperator()) {
    case clang::OO_Plus:
    case clang::OO_Minus: return with("0", "+");
    case clang::OO_Star: return with("1", "*");
    case clang::OO_Amp: return with("-1", "&");
    case clang::OO_Pipe: return with("0", "|");
    case clang::OO_Caret: return with("0", "^");
    case clang::OO_AmpAmp: return with("1", "&&");
    case clang::OO_PipePipe: return with("0", "||");
    default: return false;
  }
}

// A section `array[low : length]`, or an array as a whole.
bool set_section(file_changes& out, const clang::Expr* item, reduced_variable& made) {
  const clang::QualType type = made.variable->getType().getNonReferenceType();
  const auto* section = llvm::dyn_cast<clang::ArraySectionExpr>(item->IgnoreParenImpCasts());
  made.section = true;
  if (section != nullptr) {
    if (section->getLength() == nullptr && !type->isArrayType()) return false;
    if (section->getStride() != nullptr) return false;
    if (section->getLowerBound() != nullptr) made.low = out.text_of(section->getLowerBound());
    if (section->getLength() != nullptr) made.length = out.text_of(section->getLength());
  }
  if (made.length.empty()) {
    made.length = "(long)(sizeof " + made.name + " / sizeof *" + made.name + ")";
    if (!made.low.empty()) made.length += " - (long)(" + made.low + ")";
  }
  const clang::QualType element =
      type->isPointerType() ? type->getPointeeType() : out.source.context.getBaseElementType(type);
  const auto* array = type->getAsArrayTypeUnsafe();
  const bool flat = array == nullptr || !array->getElementType()->isArrayType();
  made.type = out.declared(element, "");
  return flat && element->isArithmeticType() && !made.type.empty();
}

std::optional<reduced_variable> reduction_of(file_changes& out, const clang::Expr* item,
                                             const clang::OMPReductionClause& clause) {
  reduced_variable made;
  const auto* section = llvm::dyn_cast<clang::ArraySectionExpr>(item->IgnoreParenImpCasts());
  made.variable = variable_named(section == nullptr ? item : section->getBase());
  if (made.variable == nullptr || clause.getModifier() != clang::OMPC_REDUCTION_unknown ||
      !set_operation(clause, made))
    return std::nullopt;
  made.name = made.variable->getNameAsString();
  const clang::QualType type = made.variable->getType().getNonReferenceType();
  if (section != nullptr || type->isArrayType()) {
    if (!set_section(out, item, made)) return std::nullopt;
  } else {
    if (!type->isArithmeticType()) return std::nullopt;
    made.type = out.like(made.variable, "");
  }
  return made;
}

}  // namespace

std::string reduced_variable::declare(const std::string& count) const {
  std::string text;
  std::string bytes = "(unsigned long)(" + count + ") * sizeof(" + type + ")";
  if (section) {
    text += "long " + parts + "_length = " + length + "; ";
    if (!low.empty()) text += "long " + parts + "_low = " + low + "; ";
    bytes = "(unsigned long)" + parts + "_length * " + bytes;
  } else if (first.empty()) {
    text += type + " " + parts + "_first = " + name + "; ";
  }
  return text + type + "* " + parts + " = (" + type + "*)__builtin_malloc(" + bytes + "); ";
}

std::string reduced_variable::begin(const std::string& part) const {
  if (!section)
    return type + " " + name + " = " + (first.empty() ? parts + "_first" : first) + "; ";
  const std::string own = parts + " + " + part + " * " + parts + "_length";
  const std::string at = low.empty() ? "" : parts + "_low + ";
  return "for (long cilk_omp_k = 0; cilk_omp_k < " + parts + "_length; ++cilk_omp_k) { (" + own +
         ")[cilk_omp_k] = " + (first.empty() ? name + "[" + at + "cilk_omp_k]" : first) + "; } " +
         type + "* " + name + " = " + own + (low.empty() ? "" : " - " + parts + "_low") + "; ";
}

std::string reduced_variable::store(const std::string& part) const {
  return section ? "" : " " + parts + "[" + part + "] = " + name + ";";
}

std::string reduced_variable::combined(const std::string& place, const std::string& value) const {
  const std::string head = " { " + type + " cilk_omp_one = " + value + "; " + place + " = ";
  if (operation == "min" || operation == "max")
    return head + "cilk_omp_one " + (operation == "min" ? "<" : ">") + " " + place +
           " ? cilk_omp_one : " + place + "; }";
  return head + place + " " + operation + " cilk_omp_one; }";
}

std::string reduced_variable::combine(const std::string& part) const {
  if (!section) return combined(name, parts + "[" + part + "]");
  const std::string at = low.empty() ? "cilk_omp_k" : parts + "_low + cilk_omp_k";
  return " for (long cilk_omp_k = 0; cilk_omp_k < " + parts + "_length; ++cilk_omp_k)" +
         combined(name + "[" + at + "]",
                  parts + "[" + part + " * " + parts + "_length + cilk_omp_k]");
}

std::string reduced_variable::combine_into(const std::string& into, const std::string& part) const {
  return combined(parts + "[" + into + "]", parts + "[" + part + "]");
}

std::string reduced_variable::combine_all(const std::string& count, const std::string& near) const {
  const std::string at = low.empty() ? "cilk_omp_k" : parts + "_low + cilk_omp_k";
  const std::string length = parts + "_length";
  const auto part = [&](const std::string& number) {
    return parts + "[" + number + " * " + length + " + cilk_omp_k]";
  };
  const std::string first = "cilk_omp_j / " + length + " * " + near;
  return "if (" + near + " > 1) _Cilk_for (long cilk_omp_j = 0; cilk_omp_j < (" + count + " + " +
         near + " - 1) / " + near + " * " + length +
         "; ++cilk_omp_j) { long cilk_omp_k = " + "cilk_omp_j % " + length + "; " + type +
         " cilk_omp_all = " + part(first) + "; for (long cilk_omp_part = " + first +
         " + 1; cilk_omp_part < " + first + " + " + near + " && cilk_omp_part < " + count +
         "; ++cilk_omp_part)" + combined("cilk_omp_all", part("cilk_omp_part")) + " " +
         part(first) + " = cilk_omp_all; } _Cilk_for (long cilk_omp_k = 0; cilk_omp_k < " + length +
         "; ++cilk_omp_k) { " + type + " cilk_omp_all = " + name + "[" + at +
         "]; for (long cilk_omp_part = 0; cilk_omp_part < " + count + "; cilk_omp_part += " + near +
         ")" + combined("cilk_omp_all", part("cilk_omp_part")) + " " + name + "[" + at +
         "] = cilk_omp_all; } ";
}

std::string reduced_variable::release() const { return " __builtin_free(" + parts + ");"; }

std::vector<reduced_variable> reductions_of(file_changes& out,
                                            const clang::OMPExecutableDirective* one) {
  std::vector<reduced_variable> found;
  for (const auto* clause : one->getClausesOfKind<clang::OMPReductionClause>()) {
    for (const clang::Expr* each : clause->varlists()) {
      const auto made = reduction_of(out, each, *clause);
      if (made) {
        found.push_back(*made);
        found.back().parts = "cilk_omp_parts_" + made->name;
      } else {
        out.refuse(each->getBeginLoc(), refusals::openmp_reduction);
      }
    }
  }
  return found;
}

}  // namespace cilk2chan::openmp
