#include "analysis/allocations.hpp"
#include "analysis/loop_forms.hpp"  // is_inclusive
#include "frontend/type_text.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/initial_values.hpp"
#include "tasks/lanes/lane_forms.hpp"
#include "tasks/node_names.hpp"
#include "tasks/node_text.hpp"
#include "tasks/parallel_loops.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

namespace cilk2chan {
namespace {

bool has_point(const step& one) {
  if (one.point != 0) return true;
  return std::ranges::any_of(one.body, has_point) || std::ranges::any_of(one.otherwise, has_point);
}

unsigned count_points(const std::vector<step>& steps) {
  unsigned sum = 0;
  for (const step& one : steps) {
    sum += (one.point != 0 ? 1U : 0U) + count_points(one.body) + count_points(one.otherwise);
  }
  return sum;
}

std::string list(const room& needed, bool counts) {
  std::string text;
  for (const auto& [task, count] : needed) {
    text += (text.empty() ? "" : ", ") + (counts ? std::to_string(count) : task);
  }
  return text;
}

class node_emitter {
 public:
  node_emitter(const program& source, const finished_task& task, writer& out,
               const lane_forms* lanes)
      : source_(source),
        task_(task),
        out_(out),
        lanes_(lanes),
        names_(source, task.lowered, task.frame, task.usage) {
    rules_.lane = names_.lane;
    rules_.name = [this](const clang::VarDecl* variable) { return name(variable); };
    rules_.declared = [this](const clang::VarDecl* variable) { declared_.insert(variable); };
    rules_.outer_name = [this](const clang::DeclRefExpr* node) { return names_.outer(node); };
  }

  variable_set missing;

  void enter() {
    part_ = node_part::before_open;
    if (task_.task->loop != nullptr) return enter_loop();
    used_before_open_ = used_before_open(task_.lowered);
    for (const clang::ParmVarDecl* parameter : task_.task->definition->parameters()) {
      if (!names_.has_copy(parameter)) continue;
      out_.line(type_text(source_, parameter->getType(), name(parameter)) + " = " +
                names_.argument_access(parameter) + ";");
    }
    emit(task_.lowered.enter);
  }

  void resume() {
    part_ = node_part::resume;
    const auto& segments = task_.lowered.resume;
    unsigned points = 0;
    for (const segment& one : segments) points += 1 + count_points(one.steps);
    if (points == 1) {
      emit(segments.front().steps);
      return;
    }
    dispatched_ = true;
    out_.line("switch (" + names_.point + ") {");
    out_.in();
    for (const segment& one : segments) {
      // Braces: a jump to a later segment may not pass the declarations of an earlier one.
      const bool braces = segments.size() > 1;
      label(one.point, one.steps.empty() || braces ? nullptr : &one.steps.front(),
            braces ? " {" : "");
      emit(one.steps);
      if (braces) out_.label("}");
    }
    out_.out();
    out_.line("}");
    out_.line("__builtin_unreachable();");
  }

 private:
  void emit(const std::vector<step>& steps) {
    const node_part outer = part_;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool jumped_over = dispatched_ && std::any_of(steps.begin() + static_cast<long>(i) + 1,
                                                          steps.end(), has_point);
      emit(steps[i], i + 1 < steps.size() ? &steps[i + 1] : nullptr, jumped_over);
    }
    part_ = outer;
  }

