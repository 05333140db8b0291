#pragma once

#include <oneapi/tbb/global_control.h>  // global_control
#include <oneapi/tbb/task_arena.h>      // task_arena

#include <array>     // array
#include <optional>  // optional

#include "channels/settings.hpp"
#include "runtime/host_code/progress.hpp"
#include "runtime/host_code/worker.hpp"

namespace channels::host_code {

/// How children are chosen, and what that costs at most.
struct pace {
  /// Children are to take this long. If those that were given take less, shallower frames give.
  static constexpr std::chrono::microseconds worthwhile{5};
  /// A worker that finds nothing for this long lets deeper frames give.
  static constexpr std::chrono::microseconds impatience{10};
  /// What a gift that nobody took is charged: some thirty times what it costs.
  static constexpr std::chrono::microseconds charge{8};
  /// What a worker may have saved up.
  static constexpr std::chrono::microseconds savings{400};
  /// Workers that one who finds nothing asks at a time.
  static constexpr std::uint32_t asked = 8;
  /// Children that end between two looks at how long they took.
  static constexpr std::uint32_t sample = 4;
  /// Depth that no stack has.
  static constexpr std::uint64_t unbounded = std::uint64_t{1} << 40U;
  /// Begun and not ended children of one worker beyond which it gives none, and takes none while it
  /// waits: each of them holds some 500 bytes of stack that the serial program would not have
  /// needed.
  static constexpr std::uint32_t most_nested = 256;
  static constexpr std::uint32_t most_helping = 64;
  /// What one frame may give before it is asked: some hundred microseconds of the smallest
  /// children.
  static constexpr std::uint32_t most_ahead = 256;
  /// How long a thread of oneTBB looks for children before it goes back: longer than the pauses
  /// between two parallel regions of a program that has many.
  static constexpr std::chrono::microseconds patience{1000};
};

/// The workers of this process, and what they tell each other. There is one, since a function of a
/// compiled program has nobody to hand it a runtime; never destroyed, because destructors of the
/// program may still spawn.
class pool {
 public:
  static pool& instance();

  /// Makes this thread a worker. Null, and this thread's spawns are plain calls from now on, if
  /// nothing can be gained from another.
  worker* attach(bool thief);
  void detach(worker& w);

  /// Other settings from now on. While no Cilk function runs.
  void use(const settings& options);

  /// How deep a frame of `w`'s own stack at `address` is.
  std::uint64_t depth_of(worker& w, std::uintptr_t address) const;
  /// Draws whether `w` gives the child that it is about to spawn.
  [[nodiscard]] bool wants(worker& w) const;
  /// Where a schedule is forced at random: leaves others the time to take a child, now and then.
  void dawdle(worker& w) const;
  /// Puts a child into its home's deque.
  void push(worker& home, child& c);
  /// True, and the child is the caller's to run, if nobody has begun it.
  bool take_back(child& c);
  /// The oldest child of somebody's deque, of `preferred` if it has one; null if there is none.
  child* steal(worker& me, worker* preferred);
  /// Called by a worker that has found nothing since `since`: asks the others to give.
  void ask(worker& me, clock::time_point since, clock::time_point now);
  /// What a child that was given took, and whether another worker wanted it.
  void learn(worker& me, const child& c, clock::duration took);
  /// For a child that its parent takes back.
  void charge(worker& me, clock::time_point now);
  /// Sets w's limit by what it has in its deque and by who is hungry. With w's mutex held.
  void adjust(worker& w) const;
  /// A thief that leaves will not ask any more: lets everybody give, and so call one.
  void forgive();
  /// Gets another thread from oneTBB, if there should be one.
  void call_thief();

  /// Whether there is a child in some deque.
  [[nodiscard]] bool anything_waits() const;
  /// Whether what is given is decided by the settings alone.
  [[nodiscard]] bool forced() const { return give_ == giving::always || give_ == giving::random; }
  /// Bytes of stack that a thread may have beyond its own.
  [[nodiscard]] std::size_t more_stack() const { return memory_; }
  [[nodiscard]] bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  /// Told of every child that is given and joined.
  code_watch watch;
  /// Workers that look for children. Relaxed everywhere: it decides how many to give, nothing else.
  std::atomic<std::uint32_t> hungry{0};

 private:
  /// Stops the thieves and reports when the program ends.
  struct closing;
  static constexpr std::size_t most_workers = 2048;

  explicit pool(const settings& options);
  void open(const settings& options);
  /// A forked process has none of the thieves: it goes on alone. Around the fork nobody is in the
  /// middle of anything, so no mutex stays locked for ever.
  void before_fork();
  void after_fork(bool in_child);
  void close();
  void report();
  [[nodiscard]] detail::code_progress how_far() const;
  /// Gives a worker its track, or takes it.
  void trace(worker& w, bool thief) const;
  void end_trace();
  void work();

  giving give_ = giving::automatic;
  std::uint32_t units_ = 1;
  std::uint64_t seed_ = 1;
  std::size_t memory_ = 0;
  std::uint64_t share_ = 0;                       ///< of 2^64, gifts made at random
  std::shared_ptr<detail::trace_session> trace_;  ///< null unless there is a trace
  std::atomic<bool> serial_{false};
  std::atomic<bool> stopping_{false};
  bool forked_ = false;
  std::atomic<std::uint32_t> thieves_{0};  ///< threads that look for children, or are about to
  std::atomic<std::uint32_t> present_{0};  ///< threads in `work`, or about to be
  std::atomic<std::uint64_t> depth_{pace::unbounded};  ///< to which frames give
  /// To which functions look whether somebody is hungry, if they have a copy that does not.
  std::atomic<std::uint64_t> looking_{pace::unbounded};
  std::atomic<clock::rep> depth_changed_{0};

  std::mutex attaching_;
  std::array<std::atomic<worker*>, most_workers> workers_{};
  std::atomic<std::uint32_t> count_{0};
  std::optional<oneapi::tbb::global_control> parallelism_;
  std::optional<oneapi::tbb::global_control> stack_size_;
  std::optional<oneapi::tbb::task_arena> arena_;
};

/// This thread's worker; null if it is none.
extern thread_local constinit worker* this_worker;

}  // namespace channels::host_code
