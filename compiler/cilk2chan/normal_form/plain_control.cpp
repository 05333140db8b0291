#include "normal_form/plain_control.hpp"

#include "analysis/block_variables.hpp"
#include "analysis/loop_forms.hpp"
#include "analysis/reducer_types.hpp"  // reducer_of
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/plain_types.hpp"
#include "tasks/parallel_loops.hpp"  // grain_before

#include <algorithm>
#include <utility>

namespace cilk2chan {
namespace {

// Whether a loop's body has a `continue` of that loop.
bool continues(const clang::Stmt* code) {
  if (code == nullptr) return false;
  if (llvm::isa<clang::ContinueStmt>(code)) return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(code))
    return false;
  return std::ranges::any_of(code->children(), continues);
}

bool returns(const clang::Stmt* code) {
  if (code == nullptr || llvm::isa<clang::LambdaExpr>(code)) return false;
  return llvm::isa<clang::ReturnStmt>(code) || std::ranges::any_of(code->children(), returns);
}

bool jumps_out_of_switch(const clang::Stmt* code) {
  const auto breaks = [](const clang::Stmt* one, const auto& self) -> bool {
    if (one == nullptr) return false;
    if (llvm::isa<clang::BreakStmt, clang::SwitchCase, clang::LabelStmt>(one)) return true;
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                  clang::SwitchStmt>(one))
      return false;
    return std::ranges::any_of(one->children(),
                               [&](const clang::Stmt* each) { return self(each, self); });
  };
  if (const auto* all = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    for (const clang::Stmt* each : all->body()) {
      const bool last = each == *(all->body_end() - 1);
      if (last && llvm::isa<clang::BreakStmt>(each)) continue;
      if (breaks(each, breaks)) return true;
    }
    return false;
  }
  return breaks(code, breaks);
}

}  // namespace

std::vector<const clang::Stmt*> plain_control::statements_in(const clang::Stmt* body) {
  const auto* all = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  if (all == nullptr) return {body};
  return {all->body_begin(), all->body_end()};
}

bool plain_control::ends_early(const clang::VarDecl* variable) const {
  for (const clang::Stmt* each : joined_) {
    const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(each);
    if (declaration != nullptr && llvm::is_contained(declaration->decls(), variable)) return false;
    if (variable_uses_finder(each).declared.contains(variable)) return true;
  }
  return false;
}

void plain_control::block(const clang::Stmt* body) {
  open();
  if (const auto* all = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
    statements_of(all);
  } else if (body != nullptr) {
    statement(body);
  }
  close();
}

// What stands in the head of a statement is used at once: a spawn in it is waited for.
void plain_control::head(const clang::Stmt* code) {
  statement(code);
  if (spawns(code)) sync();
}

void plain_control::head(const clang::VarDecl* variable) {
  declare(variable);
  if (variable->getInit() != nullptr && spawns(variable->getInit())) sync();
}

void plain_control::branch(const clang::IfStmt* code) {
  open();
  const std::size_t inside = text_.size();
  if (code->getInit() != nullptr) head(code->getInit());
  if (code->isConstexpr()) {
    const auto taken = code->getNondiscardedCase(source_.context);
    if (!taken) return fail(reasons::unknown_condition);
    if (*taken != nullptr) block(*taken);
    return close();
  }
  if (code->getConditionVariable() != nullptr) head(code->getConditionVariable());
  const std::string test = condition(code->getCond());
  // Whoever looks for the base case of a task finds it in no block of its own.
  const bool alone = text_.size() == inside;
  if (alone) take_back_brace();
  line("if (" + test + ")");
  block(code->getThen());
  if (code->getElse() != nullptr) {
    line("else");
    block(code->getElse());
  }
  const std::size_t end = text_.size();
  close();
  if (!alone) return;
  // What it has to do at its end needs the block after all.
  const llvm::StringRef ended = llvm::StringRef(text_).drop_front(end);
  if (ended.contains(';')) {
    text_.insert(inside - 2, "{\n");
  } else {
    take_back_brace();
  }
}

