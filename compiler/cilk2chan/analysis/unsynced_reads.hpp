#pragma once

#include "frontend/keywords.hpp"

#include <clang/AST/ASTContext.h>

#include <vector>

namespace cilk2chan {

/// Warns where a variable that a spawn sets is read, and no sync can have waited for the spawn:
/// `x = cilk_spawn f(); use(x); cilk_sync;`. Says nothing where a way through the function leads to
/// the read without the spawn, or by a sync.
void warn_of_unsynced_reads(clang::ASTContext& context, const std::vector<keyword_use>& keywords);

}  // namespace cilk2chan
