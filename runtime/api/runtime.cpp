#include "channels/runtime.hpp"

#include <fmt/format.h>  // format

#include <condition_variable>  // condition_variable
#include <mutex>               // mutex
#include <thread>              // thread
#include <vector>              // vector

#include <nlohmann/json.hpp>  // ordered_json

#include "runtime/aggregator/aggregator.hpp"
#include "runtime/aggregator/policies.hpp"
#include "runtime/host_device/host_device.hpp"
#include "runtime/observe/dot.hpp"
#include "runtime/observe/progress_line.hpp"
#include "runtime/observe/run_document.hpp"
#include "runtime/settings/table.hpp"

namespace channels {
namespace detail {
namespace {

struct known_device {
  const char* name;
  device_maker make;
};
/// Made known before `main`, or by a library when it is loaded.
std::vector<known_device>& known_devices() {
  static std::vector<known_device> devices;
  return devices;
}
std::mutex known_devices_mutex;

std::unique_ptr<device> make_device(settings& options) {
  if (options.device == "host") return std::make_unique<host_device>(options.compute_units);
  const std::lock_guard lock(known_devices_mutex);
  for (const known_device& d : known_devices()) {
    if (options.device == d.name) return d.make(options);
  }
  throw error(
      fmt::format("there is no device '{}' in this program: no file of it was compiled for that "
                  "device with channels/gpu.hpp; set CHANNELS_DEVICE to host",
                  options.device));
}

/// How often `wait` looks whether the run still goes on.
constexpr std::chrono::milliseconds look_again{50};

/// How often the file of `settings::graph` is written while a run goes on.
constexpr std::chrono::milliseconds draw_again{1000};

/// How long a stopped run may take to reach the next wavefront before it is given up.
constexpr std::chrono::milliseconds grace{2000};

}  // namespace

bool register_device(const char* name, device_maker make) {
  const std::lock_guard lock(known_devices_mutex);
  known_devices().push_back({name, make});
  return true;
}

/// The device, and the thread of its aggregator. Shared with that thread, so that one that a kernel
/// node never returns to can be left behind without harm.
class engine : public std::enable_shared_from_this<engine> {
 public:
  explicit engine(settings options)
      : options_(std::move(options)),
        device_(make_device(options_)),
        trace_(open_trace(options_, fmt::format("channels on {}", options_.device))) {}

  [[nodiscard]] device& on() const { return *device_; }

  [[nodiscard]] const settings& options() const { return options_; }
  [[nodiscard]] const statistics& last_run() const { return last_run_; }
  [[nodiscard]] std::uint32_t compute_units() const { return device_->compute_units(); }

  void start_thread() {
    thread_ = std::thread([self = shared_from_this()] { self->serve(); });
  }

  void start(std::shared_ptr<graph_model> model, std::shared_ptr<const scheduling_policy> policy) {
    const std::lock_guard lock(mutex_);
    if (abandoned_)
      throw error(fmt::format(
          "{}: this runtime was given up because a kernel node never returned; make a new one",
          model->name));
    if (running_ || unheard_) {
      throw error(fmt::format(
          "{}: a run of '{}' has not been waited for; call wait first, or use a second runtime",
          model->name, model_->name));
    }
    device_->check(*model);
    model_ = std::move(model);
    policy_ = policy ? std::move(policy) : policy_of(options_, *model_);
    failure_ = nullptr;
    aggregator_ = std::make_shared<aggregator>(*device_, *model_, *policy_, options_, trace_);
    progress_.begin(model_->name, options_.memory, options_.progress);
    drawn_ = std::chrono::steady_clock::now();
    running_ = true;
    unheard_ = true;
    seen_ = aggregator_->progress();
    moved_ = std::chrono::steady_clock::now();
    changed_.notify_all();
  }

  bool wait(std::chrono::nanoseconds deadline) {
    std::unique_lock lock(mutex_);
    if (!unheard_) return true;
    const auto begin = std::chrono::steady_clock::now();
    const auto current = aggregator_;
    while (running_ && aggregator_ == current) {
      const auto now = std::chrono::steady_clock::now();
      if (now - begin >= deadline) return false;
      changed_.wait_for(lock,
                        std::min<std::chrono::nanoseconds>(look_again, deadline - (now - begin)));
      if (running_) show(*current);
      const std::uint64_t progress = current->progress();
      if (progress != seen_) {
        seen_ = progress;
        moved_ = std::chrono::steady_clock::now();
      } else if (running_ && std::chrono::steady_clock::now() - moved_ > options_.timeout) {
        give_up(lock);
      }
    }
    if (aggregator_ != current) return true;  // another thread has waited for the end too
    unheard_ = false;
    last_run_ = aggregator_->counted();
    aggregator_.reset();
    progress_.end();
    if (!options_.graph.empty()) write_graph(options_.graph, to_dot(*model_, last_run_));
    if (failure_) std::rethrow_exception(failure_);
    return true;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    if (running_) aggregator_->stop(fmt::format("{}: stopped by request", model_->name));
  }