void plain_control::body_of_loop(const clang::Stmt* body, llvm::function_ref<void()> before) {
  const std::size_t breaks = std::exchange(breaks_to_, blocks_.size());
  const std::size_t continues = std::exchange(continues_to_, blocks_.size());
  const auto jump_loops = std::exchange(jump_loops_, {});
  // Children of one iteration run beside the next.
  if (spawns(body)) expressions_.is_quiet = false;
  if (before) {
    open();
    before();
  }
  ++loops_;
  block(body);
  --loops_;
  if (before) close();
  breaks_to_ = breaks;
  continues_to_ = continues;
  jump_loops_ = jump_loops;
}

void plain_control::loop(const clang::ForStmt* code) {
  if (is_parallel_for(code->getForLoc(), source_.sources)) return parallel_loop(code);
  if (is_spawned_block(code->getForLoc(), source_.sources)) return spawned_block(code->getBody());
  if (!shared_loop_of(code)) plain_loop(code);
}

std::string plain_control::first_of(const clang::Stmt* code) {
  if (code == nullptr || calls(code)) return {};
  const auto plain = [&](const clang::Expr* value) {
    return value != nullptr && value->getType()->isIntegerType() &&
           !value->HasSideEffects(source_.context);
  };
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) {
    const auto* set = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
    const bool sets = set != nullptr && set->getOpcode() == clang::BO_Assign &&
                      llvm::isa<clang::DeclRefExpr>(set->getLHS()) && plain(set->getRHS());
    return sets ? expressions_.text(value) : "";
  }
  const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(code);
  if (declarations == nullptr || !declarations->isSingleDecl()) return {};
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declarations->getSingleDecl());
  if (variable == nullptr || !variable->getType()->isIntegerType() || variable->isStaticLocal() ||
      reducer_of(variable) || !plain(variable->getInit()))
    return {};
  return declared(variable->getType(), expressions_.name(variable)) + " = " +
         expressions_.text(variable->getInit());
}

void plain_control::plain_loop(const clang::ForStmt* code) {
  with_loop_views(code, [&] { serial_loop(code); });
}

void plain_control::serial_loop(const clang::ForStmt* code) {
  if (calls(code->getInc())) return fail(reasons::call_in_step);
  open();
  const std::string first = first_of(code->getInit());
  if (first.empty() && code->getInit() != nullptr) head(code->getInit());
  const std::string step = code->getInc() == nullptr ? "" : expressions_.text(code->getInc());
  const bool inside = calls(code->getCond()) || code->getConditionVariable() != nullptr;
  const std::string condition =
      inside || code->getCond() == nullptr ? "" : expressions_.text(code->getCond());
  line("for (" + first + "; " + condition + "; " + step + ")");
  if (inside) {
    line("{");
    leave_unless(code->getConditionVariable(), code->getCond());
  }
  body_of_loop(code->getBody());
  if (inside) line("}");
  close();
}

void plain_control::parallel_loop(const clang::ForStmt* code) {
  const auto form = find_form(source_.context, code);
  const auto* head = llvm::dyn_cast_or_null<clang::DeclStmt>(code->getInit());
  if (!form) return fail(reasons::loop_not_counted);
  if (calls(code->getCond()) || calls(code->getInc())) return fail(reasons::call_in_head);
  if (head == nullptr) return loop_of_outer(*form, code);
  const clang::VarDecl* variable = form->variable;
  const clang::QualType type = variable->getType().getUnqualifiedType();
  if (type->isVariablyModifiedType()) return fail(reasons::rows);
  if (is_boxed(source_.context, type)) return fail(reasons::control_variable);
  const chunk_parts parts = parts_of_chunks(code);
  open();
  std::string first = fresh();
  if (type->isRecordType() || !parts.none()) {
    expressions_.rename(variable, first);
    if (type->isRecordType() || !head->isSingleDecl()) {
      declarations(head);
    } else {
      prepare(variable->getInit());
      line(declared(type, first) + " = " + expressions_.text(variable->getInit()) + ";");
    }
    const std::string begin = expressions_.name(variable);
    if (parts.none()) {
      counted_loop(*form, begin, code);
    } else {
      chunked_loop(*form, begin, code, parts);
    }
    return close();
  }
  if (head->isSingleDecl()) {
    prepare(variable->getInit());
    first = expressions_.text(variable->getInit());
  } else {
    declarations(head);
    line(declared(type, first) + " = " + expressions_.name(variable) + ";");
  }
  parallel_head(code, declared(variable->getType(), expressions_.name(variable)) + " = " + first +
                          "; " + expressions_.text(code->getCond()) + "; " +
                          expressions_.text(code->getInc()));
  body_in_parallel(code->getBody());
  close();
}

