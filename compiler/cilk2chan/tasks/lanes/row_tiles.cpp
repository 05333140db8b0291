#include "tasks/lanes/row_tiles.hpp"

#include "analysis/effects.hpp"
#include "tasks/lanes/overlaps.hpp"
#include "tasks/lanes/printing.hpp"

#include <algorithm>
#include <utility>

namespace cilk2chan {
namespace {

// The loop that is all of a loop's body; null if there is more, or none.
const clang::ForStmt* only_loop(const clang::ForStmt* around) {
  const clang::Stmt* body = around->getBody();
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body))
    body = list->size() == 1 ? list->body_front() : nullptr;
  return llvm::dyn_cast_or_null<clang::ForStmt>(body);
}

// Whether a loop's body is declarations and then `inside`.
bool ends_with(const clang::ForStmt* around, const clang::ForStmt* inside) {
  const clang::Stmt* body = around->getBody();
  if (body == inside) return true;
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (list == nullptr || list->body_empty() || list->body_back() != inside) return false;
  return std::all_of(list->body_begin(), std::prev(list->body_end()), [](const clang::Stmt* one) {
    return llvm::isa<clang::DeclStmt>(one) && !has_branch(one);
  });
}

}  // namespace

std::optional<row_tile> find_row_tile(const loop_place& place, const lane_loop& loop) {
  row_tile made;
  made.inner = only_loop(loop.nest);
  if (made.inner == nullptr || made.inner == loop.node || !ends_with(made.inner, loop.node) ||
      has_branch(loop.node->getBody()))
    return std::nullopt;

  const auto stores = [](const access& one) { return one.stores; };
  if (std::ranges::count_if(loop.accesses, stores) != 1) return std::nullopt;
  const auto stored = std::ranges::find_if(loop.accesses, stores);
  made.stored = static_cast<std::size_t>(stored - loop.accesses.begin());
  if (!stored->where || stored->where->may_wrap || stored->root == nullptr ||
      stored->around.size() != 2 || !stored->place->getType()->isScalarType())
    return std::nullopt;
  const auto moves = [&](std::size_t which) {
    return stored->where->offset.mentions(key_of(stored->around[which].form.variable));
  };
  if (moves(0) == moves(1)) return std::nullopt;
  if (moves(1)) std::swap(made.rows, made.terms);

  // All else is other memory: known to be, or compared.
  for (const access& one : loop.accesses) {
    if (&one != &*stored && one.root == stored->root) return std::nullopt;
  }
  const auto compared = std::ranges::find(loop.compared, made.stored, &compared_access::access);
  if (compared == loop.compared.end() || compared->bytes != stored->bytes) return std::nullopt;
  made.compared = static_cast<std::size_t>(compared - loop.compared.begin());

  // Ranges that are the same for all rows, and variables that have no other life.
  const std::vector<counted_loop> none;
  address_reader reader(place.source, loop.variables, none);
  for (const counted_loop& one : stored->around) {
    if (!is_known(one, reader) || !one.form.variable->getType()->isIntegerType())
      return std::nullopt;
  }
  for (const clang::VarDecl* one : loop.variables.changed) {
    const bool counts = one == stored->around[0].form.variable ||
                        one == stored->around[1].form.variable || one == loop.form.variable;
    const bool is_memory = one->getType()->isArrayType() || one->getType()->isRecordType();
    if (!counts && !is_memory && !loop.variables.declared.contains(one)) return std::nullopt;
  }
  return made;
}

}  // namespace cilk2chan
