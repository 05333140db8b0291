#include "tasks/device/copied_variables.hpp"

#include "analysis/library_calls.hpp"
#include "analysis/reducer_types.hpp"
#include "analysis/reductions.hpp"
#include "diagnostics/refusals.hpp"  // reasons

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// The most bytes of all copies of a file. Each run copies them, however little tasks use: this much
// takes some 5 ms each way.
constexpr std::int64_t most_bytes = std::int64_t{1} << 28U;

// Whether all attributes of the variable are harmless: other code cannot find the variable by them.
// No other file defines a weak variable: where this is asked, the program has one file.
bool is_ordinary(const clang::VarDecl* variable) {
  return std::ranges::all_of(variable->redecls(), [](const clang::VarDecl* one) {
    return std::ranges::all_of(one->attrs(), [](const clang::Attr* attribute) {
      return llvm::isa<clang::AlignedAttr, clang::UnusedAttr, clang::DeprecatedAttr,
                       clang::VisibilityAttr, clang::WeakAttr>(attribute);
    });
  });
}

// Whether an object of the type, or an element of an array, is its bytes. A reducer is if its view
// is one: the view is all that it has.
bool is_its_bytes(const clang::ASTContext& context, clang::QualType type) {
  const clang::CXXRecordDecl* record = context.getBaseElementType(type)->getAsCXXRecordDecl();
  const auto facts = is_reducer_class(record) ? facts_of_reducer_class(record) : std::nullopt;
  return (facts ? facts->view : type).isTriviallyCopyableType(context);
}

const clang::VarDecl* definition_of(const clang::VarDecl* variable) {
  const clang::VarDecl* definition = variable->getDefinition();
  return definition != nullptr ? definition : variable->getActingDefinition();
}

}  // namespace

copied_variables::copied_variables(const program& source, reference_finder& finder,
                                   const std::vector<const clang::FunctionDecl*>& reached,
                                   bool whole_program)
    : source_(source), escapes_(source), whole_program_(whole_program) {
  for (const clang::FunctionDecl* one : reached) reached_.insert(one->getCanonicalDecl());
  find_host_code(finder);
}

void copied_variables::choose(const std::vector<const clang::VarDecl*>& variables) {
  struct candidate {
    const clang::VarDecl* variable;
    std::int64_t bytes;
    bool changed;
  };
  std::vector<candidate> candidates;
  std::map<const clang::VarDecl*, std::string> obstacles;
  for (const clang::VarDecl* one : variables) {
    const variable_uses uses = escapes_.of(one);
    std::string why = obstacle_to(one, uses);
    if (!why.empty()) {
      obstacles[one] = std::move(why);
      continue;
    }
    const bool changed = std::ranges::any_of(
        uses.changed_in, [&](const auto* function) { return may_run_there(function); });
    const auto bytes =
        source_.context->getTypeSizeInChars(definition_of(one)->getType()).getQuantity();
    candidates.push_back({one, bytes, changed});
  }
  std::ranges::stable_sort(candidates, {}, &candidate::bytes);
  std::int64_t all = 0;
  for (const candidate& one : candidates) {
    all += one.bytes;
    if (all <= most_bytes)
      chosen_[one.variable] = one.changed;
    else
      obstacles[one.variable] = reasons::too_large(most_bytes);
  }
  for (const clang::VarDecl* one : variables) {
    explanation_ += one->getNameAsString() + ": variable, ";
    if (!has(one)) {
      explanation_ += "used where the host has it: " + obstacles[one] + "\n";
    } else {
      explanation_ += is_changed(one) ? "copied to devices and back\n" : "copied to devices\n";
    }
  }
}

bool copied_variables::has(const clang::VarDecl* variable) const {
  return chosen_.contains(variable->getCanonicalDecl());
}

bool copied_variables::is_changed(const clang::VarDecl* variable) const {
  const auto found = chosen_.find(variable->getCanonicalDecl());
  return found != chosen_.end() && found->second;
}

std::string copied_variables::obstacle_to(const clang::VarDecl* variable,
                                          const variable_uses& uses) const {
  if (variable->isExternallyVisible() && !whole_program_) return reasons::other_files;
  const clang::VarDecl* definition = definition_of(variable);
  if (definition == nullptr) return reasons::not_defined;
  const clang::QualType type = definition->getType();
  if (source_.context->getBaseElementType(type).isVolatileQualified()) return reasons::is_volatile;
  if (variable->getType()->isIncompleteType() || type->isIncompleteType())
    return reasons::unknown_size;
  if (type->isReferenceType() || !is_its_bytes(*source_.context, type))
    return reasons::not_copyable;
  if (!is_ordinary(variable)) return reasons::has_attributes;
  if (uses.escapes) return place_of(source_.sources(), *uses.escapes) + reasons::pointer_escapes;
  // Other threads may use the variable while tasks run, and expect to see what the tasks do. They
  // do not wait for a lock of tasks: what that protects is not theirs, either.
  if (variable->getName().starts_with(critical_lock)) return {};
  for (const clang::FunctionDecl* function : uses.atomic_in) {
    if (function == nullptr || on_host_.contains(function)) return reasons::atomic_on_host;
  }
  return {};
}

bool copied_variables::may_run_there(const clang::FunctionDecl* function) const {
  if (function == nullptr) return false;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool lambda = method != nullptr && method->getParent()->isLambda();
  return reached_.contains(function) || lambda || function->isTemplateInstantiation();
}

void copied_variables::find_host_code(reference_finder& finder) {
  std::vector<const clang::FunctionDecl*> waiting;
  const auto add = [&](const clang::FunctionDecl* function) {
    const task_function* task = source_.task_of(function);
    // A task that host code calls runs on the device.
    if (task != nullptr && !task->leaf) return;
    if (on_host_.insert(function->getCanonicalDecl()).second) waiting.push_back(function);
  };
  for (const clang::FunctionDecl* one : escapes_.functions()) {
    if (!reached_.contains(one)) add(one);
  }
  while (!waiting.empty()) {
    const clang::FunctionDecl* at = waiting.back();
    waiting.pop_back();
    for (const clang::FunctionDecl* callee : finder.of(at).functions) add(callee);
  }
}

}  // namespace cilk2chan