  void emit(const step& one, const step* next, bool jumped_over) {
    switch (one.kind) {
      case step_kind::text: return text(one, jumped_over);
      case step_kind::declare: return declare(one.piece.variable, jumped_over);
      case step_kind::open: return open(one);
      case step_kind::reserve: return reserve(one);
      case step_kind::allocate: return allocate(one);
      case step_kind::spawn: return spawn(one);
      case step_kind::sync: return sync(one.point, next);
      case step_kind::wait_return: return wait_return(one);
      case step_kind::finish_child:
        return out_.line("return " + names_.lane + ".finish(" + result_slot(one.piece.child) +
                         ");");
      case step_kind::finish_end: return finish_end(one);
      case step_kind::branch: return branch(one);
      case step_kind::loop: return loop(one);
      case step_kind::block: return block(one);
      case step_kind::iterate: return iterate(one);
      case step_kind::resume_at:
        // Lanes that begin the loop and lanes that go on with it then run one copy of its code.
        if (task_.sums_up_in_loops()) {
          out_.line("if constexpr (channels::adds_results<Lane>) return " + names_.lane + ".sync(" +
                    std::to_string(one.point) + ");");
        }
        return out_.line("return resume(" + names_.lane + ", *" + names_.frame + ", " +
                         std::to_string(one.point) + ");");
    }
  }

