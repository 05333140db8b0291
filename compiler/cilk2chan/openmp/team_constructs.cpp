#include "openmp/directives.hpp"

#include <utility>

// A `parallel` with code that every thread runs, and what its threads share.

namespace cilk2chan::openmp {

void directive_translator::team_parallel(const clang::OMPExecutableDirective* one) {
  team here(out_, one);
  const std::string c = out_.source.is_c() ? "" : "\"C\" ";
  out_.insert_at_start("extern " + c + "int channels_omp_threads(void); ");
  const own_variables around = std::exchange(of_thread_, here.of_iterations());
  team* const outer = std::exchange(team_, &here);
  const bool was_in_phase = std::exchange(in_phase_, false);
  const auto calls = std::exchange(out_.calls, {{"omp_get_num_threads", "cilk_omp_threads"}});
  const unsigned before = regions_.back().tasks;
  block(
      one, here.prologue() + "_Cilk_scope ", here.team_variables(),
      [&](const clang::Stmt*) { team_parts(here.parts()); }, here.epilogue());
  regions_.back().tasks = before;  // the others have ended
  of_thread_ = around;
  team_ = outer;
  in_phase_ = was_in_phase;
  out_.calls = calls;
}

void directive_translator::team_parts(const std::vector<team_part>& parts) {
  for (const team_part& part : parts) {
    const clang::Stmt* first = part.code.front();
    switch (part.how) {
      case team_part::way::phase: team_phase(part); break;
      case team_part::way::whole: team_whole(first); break;
      case team_part::way::barrier:
        out_.replace_directive(llvm::cast<clang::OMPExecutableDirective>(first), ";");
        break;
      case team_part::way::control:
        for (const clang::Stmt* head : team::heads_of(first)) walk(head);
        team_parts(part.inner);
        break;
    }
  }
}

// Tasks of a thread end before what the thread has of its own is kept.
void directive_translator::team_phase(const team_part& phase) {
  out_.insert(out_.begin_of(phase.code.front()), team_->begin_of_phase(phase));
  in_phase_ = true;
  out_.calls["omp_get_thread_num"] = "cilk_omp_thread";
  regions_.push_back({{team_->block()}, false, 0});
  for (const clang::Stmt* each : phase.code) walk(each);
  const bool waits = regions_.back().tasks != 0;
  regions_.pop_back();
  out_.calls.erase("omp_get_thread_num");
  in_phase_ = false;
  out_.insert(out_.end_of(phase.code.back()),
              team_->end_of_phase(phase, waits ? " _Cilk_sync;" : ""));
}

void directive_translator::team_whole(const clang::Stmt* code) {
  in_team_ = true;
  walk(code);
  in_team_ = false;
}

bool directive_translator::in_phase(const clang::OMPExecutableDirective* one) {
  if (!in_phase_) return false;
  switch (one->getDirectiveKind()) {
    case llvm::omp::OMPD_for:
    case llvm::omp::OMPD_for_simd: team_loop(one); return true;
    case llvm::omp::OMPD_single:
    case llvm::omp::OMPD_master:
    case llvm::omp::OMPD_masked: team_once(one); return true;
    default: return false;
  }
}

void directive_translator::team_once(const clang::OMPExecutableDirective* one) {
  check_clauses(one, {llvm::omp::OMPC_filter});
  const copies made = copies_for(out_, function_, one, own_variables_of(out_, one));
  block(one, made.outside + "if (cilk_omp_thread == 0) ", made.inside,
        [&](const clang::Stmt* each) { walk(each); });
}

void directive_translator::call(const clang::CallExpr* one) {
  const clang::FunctionDecl* callee = one->getDirectCallee();
  if (callee == nullptr) return;
  all_called.insert(callee->getCanonicalDecl());
  if (regions_.back().of_function) called.insert(callee->getCanonicalDecl());
  if (in_phase_) called_by_team.insert(callee->getCanonicalDecl());
  if (callee->getIdentifier() == nullptr) return;
  const auto written = out_.calls.find(callee->getName().str());
  if (written != out_.calls.end()) {
    out_.replace(out_.source.range(one->getSourceRange()), written->second);
  } else if (callee->getName() == "omp_get_thread_num" && team_ == nullptr) {
    asks_for_thread = one->getBeginLoc();
  }
}

}  // namespace cilk2chan::openmp
