#include "openmp/directives.hpp"

#include "analysis/block_variables.hpp"
#include "analysis/library_calls.hpp"
#include "analysis/loop_forms.hpp"

#include <algorithm>
#include <utility>

namespace cilk2chan::openmp {
namespace {

using clause = llvm::omp::Clause;

bool is_constant(const clang::ASTContext& context, const clang::Expr* value, bool wanted) {
  bool result = false;
  return !value->isValueDependent() && value->EvaluateAsBooleanCondition(result, context) &&
         result == wanted;
}

const clang::Expr* condition_of(const clang::OMPExecutableDirective* one) {
  const auto* found = one->getSingleClause<clang::OMPIfClause>();
  return found == nullptr ? nullptr : found->getCondition();
}

// The one statement of a block.
const clang::Stmt* alone(const clang::Stmt* code) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code);
  return block != nullptr && block->size() == 1 ? alone(block->body_front()) : code;
}

}  // namespace

void directive_translator::run() {
  out_.in_template = function_->isTemplateInstantiation();
  find_locked(function_->getBody());
  walk_region(function_->getBody());
}

// The tasks of a block that becomes a scope end with it; those before it end earlier.
void directive_translator::walk_block(const clang::CompoundStmt* block,
                                      llvm::function_ref<void(const clang::Stmt*)> walk_one) {
  regions_.back().blocks.push_back(block);
  const unsigned before = regions_.back().tasks;
  for (const clang::Stmt* each : block->body()) walk_one(each);
  regions_.back().blocks.pop_back();
  if (!scopes_.contains(block)) return;
  out_.insert(out_.source.offset(block->getLBracLoc()),
              before != 0 ? "{ _Cilk_sync; _Cilk_scope " : "{ _Cilk_scope ");
  out_.insert(out_.source.offset(block->getRBracLoc()) + 1, " }");
}

void directive_translator::walk_region(const clang::Stmt* body) {
  regions_.push_back({{}, regions_.empty(), 0});
  walk(body);
  regions_.pop_back();
}

void directive_translator::walk(const clang::Stmt* code) {
  if (code == nullptr) return;
  if (const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code)) return directive(one);
  if (const auto* one = llvm::dyn_cast<clang::CallExpr>(code)) call(one);
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(code)) {
    if (lambda->getCallOperator()->getDescribedFunctionTemplate() == nullptr)
      walk_region(lambda->getBody());
    return;
  }
  const auto walk_one = [&](const clang::Stmt* each) { walk(each); };
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code))
    return walk_block(block, walk_one);
  for (const clang::Stmt* each : code->children()) walk_one(each);
}

void directive_translator::directive(const clang::OMPExecutableDirective* one) {
  if (in_phase(one)) return;
  switch (one->getDirectiveKind()) {
    case llvm::omp::OMPD_task: return task(one);
    case llvm::omp::OMPD_taskwait: return wait(one);
    case llvm::omp::OMPD_taskgroup: return group(one);
    case llvm::omp::OMPD_parallel: return parallel(one);
    case llvm::omp::OMPD_single:
    case llvm::omp::OMPD_master:
    case llvm::omp::OMPD_masked:
    case llvm::omp::OMPD_parallel_master:
    case llvm::omp::OMPD_parallel_masked: return once(one);
    case llvm::omp::OMPD_sections:
    case llvm::omp::OMPD_parallel_sections: return sections(one);
    case llvm::omp::OMPD_for:
    case llvm::omp::OMPD_for_simd:
    case llvm::omp::OMPD_parallel_for:
    case llvm::omp::OMPD_parallel_for_simd:
    case llvm::omp::OMPD_taskloop:
    case llvm::omp::OMPD_taskloop_simd:
    case llvm::omp::OMPD_master_taskloop:
    case llvm::omp::OMPD_parallel_master_taskloop:
    case llvm::omp::OMPD_masked_taskloop:
    case llvm::omp::OMPD_parallel_masked_taskloop: return loop(one);
    case llvm::omp::OMPD_atomic:
      return translate_atomic(out_, llvm::cast<clang::OMPAtomicDirective>(one));
    case llvm::omp::OMPD_critical: return critical(one);
    case llvm::omp::OMPD_taskyield:
    case llvm::omp::OMPD_simd: return leave_out(one);
    case llvm::omp::OMPD_flush:
      return out_.replace_directive(one, "__atomic_thread_fence(__ATOMIC_SEQ_CST);");
    default: return out_.refuse(one, refusals::openmp_directive, name_of(one));
  }
}