  void text(const step& one, bool jumped_over) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(one.piece.statement);
    const bool in_frame =
        declaration != nullptr && part_ != node_part::before_open &&
        std::ranges::any_of(declaration->decls(), [&](const clang::Decl* each) {
          const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
          return variable != nullptr && task_.frame.member_of(variable) != nullptr;
        });
    if (adds_up(task_.summed, one.piece.statement)) {
      out_.line("if constexpr (!channels::adds_results<Lane>) {");
      out_.in();
      user(one.piece.statement, editor().statement(one.piece.statement));
      out_.out();
      return out_.line("}");
    }
    if (declaration == nullptr || (!in_frame && !jumped_over && !waits_for_frame(declaration))) {
      return user(one.piece.statement, editor().statement(one.piece.statement));
    }
    for (const clang::Decl* each : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable != nullptr && !waits_for_frame(variable)) declare(variable, jumped_over);
    }
  }

  // Whether the frame alone declares the variable: it has no initial value, and nothing uses it
  // before there is a frame.
  bool waits_for_frame(const clang::VarDecl* variable) const {
    return part_ == node_part::before_open && task_.frame.member_of(variable) != nullptr &&
           !has_initial_value(variable) && !used_before_open_.contains(variable);
  }
  bool waits_for_frame(const clang::DeclStmt* declaration) const {
    return std::ranges::any_of(declaration->decls(), [&](const clang::Decl* each) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      return variable != nullptr && waits_for_frame(variable);
    });
  }
  void declare(const clang::VarDecl* variable, bool jumped_over) {
    declared_.insert(variable);
    const bool in_frame =
        part_ != node_part::before_open && task_.frame.member_of(variable) != nullptr;
    const std::string place = name(variable);
    const std::string declaration =
        in_frame ? "" : type_text(source_, variable->getType(), place) + ";";
    if (!in_frame && !jumped_over && !variable->getType()->isArrayType()) {
      const std::string value = initial_value(source_, editor(), variable);
      return user(variable, type_text(source_, variable->getType(), place) +
                                (value.empty() ? "" : " = " + value) + ";");
    }
    if (!declaration.empty()) user(variable, declaration);
    const std::string value = initial_value(source_, editor(), variable);
    if (value.empty()) return;
    if (!variable->getType()->isArrayType()) return user(variable, place + " = " + value + ";");
    const std::string initial = variable->getNameAsString() + "_initial";
    user(variable, "{");
    out_.in();
    user(variable, type_text(source_, variable->getType(), initial) + " = " + value + ";");
    // A row of constants is kept where it can be set.
    out_.line("__builtin_memcpy((void*)" + place + ", " + initial + ", sizeof " + initial + ");");
    out_.out();
    out_.line("}");
  }

  void open(const step& one) {
    const std::string tasks = list(one.needed, false);
    const std::string call =
        tasks.empty() ? ".open()" : ".template open<" + tasks + ">(" + list(one.needed, true) + ")";
    out_.line("frame* " + names_.frame + " = " + names_.lane + call + ";");
    out_.line("if (" + names_.frame + " == nullptr) return " + names_.lane + ".retry();");
    save(one);
    before_open_ = declared_;
    part_ = node_part::after_open;
  }

  // Copies the variables that have a value before there is a frame into the frame.
  void save(const step& one) {
    const variable_set live = task_.live->before(one.piece);
    for (const frame_member& member : task_.frame.members) {
      const clang::VarDecl* variable = member.variable;
      if (variable == nullptr) continue;
      const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
      if (parameter == nullptr && (!declared_.contains(variable) || !live.contains(variable)))
        continue;
      const bool from_arguments = parameter != nullptr && !names_.has_copy(variable);
      save(member, from_arguments ? names_.argument_access(parameter)
                                  : names_.variable(variable, node_part::before_open));
    }
  }
  void save(const frame_member& member, const std::string& value) {
    const std::string place = names_.frame + "->" + member.name;
    if (member.type->isArrayType()) {
      out_.line("__builtin_memcpy(" + place + ", " + value + ", sizeof " + place + ");");
    } else {
      out_.line(place + " = " + value + ";");
    }
  }

  void reserve(const step& one) {
    label(one.point, &one);
    out_.line("if (!" + names_.lane + ".template reserve<" + list(one.needed, false) + ">(" +
              list(one.needed, true) + ")) return " + names_.lane + ".yield(" +
              std::to_string(one.point) + ");");
  }

  void allocate(const step& one) {
    const allocation& memory = *one.piece.memory;
    const clang::Expr* size = size_of(memory);
    const std::string type = type_text(source_, pointer_type(*source_.context, memory));
    std::string place;
    if (memory.variable != nullptr) {
      declared_.insert(memory.variable);
      place = name(memory.variable);
      if (task_.frame.member_of(memory.variable) == nullptr)
        user(memory.variable, type_text(source_, memory.variable->getType(), place) + ";");
    } else {
      place = editor().text(memory.place);
    }
    std::string bytes = editor().text(size);
    if (memory.call == nullptr) {
      const clang::ArrayType* array = source_.context->getAsArrayType(memory.variable->getType());
      bytes = "sizeof(" + type_text(source_, array->getElementType()) +
              ") * static_cast<std::size_t>(" + bytes + ")";
    } else {
      bytes = "static_cast<std::size_t>(" + bytes + ")";
    }
    if (size->HasSideEffects(*source_.context)) {
      user(size, result_slot(&memory) + " = " + bytes + ";");
      bytes = result_slot(&memory);
    }
    label(one.point, &one);
    user(size, "if ((" + place + " = (" + type + ")" + names_.lane + ".allocate(" + bytes +
                   ")) == nullptr) return " + names_.lane + ".yield(" + std::to_string(one.point) +
                   ");");
  }

  void spawn(const step& one) {
    const child_call& child = *one.piece.child;
    if (child.loop != nullptr) return call_loop(one, *child.loop);
    const std::string call = names_.lane + ".template spawn<" + source_.task_of(child)->name +
                             ">(" + slot(child) + "{" + arguments(child) + "})";
    if (one.point == 0) return user(child.call, "(void)" + call + ";");
    label(one.point, &one);
    user(child.call,
         "if (!" + call + ") return " + names_.lane + ".yield(" + std::to_string(one.point) + ");");
  }

  // Spawns the task of a loop in this function, with the whole range, its grain and this frame.
  void call_loop(const step& one, const task_function& called) {
    const loop_task& loop = *called.loop;
    const loop_form& form = loop.form;
    if (one.point != 0) label(one.point, &one);
    const std::string sign = form.subtracts ? "-" : "";
    const std::string step =
        form.step == nullptr ? "1" : "static_cast<std::int64_t>(" + editor().text(form.step) + ")";
    user(loop.node, "{");
    out_.in();
    user(loop.node, type_text(source_, form.variable->getType(), names_.loop_first) + " = " +
                        initial_value(source_, editor(), form.variable) + ";");
    user(loop.node, "const auto " + names_.loop_limit + " = " + editor().text(form.limit) + ";");
    user(loop.node, "const std::int64_t " + names_.loop_step + " = " + sign + step + ";");
    out_.line("const std::uint64_t " + names_.loop_trips + " = channels::cilk::trips(" +
              names_.loop_first + " " + clang::BinaryOperator::getOpcodeStr(form.comparison).str() +
              " " + names_.loop_limit + ", " + names_.loop_first + ", " + names_.loop_limit + ", " +
              names_.loop_step + ", " + (is_inclusive(form) ? "true" : "false") + ");");
    const std::string frame = (part_ == node_part::resume ? "&" : "") + names_.frame;
    const std::string call = names_.lane + ".template spawn<" + called.name + ">({" + frame + ", " +
                             names_.loop_first + ", " + names_.loop_step + ", 0, " +
                             names_.loop_trips + ", " + grain(called) + "})";
    out_.line(one.point == 0 ? "(void)" + call + ";"
                             : "if (!" + call + ") return " + names_.lane + ".yield(" +
                                   std::to_string(one.point) + ");");
    out_.out();
    out_.line("}");
  }

  std::string grain(const task_function& called) const {
    const std::string& written = called.loop->grain;
    const std::string grain = written.empty() || names_.mentions_local(written)
                                  ? "channels::cilk::default_grain(" + names_.loop_trips + ")"
                                  : "static_cast<std::uint64_t>(" + written + ")";
    return is_side_by_side(called) ? "channels::cilk::grain_for_lanes(" + grain + ")" : grain;
  }
  // Whether lanes of a wavefront have an iteration each.
  bool is_side_by_side(const task_function& called) const {
    const task_lanes* found = lanes_ == nullptr ? nullptr : lanes_->of(called);
    return found != nullptr && found->side_by_side;
  }

  // The pre-spawn node of a loop. It halves a range that is longer than the grain. Others run here,
  // or in the post-spawn node if their iterations have to wait.
  void enter_loop() {
    const std::string& args = names_.arguments;
    const std::string& self = task_.task->name;
    const bool here = !task_.lowered.enter.empty();
    out_.line("if (" + args + ".end - " + args + ".begin > " + args + ".grain) {");
    out_.in();
    out_.line("frame* " + names_.frame + " = " + names_.lane + ".template open<" + self + ">(2);");
    out_.line("if (" + names_.frame + " == nullptr) return " + names_.lane + ".retry();");
    out_.line("arguments half = " + args + ";");
    out_.line(is_side_by_side(*task_.task)
                  ? "half.end = half.begin + channels::cilk::half_for_lanes(half.end - half.begin);"
                  : "half.end = half.begin + (half.end - half.begin) / 2;");
    out_.line("(void)" + names_.lane + ".template spawn<" + self + ">(half);");
    out_.line("half.begin = half.end;");
    out_.line("half.end = " + args + ".end;");
    out_.line("(void)" + names_.lane + ".template spawn<" + self + ">(half);");
    out_.line("return " + names_.lane + ".sync(1);");
    out_.out();
    out_.line("}");
    if (here) {
      emit(task_.lowered.enter);
      return out_.line("return " + names_.lane + ".finish();");
    }
    out_.line("frame* " + names_.frame + " = " + names_.lane + ".open();");
    out_.line("if (" + names_.frame + " == nullptr) return " + names_.lane + ".retry();");
    out_.line(names_.frame + "->" + loop_member + " = " + args + ";");
    out_.line("return resume(" + names_.lane + ", *" + names_.frame + ", 2);");
  }

  void iterate(const step& one) {
    const loop_task& loop = *task_.task->loop;
    const clang::VarDecl* variable = loop.form.variable;
    const bool in_frame = task_.frame.member_of(variable) != nullptr;
    const std::string range =
        part_ == node_part::resume ? names_.frame_access(part_) + loop_member : names_.arguments;
    declared_.insert(variable);
    const std::string index = in_frame ? range + ".begin" : names_.loop_trips;
    const std::string value =
        "channels::cilk::nth(" + range + ".first, " + index + ", " + range + ".step)";
    if (!in_frame) {
      user(loop.node, "for (std::uint64_t " + index + " = " + range + ".begin; " + index +
                          " != " + range + ".end; ++" + index + ") {");
      out_.in();
      user(variable, "[[maybe_unused]] " + type_text(source_, variable->getType(), name(variable)) +
                         " = " + value + ";");
      user(loop.node->getBody(), editor().statement(loop.node->getBody()));
      out_.out();
      return out_.line("}");
    }
    user(loop.node, "for (; " + index + " != " + range + ".end; ++" + index + ") {");
    out_.in();
    user(variable, name(variable) + " = " + value + ";");
    // With this `do`, `continue` leads to the end of the iteration.
    out_.line("do {");
    nested(one.body);
    out_.line("} while (false);");
    if (one.point != 0) sync(one.point, nullptr);
    out_.out();
    out_.line("}");
  }

  std::string slot(const child_call& child) {
    if (!child.has_result()) return {};
    if (child.variable != nullptr) {
      return "&" + names_.frame_access(part_) + *task_.frame.member_of(child.variable) + ", ";
    }
    if (child.place == nullptr) return "&" + result_slot(&child) + ", ";
    return address_of(child.place->IgnoreParens()) + ", ";
  }

  // A child stores its result as it would in a place that is not volatile.
  std::string address_of(const clang::Expr* place) {
    const auto* node = llvm::dyn_cast<clang::UnaryOperator>(place);
    const std::string address = node != nullptr && node->getOpcode() == clang::UO_Deref
                                    ? editor().text(node->getSubExpr())
                                    : "&" + editor().text(place);
    const clang::QualType type = place->getType();
    if (!type.isVolatileQualified()) return address;
    const std::string plain = type_text(source_, type.getUnqualifiedType());
    return "const_cast<" + plain + "*>(" + address + ")";
  }

  std::string arguments(const child_call& child) {
    std::string text;
    for (unsigned i = 0; i < child.callee->getNumParams(); ++i) {
      const clang::Expr* argument = child.call->getArg(i);
      if (const auto* absent = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument)) {
        argument = absent->getExpr();
      }
      text += (i == 0 ? "" : ", ") + without_narrowing(source_, argument,
                                                       child.callee->getParamDecl(i)->getType(),
                                                       editor().text(argument));
    }
    return text;
  }

  void sync(unsigned point, const step* next) {
    out_.line("return " + names_.lane + ".sync(" + std::to_string(point) + ");");
    if (part_ == node_part::resume) label(point, next);
  }

  void wait_return(const step& one) {
    const auto* node = llvm::cast<clang::ReturnStmt>(one.piece.statement);
    const bool keeps = keeps_value(source_, node);
    const bool has_value =
        node->getRetValue() != nullptr && !node->getRetValue()->getType()->isVoidType();
    if (keeps) user(node, result_slot(node) + " = " + editor().text(node->getRetValue()) + ";");
    if (!has_value && node->getRetValue() != nullptr) {
      user(node, editor().statement(node->getRetValue()));
    }
    sync(one.point, &one);
    if (keeps) return out_.line("return " + names_.lane + ".finish(" + result_slot(node) + ");");
    std::string value = has_value ? editor().text(node->getRetValue()) : "";
    if (value.starts_with("{")) value.insert(0, "result_type");
    if (has_value && is_null_pointer(node->getRetValue())) value = "result_type(" + value + ")";
    user(node, "return " + names_.lane + ".finish(" + value + ");");
  }

  void finish_end(const step& one) {
    if (one.point != 0) {
      sync(one.point, &one);
      if (part_ != node_part::resume) return;
    }
    out_.line("return " + names_.lane + ".finish(" +
              (task_.task->has_result() ? "result_type()" : "") + ");");
  }

  void branch(const step& one) {
    const auto* node = llvm::cast<clang::IfStmt>(one.piece.statement);
    user(node, std::string("if ") + (node->isConstexpr() ? "constexpr " : "") + "(" +
                   editor().text(node->getCond()) + ") {");
    nested(one.body);
    if (!one.otherwise.empty()) {
      out_.line("} else {");
      nested(one.otherwise);
    }
    out_.line("}");
  }

  void loop(const step& one) {
    const clang::Stmt* node = one.piece.statement;
    if (const auto* turn = llvm::dyn_cast<clang::DoStmt>(node)) {
      user(node, "do {");
      nested(one.body);
      return user(turn->getCond(), "} while (" + editor().text(turn->getCond()) + ");");
    }
    if (const auto* turn = llvm::dyn_cast<clang::WhileStmt>(node)) {
      user(node, "while (" + editor().text(turn->getCond()) + ") {");
    } else {
      const auto* counted = llvm::cast<clang::ForStmt>(node);
      const auto* first = llvm::dyn_cast_or_null<clang::DeclStmt>(counted->getInit());
      if (first != nullptr) {
        for (const clang::Decl* each : first->decls()) {
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) declare(variable, true);
        }
      } else if (counted->getInit() != nullptr) {
        user(counted->getInit(), editor().statement(counted->getInit()));
      }
      const auto text = [&](const clang::Expr* part) { return part ? editor().text(part) : ""; };
      user(node, "for (; " + text(counted->getCond()) + "; " + text(counted->getInc()) + ") {");
    }
    nested(one.body);
    out_.line("}");
  }

  void block(const step& one) {
    out_.line("{");
    nested(one.body);
    out_.line("}");
  }

  void nested(const std::vector<step>& steps) {
    out_.in();
    emit(steps);
    out_.out();
  }

  // A label cannot stand before a declaration or at the end of a block: it gets an empty statement.
  void label(unsigned point, const step* next, const char* brace = "") {
    if (!dispatched_) return;
    const bool before_statement =
        next != nullptr && next->kind != step_kind::declare &&
        !(next->kind == step_kind::text && llvm::isa<clang::DeclStmt>(next->piece.statement));
    const bool opens_block = *brace != '\0';
    out_.label("case " + std::to_string(point) + ":" +
               (opens_block || before_statement ? brace : ";"));
  }

  std::string result_slot(const void* key) {
    return names_.frame_access(part_) + task_.frame.results.at(key);
  }

  std::string name(const clang::VarDecl* variable) {
    if (part_ == node_part::resume && task_.frame.member_of(variable) == nullptr &&
        !declared_.contains(variable) && task_.task->owns(variable)) {
      missing.insert(variable);
    }
    // A variable that never changes can be read at its place from before there was a frame.
    const bool still_there = part_ == node_part::after_open && before_open_.contains(variable) &&
                             !task_.usage.changed.contains(variable);
    return names_.variable(variable, still_there ? node_part::before_open : part_);
  }

  template <class Node>
  void user(const Node* node, const std::string& text) {
    const user_place place = source_.place_of(node->getBeginLoc());
    out_.user_line(place.file, place.line, place.column, text);
  }

  [[nodiscard]] node_text editor() const { return {source_, rules_}; }

  const program& source_;
  const finished_task& task_;
  writer& out_;
  const lane_forms* lanes_;
  node_names names_;
  text_rules rules_;
  node_part part_ = node_part::before_open;
  bool dispatched_ = false;
  variable_set declared_;
  variable_set before_open_;
  variable_set used_before_open_;
};

}  // namespace

void emit_enter(const program& source, const finished_task& task, writer& out,
                const lane_forms* lanes) {
  node_emitter(source, task, out, lanes).enter();
}

void emit_resume(const program& source, const finished_task& task, writer& out,
                 variable_set& missing, const lane_forms* lanes) {
  node_emitter emitter(source, task, out, lanes);
  emitter.resume();
  missing = emitter.missing;
}

}  // namespace cilk2chan
