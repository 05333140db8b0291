#include "tasks/frame.hpp"

#include "analysis/allocations.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/parallel_loops.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>
#include <iterator>

namespace cilk2chan {
namespace {

class frame_builder {
 public:
  frame_builder(const program& source, const lowered_function& function,
                const variable_usage& usage, const liveness& live,
                const std::vector<summed_array>& summed)
      : source_(source), function_(function), usage_(usage), live_(live) {
    for (const summed_array& one : summed) {
      unkept_.insert(one.array);
      if (one.index != nullptr) unkept_.insert(one.index);
    }
  }

  frame_layout run(const variable_set& also) {
    keep(also);
    keep_exposed();
    visit(function_.enter);
    for (const segment& part : function_.resume) visit(part.steps);
    add_variables(false);
    add_results();
    add_variables(true);
    return std::move(layout_);
  }

 private:
  void visit(const std::vector<step>& steps) {
    for (const step& one : steps) {
      if (one.point != 0) keep_at(one);
      if (one.kind == step_kind::spawn) keep_slot(*one.piece.child);
      if (one.kind == step_kind::iterate && one.body.size() > 0) keep_control_variable();
      if (one.kind == step_kind::allocate) keep_memory(*one.piece.memory);
      if (one.kind == step_kind::wait_return && keeps_value(source_, one.piece.statement)) {
        results_.push_back(
            {one.piece.statement, function_.task->definition->getReturnType(), "result"});
      }
      visit(one.body);
      visit(one.otherwise);
    }
  }

  // Keeps the variables that are needed when `resume` goes on at this step.
  void keep_at(const step& one) {
    // For a loop, what is live before it includes what is live behind it.
    const bool loop = one.piece.child != nullptr && one.piece.child->loop != nullptr;
    if (one.piece.ends_scope && one.kind == step_kind::sync)
      return keep(live_.behind(one.piece.statement));
    if (one.kind == step_kind::sync && !loop) {
      keep(one.piece.child != nullptr ? live_.after(one.piece.child->call)
                                      : live_.after(llvm::cast<clang::Expr>(one.piece.statement)));
    } else if (one.piece.statement != nullptr && one.kind != step_kind::wait_return) {
      keep(live_.before(one.piece));
    }
  }

  void keep_slot(const child_call& child) {
    if (child.loop != nullptr) {
      for (const clang::VarDecl* variable : captured_by(*child.loop->loop)) keep_own(variable);
      return;
    }
    if (child.variable != nullptr) {
      kept_.insert(child.variable);
      if (!source_.context->hasSameUnqualifiedType(child.variable->getType(),
                                                   child.callee->getReturnType())) {
        layout_.converted.insert(child.variable);
      }
    } else if (child.place != nullptr) {
      const clang::VarDecl* variable = root_variable(child.place);
      if (variable != nullptr && variable->hasLocalStorage()) keep_own(variable);
    } else if (child.has_result()) {
      results_.push_back(
          {&child, child.callee->getReturnType(), child.returned ? "result" : "unused"});
    }
  }

  void keep_control_variable() { kept_.insert(function_.task->loop->form.variable); }

  // Keeps the pointer to the memory; and its size, if computing it again would have side effects.
  void keep_memory(const allocation& memory) {
    if (memory.call == nullptr) kept_.insert(memory.variable);
    if (size_of(memory)->HasSideEffects(*source_.context))
      results_.push_back({&memory, source_.context->getSizeType(), "bytes"});
  }

