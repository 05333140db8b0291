#include "runtime/api/engine.hpp"
#include "runtime/aggregator/policies.hpp"

#include <fmt/format.h>  // format

#include <unistd.h>  // pause

#include <algorithm>     // min
#include <atomic>        // atomic
#include <new>           // placement
#include <system_error>  // system_error
#include <utility>       // move

#include "channels/detail/wait_running.hpp"
#include "channels/error.hpp"
#include "runtime/aggregator/feed_buffer.hpp"
#include "runtime/api/device_registry.hpp"
#include "runtime/host_device/host_device.hpp"
#include "runtime/observe/dot.hpp"
#include "runtime/observe/interruption.hpp"

namespace channels::detail {
namespace {

/// How often `wait` looks whether the run still goes on.
constexpr std::chrono::milliseconds look_again{50};

/// How long a stopped run may take to reach the next wavefront before it is given up.
constexpr std::chrono::milliseconds grace{2000};

/// How long the end of the process waits for a run that goes on.
constexpr std::chrono::milliseconds grace_at_exit{20};

/// How long a run that a signal ends may take to end.
constexpr std::chrono::milliseconds grace_for_signal{500};

/// How long the report of a run that is given up waits for the aggregator.
constexpr std::chrono::milliseconds report_patience{500};

/// What `failure` says; "" if there is none.
std::string message_of(const std::exception_ptr& failure) {
  if (!failure) return "";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "a kernel node threw what is no std::exception";
  }
}

/// Whether `exit` was called after the first run began.
std::atomic<bool> process_ends{false};

/// A static object that is destroyed before runtimes that were there when it was made.
struct noted_end {
  noted_end() = default;
  noted_end(const noted_end&) = delete;
  noted_end& operator=(const noted_end&) = delete;
  ~noted_end() { process_ends = true; }
};

void end_feeds(const graph_model& model, const std::string& failure) {
  for (const stack_model& s : model.stacks) {
    if (s.feed != nullptr) s.feed->end(failure);
  }
}

/// What to do about the feeds of `model` that are open; "" if there are none.
std::string open_feeds(const graph_model& model) {
  std::string text;
  for (const stack_model& s : model.stacks) {
    if (s.feed == nullptr || !s.feed->is_open()) continue;
    text +=
        fmt::format("the feed of channel '{}' is open: close it when there is no more; ", s.name);
  }
  return text;
}

}  // namespace

engine::engine(settings options)
    : options_(std::move(options)),
      device_(make_device(options_)),
      trace_(open_trace(options_, fmt::format("channels on {}", options_.device))),
      report_(options_),
      watch_(options_) {
  if (!options_.statistics.empty() || !options_.graph.empty() || !options_.trace.empty())
    interrupted_.emplace([this] { write_what_there_is(); });
  forking_.emplace(fork_steps{[this] { mutex_.lock(); }, [this] { mutex_.unlock(); },
                              [this] { go_on_after_fork(); }});
}

engine::~engine() {
  // In this process it may be unable even to give its memory back.
  // NOLINTNEXTLINE(bugprone-unused-return-value): it is meant to leak
  if (!usable_) (void)device_.release();
}

void engine::start_thread() {
  try {
    thread_ = std::thread([self = shared_from_this()] { self->serve(); });
  } catch (const std::system_error& e) {
    throw error(fmt::format(
        "runtime: the system has no thread for the aggregator ({}); allow more threads (ulimit -u) "
        "or more memory (ulimit -v)",
        e.code().message()));
  }
}

/// In a process that was forked, by its only thread, which has locked the mutex.
void engine::go_on_after_fork() {
  // All of these may have waiters or an owner that are not in this process.
  new (&mutex_) std::mutex;
  new (&changed_) std::condition_variable;
  new (&thread_) std::thread;
  usable_ = usable_ && device_->go_on_after_fork();
  forked_ = true;
  ended_ = false;
  if (!unheard_ && !running_) return;
  lost_ = fmt::format(
      "{}: the process was forked while this graph ran, and the threads that run it are in the "
      "parent process; wait for it there, or fork when no graph runs",
      model_->name);
  // Half done, and used by threads that are not here: nothing may destroy it.
  keep_for_ever(std::move(aggregator_));
  running_ = false;
}

void engine::start(std::shared_ptr<graph_model> model,
                   std::shared_ptr<const scheduling_policy> policy) {
  static const noted_end at_exit;
  const std::lock_guard lock(mutex_);
  if (abandoned_)
    throw error(fmt::format(
        "{}: this runtime was given up because a kernel node never returned; make a new one",
        model->name));
  if (closing_) {
    throw error(fmt::format(
        "{}: the runtime of this graph was destroyed; keep it as long as graphs run on it",
        model->name));
  }
  if (!usable_) {
    throw error(fmt::format(
        "{}: the device '{}' cannot be used in a process that was forked; call exec there, or fork "
        "before the first run",
        model->name, options_.device));
  }
  if (running_ || unheard_) {
    throw error(fmt::format(
        "{}: a run of '{}' has not been waited for; call wait first, or use a second runtime",
        model->name, model_->name));
  }
  if (forked_) {
    start_thread();
    forked_ = false;
  }
  device_->check(*model);
  model_ = std::move(model);
  policy_ = policy ? std::move(policy) : policy_of(options_, *model_);
  failure_ = nullptr;
  aggregator_ = std::make_shared<aggregator>(*device_, *model_, *policy_, options_, trace_);
  watch_.begin(*aggregator_, *model_);
  for (const stack_model& s : model_->stacks) {
    if (s.feed != nullptr) s.feed->begin();
  }
  running_ = true;
  unheard_ = true;
  changed_.notify_all();
}

