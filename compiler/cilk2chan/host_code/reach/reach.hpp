#pragma once

#include "frontend/parsed_file.hpp"

#include <llvm/ADT/DenseMap.h>

#include <memory>
#include <optional>
#include <string>

namespace cilk2chan::host_code {

struct spawn_site;

/// What keeps a task at its rank.
struct reach_obstacle {
  std::string reason;
  clang::SourceLocation where;
};

/// What a function's own code does that another rank cannot do for it, and which functions it
/// calls.
struct own_reach {
  std::optional<reach_obstacle> obstacle;
  std::vector<std::pair<const clang::FunctionDecl*, clang::SourceLocation>> calls;
};

/// Finds how far tasks reach, for --net. A function has reach *world* if its arguments and its
/// result are values without pointers, and neither it nor what it calls uses memory but its own,
/// the program's constants, and what it allocates, or does anything else that shows; otherwise
/// reach *host*. Pointers need no analysis: none comes in, none goes out, none is made of a number
/// or of a variable that is no constant, so all lead to such memory.
class reach_finder {
 public:
  explicit reach_finder(const parsed_file& source) : source_(source) {}

  /// The first thing that gives a function reach host; nothing: its reach is world.
  [[nodiscard]] std::optional<reach_obstacle> of(const clang::FunctionDecl* function);
  /// The first thing that keeps this spawn's child at its rank, although it can be given away.
  [[nodiscard]] std::optional<reach_obstacle> of(const spawn_site& site);

 private:
  std::optional<reach_obstacle> of_signature(const clang::FunctionDecl* function) const;
  std::optional<reach_obstacle> of_code(const clang::FunctionDecl* function);
  const own_reach& own(const clang::FunctionDecl* definition);

  const parsed_file& source_;
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<own_reach>> known_;
};

}  // namespace cilk2chan::host_code
