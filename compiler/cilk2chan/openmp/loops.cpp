#include "analysis/loop_forms.hpp"
#include "openmp/directives.hpp"
#include "openmp/reductions.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan::openmp {
namespace {

// As many parts in a row have one value, where there are more of them than this.
constexpr const char* neighbours = "256";

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
    declare_parts_function();
    std::string longest = "0";
    std::string arrays;
    std::string inside = variables_.inside;
    std::string stored;
    std::string near_ones;  // combines a part with the first one of its neighbours
    std::string combined;
    std::string released;
    for (const reduced_variable& each : reductions) {
      arrays += each.declare("cilk_omp_parts");
      inside += each.begin("cilk_omp_part");
      stored += each.store("cilk_omp_part");
      released += each.release();
      if (each.section) {
        longest += " + (long)(" + each.length + ")";
        combined += each.combine_all("cilk_omp_parts", "cilk_omp_near");
      } else {
        near_ones += each.combine_into("cilk_omp_first", "cilk_omp_next");
        combined +=
            "for (long cilk_omp_part = cilk_omp_near; cilk_omp_part < cilk_omp_parts; "
            "cilk_omp_part += cilk_omp_near) {" +
            each.combine_into("0", "cilk_omp_part") + " } if (cilk_omp_parts > 0) {" +
            each.combine("0") + " } ";
      }
    }
    const std::string near = neighbours;
    out_.replace_directive(
        one_, "{ " + variables_.outside + *counting +
                  "_Cilk_scope { long cilk_omp_parts = channels_omp_parts(cilk_omp_count, " +
                  longest + "); long cilk_omp_near = cilk_omp_parts > " + near + " ? " + near +
                  " : 1; int* cilk_omp_done = cilk_omp_near > 1 ? (int*)__builtin_calloc((unsigned "
                  "long)(cilk_omp_parts / cilk_omp_near + 1), sizeof(int)) : (int*)0; " +
                  arrays);
    out_.replace(head(),
                 "_Cilk_for (long cilk_omp_part = 0; cilk_omp_part < cilk_omp_parts; "
                 "++cilk_omp_part) { " +
                     inside + iterating_text(form, "cilk_omp_part", "cilk_omp_parts"));
    begin_iteration();
    end = " }" + stored;
    if (!near_ones.empty()) {
      // The last one of the neighbours sees the values of all.
      end +=
          " if (cilk_omp_near > 1) { long cilk_omp_first = cilk_omp_part / cilk_omp_near * "
          "cilk_omp_near; long cilk_omp_end = cilk_omp_first + cilk_omp_near < cilk_omp_parts ? "
          "cilk_omp_first + cilk_omp_near : cilk_omp_parts; if (__atomic_add_fetch("
          "&cilk_omp_done[cilk_omp_part / cilk_omp_near], 1, __ATOMIC_ACQ_REL) == cilk_omp_end "
          "- cilk_omp_first) { for (long cilk_omp_next = cilk_omp_first + 1; cilk_omp_next < "
          "cilk_omp_end; ++cilk_omp_next) {" +
          near_ones + " } } }";
    }
    end += " } " + combined + released + " __builtin_free(cilk_omp_done); } }";
    is_last = "cilk_omp_at == cilk_omp_count - 1";
  }

  void declare_parts_function() {
    const std::string c = out_.source.is_c() ? "" : "\"C\" ";
    out_.insert_at_start("extern " + c + "long channels_omp_parts(long, long); ");
  }

  // Variables that say how the loop counts: its first value, its step, its number of iterations.
  std::optional<std::string> counting_text(const loop_form& form) {
    const clang::Expr* begin = first_value(loop_, form);
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
