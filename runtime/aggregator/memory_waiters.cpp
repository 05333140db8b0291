#include "runtime/aggregator/memory_waiters.hpp"

namespace channels::detail {

bool memory_waiters::relieve() {
  if (count_ != 0 && joined_at_ != headway_.epoch()) {
    memory_->join();
    retry();
    joined_at_ = headway_.epoch();
    return true;
  }
  return count_ != 0 && granted_at_ != headway_.epoch() && grant_one();
}

void memory_waiters::retry() {
  releases_seen_ = memory_->releases();
  for (std::uint32_t level = 0; level < table_.level_count(); ++level) {
    for (channel_state* const c : table_.at(level)) {
      for (auto* const list : {&c->starved, &c->granted}) {
        if (list->empty()) continue;
        c->waiting.insert(c->waiting.end(), list->begin(), list->end());
        list->clear();
        table_.mark_active(level);
      }
    }
  }
  count_ = 0;
  headway_.advance();
}

/// Chooses a frame of the deepest level, since only its tasks can give memory back, and there one
/// that has gone on alone before. So there is at most one such frame of a level: what it spawns is
/// deeper. True if there was one.
bool memory_waiters::grant_one() {
  if (!memory_->grants()) return false;
  for (std::uint32_t level = table_.level_count(); level-- > 0;) {
    for (const auto list : {&channel_state::granted, &channel_state::starved}) {
      for (channel_state* const c : table_.at(level)) {
        if ((c->*list).empty()) continue;
        c->waiting.push_back((c->*list).back());
        (c->*list).pop_back();
        --count_;
        granting_ = c;
        table_.mark_active(level);
        headway_.advance();
        granted_at_ = joined_at_ = headway_.epoch();
        return true;
      }
    }
  }
  return false;
}

}  // namespace channels::detail