  // Keeps two kinds of variables around points: those whose address is taken, since liveness does
  // not follow pointers, and those that a loop's head declares, since a jump to a point would pass
  // it.
  void keep_exposed() {
    for (const clang::ParmVarDecl* parameter : function_.task->definition->parameters()) {
      if (usage_.escaped.contains(parameter)) keep_own(parameter);
    }
    for (const clang::Stmt* node : function_.task->suspending) {
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(node)) {
        for (const clang::Stmt* one : list->body()) keep_declared(one, false);
      } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node);
                 loop != nullptr && function_.task->child_at(loop) == nullptr) {
        keep_declared(loop->getInit(), true);
      }
    }
  }
  void keep_declared(const clang::Stmt* statement, bool all) {
    const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(statement);
    if (declaration == nullptr) return;
    for (const clang::Decl* one : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable != nullptr && (all || usage_.escaped.contains(variable))) kept_.insert(variable);
    }
  }

  void keep(const variable_set& variables) {
    for (const clang::VarDecl* variable : variables) {
      if (variable->hasLocalStorage()) keep_own(variable);
    }
  }
  void keep_own(const clang::VarDecl* variable) {
    if (function_.task->owns(variable)) kept_.insert(variable);
  }

  void add_variables(bool unkept) {
    std::vector<const clang::VarDecl*> order;
    std::ranges::copy_if(kept_, std::back_inserter(order), [&](const clang::VarDecl* one) {
      return unkept_.contains(one) == unkept;
    });
    std::ranges::sort(order, [&](const clang::VarDecl* a, const clang::VarDecl* b) {
      return source_.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    for (const clang::VarDecl* variable : order) {
      clang::QualType type = variable->getType();
      if (layout_.converted.contains(variable)) type = child_type(variable);
      if (variable_array(variable) != nullptr)
        type = pointer_type(*source_.context, {variable, nullptr, nullptr});
      layout_.variables[variable] = add(variable->getNameAsString(), type, variable);
      if (unkept && layout_.first_unkept.empty())
        layout_.first_unkept = layout_.members.back().name;
    }
  }

  clang::QualType child_type(const clang::VarDecl* variable) const {
    return function_.task->child_at(variable)->callee->getReturnType();
  }

  void add_results() {
    for (const auto& [key, type, name] : results_) {
      const auto same = std::ranges::find_if(layout_.members, [&](const frame_member& member) {
        return member.variable == nullptr && llvm::StringRef(member.name).starts_with(name) &&
               source_.context->hasSameUnqualifiedType(member.type, type);
      });
      layout_.results[key] = same != layout_.members.end() ? same->name : add(name, type, nullptr);
    }
  }

  std::string add(const std::string& wanted, clang::QualType type, const clang::VarDecl* variable) {
    std::string name = wanted;
    for (int number = 2; taken(name); ++number) name = wanted + '_' + std::to_string(number);
    layout_.members.push_back({name, type.getNonReferenceType(), variable});
    return name;
  }
  [[nodiscard]] bool taken(const std::string& name) const {
    if (function_.task->loop != nullptr && name == loop_member) return true;
    return std::ranges::any_of(layout_.members,
                               [&](const frame_member& member) { return member.name == name; });
  }

  struct wanted_result {
    const void* key;
    clang::QualType type;
    const char* name;
  };

  const program& source_;
  const lowered_function& function_;
  const variable_usage& usage_;
  const liveness& live_;
  variable_set kept_;
  variable_set unkept_;  // of these, those that a task that sums up can go on without
  std::vector<wanted_result> results_;
  frame_layout layout_;
};

}  // namespace

frame_layout lay_out_frame(const program& source, const lowered_function& function,
                           const variable_usage& usage, const liveness& live,
                           const variable_set& also, const std::vector<summed_array>& summed) {
  return frame_builder(source, function, usage, live, summed).run(also);
}

bool keeps_value(const program& source, const clang::Stmt* returning) {
  const clang::Expr* value = llvm::cast<clang::ReturnStmt>(returning)->getRetValue();
  if (value == nullptr || value->getType()->isVoidType()) return false;
  // A constant of the function's own is one, and is not there behind the sync.
  struct visitor : tree_walker {
    bool names_variable = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      return !(names_variable = names_variable || llvm::isa<clang::VarDecl>(name->getDecl()));
    }
  };
  visitor look;
  look.look_through(value);
  return look.names_variable || !value->isEvaluatable(*source.context);
}

}  // namespace cilk2chan
