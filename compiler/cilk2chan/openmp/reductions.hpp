#pragma once

#include "openmp/file_changes.hpp"

#include <string>
#include <vector>

namespace cilk2chan::openmp {

/// A variable of a `reduction`, or a section of an array. Each part of the work has a value of its
/// own in an array of parts. The members return text; `part` is the number of a part, as text.
class reduced_variable {
 public:
  const clang::VarDecl* variable = nullptr;
  std::string name;
  std::string type;       // of the variable, or of an element
  std::string first;      // what each part begins with; none: the variable's value
  std::string operation;  // an operator, `min` or `max`
  bool section = false;
  std::string low;     // the section's first element; none: 0
  std::string length;  // of the section
  std::string parts;   // the name of the array of parts

  /// Declares the array of parts, in memory from malloc, before the variable is hidden.
  [[nodiscard]] std::string declare(const std::string& count) const;
  /// Declares the part's own variable.
  [[nodiscard]] std::string begin(const std::string& part) const;
  /// Keeps the part's value.
  [[nodiscard]] std::string store(const std::string& part) const;
  /// Brings the part's value into the variable.
  [[nodiscard]] std::string combine(const std::string& part) const;
  /// Brings the value of a part into the value of another one. Not for sections.
  [[nodiscard]] std::string combine_into(const std::string& into, const std::string& part) const;
  /// Brings all parts of a section into the array, in parallel; first so many neighbours into one.
  [[nodiscard]] std::string combine_all(const std::string& count, const std::string& near) const;
  [[nodiscard]] std::string release() const;

 private:
  [[nodiscard]] std::string combined(const std::string& place, const std::string& value) const;
};

/// The variables of a directive's `reduction` clauses. Refuses what cannot be reduced.
[[nodiscard]] std::vector<reduced_variable> reductions_of(file_changes& out,
                                                          const clang::OMPExecutableDirective* one);

}  // namespace cilk2chan::openmp
