#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <chrono>  // milliseconds
#include <memory>  // unique_ptr, shared_ptr
#include <string>  // string

#include "channels/detail/model.hpp"
#include "channels/error.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"

namespace channels {

class graph;

namespace detail {
class device;
class engine;

/// Makes a device. May change settings to what the device can do. Throws `channels::error` if the
/// device cannot be had.
using device_maker = std::unique_ptr<device> (*)(settings&);
/// Makes a device known by its name in `settings::device`. Headers for devices call it before
/// `main`, or when a library is loaded; any thread may. Returns true.
bool register_device(const char* name, device_maker make);
}  // namespace detail

/// A device, an aggregator thread, and their settings. It runs one graph at a time; a process may
/// have several runtimes. Any thread may call it.
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
  /// Compute units of the device.
  [[nodiscard]] std::uint32_t compute_units() const;
  /// The device.
  [[nodiscard]] detail::device& on() const;
  /// What the last run that was waited for counted.
  [[nodiscard]] const statistics& last_run() const;
  /// The same with the settings and the program's name, in JSON, as `channels-report` reads it.
  [[nodiscard]] std::string json() const;

  /// Starts `model`, which must not change until the run ends. `policy`: null for that of the
  /// settings. Throws `channels::error` if a run has not been waited for, or the device cannot run
  /// `model`. Typed graphs call this, and so can code that builds models itself.
  void start(std::shared_ptr<detail::graph_model> model,
             std::shared_ptr<const scheduling_policy> policy);
  /// Waits for the end of the run, at most for `deadline`; false if that passed first. Throws what
  /// ended the run early: `channels::error` for a lack of memory or room, after `stop`, or if
  /// nothing has gone on for `settings::timeout`; or what a kernel node threw.
  bool wait(std::chrono::nanoseconds deadline = std::chrono::nanoseconds::max());
  /// Ends the run at the next wavefront; `wait` then throws. Without a run it does nothing.
  void stop();
  /// The graph with what each of its channels holds now, in the DOT language.
  [[nodiscard]] std::string dot(const detail::graph_model& model) const;

 private:
  friend class graph;  // graphs share the engine, so that they can say that their runtime is gone

  std::shared_ptr<detail::engine> engine_;
};

namespace detail {
/// See `channels::minimum_memory`.
[[nodiscard]] std::size_t minimum_memory(const graph_model& model, const settings& options,
                                         std::uint32_t levels);
}  // namespace detail

}  // namespace channels

#endif
