#include "tasks/device/unit.hpp"

#include "diagnostics/refusals.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/device/check.hpp"  // device_heap

#include <algorithm>

namespace cilk2chan {
namespace {

bool has_name(const clang::FunctionDecl* function, llvm::ArrayRef<llvm::StringLiteral> names) {
  const std::string name = function->getNameAsString();
  llvm::StringRef plain = name;
  plain.consume_front("__builtin_");
  return std::ranges::find(names, plain) != names.end();
}

// Functions that write to stdout, with the streams' own, and those that ask for the time.
constexpr llvm::StringLiteral printing[] = {"printf", "puts", "putchar"};
constexpr llvm::StringLiteral clocks[] = {"clock", "time", "clock_gettime", "gettimeofday"};

// The device's compiler knows the value of such a variable.
bool has_known_value(const program& source, const clang::VarDecl* variable) {
  return variable->getType()->isScalarType() &&
         (variable->isConstexpr() || is_constant(*source.context, variable));
}

bool has_atomics(const clang::Stmt* code) {
  struct visitor : tree_walker {
    bool found = false;
    bool VisitAtomicExpr(clang::AtomicExpr*) override { return !(found = true); }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      const std::string name = callee == nullptr ? "" : callee->getNameAsString();
      const llvm::StringRef text = name;
      found = found || text.starts_with("__sync_") || text.starts_with("__atomic_");
      return !found;
    }
  };
  visitor look;
  look.look_through(code);
  return look.found;
}

}  // namespace

