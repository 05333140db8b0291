#pragma once

#include <chrono>              // nanoseconds
#include <condition_variable>  // condition_variable
#include <exception>           // exception_ptr
#include <memory>              // shared_ptr, unique_ptr, enable_shared_from_this
#include <mutex>               // mutex, unique_lock
#include <optional>            // optional
#include <string>              // string
#include <thread>              // thread

#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/aggregator.hpp"
#include "runtime/api/run_watch.hpp"
#include "runtime/observe/interruption.hpp"
#include "runtime/observe/program_report.hpp"
#include "runtime/observe/trace.hpp"
#include "runtime/threads/at_fork.hpp"

namespace channels::detail {

/// What a runtime is made of: a device, and the thread of its aggregator. Invariant: at most one
/// run at a time; `aggregator_` is the run that was started last until its end was waited for. Any
/// thread may call it. The aggregator's thread shares it, so that a thread to which a kernel node
/// never returns can be left behind without harm.
class engine : public std::enable_shared_from_this<engine> {
 public:
  /// Throws `channels::error` if the device cannot be had.
  explicit engine(settings options);
  ~engine();

  /// Called when a `shared_ptr` has the engine, before the first run. Throws `channels::error` if
  /// the system has no thread for it.
  void start_thread();

  [[nodiscard]] device& on() const { return *device_; }
  [[nodiscard]] const settings& options() const { return options_; }
  [[nodiscard]] const statistics& last_run() const { return last_run_; }
  [[nodiscard]] std::uint32_t compute_units() const { return device_->compute_units(); }

  /// See `runtime::start`, `wait`, `stop` and `dot`.
  void start(std::shared_ptr<graph_model> model, std::shared_ptr<const scheduling_policy> policy);
  bool wait(std::chrono::nanoseconds deadline);
  void stop();
  [[nodiscard]] std::string dot(const graph_model& model);

  /// Ends the thread; waits for it unless it is stuck in a kernel node, or a kernel node calls
  /// `exit`, which calls this.
  void close();

 private:
  void serve();
  void give_up(std::unique_lock<std::mutex>& lock);
  void finish_waiting();
  void write_what_there_is();
  void go_on_after_fork();

  settings options_;
  std::unique_ptr<device> device_;
  std::shared_ptr<trace_session> trace_;
  runtime_report report_;
  run_watch watch_;
  std::mutex mutex_;  ///< guards all that follows, and the watch
  std::condition_variable changed_;
  std::thread thread_;
  std::shared_ptr<graph_model> model_;
  std::shared_ptr<const scheduling_policy> policy_;
  std::shared_ptr<aggregator> aggregator_;
  std::exception_ptr failure_;
  statistics last_run_;
  bool running_ = false;    ///< the aggregator's thread has a run to execute, or executes it
  bool unheard_ = false;    ///< a run was started and its end not waited for
  bool closing_ = false;    ///< the thread is to end
  bool ended_ = false;      ///< the thread has ended
  bool abandoned_ = false;  ///< the thread is left behind
  bool leaving_ = false;    ///< the process ends while a run goes on
  bool forked_ = false;     ///< the process was forked, and the thread is not in it
  bool usable_ = true;      ///< the device can be used in this process
  std::string lost_;        ///< why the end of a run cannot be waited for; or empty
  std::optional<at_interruption> interrupted_;
  std::optional<at_fork> forking_;
};

}  // namespace channels::detail
