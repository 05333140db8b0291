#pragma once

#include <chrono>     // milliseconds
#include <cstdint>    // fixed-width integers
#include <exception>  // exception_ptr
#include <memory>     // unique_ptr, shared_ptr
#include <mutex>      // timed_mutex
#include <string>     // string

#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/detail/run_progress.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/candidate_list.hpp"
#include "runtime/aggregator/channel_table.hpp"
#include "runtime/aggregator/element_copies.hpp"
#include "runtime/aggregator/far_channels.hpp"
#include "runtime/aggregator/flight_table.hpp"
#include "runtime/aggregator/handovers.hpp"
#include "runtime/aggregator/headway.hpp"
#include "runtime/aggregator/host_pushes.hpp"
#include "runtime/aggregator/memory_waiters.hpp"
#include "runtime/aggregator/parked_elements.hpp"
#include "runtime/aggregator/published_progress.hpp"
#include "runtime/aggregator/relief.hpp"
#include "runtime/aggregator/restart_channel.hpp"
#include "runtime/aggregator/room_planner.hpp"
#include "runtime/aggregator/run_accounts.hpp"
#include "runtime/aggregator/run_context.hpp"
#include "runtime/aggregator/run_memory.hpp"
#include "runtime/aggregator/slow_core.hpp"
#include "runtime/aggregator/stop_request.hpp"

namespace channels::detail {

/// One run of one graph (paper, sections 3.1, 6, 7.2). The thread that calls `execute` is the
/// aggregator's; its loop puts the parts together that the members are. Invariant: that thread
/// holds `state_mutex_` except while it lends itself to the device.
class aggregator {
 public:
  /// `trace`: null unless the run is traced. The other arguments stay as they are until the run has
  /// ended. Throws `channels::error` if the device has too little memory.
  aggregator(device& on, const graph_model& model, const scheduling_policy& policy,
             const settings& options, std::shared_ptr<trace_session> trace);
  aggregator(const aggregator&) = delete;
  aggregator& operator=(const aggregator&) = delete;
  ~aggregator();

  /// Runs the graph to its end; called once. Throws `channels::error` for a lack of room or memory,
  /// or after `stop`; and what a kernel node threw.
  void execute();

  // For other threads.

  /// Ends the run at the next wavefront; `why` becomes the error.
  void stop(std::string why);
  /// A count that grows while the run goes on.
  [[nodiscard]] std::uint64_t progress() const { return headway_.beats() + device_.heartbeat(); }
  /// What the aggregator saw last; nothing unless `settings::progress`.
  [[nodiscard]] run_progress how_far() const { return progress_.seen(); }
  /// What every channel holds, as a table. Waits until the aggregator lends itself, for `deadline`
  /// at most, and says so if it does not.
  [[nodiscard]] std::string report(std::chrono::milliseconds deadline) const;
  /// The graph in the DOT language, with what its channels hold now if the aggregator lends itself
  /// before `deadline` has passed.
  [[nodiscard]] std::string dot(std::chrono::milliseconds deadline) const;
  /// After `execute`.
  [[nodiscard]] const statistics& counted() const { return accounts_.counted(); }

 private:
  static std::unique_ptr<task_allocations> make_task_memory(device& on, const graph_model& model,
                                                            std::size_t bytes);

  void run_to_its_end();
  void begin();
  void take_what_ended();
  void complete(flight_record& f);
  void collect_restarts();
  void file(const restart_context& context);
  void tell_progress();
  void push();
  void decide();
  bool dispatch_next();
  [[nodiscard]] std::optional<candidate_list::choice> choose();
  void dispatch(const candidate_list::choice& c, std::uint64_t most);
  [[nodiscard]] std::uint64_t batch_size(const candidate_list::choice& c,
                                         std::uint64_t ready) const;
  void take_elements(flight_record& f, std::uint32_t count);
  void lend(std::unique_lock<std::timed_mutex>& lock);
  [[nodiscard]] bool has_ended();
  [[nodiscard]] bool waits_for_feed();
  void wait_for_feed(std::unique_lock<std::timed_mutex>& lock);
  void find_room();
  void go_on_with_others(std::unique_lock<std::timed_mutex>& lock, bool moved);
  void drain(std::unique_lock<std::timed_mutex>& lock);
  void end(std::exception_ptr failure);

  /// A handover counts as one: the device's kernel is in flight.
  [[nodiscard]] std::uint32_t in_flight() const {
    return flights_.count() + (handovers_.is_on() ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t most_in_flight() const {
    return headway_.alone() ? 1 : device_.most_in_flight();
  }
  [[nodiscard]] bool stopping() const { return device_.stopped() || stop_.asked(); }

  device& device_;
  const scheduling_policy& policy_;
  const settings& options_;
  slow_core core_;
  run_memory memory_;
  std::unique_ptr<task_allocations> task_memory_;  ///< null unless tasks allocate
  restart_channel restarts_;
  channel_table table_;
  run_context run_;
  element_copies copies_;
  headway headway_;
  run_accounts accounts_;
  flight_table flights_;
  host_pushes pushes_;
  memory_waiters waiters_;
  handovers handovers_;
  room_planner room_;
  candidate_list candidates_;
  parked_elements parked_;
  relief relief_;
  std::unique_ptr<far_channels> far_;  ///< null without far channels
  published_progress progress_;
  stop_request stop_;
  bool ended_well_ = false;
  mutable std::timed_mutex state_mutex_;
};

}  // namespace channels::detail
