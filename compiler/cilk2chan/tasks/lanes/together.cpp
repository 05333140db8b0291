#include "tasks/lanes/together.hpp"

#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/type_text.hpp"
#include "tasks/lanes/loop_writer.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

class together_writer {
 public:
  together_writer(const together& how, writer& out)
      : how_(how), source_(how.place.source), out_(out), calls_(how.place.source) {
    calls_.allow(how.has_form);
    for_lanes_.variable = how.rules.variable;
    for_lanes_.callee = [this](const clang::DeclRefExpr* name) { return form_of(name); };
  }

  written_together result;

  void statement(const clang::Stmt* code) {
    if (code == nullptr || !result.why_not.empty()) return;
    if (how_.task != nullptr && suspends_in(code)) return suspending(code);
    if (llvm::isa<clang::NullStmt>(code)) return;
    const bool lanes = has_lanes(how_, code);
    if (!lanes) {
      const code_effects found = effects(code);
      if (found.can_all()) return everyone(code);
      if (!found.leaves && !llvm::isa<clang::DeclStmt>(code)) return one(code, found);
    }
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) return block(list);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) return choice(branch);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) return counted(loop);
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) return turns(loop);
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(code)) return turns(loop);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(code))
      return declare(declaration);
    if (const auto* way_out = llvm::dyn_cast<clang::ReturnStmt>(code)) return leave(way_out);
    if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) return expression(value);
    no(code, "a statement of this kind is run by one lane");
  }

 private:
  void no(const clang::Stmt* where, const std::string& why) {
    if (!result.why_not.empty()) return;
    const clang::SourceManager& sources = source_.sources();
    const unsigned line =
        sources.getPresumedLineNumber(sources.getExpansionLoc(where->getBeginLoc()));
    result.why_not = "line " + std::to_string(line) + ": " + why;
  }
  code_effects effects(const clang::Stmt* code) {
    return effects_of(code, calls_, how_.place.owns);
  }
  // For all lanes: it calls forms for lanes.
  std::string text(const clang::Stmt* code) const { return print(source_, code, for_lanes_); }
  // For one of them.
  std::string text_alone(const clang::Stmt* code) const { return print(source_, code, how_.rules); }
  std::string form_of(const clang::DeclRefExpr* name) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function == nullptr || !how_.has_form(function)) return "";
    result.called.insert(function->getCanonicalDecl());
    std::string qualifier;
    llvm::raw_string_ostream out(qualifier);
    if (name->hasQualifier())
      name->getQualifier()->print(out, clang::PrintingPolicy(source_.context->getLangOpts()));
    return qualifier + form_name(function);
  }

  bool suspends_in(const clang::Stmt* code) const { return cilk2chan::suspends_in(how_, code); }

  // Nothing has been spawned on the way here.
  void suspending(const clang::Stmt* code) {
    if (is_sync(code, source_.sources())) return;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) return block(list);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) return choice(branch);
    if (const auto* way_out = llvm::dyn_cast<clang::ReturnStmt>(code);
        way_out != nullptr && how_.task->child_at(code) == nullptr)
      return leave(way_out);
    out_.line("channels_cilk_abort();  // it would spawn here");
    ended_ = true;
  }

  // All lanes run it: they have the same variables, and come to the same result.
  void everyone(const clang::Stmt* code) {
    if (!can_declare(code)) return;
    user(code, text(code) + (llvm::isa<clang::Expr>(code) ? ";" : ""));
  }
  bool can_declare(const clang::Stmt* code) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(code);
    if (declaration == nullptr) return true;
    for (const clang::Decl* each : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr) {
        no(code, "it declares something else than a variable");
      } else if (how_.place.usage.escaped.contains(variable)) {
        no(code, "the address of '" + variable->getNameAsString() +
                     "' is taken, and each lane has one of its own");
      }
    }
    return result.why_not.empty();
  }

  // One lane runs it, and tells the others what it has changed.
  void one(const clang::Stmt* code, const code_effects& found) {
    one_lane(code, text_alone(code) + (llvm::isa<clang::Expr>(code) ? ";" : ""), found);
  }
  void one_lane(const clang::Stmt* code, const std::string& text, const code_effects& found) {
    for (const clang::VarDecl* changed : found.changed) {
      if (!changed->getType()->isScalarType() || how_.place.usage.escaped.contains(changed))
        return no(code, "it changes memory and '" + changed->getNameAsString() + "' at once");
    }
    out_.line("channels_sync_lanes();");
    out_.line("if (channels_lane() == 0) {");
    out_.in();
    user(code, text);
    out_.out();
    out_.line("}");
    out_.line("channels_sync_lanes();");
    for (const clang::VarDecl* changed : found.changed) tell(name(changed));
  }
  void tell(const std::string& variable) {
    out_.line(variable + " = channels::cilk::of_lane(" + variable + ", 0);");
  }

  void block(const clang::CompoundStmt* list) {
    out_.line("{");
    out_.in();
    all(list);
    out_.out();
    out_.line("}");
  }
  // What follows a spawn is not come to.
  void all(const clang::CompoundStmt* list) {
    for (auto each = list->body_begin(); each != list->body_end() && !ended_; ++each) {
      if (spawns_behind(how_, calls_, {each, list->body_end()})) {
        out_.line("channels_cilk_abort();  // it would spawn here");
        ended_ = true;
      } else {
        statement(*each);
      }
    }
  }
  void nested(const clang::Stmt* code) {
    if (code == nullptr) return;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code);
    out_.in();
    if (list != nullptr) {
      all(list);
    } else {
      statement(code);
    }
    ended_ = false;
    out_.out();
  }

  // A value that all lanes compute.
  bool computes(const clang::Expr* value) {
    if (value != nullptr && !effects(value).can_all()) {
      no(value, "a condition or a value has effects of its own");
      return false;
    }
    return true;
  }

  // Where others may change what a condition reads, against the rules, all lanes still go one way.
  std::string condition(const clang::Expr* value) {
    if (value == nullptr) return "";
    return effects(value).loads
               ? "channels::cilk::of_lane(static_cast<bool>(" + text(value) + "), 0)"
               : text(value);
  }

  void choice(const clang::IfStmt* branch) {
    if (branch->getInit() != nullptr || branch->getConditionVariable() != nullptr)
      return no(branch, "a condition declares a variable");
    if (!computes(branch->getCond())) return;
    user(branch, "if (" + condition(branch->getCond()) + ") {");
    nested(branch->getThen());
    if (branch->getElse() != nullptr) {
      out_.line("} else {");
      nested(branch->getElse());
    }
    out_.line("}");
  }

  void counted(const clang::ForStmt* loop) {
    const auto row = how_.loops.rows.find(loop);
    const auto chosen = how_.loops.lanes.find(loop);
    if (row != how_.loops.rows.end()) return lanes(row->second);
    if (chosen != how_.loops.lanes.end() && opened_.insert(loop).second) {
      result.loops.insert(loop);
      return lanes(chosen->second);
    }
    if (!computes(loop->getCond()) || !computes(loop->getInc())) return;
    out_.line("{");
    out_.in();
    statement(loop->getInit());
    user(loop, "for (; " + condition(loop->getCond()) + "; " +
                   (loop->getInc() != nullptr ? text(loop->getInc()) : "") + ") {");
    nested(loop->getBody());
    out_.line("}");
    out_.out();
    out_.line("}");
  }
  // Lanes that cannot share a nest share the loop inside, if that is possible when it begins.
  void lanes(const lane_loop& loop) {
    std::function<void()> otherwise;
    if (loop.nest != nullptr) otherwise = [&] { counted(loop.nest); };
    out_.line("");
    const bool divided = how_.divided != nullptr && how_.divided == loop.whole();
    write_lane_loop(source_, loop, how_.rules, ++loops_, out_, otherwise, divided);
  }
  void turns(const clang::WhileStmt* loop) {
    if (loop->getConditionVariable() != nullptr) return no(loop, "a condition declares a variable");
    if (!computes(loop->getCond())) return;
    user(loop, "while (" + condition(loop->getCond()) + ") {");
    nested(loop->getBody());
    out_.line("}");
  }
  void turns(const clang::DoStmt* loop) {
    if (!computes(loop->getCond())) return;
    user(loop, "do {");
    nested(loop->getBody());
    user(loop->getCond(), "} while (" + condition(loop->getCond()) + ");");
  }

  void declare(const clang::DeclStmt* declaration) {
    if (!can_declare(declaration)) return;
    for (const clang::Decl* each : declaration->decls()) {
      const auto* variable = llvm::cast<clang::VarDecl>(each);
      const std::string typed = type_text(source_, variable->getType(), name(variable));
      if (!variable->hasInit()) {
        user(variable, typed + ";");
        continue;
      }
      const code_effects found = effects(variable->getInit());
      if (found.can_all() && !variable->isStaticLocal()) {
        user(variable, print_declaration(source_, variable, for_lanes_) + ";");
        continue;
      }
      if (has_lanes(how_, variable->getInit()))
        return no(declaration, "a statement calls a function for lanes, and has other effects");
      if (!variable->getType()->isScalarType() || variable->isStaticLocal())
        return no(declaration, "one lane sets '" + variable->getNameAsString() +
                                   "', which is no scalar variable");
      user(variable, typed + ";");
      one_lane(declaration, name(variable) + " = " + text_alone(variable->getInit()) + ";", found);
      tell(name(variable));
    }
  }

  void leave(const clang::ReturnStmt* way_out) {
    const clang::Expr* value = way_out->getRetValue();
    if (value == nullptr) return user(way_out, "return;");
    const code_effects found = effects(value);
    if (found.can_all()) return user(way_out, "return " + text(value) + ";");
    if (has_lanes(how_, value))
      return no(way_out, "a statement calls a function for lanes, and has other effects");
    if (!value->getType()->isScalarType())
      return no(way_out, "one lane computes a result that is no scalar value");
    out_.line("{");
    out_.in();
    out_.line(type_text(source_, value->getType(), "cilk_result") + ";");
    one_lane(way_out, "cilk_result = " + text_alone(value) + ";", found);
    tell("cilk_result");
    out_.line("return cilk_result;");
    out_.out();
    out_.line("}");
  }

  // A statement with a call that leads to lanes.
  void expression(const clang::Expr* value) {
    if (value == how_.divided) return divided_call(llvm::cast<clang::CallExpr>(value));
    if (effects(value).can_all()) return user(value, text(value) + ";");
    const auto* change = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParens());
    const bool splits = change != nullptr && change->isAssignmentOp() &&
                        change->getRHS()->getType()->isScalarType() &&
                        effects(change->getRHS()).can_all() &&
                        effects(change->getLHS()).can_all() && !has_lanes(how_, change->getLHS());
    if (!splits) return no(value, "a statement calls a function for lanes, and stores besides");
    out_.line("{");
    out_.in();
    user(value, "const auto cilk_value = " + text(change->getRHS()) + ";");
    one_lane(value,
             text(change->getLHS()) + " " +
                 clang::BinaryOperator::getOpcodeStr(change->getOpcode()).str() + " cilk_value;",
             {});
    out_.out();
    out_.line("}");
  }

  void divided_call(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    std::string arguments;
    for (const clang::Expr* each : call->arguments()) arguments += text(each) + ", ";
    user(call, divided_name(callee) + "(" + arguments + "cilk_division);");
  }

  std::string name(const clang::VarDecl* variable) const {
    const std::string other = how_.rules.variable ? how_.rules.variable(variable) : "";
    return other.empty() ? variable->getNameAsString() : other;
  }
  template <class Node>
  void user(const Node* node, const std::string& text) {
    const user_place place = source_.place_of(node->getBeginLoc());
    out_.user_line(place.file, place.line, 0, text);
  }

  const together& how_;
  const program& source_;
  writer& out_;
  call_effects calls_;
  name_rules for_lanes_;
  std::set<const clang::ForStmt*> opened_;
  unsigned loops_ = 0;
  bool ended_ = false;
};

}  // namespace