void directive_translator::check_clauses(const clang::OMPExecutableDirective* one,
                                         llvm::ArrayRef<clause> taken) {
  static constexpr clause everywhere[] = {
      llvm::omp::OMPC_default, llvm::omp::OMPC_shared,      llvm::omp::OMPC_firstprivate,
      llvm::omp::OMPC_private, llvm::omp::OMPC_if,          llvm::omp::OMPC_nowait,
      llvm::omp::OMPC_untied,  llvm::omp::OMPC_mergeable,   llvm::omp::OMPC_priority,
      llvm::omp::OMPC_final,   llvm::omp::OMPC_num_threads, llvm::omp::OMPC_proc_bind};
  for (const clang::OMPClause* each : one->clauses()) {
    const clause kind = each->getClauseKind();
    if (llvm::is_contained(everywhere, kind) || llvm::is_contained(taken, kind)) continue;
    const std::string name = llvm::omp::getOpenMPClauseName(kind).str();
    if (kind == llvm::omp::OMPC_depend) {
      out_.refuse(each->getBeginLoc(), refusals::openmp_depend);
    } else {
      const clang::SourceLocation where =
          each->getBeginLoc().isValid() ? each->getBeginLoc() : one->getBeginLoc();
      out_.refuse(where, refusals::openmp_clause, name_of(one) + " " + name);
    }
  }
}

void directive_translator::block(const clang::OMPExecutableDirective* one,
                                 const std::string& before, const std::string& inside,
                                 llvm::function_ref<void(const clang::Stmt*)> walk_one,
                                 const std::string& after) {
  const clang::Stmt* code = statement_of(one);
  out_.replace_directive(one, "{ " + before);
  out_.insert_in_block(code, inside);
  walk_one(code);
  out_.end_block(code, after + " }");
}

const clang::CallExpr* directive_translator::call_of(const clang::Stmt* code,
                                                     const own_variables& own) const {
  const clang::ASTContext& context = out_.source.context;
  const auto* value = llvm::dyn_cast<clang::Expr>(alone(code));
  if (value == nullptr || !only_reads(code, own)) return nullptr;
  if (const auto* set = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (set->getOpcode() != clang::BO_Assign || set->getLHS()->HasSideEffects(context))
      return nullptr;
    value = set->getRHS()->IgnoreImpCasts();
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
  if (call == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call)) return nullptr;
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee != nullptr && (callee->isVariadic() || callee->getBuiltinID() != 0)) return nullptr;
  const bool simple = std::ranges::none_of(
      call->arguments(), [&](const clang::Expr* each) { return each->HasSideEffects(context); });
  return simple && call->getBeginLoc().isFileID() ? call : nullptr;
}

void directive_translator::join_before_end(const clang::Stmt* code, const own_variables& own) {
  const std::vector<const clang::CompoundStmt*>& blocks = regions_.back().blocks;
  for (const clang::VarDecl* one : shared_in(out_, function_, code, own)) {
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      const bool declares = std::ranges::any_of(blocks[i]->body(), [&](const clang::Stmt* each) {
        const auto* head = llvm::dyn_cast<clang::DeclStmt>(each);
        return head != nullptr && llvm::is_contained(head->decls(), one);
      });
      if (declares && blocks[i]->getLBracLoc().isFileID()) scopes_.insert(blocks[i]);
    }
  }
}

void directive_translator::task(const clang::OMPExecutableDirective* one) {
  check_clauses(one, {});
  const clang::Stmt* code = statement_of(one);
  region& here = regions_.back();
  ++here.tasks;
  makes_tasks = makes_tasks || here.of_function;
  const own_variables own = own_variables_of(out_, one);
  const clang::Expr* condition = condition_of(one);
  if (condition != nullptr && is_constant(out_.source.context, condition, true))
    condition = nullptr;
  // A task whose condition does not hold has ended before its parent goes on.
  std::string head = finals_.declare(one);
  std::string end;
  if (condition != nullptr) {
    const std::string name = "cilk_omp_if_" + std::to_string(out_.next_number());
    head += "int " + name + " = !!(" + out_.text_of(condition) + "); ";
    end = " if (!" + name + ") { _Cilk_sync; }";
  }
  if (const clang::CallExpr* call = call_of(code, own)) {
    out_.insert(out_.source.offset(call->getBeginLoc()), "_Cilk_spawn ");
    out_.replace_directive(one, "{ " + head);
    out_.insert(out_.end_of(code), end + " }");
    return;
  }
  join_before_end(code, own);
  const copies made = copies_for(out_, function_, one, own);
  block(
      one, head + made.outside + "_Cilk_spawn ", made.inside,
      [&](const clang::Stmt* each) { walk_region(each); }, end);
}

