#include "runtime/net/peer_link.hpp"

#include <algorithm>  // min
#include <utility>    // move, exchange

namespace channels::detail {

void peer_link::send(parcel p) {
  parcel_header h = header_of(p);
  h.sequence = ++sent_;
  set_header(p, h);
  waiting_.push_back(std::move(p));
}

void peer_link::pump(clock::time_point now, clock::duration silence) {
  while (!waiting_.empty() && unacknowledged_.size() < window) {
    parcel& first = waiting_.front();
    parcel copy = reliable_ ? parcel{} : copy_of(first);
    const std::uint64_t sequence = header_of(first).sequence;
    if (!post(first)) {
      by_.give(std::move(copy));
      return;
    }
    waiting_.pop_front();
    last_post_ = now;
    if (!reliable_) {
      unacknowledged_.push_back(
          {std::move(copy), sequence, now + options_.resend_after, options_.resend_after});
    }
  }
  if (!reliable_) resend(now);
  if ((owes_ && !reliable_) || now - last_post_ >= silence) {
    parcel p = by_.take();
    fill(p, {}, by_.parcel_bytes());
    if (post(p)) last_post_ = now;
    by_.give(std::move(p));
  }
}

/// Posts a parcel with the newest acknowledgement.
bool peer_link::post(parcel& p) {
  parcel_header h = header_of(p);
  h.acknowledged = arrived_;
  set_header(p, h);
  if (!by_.post(place_, p)) return false;
  owes_ = false;
  return true;
}

void peer_link::resend(clock::time_point now) {
  for (kept& k : unacknowledged_) {
    if (k.due > now) continue;
    parcel copy = copy_of(k.what);
    const bool gone = post(copy);
    by_.give(std::move(copy));
    if (!gone) return;
    ++counts_.resent;
    last_post_ = now;
    k.patience = std::min<clock::duration>(2 * k.patience, 16 * options_.resend_after);
    k.due = now + k.patience;
  }
}

void peer_link::arrived(parcel p, const receiver& deliver) {
  const parcel_header h = header_of(p);
  take_acknowledgement(h.acknowledged);
  if (h.sequence == 0) {
    by_.give(std::move(p));
    return;
  }
  owes_ = true;  // also for what came before: the acknowledgement may be what was lost
  if (h.sequence <= arrived_ || early_.contains(h.sequence)) {
    ++counts_.duplicates;
    by_.give(std::move(p));
    return;
  }
  if (h.sequence != arrived_ + 1) {
    early_.emplace(h.sequence, std::move(p));  // few: the window bounds what can be out
    return;
  }
  ++arrived_;
  deliver(std::move(p));
  while (!early_.empty() && early_.begin()->first == arrived_ + 1) {
    parcel next = std::move(early_.begin()->second);
    early_.erase(early_.begin());
    ++arrived_;
    deliver(std::move(next));
  }
}

void peer_link::take_acknowledgement(std::uint64_t up_to) {
  acknowledged_ = std::max(acknowledged_, up_to);
  while (!unacknowledged_.empty() && unacknowledged_.front().sequence <= acknowledged_) {
    by_.give(std::move(unacknowledged_.front().what));
    unacknowledged_.pop_front();
  }
}

parcel peer_link::copy_of(const parcel& p) {
  parcel copy = by_.take();
  std::memcpy(copy.bytes.get(), p.bytes.get(), p.size);
  copy.size = p.size;
  return copy;
}

}  // namespace channels::detail
