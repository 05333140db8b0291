#include "analysis/loop_forms.hpp"
#include "openmp/directives.hpp"
#include "openmp/reductions.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan::openmp {
namespace {

// How many parts of the iterations there are at most: enough for the lanes of a few
// multiprocessors, and not too many for a frame.
constexpr const char* parts = "256";

// A sum of the elements of all sections may take as long as the loop itself.
constexpr const char* least_parts = "16";

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

  std::string end;      // what comes behind the loop
  std::string is_last;  // whether an iteration is the last one

  void run() {
    const auto form = form_of_loop();
    const std::vector<reduced_variable> reductions = reductions_of(out_, one_);
    if (!form) return;
    if (reductions.empty()) {
      plain(*form);
    } else {
      by_parts(*form, reductions);
    }
  }

  /// For one thread of several, each of which comes here.
  void run_for_thread(const std::vector<reduced_variable>& reductions) {
    const auto form = form_of_loop();
    const auto counting = form ? counting_text(*form) : std::nullopt;
    if (!counting) return;
    std::string before = "{ " + variables_.outside + *counting + variables_.inside;
    std::string stored;
    for (const reduced_variable& each : reductions) {
      before += each.begin("cilk_omp_thread");
      stored += each.store("cilk_omp_thread");
    }
    out_.replace_directive(one_, before);
    out_.replace(head(), iterating_text(*form, "(long)cilk_omp_thread", "(long)cilk_omp_threads"));
    begin_iteration();
    end = " }" + stored + " }";
    is_last = "cilk_omp_at == cilk_omp_count - 1";
  }

 private:
  std::optional<loop_form> form_of_loop() {
    return find_form(out_.source.context, loop_,
                     [&](clang::SourceLocation where, const refusal& why, const std::string& name) {
                       out_.refuse(where, why, name);
                     });
  }
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
    out_.insert_in_block(loop_->getBody(), variables_.inside + variables_.of_iteration);
    is_last = last_of(form);
  }

  void begin_iteration() {
    if (!variables_.of_iteration.empty())
      out_.insert_in_block(loop_->getBody(), variables_.of_iteration);
  }

  // Where the next iteration would not run. The sum may be out of the range of the variable's type.
  std::string last_of(const loop_form& form) {
    const clang::QualType type = form.variable->getType();
    const std::string cast = type->isIntegerType() ? "(long)" : "";
    const std::string step =
        form.step == nullptr ? "1" : cast + "(" + out_.text_of(form.step) + ")";
    return "!(" + cast + form.variable->getNameAsString() + (form.subtracts ? " - " : " + ") +
           step + " " + clang::BinaryOperator::getOpcodeStr(form.comparison).str() + " " + cast +
           "(" + out_.text_of(form.limit) + "))";
  }

  // Each part of the iterations has variables of its own, which are combined in order behind all.
  void by_parts(const loop_form& form, const std::vector<reduced_variable>& reductions) {
    const auto counting = counting_text(form);
    if (!counting) return;
    std::string before = "{ " + variables_.outside + *counting +
                         "long cilk_omp_parts = cilk_omp_count < " + parts +
                         " ? cilk_omp_count : " + parts + "; ";
    std::string inside = variables_.inside;
    std::string stored;
    std::string combined;
    std::string released;
    for (const reduced_variable& each : reductions) {
      before += array_of_parts(each);
      inside += each.begin("cilk_omp_part");
      stored += each.store("cilk_omp_part");
      combined += each.combine("cilk_omp_part");
      if (each.section) released += each.release();
    }
    out_.replace_directive(one_, before);
    out_.replace(head(),
                 "_Cilk_for (long cilk_omp_part = 0; cilk_omp_part < cilk_omp_parts; "
                 "++cilk_omp_part) { " +
                     inside + iterating_text(form, "cilk_omp_part", "cilk_omp_parts"));
    begin_iteration();
    end = (" }" + stored +
           " } for (long cilk_omp_part = 0; cilk_omp_part < cilk_omp_parts; "
           "++cilk_omp_part) {" +
           combined + " }" + released + " }");
    is_last = "cilk_omp_at == cilk_omp_count - 1";
  }

  // Parts of a variable are in the frame; a section may be long, so it has fewer of them.
  static std::string array_of_parts(const reduced_variable& each) {
    if (!each.section) {
      const std::string first =
          each.first.empty() ? each.type + " " + each.parts + "_first = " + each.name + "; " : "";
      return each.type + " " + each.parts + "[" + parts + "]; " + first;
    }
    const std::string most = each.parts + "_most";
    return "long " + most + " = " + least_parts + " + cilk_omp_count / (1 + (long)(" + each.length +
           ")); if (cilk_omp_parts > " + most + ") cilk_omp_parts = " + most + "; " +
           each.declare("cilk_omp_parts");
  }

  // Variables that say how the loop counts: its first value, its step, its number of iterations.
  std::optional<std::string> counting_text(const loop_form& form) {
    const clang::Expr* begin = first_of(form);
    const std::string type = type_of_variable(form);
    if (begin == nullptr || type.empty() || form.variable->getType()->isRecordType()) {
      out_.refuse(one_, refusals::openmp_reduction_loop);
      return std::nullopt;
    }
    std::string text =
        type + " cilk_omp_begin = " + out_.text_of(begin) + "; long cilk_omp_step = ";
    text += (form.subtracts ? "-(long)(" : "(long)(") +
            (form.step == nullptr ? "1" : out_.text_of(form.step)) + "); ";
    const std::string limit = "(" + out_.text_of(form.limit) + ")";
    const bool pointer = form.variable->getType()->isPointerType();
    const std::string from = pointer ? "cilk_omp_begin" : "(long)cilk_omp_begin";
    const std::string to = pointer ? limit : "(long)" + limit;
    text += "long cilk_omp_span = " + (form.down ? from + " - " + to : to + " - " + from) + "; ";
    return text + "long cilk_omp_count = " + iterations(form, "cilk_omp_span", "cilk_omp_step") +
           "; ";
  }

  // The head of a loop over the iterations of one part of several, in the lines of the loop's head.
  std::string iterating_text(const loop_form& form, const std::string& part,
                             const std::string& count) {
    const std::string type = type_of_variable(form);
    const auto bound = [&](const std::string& of) {
      return "cilk_omp_count / " + count + " * " + of + " + cilk_omp_count % " + count + " * " +
             of + " / " + count;
    };
    return "long cilk_omp_last = " + bound("(" + part + " + 1)") +
           "; for (long cilk_omp_at = " + bound(part) +
           "; cilk_omp_at < cilk_omp_last; ++cilk_omp_at) { " + type + " " +
           form.variable->getNameAsString() + " = (" + type +
           ")(cilk_omp_begin + cilk_omp_at * cilk_omp_step); " + lines();
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

loop_end translate_loop(file_changes& out, const clang::OMPExecutableDirective* one,
                        const clang::ForStmt* loop, const copies& variables,
                        const std::vector<reduced_variable>* of_thread) {
  loop_translator made(out, one, loop, variables);
  if (of_thread == nullptr) {
    made.run();
  } else {
    made.run_for_thread(*of_thread);
  }
  return {made.end, made.is_last};
}

}  // namespace cilk2chan::openmp