device_unit::device_unit(const program& source, const std::vector<finished_task>& tasks,
                         reference_finder& finder, const function_placements& found,
                         const device_calls* calls, bool whole_program)
    : source_(source),
      finder_(finder),
      placements_(found),
      calls_(calls),
      whole_program_(whole_program) {
  llvm::SetVector<const clang::FunctionDecl*> all;
  for (const finished_task& task : tasks) {
    for (const clang::FunctionDecl* one : finder_.reach(task.task->definition)) all.insert(one);
  }
  reached_.assign(all.begin(), all.end());
  std::ranges::sort(reached_, [&](const auto* a, const auto* b) {
    return a != b &&
           source_.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
}

void device_unit::check() const {
  for (const clang::FunctionDecl* one : reached_) {
    const clang::FunctionDecl* definition = one->getDefinition();
    if (definition != nullptr && placements_.of(one) == placement::share)
      refuse(source_.context->getDiagnostics(), definition->getLocation(),
             placements_.why_shared(definition), definition->getNameAsString());
  }
}

bool device_unit::by_address(const clang::VarDecl* variable) const {
  if (!placements_.wants(variable) || is_table(variable)) return false;
  if (variable->getTLSKind() != clang::VarDecl::TLS_None || variable->isStaticDataMember() ||
      variable->isTemplated() || variable->isInline())
    return false;
  if (source_.sources().isInSystemHeader(variable->getLocation())) return false;
  if (calls_ != nullptr && calls_->variables().contains(variable->getCanonicalDecl())) return false;
  return placements_.has_address(variable) || !has_known_value(source_, variable);
}

bool device_unit::is_table(const clang::VarDecl* variable) const {
  if (in_header(variable) || variable->isTemplated() || variable->isStaticDataMember())
    return false;
  return !variable->getType()->isScalarType() &&
         (placements_.is_copied(variable) || variable->isConstexpr());
}

std::string device_unit::declare_address(const clang::VarDecl* variable) {
  variable = variable->getCanonicalDecl();
  if (!by_address(variable)) return {};
  const auto [place, is_new] = numbers_.try_emplace(variable, numbers_.size() + 1);
  if (!is_new) return {};
  bound_.push_back(variable);
  const std::string name = variable->getNameAsString();
  return "CHANNELS_CILK_ADDRESS(decltype(" + name + "), cilk_address_" +
         std::to_string(place->second) + "); ";
}

std::string device_unit::declare_headers() {
  if (headers_declared_) return {};
  headers_declared_ = true;
  std::string text;
  for (const clang::FunctionDecl* one : reached_) {
    const clang::FunctionDecl* definition = one->getDefinition();
    if (definition == nullptr || !in_header(definition)) continue;
    for (const clang::VarDecl* variable : finder_.of(definition).variables) {
      if (in_header(variable)) text += declare_address(variable);
    }
    const bool plain = !definition->isTemplateInstantiation() && !definition->isConstexpr() &&
                       !llvm::isa<clang::CXXMethodDecl>(definition) &&
                       definition->getDeclContext()->getRedeclContext()->isTranslationUnit();
    if (!plain) continue;
    clang::PrintingPolicy policy(source_.context->getLangOpts());
    policy.Bool = true;
    policy.Restrict = false;
    std::string declared = definition->getNameAsString();
    definition->getType().getAsStringInternal(declared, policy);
    text += "CHANNELS_DEVICE " + declared + "; ";
  }
  for (const clang::FunctionDecl* one : reached_) {
    for (const clang::VarDecl* variable : finder_.of(one).variables) {
      if (in_header(variable)) text += declare_address(variable);
    }
  }
  return text;
}

std::string device_unit::references_in(const clang::FunctionDecl* function,
                                       const function_list& inlined) const {
  named_variables variables = finder_.of(function).variables;
  for (const clang::FunctionDecl* each : inlined) {
    const named_variables& named = finder_.of(each).variables;
    variables.insert(named.begin(), named.end());
  }
  return references_to(variables);
}

std::string device_unit::references_in(const clang::LambdaExpr* lambda) const {
  return references_to(reference_finder::in(lambda->getCallOperator()).variables);
}

std::string device_unit::references_to(const named_variables& variables) const {
  std::string text;
  for (const clang::VarDecl* variable : variables) {
    const auto number = numbers_.find(variable->getCanonicalDecl());
    if (number != numbers_.end())
      text += "auto& " + variable->getNameAsString() + " = *" +
              place_of_address(variable, number->second) + "; ";
  }
  return text;
}

// The address stands behind the variable, in its namespace.
std::string device_unit::place_of_address(const clang::VarDecl* variable, unsigned number) const {
  const std::string name = "cilk_address_" + std::to_string(number);
  if (source_.is_c() || in_header(variable)) return name;
  const std::string full = full_name(source_, variable);
  return full.substr(0, full.size() - variable->getName().size()) + name;
}

void device_unit::write_unit(writer& out) {
  if (calls_ != nullptr) {
    for (const clang::VarDecl* one : calls_->variables()) bound_.push_back(one);
  }
  // Files without such variables need no escape analysis, which takes time.
  if (!bound_.empty()) {
    copies_.emplace(source_, finder_, reached_, whole_program_);
    copies_->choose(bound_);
  }
  out.line("");
  out.line("// Where the host has its variables, and of which tasks have copies.");
  out.line(
      "static void cilk_bind([[maybe_unused]] channels::cilk::named_variables& cilk_copies) {");
  out.in();
  for (const clang::VarDecl* one : bound_) {
    // No copy goes back after a task has ended the program, and handlers may read the variable.
    const bool stays = copies_->is_changed(one) && ends_program();
    const char* how = !copies_->has(one) || stays ? "channels::cilk::bind"
                      : copies_->is_changed(one)  ? "cilk_copies.copy_in_and_out"
                                                  : "cilk_copies.copy_in";
    const std::string name = full_name(source_, one);
    const auto number = numbers_.find(one);
    const std::string place = number != numbers_.end()
                                  ? place_of_address(one, number->second)
                                  : "*(decltype(&" + name + ")*)&cilk_variable_" +
                                        std::to_string(std::ranges::find(calls_->variables(), one) -
                                                       calls_->variables().begin());
    out.line(how + ("(" + place) + ", &" + name + ");");
  }
  if (calls_ != nullptr && calls_->has_addresses()) calls_->write_binding(out);
  out.out();
  out.line("}");
  const auto text = [](bool is) { return is ? "true" : "false"; };
  out.line(std::string("static channels::cilk::gpu_unit cilk_unit{{.memory = ") +
           text(uses_malloc() || has_containers() || allocates_objects()) +
           ", .output = " + text(writes() || calls_any(printing)) +
           ", .messages = " + text(writes()) + ", .endings = " + text(ends_program()) +
           ", .pointers = " + text(calls_ != nullptr && calls_->calls_unknown()) +
           ", .recursion = " + text(has_recursion()) +
           ", .addresses = " + text(has_own_addresses()) + "}, cilk_bind};");
}

bool device_unit::uses_malloc() const { return calls_any(device_heap()); }

std::string device_unit::library_headers() const {
  std::string text;
  const auto add = [&](llvm::ArrayRef<llvm::StringLiteral> names, llvm::StringRef header) {
    if (calls_any(names)) text += ("#include <channels/" + header + ">\n").str();
  };
  add(device_openmp(), "openmp/on_device.hpp");
  add(device_text(), "device_library/text.hpp");
  add(device_algorithms(), "device_library/algorithms.hpp");
  return text;
}

bool device_unit::writes() const { return calls_any(device_streams()); }

bool device_unit::ends_program() const { return calls_any(device_endings()); }

bool device_unit::calls_any(llvm::ArrayRef<llvm::StringLiteral> names) const {
  return std::ranges::any_of(reached_, [&](const auto* one) { return has_name(one, names); });
}

bool device_unit::in_header(const clang::Decl* declaration) const {
  const clang::SourceManager& sources = source_.sources();
  const clang::SourceLocation where = sources.getExpansionLoc(declaration->getLocation());
  return !sources.isInMainFile(where) && !sources.isInSystemHeader(where);
}

bool device_unit::calls(std::initializer_list<llvm::StringLiteral> names) const {
  return std::ranges::any_of(reached_, [&](const clang::FunctionDecl* one) {
    return has_name(one, llvm::ArrayRef<llvm::StringLiteral>(names.begin(), names.size()));
  });
}

bool device_unit::allocates_objects() const { return calls({"operator new", "operator new[]"}); }

// They allocate in functions that are not looked at.
bool device_unit::has_containers() const {
  return std::ranges::any_of(reached_, [&](const auto* one) { return is_container_made(one); });
}

bool device_unit::is_container_made(const clang::FunctionDecl* function) const {
  const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
  return made != nullptr && !made->getParent()->hasTrivialDestructor() &&
         source_.sources().isInSystemHeader(made->getLocation());
}

bool device_unit::host_may_take_steps(const finished_task& task) const {
  // Loops in parallel are cut for lanes.
  const bool loops =
      task.task->loop != nullptr || std::ranges::any_of(task.task->children, [](const auto& entry) {
        return entry.second->loop != nullptr;
      });
  if (loops) return false;
  llvm::SetVector<const clang::FunctionDecl*> own;
  own.insert(task.task->definition->getCanonicalDecl());
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (const clang::FunctionDecl* one : finder_.of(own[i]).functions) {
      const task_function* child = source_.task_of(one);
      if (child == nullptr || child->leaf) own.insert(one);
    }
  }
  return std::ranges::all_of(own, [&](const auto* one) { return runs_alike_on_host(one); });
}

bool device_unit::runs_alike_on_host(const clang::FunctionDecl* function) const {
  using name_list = llvm::ArrayRef<llvm::StringLiteral>;
  for (const auto names : {device_streams(), device_endings(), device_openmp(), name_list(printing),
                           name_list(clocks)}) {
    if (has_name(function, names)) return false;
  }
  const references& used = finder_.of(function);
  if (!used.pointer_calls.empty() || !used.virtual_calls.empty() ||
      !used.called_by_library.empty() || !used.names.empty() || !used.atomic_calls.empty() ||
      !used.shared_calls.empty() || used.kept != nullptr)
    return false;
  const clang::FunctionDecl* definition = function->getDefinition();
  if (definition != nullptr && definition->hasBody() && has_atomics(definition->getBody()))
    return false;
  return std::ranges::all_of(used.variables, [&](const clang::VarDecl* variable) {
    return by_address(variable) || has_known_value(source_, variable);
  });
}

// Calls of functions that spawn do not count: on the device they are spawns. Nor is it looked into
// the library's functions.
bool device_unit::has_recursion() const {
  if (calls({"sort", "partial_sort", "nth_element"})) return true;
  return std::ranges::any_of(reached_, [&](const clang::FunctionDecl* one) {
    if (one->getDefinition() == nullptr || source_.task_of(one) != nullptr) return false;
    return std::ranges::any_of(finder_.of(one).functions, [&](const auto* callee) {
      return finder_.reach(callee).contains(one->getCanonicalDecl());
    });
  });
}

// A table that is not copied is a constant whose address gets out of sight.
bool device_unit::has_own_addresses() const {
  return std::ranges::any_of(reached_, [&](const clang::FunctionDecl* one) {
    return one->getDefinition() != nullptr &&
           std::ranges::any_of(finder_.of(one).variables, [&](const clang::VarDecl* variable) {
             return is_table(variable) && !placements_.is_copied(variable);
           });
  });
}

}  // namespace cilk2chan
