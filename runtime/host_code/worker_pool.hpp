#pragma once

#include <array>       // array
#include <functional>  // function
#include <optional>    // optional
#include <vector>      // vector

#include "channels/settings.hpp"
#include "runtime/host_code/progress.hpp"
#include "runtime/host_code/worker.hpp"
#include "runtime/observe/interruption.hpp"
#include "runtime/threads/at_fork.hpp"

namespace channels::host_code {

/// Limits on which children are given, and on what giving costs.
struct giving_limits {
  /// A child should run this long. If a worker's given children run shorter, only shallower frames
  /// of that worker give. To give a child and take it costs some two microseconds on many cores.
  static constexpr std::chrono::microseconds worthwhile{10};
  /// What runs shorter than this should not have been given at all. It is charged like a child that
  /// nobody took: a loop that spawns has no deeper and shallower frames to choose from.
  static constexpr std::chrono::microseconds least{2};
  /// A worker that finds nothing for this long makes deeper frames of others give, and of each of
  /// them once in this time. Sooner would make all give tiny children, whose cost keeps workers
  /// waiting for longer than the lack of children.
  static constexpr std::chrono::microseconds before_deeper{200};
  /// Children that a worker offers before anyone is hungry: one for each of its shallowest frames.
  /// What these frames do not offer at their spawns, nobody can take from them later.
  static constexpr std::uint32_t offered_ahead = 4;
  /// Time that a child that nobody took, or that was too short, adds to the allowance: some thirty
  /// times what the first costs.
  static constexpr std::chrono::microseconds unwanted_cost{8};
  /// Unused allowance that a worker can have at most.
  static constexpr std::chrono::microseconds most_allowance{400};
  /// Number of workers that a hungry worker asks at a time.
  static constexpr std::uint32_t asked = 8;
  /// Number of children that end between two adaptations of the depth.
  static constexpr std::uint32_t sample = 4;
  /// Numbers of children that a worker has begun and not ended: with the first it gives no more,
  /// with the second it takes none while it waits at a join. Each such child holds some 500 bytes
  /// of stack that the serial program does not need.
  static constexpr std::uint32_t most_nested = 256;
  static constexpr std::uint32_t most_helping = 64;
  /// Number of children that one frame may give before it is asked: some hundred microseconds of
  /// the smallest children.
  static constexpr std::uint32_t most_ahead = 256;
  /// A worker that waits at a join takes, for this long, only children that the join waits for. Any
  /// other would lie on top of the waiting frame, and hold up what comes after the join. If they
  /// are late even so, their threads may have lost their processors.
  static constexpr std::chrono::microseconds before_others{1000};
  /// Number of workers of which each waits for the next that such a worker asks.
  static constexpr std::uint32_t most_followed = 8;
  /// Time that a taker searches before it goes back to the crew: longer than the pauses between the
  /// parallel regions of a program that has many.
  static constexpr std::chrono::microseconds longest_search{1000};
};

/// The workers of this process, and the state that they share. There is one object for the process,
/// because functions of a compiled program keep their signatures and get no runtime. It is never
/// destroyed, because destructors of the program may still spawn.
class worker_pool {
 public:
  static worker_pool& instance();

  /// Makes this thread a worker. Returns null if another worker would gain nothing; this thread's
  /// spawns are plain calls from then on.
  worker* attach(bool of_crew);
  void detach(worker& w);
  /// The thread of `w` ends, or `exit` runs on it: in the middle of a computation it can only be
  /// `exit`, and all that belongs to the computation is brought to a halt.
  void leave(worker& w);

  /// Changes the settings. Call it while no Cilk function runs.
  void use(const settings& options);

  /// Whether this thread runs a child that was given away.
  [[nodiscard]] static bool runs_child_here();

  /// The number of workers of the settings.
  [[nodiscard]] std::uint32_t units() const { return units_; }
  /// Whether a thread has been a worker: it is then too late for a program to choose their number.
  /// Relaxed: only the program's own calls ask.
  [[nodiscard]] bool used() const { return count_.load(std::memory_order_relaxed) != 0; }
  /// The number by which the program knows the calling thread's worker; 0 without a worker. The
  /// smallest free one, so that it is below `units` while one thread of the program spawns.
  std::uint32_t number_here();
  /// One more than the largest number so far, and no less than `units`.
  [[nodiscard]] std::uint32_t numbers();