void directive_translator::wait(const clang::OMPExecutableDirective* one) {
  check_clauses(one, {});
  out_.replace_directive(one, "_Cilk_sync;");
  if (!regions_.back().of_function) return;
  waits = one->getBeginLoc();
  waits_before_calls = waits_before_calls || called.empty();
}

// A `taskwait` in the group may wait for tasks that were made before it, too.
void directive_translator::group(const clang::OMPExecutableDirective* one) {
  check_clauses(one, {});
  const bool before = regions_.back().tasks != 0;
  block(one, before ? "_Cilk_sync; _Cilk_scope " : "_Cilk_scope ", "",
        [&](const clang::Stmt* each) { walk(each); });
}

void directive_translator::parallel(const clang::OMPExecutableDirective* one) {
  check_clauses(one, {llvm::omp::OMPC_reduction});
  if (one->hasClausesOfKind<clang::OMPReductionClause>() ||
      every_thread_runs(out_, statement_of(one)))
    return team_parallel(one);
  const own_variables around = std::exchange(of_thread_, own_variables_of(out_, one));
  team* const outer = std::exchange(team_, nullptr);
  const bool in_phase = std::exchange(in_phase_, false);
  const auto calls = std::exchange(out_.calls, {});
  const copies made = copies_for(out_, function_, one, of_thread_);
  const unsigned before = regions_.back().tasks;
  const auto barriers = [&](const clang::Stmt* code, const auto& self) -> void {
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code);
    const auto* inner = llvm::dyn_cast<clang::OMPExecutableDirective>(code);
    if (block != nullptr) {
      walk_block(block, [&](const clang::Stmt* each) { self(each, self); });
    } else if (inner != nullptr && inner->getDirectiveKind() == llvm::omp::OMPD_barrier) {
      out_.replace_directive(inner, "_Cilk_sync;");
    } else {
      note_declarations(code);
      in_team_ = true;
      walk(code);
      in_team_ = false;
    }
  };
  block(one, made.outside + "_Cilk_scope ", made.inside,
        [&](const clang::Stmt* each) { barriers(each, barriers); });
  regions_.back().tasks = before;  // the others have ended
  of_thread_ = around;
  team_ = outer;
  in_phase_ = in_phase;
  out_.calls = calls;
}

void directive_translator::note_declarations(const clang::Stmt* code) {
  const auto* head = llvm::dyn_cast<clang::DeclStmt>(code);
  if (head == nullptr) return;
  for (const clang::Decl* each : head->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    if (variable == nullptr || !variable->hasLocalStorage()) continue;
    (variable->getInit() == nullptr ? of_thread_.fresh : of_thread_.first).insert(variable);
  }
}

// `single` waits for tasks at its end, unless it is told not to; `master` does not.
void directive_translator::once(const clang::OMPExecutableDirective* one) {
  in_team_ = false;
  check_clauses(one, {llvm::omp::OMPC_filter});
  const copies made = copies_for(out_, function_, one, own_variables_of(out_, one));
  const auto kind = one->getDirectiveKind();
  const bool waiting =
      kind == llvm::omp::OMPD_parallel_master || kind == llvm::omp::OMPD_parallel_masked ||
      (kind == llvm::omp::OMPD_single && one->getSingleClause<clang::OMPNowaitClause>() == nullptr);
  block(one, made.outside + (waiting ? "_Cilk_scope " : ""), made.inside,
        [&](const clang::Stmt* each) { walk(each); });
}