bool engine::wait(std::chrono::nanoseconds deadline) {
  std::unique_lock lock(mutex_);
  if (!unheard_) return true;
  if (!lost_.empty()) {
    unheard_ = false;
    throw error(std::exchange(lost_, {}));
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto current = aggregator_;
  while (running_ && aggregator_ == current) {
    const auto now = std::chrono::steady_clock::now();
    if (now - begin >= deadline) return false;
    changed_.wait_for(lock,
                      std::min<std::chrono::nanoseconds>(look_again, deadline - (now - begin)));
    if (leaving_ || interrupted() != 0) {
      lock.unlock();
      for (;;) ::pause();  // whoever ends the process does it now
    }
    if (running_) watch_.show(*current);
    if (watch_.is_stuck(*current) && running_) give_up(lock);
  }
  if (aggregator_ == current) finish_waiting();
  return true;  // otherwise another thread has waited for the end too
}

/// The run has ended: keeps its statistics, and throws what it threw.
void engine::finish_waiting() {
  unheard_ = false;
  last_run_ = aggregator_->counted();
  aggregator_.reset();
  watch_.end();
  report_.add(last_run_, message_of(failure_));
  if (!options_.graph.empty()) write_graph(options_.graph, to_dot(*model_, last_run_));
  if (failure_) std::rethrow_exception(failure_);
}

/// A signal ends the process.
void engine::write_what_there_is() {
  std::unique_lock lock(mutex_);
  if (!running_ || abandoned_) return;
  // Whoever waits for the run may hear of its end first, and take it away.
  const auto current = aggregator_;
  const auto model = model_;
  current->stop(fmt::format("{}: a signal ended the program", model->name));
  const bool ended = changed_.wait_for(lock, grace_for_signal,
                                       [&] { return !running_ || aggregator_ != current; });
  if (aggregator_ != current) return;  // its end was heard, and reported
  if (!options_.graph.empty()) {
    write_graph(options_.graph,
                ended ? to_dot(*model, current->counted()) : current->dot(grace_for_signal));
  }
  if (ended) report_.add(current->counted(), message_of(failure_));
}

void engine::stop() {
  const std::lock_guard lock(mutex_);
  if (running_) aggregator_->stop(fmt::format("{}: stopped by request", model_->name));
}

std::string engine::dot(const graph_model& model) {
  const std::lock_guard lock(mutex_);
  return aggregator_ && model_.get() == &model ? aggregator_->dot(options_.timeout) : to_dot(model);
}

void engine::close() {
  std::unique_lock lock(mutex_);
  if (forked_) return;
  closing_ = true;
  leaving_ = running_ && (in_kernel_node() || process_ends);
  if (running_ && !abandoned_)
    aggregator_->stop(fmt::format(
        "{}: the runtime was destroyed while this graph ran on it; keep it until wait has returned",
        model_->name));
  changed_.notify_all();
  changed_.wait_for(lock, leaving_ ? grace_at_exit : grace,
                    [this] { return ended_ || (abandoned_ && running_); });
  const bool ended = ended_;
  lock.unlock();
  if (ended) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

/// The aggregator's thread: executes runs until the engine is closed.
void engine::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return running_ || closing_; });
    if (!running_) break;
    const auto current = aggregator_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      current->execute();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    // A run that was given up has ended its feeds, and the graph may be gone.
    if (!abandoned_) end_feeds(*model_, message_of(failure));
    failure_ = failure;
    running_ = false;
    changed_.notify_all();
  }
  ended_ = true;
  changed_.notify_all();
}

/// Nothing has gone on for too long: reports, stops the run, and if even that does not help, leaves
/// the thread behind and throws.
void engine::give_up(std::unique_lock<std::mutex>& lock) {
  const std::string why = fmt::format(
      "{}: nothing has gone on for {} ms, the watchdog ended the run; {}if a kernel node may take "
      "that long, set "
      "CHANNELS_TIMEOUT higher\n{}",
      model_->name, options_.timeout.count(), open_feeds(*model_),
      aggregator_->report(report_patience));
  watch_.end();
  aggregator_->stop(why);
  if (wait_running(changed_, lock, grace, [this] { return !running_; })) return;
  abandoned_ = true;
  unheard_ = false;
  end_feeds(*model_, why);
  throw error(why + "A kernel node does not return: the thread that runs it is left behind.\n");
}

}  // namespace channels::detail
