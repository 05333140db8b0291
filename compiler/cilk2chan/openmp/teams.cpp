#include "openmp/teams.hpp"

#include "analysis/block_variables.hpp"

#include <algorithm>

namespace cilk2chan::openmp {
namespace {

using kind = llvm::omp::Directive;

// Whether the threads share the construct's work.
bool is_shared(kind one) {
  switch (one) {
    case llvm::omp::OMPD_single:
    case llvm::omp::OMPD_for:
    case llvm::omp::OMPD_for_simd:
    case llvm::omp::OMPD_sections:
    case llvm::omp::OMPD_barrier: return true;
    default: return false;
  }
}

bool is_loop(kind one) { return one == llvm::omp::OMPD_for || one == llvm::omp::OMPD_for_simd; }

// Whether threads meet somewhere in the statement, or share a construct there.
bool has_shared(const clang::Stmt* code) {
  if (code == nullptr || llvm::isa<clang::Expr>(code)) return false;
  if (const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code))
    return is_shared(one->getDirectiveKind());
  return std::ranges::any_of(code->children(), has_shared);
}

bool waits_at_end(const clang::OMPExecutableDirective* one) {
  return is_shared(one->getDirectiveKind()) &&
         one->getSingleClause<clang::OMPNowaitClause>() == nullptr;
}

}  // namespace

bool leaves_loop(const clang::Stmt* code, bool in_loop, bool in_switch) {
  if (code == nullptr) return false;
  if (llvm::isa<clang::BreakStmt>(code)) return !in_loop && !in_switch;
  if (llvm::isa<clang::ContinueStmt>(code)) return !in_loop;
  if (llvm::isa<clang::Expr>(code)) return false;
  if (const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code))
    return leaves_loop(statement_of(one), in_loop, in_switch);
  in_loop = in_loop || llvm::isa<clang::ForStmt>(code) || llvm::isa<clang::WhileStmt>(code) ||
            llvm::isa<clang::DoStmt>(code) || llvm::isa<clang::CXXForRangeStmt>(code);
  in_switch = in_switch || llvm::isa<clang::SwitchStmt>(code);
  return std::ranges::any_of(code->children(), [&](const clang::Stmt* each) {
    return leaves_loop(each, in_loop, in_switch);
  });
}

bool is_call_of(const clang::Stmt* code, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(code);
  const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
  return callee != nullptr && callee->getIdentifier() != nullptr && callee->getName() == name;
}

bool asks_for_thread(const clang::Stmt* code) {
  if (code == nullptr) return false;
  if (const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code))
    return asks_for_thread(statement_of(one));
  return is_call_of(code, "omp_get_thread_num") ||
         std::ranges::any_of(code->children(), asks_for_thread);
}

bool every_thread_runs(const file_changes& out, const clang::Stmt* code) {
  if (code == nullptr) return false;
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    return std::ranges::any_of(
        block->body(), [&](const clang::Stmt* each) { return every_thread_runs(out, each); });
  }
  if (const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code)) {
    switch (one->getDirectiveKind()) {
      case llvm::omp::OMPD_master:
      case llvm::omp::OMPD_masked:
      case llvm::omp::OMPD_master_taskloop:
      case llvm::omp::OMPD_masked_taskloop:
      case llvm::omp::OMPD_taskwait:
      case llvm::omp::OMPD_taskyield:
      case llvm::omp::OMPD_flush: return false;
      default: return !is_shared(one->getDirectiveKind());
    }
  }
  const clang::ASTContext& context = out.source.context;
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) return value->HasSideEffects(context);
  const auto* head = llvm::dyn_cast<clang::DeclStmt>(code);
  if (head == nullptr) return !llvm::isa<clang::NullStmt>(code);
  return std::ranges::any_of(head->decls(), [&](const clang::Decl* each) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    return variable != nullptr && variable->getInit() != nullptr &&
           variable->getInit()->HasSideEffects(context);
  });
}

team::team(file_changes& out, const clang::OMPExecutableDirective* parallel)
    : out_(out),
      parallel_(parallel),
      own_(own_variables_of(out, parallel)),
      reduced_(openmp::reductions_of(out, parallel)) {
  for (const auto* one : own_.first) threads_.insert(one);
  for (const auto* one : own_.fresh) threads_.insert(one);
  for (const reduced_variable& one : reduced_) {
    if (one.section) out.refuse(parallel, refusals::openmp_reduction);
    threads_.insert(one.variable);
  }
  find_loose();
  const clang::Stmt* code = statement_of(parallel);
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code);
  if (block != nullptr) {
    plan({block->body_begin(), block->body_end()}, parts_);
  } else {
    plan({code}, parts_);
  }
  for (const clang::VarDecl* one : own_.first) keep(one, nullptr);
  for (const reduced_variable& one : reduced_) keep(one.variable, nullptr);
  find_kept(parts_, false);
}