// What each thread of a `parallel` has of its own, each iteration and section has of its own: as if
// no thread ran two of them. A construct that is in no `parallel` is refused: one thread would run
// all of it, in order.
void directive_translator::add_thread_variables(const clang::OMPExecutableDirective* one,
                                                own_variables& own) {
  switch (one->getDirectiveKind()) {
    case llvm::omp::OMPD_for:
    case llvm::omp::OMPD_for_simd:
    case llvm::omp::OMPD_sections: break;
    default: return;
  }
  if (!in_team_) return out_.refuse(one, refusals::openmp_no_team, name_of(one));
  for (const clang::VarDecl* each : of_thread_.first) {
    if (!own.fresh.contains(each)) own.first.insert(each);
  }
  for (const clang::VarDecl* each : of_thread_.fresh) {
    if (!own.first.contains(each)) own.fresh.insert(each);
  }
}

void directive_translator::sections(const clang::OMPExecutableDirective* one) {
  check_clauses(one, {});
  own_variables own = own_variables_of(out_, one);
  add_thread_variables(one, own);
  const copies made = copies_for(out_, function_, one, own);
  const auto* all = llvm::dyn_cast<clang::CompoundStmt>(statement_of(one));
  if (all == nullptr) return out_.refuse(one, refusals::openmp_directive, name_of(one));
  out_.replace_directive(one, "{ " + made.outside + "_Cilk_scope ");
  for (const clang::Stmt* each : all->body()) {
    const auto* section = llvm::dyn_cast<clang::OMPSectionDirective>(each);
    const clang::Stmt* code = section == nullptr ? each : statement_of(section);
    // The first section may have no directive of its own.
    const bool written = section != nullptr && section->getBeginLoc() != code->getBeginLoc();
    if (written) {
      out_.replace_directive(section, "_Cilk_spawn ");
    } else {
      out_.insert(out_.source.offset(code->getBeginLoc()), "_Cilk_spawn ");
    }
    out_.insert_in_block(code, made.inside);
    walk_region(code);
    out_.end_block(code, "");
  }
  out_.insert(out_.end_of(all), " }");
}

namespace {
constexpr clause loop_clauses[] = {
    llvm::omp::OMPC_reduction, llvm::omp::OMPC_schedule,   llvm::omp::OMPC_grainsize,
    llvm::omp::OMPC_num_tasks, llvm::omp::OMPC_nogroup,    llvm::omp::OMPC_collapse,
    llvm::omp::OMPC_simdlen,   llvm::omp::OMPC_safelen,    llvm::omp::OMPC_filter,
    llvm::omp::OMPC_order,     llvm::omp::OMPC_lastprivate};
}  // namespace

void directive_translator::loop(const clang::OMPExecutableDirective* one) {
  check_clauses(one, loop_clauses);
  const auto* code = llvm::dyn_cast<clang::ForStmt>(statement_of(one));
  if (code == nullptr) return out_.refuse(one, refusals::openmp_range_loop);
  own_variables own = own_variables_of(out_, one);
  add_thread_variables(one, own);
  in_team_ = false;
  shared_loop(one, code, own, nullptr);
}

// The same for one thread of a team, which has its part of the iterations.
void directive_translator::team_loop(const clang::OMPExecutableDirective* one) {
  check_clauses(one, loop_clauses);
  const auto* code = llvm::dyn_cast<clang::ForStmt>(statement_of(one));
  if (code == nullptr) return out_.refuse(one, refusals::openmp_range_loop);
  shared_loop(one, code, own_variables_of(out_, one), &team_->reductions_of_loop(one));
}

// The loop's variable is that of the iteration, whatever clauses say.
void directive_translator::shared_loop(const clang::OMPExecutableDirective* one,
                                       const clang::ForStmt* loop, own_variables own,
                                       const std::vector<reduced_variable>* of_thread) {
  const auto form = find_form(out_.source.context, loop);
  if (form) {
    own.fresh.remove(form->variable);
    own.first.remove(form->variable);
  }
  copies made = copies_for(out_, function_, one, own);
  made.outside = finals_.declare(one) + made.outside;
  std::string last = bring_out_last(one, form, made);
  // A `continue` leads to what stands behind the body.
  const bool continues = !last.empty() && leaves_loop(loop->getBody());
  if (continues) made.of_iteration = "do { ";
  const loop_end end = translate_loop(out_, one, loop, made, of_thread);
  if (of_thread == nullptr) {
    walk_region(loop->getBody());
  } else {
    walk(loop->getBody());
  }
  if (!last.empty()) last = " if (" + end.is_last + ") {" + last + " }";
  out_.insert_at_end(loop->getBody(), (continues ? " } while (0);" : "") + last);
  out_.end_block(loop->getBody(), end.text);
}

