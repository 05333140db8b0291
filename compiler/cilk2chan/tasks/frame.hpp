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
  const clang::VarDecl* variable = nullptr;  // null: a result that no variable takes
};

/// The member of a loop's frame that holds the loop's arguments: a range and the frame around it.
inline constexpr const char* loop_member = "range";

/// The frame of a lowered function: variables that are needed after a point where the task gives up
/// its lane, and the slots that children write.
struct frame_layout {
  std::vector<frame_member> members;
  std::map<const clang::VarDecl*, std::string> variables;
  std::set<const clang::VarDecl*>
      converted;  // hold a result of another type, converted at each use
  std::map<const void*, std::string> results;  // by child_call, or by ReturnStmt
  // A task that sums up in loops can go on without the members from this one on; empty: it needs
  // all.
  std::string first_unkept;

  [[nodiscard]] const std::string* member_of(const clang::VarDecl* variable) const {
    const auto found = variables.find(variable);
    return found == variables.end() ? nullptr : &found->second;
  }
};

/// Lays out the frame. `also`: further variables that emitted text was found to need. The variables
/// of `summed` come last.
[[nodiscard]] frame_layout lay_out_frame(const program& source, const lowered_function& function,
                                         const variable_usage& usage, const liveness& live,
                                         const variable_set& also,
                                         const std::vector<summed_array>& summed);

/// Whether a return that waits computes its value before it waits, and keeps it in the frame.
[[nodiscard]] bool keeps_value(const program& source, const clang::Stmt* returning);

}  // namespace cilk2chan