// As if no thread ran two iterations: such a variable has no value that one could leave another.
void team::find_loose() {
  llvm::DenseSet<const clang::Decl*> used;
  const auto note = [&](const clang::Stmt* code, const auto& self) -> void {
    if (code == nullptr) return;
    if (const auto* head = llvm::dyn_cast<clang::DeclStmt>(code)) {
      for (const clang::Decl* each : head->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
        if (variable != nullptr && variable->hasLocalStorage() && variable->getInit() == nullptr)
          loose_.insert(variable);
      }
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(code)) used.insert(name->getDecl());
    const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code);
    if (one != nullptr && is_loop(one->getDirectiveKind())) return;
    if (one != nullptr) return self(statement_of(one), self);
    for (const clang::Stmt* each : code->children()) self(each, self);
  };
  for (const clang::VarDecl* one : own_.fresh) loose_.insert(one);
  note(statement_of(parallel_), note);
  loose_.remove_if([&](const auto* one) { return used.contains(one); });
}

own_variables team::of_iterations() const {
  own_variables own;
  own.fresh = loose_;
  return own;
}

void team::plan(llvm::ArrayRef<const clang::Stmt*> code, std::vector<team_part>& to) {
  // The variables that a block declares are those of threads before its first phase is looked at.
  for (const clang::Stmt* each : code) note_declarations(each);
  bool open = false;
  for (const clang::Stmt* each : code) {
    const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(each);
    if (one != nullptr) {
      plan_directive(one, to, open);
    } else if (has_shared(each) || leaves_loop(each)) {
      plan_control(each, to);
      open = false;
    } else if (open) {
      to.back().code.push_back(each);
    } else if (!llvm::isa<clang::NullStmt>(each)) {
      to.push_back({team_part::way::phase, {each}, {}});
      open = true;
    }
  }
}

void team::note_declarations(const clang::Stmt* code) {
  const auto* head = llvm::dyn_cast<clang::DeclStmt>(code);
  if (head == nullptr) return;
  for (const clang::Decl* each : head->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    if (variable != nullptr && variable->hasLocalStorage()) threads_.insert(variable);
  }
}

// What uses nothing that a thread has of its own is run once, in parallel. All else is a part of
// what each thread runs.
void team::plan_directive(const clang::OMPExecutableDirective* one, std::vector<team_part>& to,
                          bool& open) {
  const kind what = one->getDirectiveKind();
  if (what == llvm::omp::OMPD_barrier) {
    to.push_back({team_part::way::barrier, {one}, {}});
    open = false;
    return;
  }
  const bool apart = is_shared(what) && !uses_own(one);
  if (apart) {
    to.push_back({team_part::way::whole, {one}, {}});
    open = false;
    return;
  }
  if (what == llvm::omp::OMPD_sections || what == llvm::omp::OMPD_master_taskloop ||
      what == llvm::omp::OMPD_masked_taskloop)
    return out_.refuse(one, refusals::openmp_every_thread, "#pragma omp " + name_of(one));
  if (!open) to.push_back({team_part::way::phase, {}, {}});
  to.back().code.push_back(one);
  if (is_loop(what)) {
    std::vector<reduced_variable> reduced = openmp::reductions_of(out_, one);
    const std::string number = "_" + std::to_string(out_.next_number());
    for (reduced_variable& each : reduced) each.parts += number;
    loops_.emplace(one, std::move(reduced));
  }
  open = !waits_at_end(one);
}

void team::plan_control(const clang::Stmt* code, std::vector<team_part>& to) {
  to.push_back({team_part::way::control, {code}, {}});
  std::vector<team_part> inner;
  const auto body = [&](const clang::Stmt* one) {
    if (one == nullptr) return;
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(one);
    if (block != nullptr) {
      plan({block->body_begin(), block->body_end()}, inner);
    } else {
      plan({one}, inner);
    }
  };
  check_head(code);
  if (llvm::isa<clang::CompoundStmt>(code)) {
    body(code);
  } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(code)) {
    body(counted->getBody());
  } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) {
    body(loop->getBody());
  } else if (const auto* last = llvm::dyn_cast<clang::DoStmt>(code)) {
    body(last->getBody());
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
    body(branch->getThen());
    body(branch->getElse());
  } else if (!llvm::isa<clang::BreakStmt>(code) && !llvm::isa<clang::ContinueStmt>(code)) {
    out_.refuse(code->getBeginLoc(), refusals::openmp_every_thread, "this");
  }
  to.back().inner = std::move(inner);
}

