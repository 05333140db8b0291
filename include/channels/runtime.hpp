#pragma once

#include <chrono>  // milliseconds
#include <memory>  // unique_ptr, shared_ptr
#include <string>  // string

#include "channels/detail/model.hpp"
#include "channels/error.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"

namespace channels {

namespace detail {
class device;
class engine;

/// Makes a device; may change settings to what it can do.
using device_maker = std::unique_ptr<device> (*)(settings&);
/// Makes a device known by the name that `settings::device` gives it: headers for devices call
/// this. Returns true.
bool register_device(const char* name, device_maker make);
}  // namespace detail

/// A device, an aggregator thread, and their settings. Runs one graph at a time; several runtimes
/// can live side by side.
class runtime {
 public:
  /// Throws `channels::error` if a setting makes no sense or the device cannot be had.
  explicit runtime(settings options = settings::from_environment());
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;
  runtime(runtime&&) noexcept = default;
  runtime& operator=(runtime&&) noexcept;
  /// Stops what still runs.
  ~runtime();

  [[nodiscard]] const settings& options() const;
  /// Of the device.
  [[nodiscard]] std::uint32_t compute_units() const;
  [[nodiscard]] detail::device& on() const;
  /// Of the last run that ended.
  [[nodiscard]] const statistics& last_run() const;
  /// The same with the settings and the program's name, in JSON, as `channels-report` reads it.
  [[nodiscard]] std::string json() const;

  /// Starts `model`, which must stay as it is until the run ends. Throws if a run has not ended
  /// yet. Typed graphs call this; so can code that builds models itself. `policy`: null for that of
  /// the settings.
  void start(std::shared_ptr<detail::graph_model> model,
             std::shared_ptr<const scheduling_policy> policy);
  /// Waits for the end of the run. Throws what ended it early: a lack of memory or room, an
  /// exception from a kernel node, or that nothing went on for `settings::timeout`. False if
  /// `deadline` came first.
  bool wait(std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max());
  /// Ends the run at the next wavefront; `wait` then throws. Does nothing if nothing runs.
  void stop();
  /// The graph with what each of its channels holds now, in the DOT language.
  [[nodiscard]] std::string dot(const detail::graph_model& model) const;

 private:
  std::shared_ptr<detail::engine> engine_;
};

namespace detail {
/// See `channels::minimum_memory`.
[[nodiscard]] std::size_t minimum_memory(const graph_model& model, const settings& options,
                                         std::uint32_t levels);
}  // namespace detail

}  // namespace channels