  /// Ends the thread; waits for it unless it is stuck in a kernel node.
  void close() {
    std::unique_lock lock(mutex_);
    closing_ = true;
    if (running_ && !abandoned_) aggregator_->stop("the runtime was destroyed");
    changed_.notify_all();
    changed_.wait_for(lock, grace, [this] { return ended_ || (abandoned_ && running_); });
    const bool ended = ended_;
    lock.unlock();
    // Joined where that is possible: what a thread that outlives main destroys, oneTBB may miss.
    if (ended) {
      thread_.join();
    } else {
      thread_.detach();
    }
  }

  [[nodiscard]] std::string dot(const graph_model& model) {
    const std::lock_guard lock(mutex_);
    return aggregator_ && model_.get() == &model ? aggregator_->dot(options_.timeout)
                                                 : to_dot(model);
  }

 private:
  void serve() {
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
      failure_ = failure;
      running_ = false;
      changed_.notify_all();
    }
    ended_ = true;
    changed_.notify_all();
  }

  /// Tells those who watch how far the run is.
  void show(aggregator& current) {
    progress_.show(current.how_far());
    const auto now = std::chrono::steady_clock::now();
    if (options_.graph.empty() || now - drawn_ < draw_again) return;
    drawn_ = now;
    write_graph(options_.graph, current.dot(look_again));
  }

  /// Nothing has moved for too long: report, stop, and if even that does not help, leave the thread
  /// behind.
  void give_up(std::unique_lock<std::mutex>& lock) {
    const std::string why = fmt::format(
        "{}: nothing has gone on for {} ms, the watchdog ended the run; if a kernel node may take "
        "that long, set "
        "CHANNELS_TIMEOUT higher\n{}",
        model_->name, options_.timeout.count(),
        aggregator_->report(std::chrono::milliseconds(500)));
    progress_.end();
    aggregator_->stop(why);
    if (changed_.wait_for(lock, grace, [this] { return !running_; })) return;
    abandoned_ = true;
    unheard_ = false;
    throw error(why + "A kernel node does not return: the thread that runs it is left behind.\n");
  }

  settings options_;
  std::thread thread_;
  std::unique_ptr<device> device_;
  std::shared_ptr<trace_session> trace_;
  progress_line progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<graph_model> model_;
  std::shared_ptr<const scheduling_policy> policy_;
  std::shared_ptr<aggregator> aggregator_;
  std::exception_ptr failure_;
  statistics last_run_;
  std::uint64_t seen_ = 0;  ///< progress of the run when it was last seen to move
  std::chrono::steady_clock::time_point moved_;
  std::chrono::steady_clock::time_point drawn_;  ///< when `settings::graph` was last written
  bool running_ = false;                         ///< the aggregator's thread has work or is at it
  bool unheard_ = false;                         ///< a run was started and not waited for
  bool closing_ = false;
  bool ended_ = false;
  bool abandoned_ = false;
};

std::size_t minimum_memory(const graph_model& model, const settings& options,
                           std::uint32_t levels) {
  return minimum_bytes(model, options, levels);
}

}  // namespace detail

runtime::runtime(settings options) {
  options.check();
  engine_ = std::make_shared<detail::engine>(std::move(options));
  engine_->start_thread();
}

runtime& runtime::operator=(runtime&& other) noexcept {
  std::swap(engine_, other.engine_);
  return *this;
}

runtime::~runtime() {
  if (engine_) engine_->close();
}

const settings& runtime::options() const { return engine_->options(); }
std::uint32_t runtime::compute_units() const { return engine_->compute_units(); }
detail::device& runtime::on() const { return engine_->on(); }
const statistics& runtime::last_run() const { return engine_->last_run(); }
std::string runtime::json() const {
  nlohmann::ordered_json document = detail::document_of_process(options());
  document["order"] = detail::name_of(run_order::channels);
  detail::add_to_document(document, last_run());
  return detail::text_of(document);
}
void runtime::start(std::shared_ptr<detail::graph_model> model,
                    std::shared_ptr<const scheduling_policy> policy) {
  engine_->start(std::move(model), std::move(policy));
}
bool runtime::wait(std::chrono::nanoseconds deadline) { return engine_->wait(deadline); }
void runtime::stop() { engine_->stop(); }
std::string runtime::dot(const detail::graph_model& model) const { return engine_->dot(model); }

}  // namespace channels
