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
      if (at->kind != region_kind::loop) continue;
      refuse(source, one.statement->getBeginLoc(), refusals::loop_goto);
      break;
    }
  }
}

void check_jump(const parsed_file& source, const region* from, const region* to,
                clang::SourceLocation where) {
  llvm::DenseSet<const region*> around;
  for (const region* at = from; at != nullptr; at = at->outer) around.insert(at);
  for (const region* at = to; at != nullptr && !around.contains(at); at = at->outer) {
    if (at->kind != region_kind::scope && at->kind != region_kind::loop) continue;
    const bool loop = at->kind == region_kind::loop;
    return refuse(source, where, refusals::jump_into, loop ? "cilk_for" : "cilk_scope");
  }
}

}  // namespace cilk2chan::host_code