plain_control::chunk_parts plain_control::parts_of_chunks(const clang::ForStmt* code) {
  chunk_parts found{chunk_views(code), {}};
  if (!found.views.empty() || expressions_.views.empty()) return found;
  class callee_finder : public tree_walker {
   public:
    callee_finder(const plain_names& names, view_set& found) : names_(names), found_(found) {}
    bool VisitCallExpr(clang::CallExpr* call) override {
      found_.merge(names_.views_of(call));
      return true;
    }

   private:
    const plain_names& names_;
    view_set& found_;
  };
  found.sets = expressions_.names().kinds->used_in(source_, code->getBody());
  callee_finder(expressions_.names(), found.sets).look_through(code->getBody());
  std::erase_if(found.sets, [&](unsigned kind) { return !expressions_.views.contains(kind); });
  return found;
}

void plain_control::loop_of_outer(const loop_form& form, const clang::ForStmt* code) {
  const chunk_parts parts = parts_of_chunks(code);
  const clang::VarDecl* variable = form.variable;
  const clang::QualType type = variable->getType().getUnqualifiedType();
  const auto* set = llvm::dyn_cast<clang::BinaryOperator>(code->getInit());
  if (set == nullptr || set->getOpcode() != clang::BO_Assign || !type->isIntegerType())
    return fail(reasons::outer_control_variable);
  open();
  const std::string first = fresh();
  prepare(set->getRHS());
  line(declared(type, first) + " = " + expressions_.text(set->getRHS()) + ";");
  const std::string place = expressions_.text(set->getLHS());
  const std::string name = expressions_.name(variable);
  const bool was_reference = expressions_.was_reference(variable);
  expressions_.is_plain(variable);
  const std::string behind =
      parts.none() ? counted_loop(form, first, code) : chunked_loop(form, first, code, parts);
  if (was_reference) expressions_.is_pointer(variable);
  expressions_.rename(variable, name);
  line(place + " = (" + declared(type, "") + ")(" + behind + ");");
  close();
}

void plain_control::parallel_head(const clang::ForStmt* code, const std::string& text) {
  const std::string grain = grain_before(source_.sources, code);
  const bool number = !grain.empty() && grain.find_first_not_of("0123456789") == std::string::npos;
  at(code->getForLoc(), number ? 1 : 0);
  if (number) line("#pragma cilk grainsize " + grain);
  line("_Cilk_for (" + text + ")");
}

void plain_control::body_in_parallel(const clang::Stmt* body, llvm::function_ref<void()> before) {
  const bool quiet = std::exchange(expressions_.is_quiet, true);
  const bool alone = std::exchange(expressions_.is_alone, false);
  auto owned = expressions_.exchange_owned({});
  const auto around = std::exchange(joined_, statements_in(body));
  const auto views = expressions_.views;
  const auto strands = std::exchange(strands_, {});
  ++in_parallel_;
  body_of_loop(body, before);
  --in_parallel_;
  strands_ = strands;
  expressions_.views = views;
  joined_ = around;
  (void)expressions_.exchange_owned(std::move(owned));
  expressions_.is_alone = alone;
  expressions_.is_quiet = quiet;
}

