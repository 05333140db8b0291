#pragma once

#include <cstdint>        // uint64_t
#include <unordered_map>  // unordered_map
#include <vector>         // vector

#include "tests/channel/schedule.hpp"

namespace channels::testing {

/// A memory in which loads may return old values, as weakly ordered processors' do: each location
/// keeps all that was ever stored to it, and a thread may read anything not older than what it has
/// to know of. Storing with release passes on what a thread knows, loading with acquire takes it
/// over (the view machine of Kang et al., "A promising semantics for relaxed-memory concurrency",
/// POPL 2017, without promises). Plain accesses are checked for data races with vector clocks.
///
/// Threads run one at a time, under a `schedule`, and may be interrupted at each access.
class weak_machine {
 public:
  enum class load_order { relaxed, acquire };
  enum class store_order { relaxed, release };

  weak_machine(std::size_t threads, std::uint64_t seed) : dice_(seed), threads_(threads) {
    for (std::size_t i = 0; i < threads; ++i) threads_[i].known.clock.resize(threads, 0);
  }

  /// The machine on which scheduled threads run; a thread's number there is that of the schedule.
  static inline thread_local weak_machine* running = nullptr;

  std::uint64_t load(const void* address, std::uint64_t initial, load_order o) {
    schedule::step();
    location& l = at(address, initial);
    return read(l, pick(l), o);
  }

  void store(const void* address, std::uint64_t initial, std::uint64_t value, store_order o) {
    schedule::step();
    location& l = at(address, initial);
    append(l, value, o, nullptr);
  }

  /// Read-modify-write: works on the newest value, and continues its release sequence.
  std::uint64_t fetch_add(const void* address, std::uint64_t initial, std::uint64_t n,
                          load_order lo, store_order so) {
    schedule::step();
    location& l = at(address, initial);
    const std::size_t newest = l.messages.size() - 1;
    const std::uint64_t before = read(l, newest, lo);
    append(l, before + n, so, &l.messages[newest].released);
    return before;
  }

  bool compare_exchange(const void* address, std::uint64_t initial, std::uint64_t& expected,
                        std::uint64_t desired, load_order lo, store_order so, load_order failure) {
    schedule::step();
    location& l = at(address, initial);
    const std::size_t newest = l.messages.size() - 1;
    // One that fails is a load, and may return an old value.
    std::size_t i = pick(l);
    if (l.messages[i].value == expected) i = newest;
    if (l.messages[i].value != expected) {
      expected = read(l, i, failure);
      return false;
    }
    read(l, i, lo);
    append(l, desired, so, &l.messages[i].released);
    return true;
  }

  /// An access to an element. False if it races with another thread's.
  [[nodiscard]] bool access(std::size_t element, bool write) {
    if (element >= elements_.size()) elements_.resize(element + 1);
    history& h = elements_[element];
    if (h.read.empty()) h.read = h.written = std::vector<std::uint64_t>(threads_.size(), 0);
    view& mine = threads_[schedule::me()].known;
    bool ordered = true;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      ordered = ordered && h.written[t] <= mine.clock[t] && (!write || h.read[t] <= mine.clock[t]);
    }
    (write ? h.written : h.read)[schedule::me()] = ++mine.clock[schedule::me()];
    return ordered;
  }

 private:
  /// What a thread knows: of each location, that it is not older than some message; of each thread,
  /// how many of its plain accesses lie before.
  struct view {
    std::vector<std::size_t> newest;
    std::vector<std::uint64_t> clock;

    void join(const view& other) {
      take_larger(newest, other.newest);
      take_larger(clock, other.clock);
    }
    template <class T>
    static void take_larger(std::vector<T>& mine, const std::vector<T>& others) {
      if (mine.size() < others.size()) mine.resize(others.size(), 0);
      for (std::size_t i = 0; i < others.size(); ++i) mine[i] = std::max(mine[i], others[i]);
    }
  };
  struct message {
    std::uint64_t value;
    view released;  ///< what an acquire load of it learns
  };
  struct location {
    std::size_t number;
    std::vector<message> messages;
  };
  struct thread {
    view known;
  };
  struct history {
    std::vector<std::uint64_t> read, written;
  };

  location& at(const void* address, std::uint64_t initial) {
    auto [found, is_new] = locations_.try_emplace(address);
    location& l = found->second;
    if (is_new) {
      l.number = locations_.size() - 1;
      l.messages.push_back({initial, {}});
    }
    view& mine = threads_[schedule::me()].known;
    if (mine.newest.size() <= l.number) mine.newest.resize(l.number + 1, 0);
    return l;
  }

  /// Most often the newest value, else any that may still be read.
  std::size_t pick(const location& l) {
    const std::size_t newest = l.messages.size() - 1;
    if (!dice_.once_in(3)) return newest;
    return dice_.from(threads_[schedule::me()].known.newest[l.number], newest);
  }

  std::uint64_t read(location& l, std::size_t i, load_order o) {
    view& mine = threads_[schedule::me()].known;
    mine.newest[l.number] = std::max(mine.newest[l.number], i);
    if (o == load_order::acquire) mine.join(l.messages[i].released);
    return l.messages[i].value;
  }

  void append(location& l, std::uint64_t value, store_order o, const view* continued) {
    view& mine = threads_[schedule::me()].known;
    mine.newest[l.number] = l.messages.size();
    message m{value, {}};
    if (continued) m.released = *continued;
    if (o == store_order::release) m.released.join(mine);
    l.messages.push_back(std::move(m));
  }

  dice dice_;
  std::unordered_map<const void*, location> locations_;
  std::vector<thread> threads_;
  std::vector<history> elements_;
};

}  // namespace channels::testing
