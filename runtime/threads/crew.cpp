#include "runtime/threads/crew.hpp"

#include <pthread.h>       // pthread_create
#include <sys/resource.h>  // getrlimit

#include <algorithm>  // clamp, max
#include <exception>  // exception
#include <new>        // placement
#include <thread>     // hardware_concurrency
#include <utility>    // move

#include "runtime/threads/forked.hpp"
#include "runtime/threads/stack_overflow.hpp"

namespace channels::detail {
namespace {

/// How long no thread is made after the system had none.
constexpr std::chrono::milliseconds after_a_failure{10};

/// The thread sanitizer ends a forked process that makes a thread.
#if defined(__SANITIZE_THREAD__)
#define CHANNELS_TSAN_HERE
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHANNELS_TSAN_HERE
#endif
#endif
#if defined(CHANNELS_TSAN_HERE)
constexpr bool without_threads_after_fork = true;
#else
constexpr bool without_threads_after_fork = false;
#endif

/// Bytes for the stack of a thread: children may recurse as deep as the main thread, on top of
/// joins that wait.
std::size_t bytes_of_a_stack() {
  constexpr std::size_t least = std::size_t{16} << 20U;
  constexpr std::size_t most = std::size_t{1} << 30U;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return least;
  return std::clamp<std::size_t>(limit.rlim_cur < most ? 2 * limit.rlim_cur : most, least, most);
}

}  // namespace

std::uint32_t number_of_cores() {
  static const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  return cores;
}

crew& crew::instance() {
  static crew& c = *new crew;
  return c;
}

crew::crew()
    : stack_bytes_(bytes_of_a_stack()),
      forking_(
          {[this] { mutex_.lock(); }, [this] { mutex_.unlock(); }, [this] { forget_threads(); }}) {}

bool crew::call(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  try {
    calls_.push_back(std::move(work));
  } catch (const std::exception&) {
    return false;
  }
  if (idle_ >= calls_.size() || make_thread()) {
    called_.notify_one();
    return true;
  }
  calls_.pop_back();
  return false;
}

std::uint32_t crew::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

/// The caller holds the mutex.
bool crew::make_thread() {
  const auto now = std::chrono::steady_clock::now();
  if (!may_make_ || now < next_try_) return false;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, stack_bytes_);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t made{};
  const auto begin = [](void* of) -> void* {
    static_cast<crew*>(of)->run();
    return nullptr;
  };
  const bool there = pthread_create(&made, &attributes, begin, this) == 0;
  pthread_attr_destroy(&attributes);
  if (there) {
    ++size_;
  } else {
    next_try_ = now + after_a_failure;
  }
  return there;
}

void crew::run() {
  const std::uint32_t generation = fork_generation();
  const watched_stack watched;
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    called_.wait(lock, [this] { return !calls_.empty(); });
    --idle_;
    std::function<void()> work = std::move(calls_.front());
    calls_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // what it owns goes now
    end_if_forked_since(generation, "the runtime's thread");
    lock.lock();
  }
}

void crew::forget_threads() {
  // The old ones have waiters for ever.
  new (&mutex_) std::mutex;
  new (&called_) std::condition_variable;
  calls_.clear();
  idle_ = 0;
  size_ = 0;
  next_try_ = {};
  may_make_ = !without_threads_after_fork;
}

}  // namespace channels::detail