  /// The depth in bytes of a frame at `address` on the stack of `w`.
  std::uint64_t depth_of(worker& w, std::uintptr_t address) const;
  /// Whether `w` gives the child that it is about to spawn; drawn at random if the settings say so.
  [[nodiscard]] bool wants(worker& w) const;
  /// With random giving: sometimes yields the processor, so that others have time to take a child.
  void delay_at_random(worker& w) const;
  /// Puts a child into the giver's deque.
  void push(worker& giver, child& c);
  /// Returns whether nobody has begun the child. If so, the caller has to run it.
  bool take_back(child& c);
  /// Takes the oldest child of some worker's deque. Null if there is none.
  child* take(worker& me);
  /// For a worker that waits for a child that `taker` took: takes a child that this one has to wait
  /// for, too, from the taker, from the worker that the taker waits for, and so on; or one of its
  /// own. Null if there is none.
  child* take_below(worker& me, worker& taker);
  /// Called by a worker that has found nothing since `since`: asks other workers to give.
  void ask_others(worker& me, clock::time_point since, clock::time_point now);
  /// Adapts the depth at which its giver gives to the time that a child took, which ends now.
  void learn_from(const child& c, clock::duration took, clock::time_point now);
  /// Charges `me` for a child that it took back.
  void charge_unwanted(worker& me, clock::time_point now);
  /// Charges `w`, whose mutex the caller has.
  void charge(worker& w, clock::time_point now) const;
  /// Sets the limits of `w` by its deque's length and by the number of hungry workers. The caller
  /// holds the mutex of `w`.
  void update_limits(worker& w) const;
  /// Lets all workers give. A taker calls it when it leaves and cannot ask any more; whoever gives
  /// next calls a taker.
  void reset_limits();
  /// Gets another taker from the crew, if there are fewer than the settings allow.
  void call_taker();

  // ---- for the exchange of tasks with other ranks (runtime/net_tasks) ----
  /// Makes a worker without a thread, which gives what other ranks send and takes what they get.
  /// From now on a single worker gives children, too. `serves`: no thread of the program spawns,
  /// so all units are takers. Call it once, before the program spawns.
  worker& join_net(bool serves);
  /// Whether `w` is that worker.
  [[nodiscard]] bool is_exchange(const worker& w) const { return &w == exchange_; }
  /// Takes the oldest child of a deque for which `may` holds, for another rank; null if there is
  /// none. Workers take the oldest of all, so a child that stays does not hide those behind it.
  child* take_for_net(worker& net, const std::function<bool(child&)>& may);
  /// Puts a child from another rank where workers find it.
  void push_from_net(worker& net, child& c);
  /// Whether a unit has nothing to do, and no child waits for it.
  /// `net_is_hungry`: the exchange counts as hungry, too, and is not meant.
  [[nodiscard]] bool lacks_children(bool net_is_hungry) const;
  /// Whether more children wait than workers look for one.
  [[nodiscard]] bool has_spare_children(bool net_is_hungry) const;
  /// What the exchange counted, for the statistics. It outlives the program's end.
  const net_counts* net_counted = nullptr;

  /// Whether some deque holds a child.
  [[nodiscard]] bool anything_waits() const;
  /// Whether work and span are measured: one thread runs each child at its spawn.
  [[nodiscard]] bool measures() const { return measures_; }
  /// Whether the settings alone decide which children are given.
  [[nodiscard]] bool forced() const { return give_ == giving::always || give_ == giving::random; }
  /// Bytes of stack that a thread may use beyond its own stack.
  [[nodiscard]] std::size_t more_stack() const { return memory_; }
  /// Stands still if `exit` ends the computation that `w`, the calling thread's worker, runs.
  void park_if_ended(worker& w) const {
    if (is_ended(w.computation)) park(w);
  }
  /// Relaxed: takers look again soon.
  [[nodiscard]] bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  /// Counts every child that is given and joined.
  code_watch watch;
  /// Number of workers that look for children. Relaxed everywhere: it only decides how many to
  /// give.
  std::atomic<std::uint32_t> hungry{0};
  /// Those of them that are takers, which would run any child. The uses explain their memory
  /// orders.
  std::atomic<std::uint32_t> takers_looking{0};

