#pragma once

#include "analysis/liveness.hpp"
#include "analysis/summed_arrays.hpp"
#include "analysis/usage.hpp"
#include "tasks/lower.hpp"

#include <map>
#include <string>
#include <vector>

namespace cilk2chan {

struct frame_member {
  std::string name;
  clang::QualType type;
  const clang::VarDecl* variable = nullptr;  // none: a result that no variable takes
};

/// The member of a loop's frame that says which iterations, and of whom.
inline constexpr const char* loop_member = "range";

/// What the frame of a lowered function holds: variables that are needed after a point where the
/// lane is given up, and the slots that children write.
struct frame_layout {
  std::vector<frame_member> members;
  std::map<const clang::VarDecl*, std::string> variables;
  std::set<const clang::VarDecl*>
      converted;  // hold a result of another type, converted at each use
  std::map<const void*, std::string> results;  // by child_call, or by ReturnStmt
  // The first member that a task that sums up in loops does not need to go on; empty: it needs all.
  std::string first_unkept;

  [[nodiscard]] const std::string* member_of(const clang::VarDecl* variable) const {
    const auto found = variables.find(variable);
    return found == variables.end() ? nullptr : &found->second;
  }
};

/// `also` are variables that the emitted text turned out to need. What `summed` names comes last.
[[nodiscard]] frame_layout lay_out_frame(const program& source, const lowered_function& function,
                                         const variable_usage& usage, const liveness& live,
                                         const variable_set& also,
                                         const std::vector<summed_array>& summed);

/// Whether a return that waits keeps its value, rather than computing it afterwards.
[[nodiscard]] bool keeps_value(const program& source, const clang::Stmt* returning);

}  // namespace cilk2chan
