#pragma once

#include <cmath>    // pow
#include <cstdint>  // fixed-width integers

#include "runtime/aggregator/flight_record.hpp"

namespace channels::detail {

/// Whether a run gets anywhere. Invariant: `epoch` has grown since a candidate was refused exactly
/// if something has happened since that may let it go on.
class headway {
 public:
  /// `force_yield`: the share of reservations that are refused at random.
  explicit headway(double force_yield)
      : most_reliefs_(force_yield > 0 ? most_where_refused : most_in_vain),
        fruitless_before_refused_(
            force_yield > 0 ? static_cast<std::uint64_t>(100 / std::pow(1 - force_yield, 4)) : 0) {}

  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  /// Whether there may be something to decide.
  [[nodiscard]] bool undecided() const { return undecided_; }
  /// One batch is in flight at a time: nothing else could run, and each gets a fair trial.
  [[nodiscard]] bool alone() const { return alone_; }
  /// Whether channels may be enlarged once more although that has not helped so far.
  [[nodiscard]] bool may_relieve() const { return reliefs_in_vain_ < most_reliefs_; }
  /// Batches that have ended.
  [[nodiscard]] std::uint64_t batches() const { return batches_; }
  /// How often in a row what has room may be refused it all the same, by `settings::force_yield`.
  [[nodiscard]] std::uint64_t refused_by_chance() const { return fruitless_before_refused_; }
  /// Grows with each batch that did any work, and when elements come from other places or leave.
  [[nodiscard]] std::uint64_t finished() const { return finished_; }
  /// Grows while the run goes on, for the watchdog. Any thread may call it.
  [[nodiscard]] std::uint64_t beats() const {
    // Relaxed: only whether it changes matters.
    return __atomic_load_n(&beats_, __ATOMIC_RELAXED);
  }

  /// All has been decided for now.
  void decided() { undecided_ = false; }
  void look_again() { undecided_ = true; }
  /// Something has happened that may let refused candidates go on.
  void advance() {
    ++epoch_;
    undecided_ = true;
  }
  void go_alone() {
    alone_ = true;
    fruitless_ = 0;
    advance();
  }
  /// Channels were enlarged because nothing could go on.
  void relieved() {
    ++reliefs_in_vain_;
    fruitless_ = 0;
    advance();
  }
  /// Judges a batch that has ended.
  void batch_ended(const flight_record& f) {
    const bool changed = f.changed_anything();
    ++batches_;
    if (f.finished_anything()) ++finished_;
    undecided_ = true;
    fruitless_ = changed ? 0 : fruitless_ + 1;
    if (changed) reliefs_in_vain_ = 0;
    alone_ &= !changed;
    // Only a batch that is alone has all the room that there is.
    const bool by_chance = alone_ && fruitless_ < fruitless_before_refused_;
    if (changed || by_chance) {
      ++epoch_;
      beat();
    } else {
      f.source->refused_at[static_cast<std::size_t>(f.what)] = epoch_;
    }
  }
  /// The device aggregator has handed back after it ran `batches` batches besides those that it
  /// left.
  void handover_ended(std::uint64_t batches) {
    finished_ += batches;
    advance();
    beat();
    reliefs_in_vain_ = 0;
    fruitless_ = 0;
  }

  /// Elements have come from other places, or have left for them: there may be room that nothing
  /// has tried yet.
  void others_moved() {
    ++finished_;
    advance();
  }
  /// The run goes on although no batch has ended. Relaxed: a count that orders nothing.
  void beat() { __atomic_fetch_add(&beats_, 1, __ATOMIC_RELAXED); }

 private:
  /// Channels enlarged in a row without any work that could then go on: many times what it takes to
  /// double all channels of one level up to their capacity.
  static constexpr std::uint64_t most_in_vain = 1000;
  /// The same where room is refused at random. Each relief takes thousands of batches there to show
  /// that it was in vain, so the limit is a few times what it takes.
  static constexpr std::uint64_t most_where_refused = 100;

  std::uint64_t epoch_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t finished_ = 0;
  bool undecided_ = true;
  bool alone_ = false;
  std::uint64_t reliefs_in_vain_ = 0;  ///< since a batch last changed anything
  std::uint64_t most_reliefs_;
  std::uint64_t fruitless_ = 0;  ///< batches in a row that changed nothing
  /// Fruitless batches in a row that forced yields explain: a hundred times as many as it takes
  /// until four reservations succeed together.
  std::uint64_t fruitless_before_refused_;
  std::uint64_t beats_ = 0;
};

}  // namespace channels::detail
