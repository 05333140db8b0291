#include "tasks/node_names.hpp"

#include "frontend/tree_walker.hpp"
#include "frontend/type_text.hpp"
#include "tasks/parallel_loops.hpp"

#include <llvm/ADT/StringExtras.h>  // isAlnum
#include <llvm/ADT/StringSet.h>

#include <algorithm>

namespace cilk2chan {
namespace {

const llvm::StringSet<> member_names = {"name",
                                        "result_type",
                                        "arguments",
                                        "frame",
                                        "spawns",
                                        "enter",
                                        "resume",
                                        "Lane",
                                        "channels",
                                        "spawn_bound",
                                        "shares_frame",
                                        "quick_leaves",
                                        "uneven_leaves",
                                        "serial_parts",
                                        "leaf_test_reads_memory",
                                        "results_in_frame",
                                        "sums_up",
                                        "kept_frame",
                                        "most_at_once",
                                        "allocates",
                                        "is_leaf",
                                        "leaf",
                                        "leaf_memory",
                                        "Group"};

class name_collector : public tree_walker {
 public:
  llvm::StringSet<> names;
  bool VisitVarDecl(clang::VarDecl* variable) override {
    names.insert(variable->getNameAsString());
    return true;
  }
  // Types and functions that the code names must not be hidden.
  bool VisitTagTypeLoc(clang::TagTypeLoc type) override {
    names.insert(type.getDecl()->getNameAsString());
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) override {
    names.insert(type.getTypedefNameDecl()->getNameAsString());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    names.insert(name->getDecl()->getNameAsString());
    return true;
  }
};

}  // namespace

node_names::node_names(const program& source, const lowered_function& function,
                       const frame_layout& frame, const variable_usage& usage)
    : source_(source),
      layout_(frame),
      usage_(usage),
      task_(*function.task),
      opens_first_(!function.enter.empty() && function.enter.front().kind == step_kind::open) {
  name_collector taken;
  taken.look_through(function.task->definition);
  const auto choose = [&](std::string name) {
    while (taken.names.contains(name)) name += '_';
    return name;
  };
  lane = choose("lane");
  this->frame = choose("f");
  arguments = choose("args");
  point = choose("point");
  loop_first = choose("first_");
  loop_limit = choose("limit_");
  loop_step = choose("step_");
  loop_trips = choose("trips_");
  taken_ = std::move(taken.names);
}

bool node_names::mentions_local(llvm::StringRef text) const {
  const auto part_of_name = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!text.empty()) {
    const llvm::StringRef word = text.take_while(part_of_name);
    if (taken_.contains(word)) return true;
    text = text.drop_front(std::max<std::size_t>(word.size(), 1));
  }
  return false;
}

std::string node_names::variable(const clang::VarDecl* variable, node_part part) const {
  if (!task_.owns(variable)) return outer_variable(variable, part);
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  const bool unchanged = parameter != nullptr && !usage_.changed.contains(variable);
  const std::string* member = layout_.member_of(variable);
  if (part != node_part::resume && unchanged) return argument_access(parameter);
  if (part == node_part::before_open || member == nullptr) return local(variable);
  std::string place = frame_access(part) + *member;
  if (!layout_.converted.contains(variable)) return place;
  return "((" + type_text(source_, variable->getType()) + ")" + place + ")";
}

// A variable in the frame of the function or loop around this loop.
std::string node_names::outer_variable(const clang::VarDecl* variable, node_part part) const {
  const std::string range = std::string(loop_member) + ".";
  std::string place = part == node_part::resume ? frame_access(part) + range : arguments + ".";
  const task_function* owner = task_.loop->outer;
  for (place += "up->"; !owner->owns(variable); owner = owner->loop->outer) place += range + "up->";
  const auto member = owner->members.find(variable);
  if (member == owner->members.end()) return local(variable);
  place += member->second;
  if (!owner->converted.contains(variable)) return place;
  return "((" + type_text(source_, variable->getType()) + ")" + place + ")";
}

std::string node_names::outer(const clang::DeclRefExpr* name) const {
  const clang::NamedDecl* declaration = name->getDecl();
  const clang::IdentifierInfo* identifier = declaration->getIdentifier();
  if (identifier == nullptr || name->hasQualifier() ||
      llvm::isa<clang::FunctionDecl>(declaration->getDeclContext())) {
    return {};
  }
  const llvm::StringRef text = identifier->getName();
  const bool hidden = member_names.contains(text) || text == lane || text == frame ||
                      text == arguments || text == point;
  return hidden ? "::" + declaration->getQualifiedNameAsString() : "";
}

std::string node_names::frame_access(node_part part) const {
  return frame + (part == node_part::resume ? "." : "->");
}

std::string node_names::argument(const clang::ParmVarDecl* parameter) {
  if (parameter->getIdentifier() != nullptr) return parameter->getNameAsString();
  return "unnamed_" + std::to_string(parameter->getFunctionScopeIndex() + 1);
}

std::string node_names::argument_access(const clang::ParmVarDecl* parameter) const {
  return arguments + "." + argument(parameter);
}

bool node_names::has_copy(const clang::VarDecl* variable) const {
  return usage_.changed.contains(variable) &&
         !(opens_first_ && layout_.member_of(variable) != nullptr);
}

// A variable with the name of a member of the task would hide that member.
std::string node_names::local(const clang::VarDecl* variable) const {
  const std::string name = variable->getNameAsString();
  return member_names.contains(name) ? name + '_' : name;
}

}  // namespace cilk2chan
