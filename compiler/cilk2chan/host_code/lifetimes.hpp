#pragma once

#include "host_code/places.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace cilk2chan::host_code {

/// Where the variables of a file end, as far as children may still use them.
class lifetimes {
 public:
  explicit lifetimes(parsed_file& source) : source_(source) {}

  /// Notes a statement of a region's own block, or of a block inside of that.
  void note_own(const clang::Stmt* statement, region& around);
  void note_inside(const clang::Stmt* statement, const clang::Stmt* block, region& around);

  /// Forgets those of `function` that only the sanitizer wants, since it has jumps, which cannot go
  /// around the guards that they would get.
  void allow_jumps(place_list& places, const clang::FunctionDecl* function) const;

  /// Marks the spawns whose result nobody can read: what is assigned to a variable can be read
  /// after a sync, and only in its block.
  void mark_unread(place_list& places);

 private:
  [[nodiscard]] bool is_destroyed(const clang::Stmt* statement) const;
  [[nodiscard]] bool is_destroyed(const clang::VarDecl* variable) const;
  /// Whether a sanitizer looks on, to which everything dies at the end of its block.
  [[nodiscard]] bool is_checked() const;

  parsed_file& source_;
  llvm::DenseMap<const clang::Decl*, const clang::Stmt*> blocks_;
  llvm::DenseSet<const clang::Stmt*> only_checked_;
};

}  // namespace cilk2chan::host_code
