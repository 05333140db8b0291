#include "analysis/loop_forms.hpp"
#include "openmp/directives.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan::openmp {
namespace {

// One variable of a `reduction`.
struct reduced_variable {
  const clang::VarDecl* variable = nullptr;
  std::string name;
  std::string first;    // what each part begins with
  std::string combine;  // what adds the part `cilk_omp_one` to the variable
};

// How many parts of the iterations there are at most: enough for the lanes of a few
// multiprocessors, and not too many for a frame.
constexpr const char* parts = "256";

std::optional<reduced_variable> reduction_of(const clang::VarDecl* variable,
                                             const clang::OMPReductionClause& clause) {
  const std::string name = variable->getNameAsString();
  const auto& operation = clause.getNameInfo().getName();
  const clang::QualType type = variable->getType().getNonReferenceType();
  if (!type->isArithmeticType() || clause.getModifier() != clang::OMPC_REDUCTION_unknown)
    return std::nullopt;
  reduced_variable made{variable, name, "", ""};
  const std::string part = "cilk_omp_one";
  if (operation.isIdentifier()) {
    const std::string word = operation.getAsString();
    if (word != "min" && word != "max") return std::nullopt;
    made.first = "cilk_omp_first_" + name;
    made.combine = name + " = " + part + (word == "min" ? " < " : " > ") + name + " ? " + part +
                   " : " + name + ";";
    return made;
  }
  const auto with = [&](const char* first, const std::string& sign) {
    made.first = first;
    made.combine = name + " = " + name + " " + sign + " " + part + ";";
    return made;
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
    default: return std::nullopt;
  }
}

std::vector<reduced_variable> reductions_of(file_changes& out,
                                            const clang::OMPExecutableDirective* one) {
  std::vector<reduced_variable> found;
  for (const auto* clause : one->getClausesOfKind<clang::OMPReductionClause>()) {
    for (const clang::Expr* each : clause->varlists()) {
      const clang::VarDecl* variable = variable_named(each);
      const auto made = variable == nullptr ? std::nullopt : reduction_of(variable, *clause);
      if (!made) {
        out.refuse(each->getBeginLoc(), refusals::openmp_reduction);
        continue;
      }
      found.push_back(*made);
    }
  }
  return found;
}

// What a chunk or a grain is, if it is a number.
std::string grain_of(file_changes& out, const clang::OMPExecutableDirective* one) {
  const clang::Expr* value = nullptr;
  if (const auto* clause = one->getSingleClause<clang::OMPGrainsizeClause>())
    value = clause->getGrainsize();
  if (const auto* clause = one->getSingleClause<clang::OMPScheduleClause>())
    value = clause->getChunkSize();
  if (value == nullptr || value->isValueDependent()) return {};
  clang::Expr::EvalResult result;
  if (!value->EvaluateAsInt(result, out.source.context)) return {};
  llvm::SmallString<16> text;
  result.Val.getInt().toString(text, 10);
  return text.str().str();
}

class loop_translator {
 public:
  loop_translator(file_changes& out, const clang::OMPExecutableDirective* one,
                  const clang::ForStmt* loop, const copies& variables)
      : out_(out), one_(one), loop_(loop), variables_(variables) {}

  std::string end;  // what comes behind the loop

  void run() {
    const auto form = find_form(out_.source.context, loop_,
                                [&](clang::SourceLocation where, const refusal& why,
                                    const std::string& name) { out_.refuse(where, why, name); });
    const std::vector<reduced_variable> reductions = reductions_of(out_, one_);
    if (!form) return;
    if (reductions.empty()) {
      plain(*form);
    } else {
      by_parts(*form, reductions);
    }
  }

 private:
  unsigned body_begin() const { return out_.source.offset(loop_->getBody()->getBeginLoc()); }
  text_range head() const {
    const unsigned begin = out_.source.offset(loop_->getForLoc());
    return {begin, body_begin()};
  }

  // A variable that the loop does not declare is its own, too.
  void plain(const loop_form& form) {
    const std::string grain = grain_of(out_, one_);
    const unsigned at = head().begin;
    out_.replace_directive(one_, "{ " + variables_.outside);
    const std::string line =
        grain.empty() ? ""
                      : "\n#pragma cilk grainsize " + grain + "\n" + out_.source.line_directive(at);
    out_.replace({at, at + 3}, line + "_Cilk_for");
    end = " }";
    if (!form.declared) {
      const std::string name = form.variable->getNameAsString();
      const unsigned begin = out_.source.offset(loop_->getInit()->getBeginLoc());
      out_.insert(begin, out_.like(form.variable, "") + " ");
    }
    out_.insert_in_block(loop_->getBody(), variables_.inside);
  }