written_together write_together(const together& how, const clang::Stmt* code, writer& out) {
  together_writer made(how, out);
  made.statement(code);
  return std::move(made.result);
}

std::string form_name(const clang::FunctionDecl* function) {
  return "cilk_by_lanes_" + function->getNameAsString();
}

std::string divided_name(const clang::FunctionDecl* function) {
  return "cilk_divided_" + function->getNameAsString();
}

bool suspends_in(const together& how, const clang::Stmt* code) {
  if (how.task == nullptr) return false;
  const auto is_child = [&](const void* key) {
    return how.task->child_at(key) != nullptr || how.task->allocation_at(key) != nullptr;
  };
  if (is_sync(code, how.place.source.sources()) || how.task->suspending.contains(code) ||
      is_child(code))
    return true;
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(code);
  if (declaration != nullptr) return std::ranges::any_of(declaration->decls(), is_child);
  // The task does not know what stands for a statement with loops that lanes see in another way.
  return std::ranges::any_of(code->children(), [&](const clang::Stmt* each) {
    return each != nullptr && suspends_in(how, each);
  });
}

bool spawns_behind(const together& how, call_effects& calls,
                   llvm::ArrayRef<clang::Stmt*> statements) {
  if (how.task == nullptr) return false;
  for (const clang::Stmt* each : statements) {
    if (suspends_in(how, each)) {
      const bool opens =
          is_sync(each, how.place.source.sources()) ||
          llvm::isa<clang::CompoundStmt, clang::IfStmt>(each) ||
          (llvm::isa<clang::ReturnStmt>(each) && how.task->child_at(each) == nullptr);
      if (!opens) return true;
    }
    if (effects_of(each, calls, how.place.owns).leaves) return false;
  }
  return false;
}

bool has_lanes(const together& how, const clang::Stmt* code) {
  struct visitor : tree_walker {
    const together* how = nullptr;
    bool found = false;
    bool VisitForStmt(clang::ForStmt* loop) override {
      found = found || how->loops.lanes.contains(loop) || how->loops.rows.contains(loop);
      return !found;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      found = found || (callee != nullptr && how->has_form(callee));
      return !found;
    }
  };
  visitor look;
  look.how = &how;
  look.look_through(code);
  return look.found;
}

}  // namespace cilk2chan