const clang::CompoundStmt* team::block() const {
  return llvm::dyn_cast<clang::CompoundStmt>(statement_of(parallel_));
}

std::vector<const clang::Stmt*> team::heads_of(const clang::Stmt* control) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(control))
    return {counted->getInit(), counted->getCond(), counted->getInc()};
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(control)) return {loop->getCond()};
  if (const auto* last = llvm::dyn_cast<clang::DoStmt>(control)) return {last->getCond()};
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(control))
    return {branch->getInit(), branch->getConditionVariableDeclStmt(), branch->getCond()};
  return {};
}

// A variable that each thread has, and that a `for` sets first, is one for all: they count alike.
void team::check_head(const clang::Stmt* control) {
  const auto* counted = llvm::dyn_cast<clang::ForStmt>(control);
  const auto* set = counted == nullptr
                        ? nullptr
                        : llvm::dyn_cast_or_null<clang::BinaryOperator>(counted->getInit());
  if (set != nullptr && set->getOpcode() == clang::BO_Assign) {
    const clang::VarDecl* variable = variable_named(set->getLHS());
    const bool fresh = own_.fresh.contains(variable) ||
                       (threads_.contains(variable) && variable->getInit() == nullptr &&
                        !own_.first.contains(variable));
    if (variable != nullptr && fresh) {
      threads_.remove(variable);
      teams_.insert(variable);
    }
  }
  for (const clang::Stmt* each : heads_of(control)) {
    if (each != nullptr && uses_own(each))
      out_.refuse(each->getBeginLoc(), refusals::openmp_every_thread, "this");
  }
}

std::string team::team_variables() const {
  std::string text;
  for (const clang::VarDecl* one : teams_) text += out_.like(one, one->getNameAsString()) + "; ";
  return text;
}

bool team::uses_own(const clang::Stmt* code) const {
  const variable_uses_finder all(code);
  return asks_for_thread(code) || std::ranges::any_of(all.names, [&](const auto& one) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(one.first->getDecl());
           return variable != nullptr && threads_.contains(variable) && !loose_.contains(variable);
         });
}

void team::keep(const clang::VarDecl* variable, const team_part* declared_in) {
  if (kept_.contains(variable)) return;
  const clang::ASTContext& context = out_.source.context;
  const clang::QualType type = variable->getType();
  const std::string array =
      "cilk_omp_kept_" + variable->getNameAsString() + "_" + std::to_string(out_.next_number());
  const bool fine = !type->isReferenceType() && !type->isVariablyModifiedType() &&
                    type.isTriviallyCopyableType(context) &&
                    !out_.declared(context.getPointerType(type.getUnqualifiedType()), "").empty();
  if (!fine) out_.refuse(variable->getLocation(), refusals::openmp_kept, variable->getName());
  kept_[variable] = {array, declared_in};
}

void team::find_kept(const std::vector<team_part>& parts, bool repeated) {
  for (const team_part& part : parts) {
    if (part.how == team_part::way::control) find_kept(part.inner, true);
    if (part.how != team_part::way::phase) continue;
    for (const clang::Stmt* each : part.code) {
      const auto* head = llvm::dyn_cast<clang::DeclStmt>(each);
      if (head == nullptr) continue;
      for (const clang::Decl* one : head->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
          declared_.emplace(variable, &part);
        else if (parts.size() > 1)
          out_.refuse(each->getBeginLoc(), refusals::openmp_every_thread, "this");
      }
    }
    for (const clang::Stmt* each : part.code) {
      for (const auto& [name, used] : variable_uses_finder(each).names) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        if (teams_.contains(variable) && used != variable_use::read)
          out_.refuse(name->getLocation(), refusals::openmp_every_thread, variable->getName());
        if (variable == nullptr || !threads_.contains(variable)) continue;
        const auto declared = declared_.find(variable);
        if (declared != declared_.end()) {
          if (declared->second != &part) keep(variable, declared->second);
          continue;
        }
        const auto [at, first] = used_in_.emplace(variable, &part);
        if (repeated || at->second != &part) keep(variable, nullptr);
      }
    }
  }
}

std::string team::copied(const clang::VarDecl* variable, const std::string& to,
                         const std::string& from) const {
  if (!variable->getType()->isArrayType()) return to + " = " + from + "; ";
  return "__builtin_memcpy(" + to + ", " + from + ", sizeof(" + to + ")); ";
}