void plain_control::count_iterations(const loop_form& form, const std::string& begin,
                                     const std::string& count, const std::string& step) {
  const std::string distance = fresh();
  line("long " + step + " = " + (form.subtracts ? "-(long)(" : "(long)(") +
       (form.step == nullptr ? "1" : expressions_.text(form.step)) + ");");
  // Integers of other types may be farther apart than their difference says.
  const bool number = form.variable->getType()->isIntegerType();
  const std::string limit =
      std::string(number ? "(long)" : "") + "(" + expressions_.text(form.limit) + ")";
  const std::string start = (number ? "(long)" : "") + begin;
  line("long " + distance + " = " + (form.down ? start + " - " + limit : limit + " - " + start) +
       ";");
  line("long " + count + " = " + iterations(form, distance, step) + ";");
}

std::string plain_control::counted_loop(const loop_form& form, const std::string& begin,
                                        const clang::ForStmt* code) {
  const clang::QualType type = form.variable->getType().getUnqualifiedType();
  const std::string step = fresh();
  const std::string count = fresh();
  const std::string index = fresh();
  count_iterations(form, begin, count, step);
  expressions_.named_again(form.variable);
  parallel_head(code, "long " + index + " = 0; " + index + " < " + count + "; ++" + index);
  body_in_parallel(code->getBody(), [&] {
    line(declared(type, expressions_.name(form.variable)) + " = " + begin + " + " + index + " * " +
         step + ";");
  });
  return begin + " + (" + count + " > 0 ? " + count + " : 0) * " + step;
}

std::string plain_control::chunked_loop(const loop_form& form, const std::string& begin,
                                        const clang::ForStmt* code, const chunk_parts& parts) {
  const clang::QualType type = form.variable->getType().getUnqualifiedType();
  const std::string step = fresh();
  const std::string count = fresh();
  const std::string size = fresh();
  const std::string chunks = fresh();
  const std::string chunk = fresh();
  const std::string index = fresh();
  const std::string end = fresh();
  count_iterations(form, begin, count, step);
  const std::string grain = grain_before(source_.sources, code);
  const bool number = !grain.empty() && grain.find_first_not_of("0123456789") == std::string::npos;
  // As many chunks as a GPU has lanes that can wait for memory; fewer if their views are large.
  const bool small =
      parts.sets.empty() && std::ranges::all_of(parts.views, [&](const chunk_view& one) {
        return one.views.empty() || source_.context.getTypeSize(one.facts.view) <= 128;
      });
  const std::string most = small ? "65536" : "16384";
  line("long " + size + " = " + (number ? grain : "(" + count + " + " + most + " - 1) / " + most) +
       ";");
  line("if (" + size + " < 1) " + size + " = 1;");
  line("if (" + size + " > 2048) " + size + " = 2048;");
  line("long " + chunks + " = (" + count + " + " + size + " - 1) / " + size + ";");
  line("if (" + count + " <= 0) " + chunks + " = 0;");
  const std::string done = declare_views(parts.views, chunks);
  std::map<unsigned, std::string> rows;
  for (const unsigned kind : parts.sets) {
    rows[kind] = fresh();
    line("struct cilk_views* " + rows[kind] + " = cilk_new_rows(" + chunks + ");");
  }
  expressions_.named_again(form.variable);
  at(code->getForLoc());
  line("_Cilk_for (long " + chunk + " = 0; " + chunk + " < " + chunks + "; ++" + chunk + ") {");
  begin_views(parts.views);
  for (const auto& [kind, row] : rows) line(row + "[" + chunk + "].cilk_first = 0;");
  line("long " + end + " = (" + chunk + " + 1) * " + size + " < " + count + " ? (" + chunk +
       " + 1) * " + size + " : " + count + ";");
  line("for (long " + index + " = " + chunk + " * " + size + "; " + index + " < " + end + "; ++" +
       index + ")");
  body_in_parallel(code->getBody(), [&] {
    for (const auto& [kind, row] : rows) expressions_.views[kind] = "(" + row + " + " + chunk + ")";
    if (!rows.empty() && spawns(code->getBody())) begin_strand();
    line(declared(type, expressions_.name(form.variable)) + " = (" + declared(type, "") + ")(" +
         begin + " + " + index + " * " + step + ");");
  });
  end_views(parts.views, done, chunk, chunks);
  line("}");
  reduce_views(parts.views, chunks);
  for (const auto& [kind, row] : rows)
    line("cilk_merge_rows_" + std::to_string(kind) + "(" + expressions_.views_here(kind) + ", " +
         row + ", " + chunks + ");");
  return begin + " + (" + count + " > 0 ? " + count + " : 0) * " + step;
}