  // Each part of the iterations has variables of its own, which are combined in order behind all.
  void by_parts(const loop_form& form, const std::vector<reduced_variable>& reductions) {
    const std::string name = form.variable->getNameAsString();
    const clang::Expr* begin = first_of(form);
    const std::string type = type_of_variable(form);
    if (begin == nullptr || type.empty() || form.variable->getType()->isRecordType())
      return out_.refuse(one_, refusals::openmp_reduction_loop);
    std::string before = "{ " + variables_.outside + type +
                         " cilk_omp_begin = " + out_.text_of(begin) + "; long cilk_omp_step = ";
    before += (form.subtracts ? "-(long)(" : "(long)(") +
              (form.step == nullptr ? "1" : out_.text_of(form.step)) + "); ";
    const std::string limit = "(" + out_.text_of(form.limit) + ")";
    const bool pointer = form.variable->getType()->isPointerType();
    const std::string from = pointer ? "cilk_omp_begin" : "(long)cilk_omp_begin";
    const std::string to = pointer ? limit : "(long)" + limit;
    before += "long cilk_omp_span = " + (form.down ? from + " - " + to : to + " - " + from) + "; ";
    before += "long cilk_omp_count = " + iterations(form, "cilk_omp_span", "cilk_omp_step") +
              "; long cilk_omp_parts = cilk_omp_count < " + parts + " ? cilk_omp_count : " + parts +
              "; ";
    std::string inside = variables_.inside;
    std::string stored;
    std::string combined;
    for (const reduced_variable& each : reductions) {
      const std::string own = out_.like(each.variable, "");
      before += own + " cilk_omp_parts_" + each.name + "[" + parts + "]; ";
      if (each.first.starts_with("cilk_omp_first_"))
        before += own + " " + each.first + " = " + each.name + "; ";
      inside += own + " " + each.name + " = " + each.first + "; ";
      stored += " cilk_omp_parts_" + each.name + "[cilk_omp_part] = " + each.name + ";";
      combined += " { " + own + " cilk_omp_one = cilk_omp_parts_" + each.name +
                  "[cilk_omp_part]; " + each.combine + " }";
    }
    out_.replace_directive(one_, before);
    out_.replace(head(),
                 "_Cilk_for (long cilk_omp_part = 0; cilk_omp_part < cilk_omp_parts; "
                 "++cilk_omp_part) { " +
                     inside +
                     "long cilk_omp_last = cilk_omp_count / cilk_omp_parts * "
                     "(cilk_omp_part + 1) + cilk_omp_count % cilk_omp_parts * "
                     "(cilk_omp_part + 1) / cilk_omp_parts; "
                     "for (long cilk_omp_at = cilk_omp_count / cilk_omp_parts * "
                     "cilk_omp_part + cilk_omp_count % cilk_omp_parts * cilk_omp_part / "
                     "cilk_omp_parts; cilk_omp_at < cilk_omp_last; ++cilk_omp_at) { " +
                     type + " " + name + " = (" + type +
                     ")(cilk_omp_begin + cilk_omp_at * cilk_omp_step); " + lines());
    end = (" }" + stored +
           " } for (long cilk_omp_part = 0; cilk_omp_part < cilk_omp_parts; "
           "++cilk_omp_part) {" +
           combined + " } }");
  }

  // Where the loop declares it, nobody knows the variable in front of the loop; in a template its
  // type is as it is written.
  std::string type_of_variable(const loop_form& form) {
    if (!form.declared) return out_.like(form.variable, "");
    if (!out_.in_template) return out_.declared(form.variable->getType(), "");
    const llvm::StringRef written =
        out_.source.text().slice(out_.source.offset(loop_->getInit()->getBeginLoc()),
                                 out_.source.offset(form.variable->getLocation()));
    return written.contains("auto") ? "" : written.trim().str();
  }

  // The lines of the loop's head.
  std::string lines() const {
    const text_range all = head();
    return std::string(
        static_cast<std::size_t>(out_.source.text().slice(all.begin, all.end).count('\n')), '\n');
  }

  const clang::Expr* first_of(const loop_form& form) const {
    if (form.declared) return form.variable->getInit();
    const auto* set = llvm::dyn_cast<clang::BinaryOperator>(
        llvm::cast<clang::Expr>(loop_->getInit())->IgnoreParenImpCasts());
    return set == nullptr ? nullptr : set->getRHS();
  }

  file_changes& out_;
  const clang::OMPExecutableDirective* one_;
  const clang::ForStmt* loop_;
  const copies& variables_;
};

}  // namespace

std::string translate_loop(file_changes& out, const clang::OMPExecutableDirective* one,
                           const clang::ForStmt* loop, const copies& variables) {
  loop_translator made(out, one, loop, variables);
  made.run();
  return made.end;
}

}  // namespace cilk2chan::openmp