std::string team::prologue() const {
  const auto* wanted = parallel_->getSingleClause<clang::OMPNumThreadsClause>();
  const auto* condition = parallel_->getSingleClause<clang::OMPIfClause>();
  std::string count = wanted == nullptr ? "channels_omp_threads()"
                                        : "(int)(" + out_.text_of(wanted->getNumThreads()) + ")";
  if (condition != nullptr)
    count = "(" + out_.text_of(condition->getCondition()) + ") ? " + count + " : 1";
  std::string text = "int cilk_omp_threads = " + count + "; ";
  for (const auto& [variable, kept] : kept_) {
    const clang::QualType type =
        out_.source.context.getPointerType(variable->getType().getUnqualifiedType());
    text += out_.declared(type, kept.array) + " = (" + out_.declared(type, "") +
            ")__builtin_malloc((unsigned long)cilk_omp_threads * sizeof *" + kept.array + "); ";
  }
  std::string first;
  for (const clang::VarDecl* one : own_.first)
    first +=
        copied(one, kept_.find(one)->second.array + "[cilk_omp_thread]", one->getNameAsString());
  for (const reduced_variable& one : reduced_)
    first += kept_.find(one.variable)->second.array +
             "[cilk_omp_thread] = " + (one.first.empty() ? one.name : one.first) + "; ";
  if (!first.empty())
    text +=
        "for (int cilk_omp_thread = 0; cilk_omp_thread < cilk_omp_threads; ++cilk_omp_thread) { " +
        first + "} ";
  return text;
}

std::string team::epilogue() const {
  std::string text;
  for (reduced_variable one : reduced_) {
    one.parts = kept_.find(one.variable)->second.array;
    text +=
        " for (int cilk_omp_thread = 0; cilk_omp_thread < cilk_omp_threads; ++cilk_omp_thread)" +
        one.combine("cilk_omp_thread");
  }
  for (const auto& [variable, kept] : kept_) text += " __builtin_free(" + kept.array + ");";
  return text;
}

std::string team::begin_of_phase(const team_part& phase) {
  std::string text = "{ ";
  for (const clang::Stmt* each : phase.code) {
    const auto found = loops_.find(each);
    if (found == loops_.end()) continue;
    for (const reduced_variable& one : found->second) text += one.declare("cilk_omp_threads");
  }
  text +=
      "_Cilk_for (int cilk_omp_thread = 0; cilk_omp_thread < cilk_omp_threads; "
      "++cilk_omp_thread) { ";
  llvm::SetVector<const clang::VarDecl*> used;
  for (const clang::Stmt* each : phase.code) {
    for (const auto& [name, how] : variable_uses_finder(each).names) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      const auto declared = declared_.find(variable);
      if (variable != nullptr && threads_.contains(variable) &&
          (declared == declared_.end() || declared->second != &phase))
        used.insert(variable);
    }
  }
  for (const clang::VarDecl* one : used) {
    const auto found = kept_.find(one);
    const std::string name = one->getNameAsString();
    const std::string own = out_.like(one, name);
    if (found == kept_.end()) {
      text += own + "; ";
    } else if (one->getType()->isArrayType()) {
      text += own + "; " + copied(one, name, found->second.array + "[cilk_omp_thread]");
    } else {
      text += own + " = " + found->second.array + "[cilk_omp_thread]; ";
    }
  }
  return text;
}

std::string team::end_of_phase(const team_part& phase, const std::string& first) {
  llvm::SetVector<const clang::VarDecl*> changed;
  std::string combined;
  for (const clang::Stmt* each : phase.code) {
    for (const auto& [name, how] : variable_uses_finder(each).names) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (how != variable_use::read && how != variable_use::constant && kept_.contains(variable))
        changed.insert(variable);
    }
    const auto found = loops_.find(each);
    if (found == loops_.end()) continue;
    for (const reduced_variable& one : found->second)
      combined +=
          " for (int cilk_omp_thread = 0; cilk_omp_thread < cilk_omp_threads; "
          "++cilk_omp_thread)" +
          one.combine("cilk_omp_thread") + one.release();
  }
  for (const auto& [variable, kept] : kept_) {
    if (kept.declared_in == &phase) changed.insert(variable);
  }
  std::string text = first;
  for (const clang::VarDecl* one : changed)
    text += " " + copied(one, kept_.find(one)->second.array + "[cilk_omp_thread]",
                         one->getNameAsString());
  return text + " }" + combined + " }";
}

const std::vector<reduced_variable>& team::reductions_of_loop(
    const clang::OMPExecutableDirective* loop) const {
  return loops_.find(loop)->second;
}

}  // namespace cilk2chan::openmp