void plain_control::leave_unless(const clang::VarDecl* variable, const clang::Expr* value) {
  if (variable != nullptr) head(variable);
  if (value == nullptr) return;
  const std::string test = condition(value);
  line("if (!(" + test + ")) break;");
}

void plain_control::loop(const clang::WhileStmt* code) {
  with_loop_views(code, [&] { serial_loop(code); });
}

void plain_control::serial_loop(const clang::WhileStmt* code) {
  if (!calls(code->getCond()) && code->getConditionVariable() == nullptr) {
    line("while (" + expressions_.text(code->getCond()) + ")");
    return body_of_loop(code->getBody());
  }
  line("for (;;) {");
  leave_unless(code->getConditionVariable(), code->getCond());
  body_of_loop(code->getBody());
  line("}");
}

void plain_control::loop(const clang::DoStmt* code) {
  with_loop_views(code, [&] { serial_loop(code); });
}

void plain_control::serial_loop(const clang::DoStmt* code) {
  if (!calls(code->getCond())) {
    line("do");
    body_of_loop(code->getBody());
    return line("while (" + expressions_.text(code->getCond()) + ");");
  }
  if (continues(code->getBody())) return fail(reasons::continue_to_call);
  line("for (;;) {");
  body_of_loop(code->getBody());
  leave_unless(nullptr, code->getCond());
  line("}");
}

// `for (auto x : {1, 2, 3})`: the array behind the list is a variable of the frame, since a task
// comes back into the loop.
bool plain_control::declare_list(const clang::CXXForRangeStmt* code) {
  const auto* range = llvm::dyn_cast<clang::VarDecl>(code->getRangeStmt()->getSingleDecl());
  const auto* list = range == nullptr || range->getInit() == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::CXXStdInitializerListExpr>(bare(range->getInit()));
  if (list == nullptr || !has_cilk(code->getBody())) return false;
  const clang::Expr* values = bare(list->getSubExpr());
  const clang::ConstantArrayType* array = source_.context.getAsConstantArrayType(values->getType());
  const auto* begin = llvm::dyn_cast<clang::VarDecl>(code->getBeginStmt()->getSingleDecl());
  const auto* end = llvm::dyn_cast<clang::VarDecl>(code->getEndStmt()->getSingleDecl());
  if (array == nullptr || begin == nullptr || end == nullptr ||
      is_held(source_.context, array->getElementType())) {
    fail(reasons::temporary_array, list->getBeginLoc());
    return true;
  }
  prepare(values);
  std::string name = fresh();
  const clang::QualType element = array->getElementType().getUnqualifiedType();
  const std::string count = std::to_string(array->getZExtSize());
  if (is_boxed(source_.context, element)) {
    const std::string type = declared(element, "");
    line("cilk_box<" + type + "[" + count + "]> " + name + ";");
    name += ".value()";
    const auto* each = llvm::dyn_cast<clang::InitListExpr>(values);
    if (each == nullptr || each->getNumInits() != array->getZExtSize())
      fail(reasons::temporary_array, list->getBeginLoc());
    for (unsigned i = 0; each != nullptr && i < each->getNumInits(); ++i)
      line("new (cilk_place{&" + name + "[" + std::to_string(i) + "]}) " +
           made_of(type, expressions_.text(each->getInit(i))) + ";");
  } else {
    line(declared(element, name + "[" + count + "]") + " = " + expressions_.text(values) + ";");
  }
  line(declared(begin->getType(), expressions_.name(begin)) + " = " + name + ";");
  line(declared(end->getType(), expressions_.name(end)) + " = " + name + " + " + count + ";");
  return true;
}

void plain_control::loop(const clang::CXXForRangeStmt* code) {
  with_loop_views(code, [&] { serial_loop(code); });
}

