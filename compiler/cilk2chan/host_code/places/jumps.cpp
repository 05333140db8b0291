#include "host_code/places/jumps.hpp"

#include "diagnostics/diagnostics.hpp"

#include <llvm/ADT/DenseSet.h>

namespace cilk2chan::host_code {

void jumps::check(const parsed_file& source) const {
  for (const goto_site& one : gotos_) {
    const auto label = labels_.find(one.statement->getLabel());
    if (label == labels_.end()) continue;
    check_jump(source, one.from, label->second, one.statement->getBeginLoc());
    for (const region* at = one.from; at != nullptr && at != label->second; at = at->outer) {
      const bool block = at->kind == region_kind::block;
      if (at->kind != region_kind::loop && !block) continue;
      refuse(source, one.statement->getBeginLoc(),
             block ? refusals::block_left : refusals::loop_goto, "goto");
      break;
    }
  }
}

void check_jump(const parsed_file& source, const region* from, const region* to,
                clang::SourceLocation where) {
  llvm::DenseSet<const region*> around;
  for (const region* at = from; at != nullptr; at = at->outer) around.insert(at);
  for (const region* at = to; at != nullptr && !around.contains(at); at = at->outer) {
    const char* const what = at->kind == region_kind::scope   ? "cilk_scope"
                             : at->kind == region_kind::loop  ? "cilk_for"
                             : at->kind == region_kind::block ? "cilk_spawn"
                                                              : nullptr;
    if (what != nullptr) return refuse(source, where, refusals::jump_into, what);
  }
}

}  // namespace cilk2chan::host_code