std::string directive_translator::bring_out_last(const clang::OMPExecutableDirective* one,
                                                 const std::optional<loop_form>& form,
                                                 copies& made) {
  std::string text;
  for (const auto* clause : one->getClausesOfKind<clang::OMPLastprivateClause>()) {
    for (const clang::Expr* each : clause->varlists()) {
      const clang::VarDecl* variable = variable_named(each);
      if (variable == nullptr) continue;
      const std::string name = variable->getNameAsString();
      if (variable->getType()->isArrayType()) {
        out_.refuse(one, refusals::openmp_array, name);
        continue;
      }
      const std::string place = "cilk_omp_last_" + name;
      made.outside += out_.like(variable, "") + "* " + place + " = &" + name + "; ";
      text += " *" + place + " = " + name;
      if (form && form->variable == variable)
        text += (form->subtracts ? " - " : " + ") +
                (form->step == nullptr ? "1" : "(" + out_.text_of(form->step) + ")");
      text += ";";
    }
  }
  return text;
}

void directive_translator::leave_out(const clang::OMPExecutableDirective* one) {
  const clang::Stmt* code = statement_of(one);
  out_.replace_directive(one, code == nullptr ? ";" : "");
  walk(code);
}

static bool uses_variable(const clang::Stmt* code, const clang::VarDecl* variable) {
  const variable_uses_finder all(code);
  return std::ranges::any_of(all.names,
                             [&](const auto& one) { return one.first->getDecl() == variable; });
}

// Whether the statement changes the variable, or may.
static bool changes(const clang::Stmt* code, const clang::VarDecl* variable) {
  const variable_uses_finder all(code);
  return std::ranges::any_of(all.names, [&](const auto& one) {
    return one.first->getDecl() == variable && one.second != variable_use::read;
  });
}

void directive_translator::find_locked(const clang::Stmt* code) {
  if (code == nullptr) return;
  if (const auto* one = llvm::dyn_cast<clang::OMPExecutableDirective>(code)) {
    const clang::Stmt* inner = statement_of(one);
    if (llvm::isa<clang::OMPCriticalDirective>(one)) {
      for (const auto& [name, used] : variable_uses_finder(inner).names) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        if (variable != nullptr && variable->hasLocalStorage() && changes(inner, variable))
          locked_.insert(variable);
      }
    }
    return find_locked(inner);
  }
  for (const clang::Stmt* each : code->children()) find_locked(each);
}

// A lock that all files of the program know by its name. Code that holds one must not wait for
// children: the thread that waits may run one that wants the lock. It is a loop, in which who has
// the lock gives it back before others try again: lanes of a GPU that wait do so together.
void directive_translator::critical(const clang::OMPExecutableDirective* one) {
  const auto* named = llvm::cast<clang::OMPCriticalDirective>(one);
  const std::string name = critical_lock + named->getDirectiveName().getName().getAsString();
  const std::string c = out_.source.is_c() ? "" : "\"C\" ";
  for (const char* const each : {"wait", "entered", "leaves"})
    out_.insert_at_start("extern " + c + "void channels_omp_" + each + "(void); ");
  out_.insert_at_start((out_.source.is_c() ? "" : "extern \"C\" { ") +
                       std::string("__attribute__((__weak__)) int ") + name + "; " +
                       (out_.source.is_c() ? "" : "} "));
  // A task that only reads a variable would have a copy, of before another task has changed it.
  std::string shares;
  for (const clang::VarDecl* each : locked_) {
    if (!changes(statement_of(one), each) && uses_variable(statement_of(one), each))
      shares += " (void)&" + each->getNameAsString() + ";";
  }
  const unsigned before = regions_.back().tasks;
  const std::string lock = "&" + name;
  block(
      one,
      shares + " for (int cilk_omp_done = 0; !cilk_omp_done;) { if (__atomic_exchange_n(" + lock +
          ", 1, __ATOMIC_ACQUIRE) != 0) { channels_omp_wait(); } else { channels_omp_entered();",
      "", [&](const clang::Stmt* each) { walk(each); },
      " channels_omp_leaves(); __atomic_store_n(" + lock +
          ", 0, __ATOMIC_RELEASE); cilk_omp_done = 1; } }");
  if (regions_.back().tasks != before) out_.refuse(one, refusals::openmp_critical);
}

}  // namespace cilk2chan::openmp