void plain_control::serial_loop(const clang::CXXForRangeStmt* code) {
  open();
  if (code->getInit() != nullptr) head(code->getInit());
  if (!declare_list(code)) {
    for (const clang::DeclStmt* each :
         {code->getRangeStmt(), code->getBeginStmt(), code->getEndStmt()})
      declarations(each);
  }
  line("for (; " + expressions_.text(code->getCond()) + "; " + expressions_.text(code->getInc()) +
       ")");
  body_of_loop(code->getBody(), [&] { declare(code->getLoopVariable()); });
  close();
}

void plain_control::choice(const clang::SwitchStmt* code) {
  open();
  if (code->getInit() != nullptr) head(code->getInit());
  if (code->getConditionVariable() != nullptr) head(code->getConditionVariable());
  const std::string chosen = condition(code->getCond());
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(code->getBody());
  if (body == nullptr) return fail(reasons::switch_without_block);
  const std::size_t breaks = std::exchange(breaks_to_, blocks_.size());
  ++choices_;
  // What is waited for before a return is more than a `switch` may have in it.
  if (!has_cilk(body) && !(waits(0) && returns(body))) {
    line("switch (" + chosen + ")");
    block(body);
  } else {
    const std::string value = fresh();
    line(declared(code->getCond()->getType().getUnqualifiedType(), value) + " = " + chosen + ";");
    cases(std::vector<const clang::Stmt*>(body->body_begin(), body->body_end()), value);
  }
  --choices_;
  breaks_to_ = breaks;
  close();
}

void plain_control::cases(std::vector<const clang::Stmt*> all, const std::string& value) {
  struct section {
    std::string test;  // empty: the default
    bool usual = false;
    std::size_t begin = 0;
  };
  std::vector<section> sections;
  // Declarations before the first label, which no jump to it makes.
  const auto declares = [](const clang::Stmt* code) {
    const auto* list = llvm::dyn_cast<clang::DeclStmt>(code);
    return list != nullptr && llvm::all_of(list->decls(), [](const clang::Decl* one) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
             return variable != nullptr && !variable->hasInit();
           });
  };
  while (!all.empty() && declares(all.front())) {
    statement(all.front());
    all.erase(all.begin());
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!llvm::isa<clang::SwitchCase>(all[i])) continue;
    section made;
    made.begin = i;
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(all[i])) {
      if (const auto* one = llvm::dyn_cast<clang::CaseStmt>(label)) {
        const std::string low = expressions_.text(one->getLHS());
        if (!made.test.empty()) made.test += " || ";
        made.test += one->getRHS() == nullptr
                         ? value + " == (" + low + ")"
                         : "(" + value + " >= (" + low + ") && " + value + " <= (" +
                               expressions_.text(one->getRHS()) + "))";
      } else {
        made.usual = true;
      }
      all[i] = label->getSubStmt();
    }
    sections.push_back(made);
  }
  if (sections.empty() || sections.front().begin != 0) return fail(reasons::switch_before_label);
  std::ranges::stable_partition(sections, [](const section& one) { return !one.usual; });
  bool first = true;
  for (const section& one : sections) {
    if (one.usual) {
      line(first ? "" : "else");
    } else {
      line((first ? "if (" : "else if (") + one.test + ")");
    }
    first = false;
    open();
    // To the end of the section, and through those that it falls into.
    for (std::size_t i = one.begin; i < all.size(); ++i) {
      if (llvm::isa<clang::BreakStmt>(all[i])) break;
      if (jumps_out_of_switch(all[i])) fail(reasons::switch_left);
      if (!section_statement(all[i])) break;
    }
    close();
  }
}

bool plain_control::section_statement(const clang::Stmt* code) {
  if (const auto* all = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    const bool breaks = !all->body_empty() && llvm::isa<clang::BreakStmt>(*(all->body_end() - 1));
    if (breaks) {
      open();
      for (const clang::Stmt* each : all->body()) {
        if (!llvm::isa<clang::BreakStmt>(each)) statement(each);
      }
      close();
      return false;
    }
  }
  statement(code);
  return !ends_in_return(code) && !llvm::isa<clang::ContinueStmt>(code);
}

}  // namespace cilk2chan