 private:
  /// Stops the takers and reports when the program ends.
  struct program_end;
  static constexpr std::size_t most_workers = 2048;
  static_assert(most_workers < no_computation);

  explicit worker_pool(const settings& options);
  worker* attach_thread(bool of_crew);
  /// Adds a worker. The caller holds `attaching_`.
  worker& add_worker();
  /// Begins the worker's random numbers.
  void seed(worker& w) const;
  /// Takes a child out of the deque of `from` for `to`. The caller holds the mutex of `from`.
  static void hand_over(worker& from, child& c, worker& to);
  /// Takes the oldest child of `other`, or the newest of `me`. Null if there is none.
  child* take_from(worker& me, worker& other);
  void open(const settings& options);
  /// A forked process has no takers until it gets new ones. `before_fork` locks all mutexes, so
  /// none stays locked for ever in the new process.
  void before_fork();
  void after_fork(bool in_child);
  void close(clock::duration patience);
  /// Lets nothing of a computation go on, at the end of the process.
  void halt(std::uint16_t computation);
  [[nodiscard]] bool runs_anything_of(std::uint16_t computation) const;
  [[noreturn]] void park(worker& w) const;
  /// Whether `exit` ends that computation. Relaxed: whoever misses it looks again.
  [[nodiscard]] bool is_ended(std::uint16_t computation) const {
    return computation != no_computation && computation == ended_.load(std::memory_order_relaxed);
  }
  void report();
  [[nodiscard]] detail::code_progress how_far() const;
  /// Gives a worker its track of the trace, or takes the track away.
  void trace(worker& w, bool of_crew) const;
  /// Takes the worker's number away. The caller holds `attaching_`.
  void free_number(worker& w);
  /// Counts another taker, unless there are as many as the settings allow.
  bool add_taker();
  void end_trace();
  void work();

  /// Whether no child is ever given: there is one worker, and nobody else.
  [[nodiscard]] bool is_alone() const {
    return units_ == 1 && !forced() && (!has_net_ || give_ == giving::never);
  }
  /// Number of threads of the crew that may be workers.
  [[nodiscard]] std::uint32_t most_takers() const { return serves_ ? units_ : units_ - 1; }

  giving give_ = giving::automatic;
  bool has_net_ = false;              ///< tasks are exchanged with other ranks
  bool serves_ = false;               ///< no thread of the program is a worker
  const worker* exchange_ = nullptr;  ///< null without other ranks
  bool measures_ = false;
  std::uint32_t units_ = 1;
  std::uint64_t seed_ = 1;
  std::size_t memory_ = 0;
  std::uint64_t share_ = 0;                       ///< share of children given at random, of 2^64
  std::shared_ptr<detail::trace_session> trace_;  ///< null without a trace
  std::atomic<bool> serial_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint32_t> takers_{0};   ///< takers that look for children, or are about to
  std::atomic<std::uint32_t> present_{0};  ///< takers in `work`, or about to enter it
  mutable std::atomic<std::uint32_t> parked_{0};  ///< those of them that stand still for ever
  /// Functions down to this depth check for hungry workers, if they have a serial version.
  /// Relaxed: an estimate, nothing else is read by it.
  std::atomic<std::uint64_t> check_depth_{unbounded_depth};

  /// The computation in which `exit` was called, at the end of the process.
  std::atomic<std::uint16_t> ended_{no_computation};

  std::mutex attaching_;
  std::vector<bool> taken_numbers_;  ///< by number: whether a worker has it; the same mutex
  std::array<std::atomic<worker*>, most_workers> workers_{};
  std::atomic<std::uint32_t> count_{0};
  std::optional<detail::at_interruption> interrupted_;
  std::optional<detail::at_fork> forking_;
};

/// This thread's worker, or null.
extern thread_local constinit worker* this_worker;

}  // namespace channels::host_code
