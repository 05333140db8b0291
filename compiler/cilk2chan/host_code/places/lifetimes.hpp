#pragma once

#include "host_code/places/places.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace cilk2chan::host_code {

/// Finds where variables end that children may still use.
class lifetimes {
 public:
  explicit lifetimes(parsed_file& source) : source_(source) {}

  /// Notes a statement of a region's own block, or of an inner block.
  void note_own(const clang::Stmt* statement, region& around);
  /// Of the second kind true if variables end with the block, and something with them.
  bool note_inside(const clang::Stmt* statement, const clang::Stmt* block, region& around);

  /// Forgets the declarations of `function` that only the sanitizer needs. The function has jumps,
  /// and these cannot go around the guards that the declarations would get.
  void allow_jumps(place_list& places, const clang::FunctionDecl* function) const;

  /// Marks the spawns whose result cannot be read: a result in a variable can be read only after a
  /// sync, or the end of a scope, and only in the variable's block.
  void mark_unread(place_list& places);

 private:
  [[nodiscard]] bool is_destroyed(const clang::Stmt* statement) const;
  [[nodiscard]] bool is_destroyed(const clang::VarDecl* variable) const;
  /// Whether the address sanitizer is on. For it every variable dies at the end of its block.
  [[nodiscard]] bool is_checked() const;

  parsed_file& source_;
  llvm::DenseMap<const clang::Decl*, const clang::Stmt*> blocks_;
  llvm::DenseSet<const clang::Stmt*> only_checked_;
};

}  // namespace cilk2chan::host_code
