#pragma once

#include <chrono>  // steady_clock
#include <memory>  // unique_ptr
#include <mutex>   // mutex
#include <string>  // string
#include <vector>  // vector

#include "channels/model.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/channel_table.hpp"
#include "runtime/device/device.hpp"

namespace channels::detail {

/// One run of one graph: the thread that calls `execute` is the aggregator (paper, sections 3.1,
/// 6, 7.2). In a loop it takes what batches have ended, files restart contexts, decides,
/// dispatches, and lends itself to the device when there is nothing left to decide.
class aggregator {
 public:
  aggregator(device& on, const graph_model& model, const scheduling_policy& policy,
             const settings& options);
  aggregator(const aggregator&) = delete;
  aggregator& operator=(const aggregator&) = delete;
  ~aggregator();

  /// Runs the graph to its end. Throws `channels::error` for a lack of room or memory, or after
  /// `stop`; and what a kernel node threw.
  void execute();

  // From other threads.

  /// Ends the run at the next wavefront; `why` becomes the error.
  void stop(std::string why);
  /// Grows while the run goes on.
  [[nodiscard]] std::uint64_t progress() const;
  /// What every channel holds and who waits for what. Waits for the aggregator to lend itself or
  /// pause, until `deadline`; says so if it does not.
  [[nodiscard]] std::string report(std::chrono::milliseconds deadline) const;
  /// The graph with what its channels hold now.
  [[nodiscard]] std::string dot(std::chrono::milliseconds deadline) const;
  /// After `execute`.
  [[nodiscard]] const statistics& counted() const { return statistics_; }

 private:
  enum class kind : std::uint8_t { fresh, resumable, waiting };
  struct option {
    channel_state* source;
    kind what;
  };
  struct flight_record;

  void push_from_host();
  void complete(flight_record& f);
  void put_back(flight_record& f);
  void collect_restarts();
  void release_frames();
  bool dispatch_next();
  bool gather(bool heed_predicates, bool without_room);
  void consider(channel_state& c, kind what, std::uint64_t ready, bool heed_predicates,
                bool without_room);
  [[nodiscard]] std::uint64_t room_for(const channel_state& c, kind what, std::uint64_t ready);
  void dispatch(const option& o, std::uint64_t ready);
  bool finished();
  void relieve_or_fail();
  bool grow_outputs(const channel_state& c);
  [[noreturn]] void fail_without_room(const channel_state& c);
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const node_model& node_of(const channel_state& c) const;
  [[nodiscard]] std::uint64_t waiting_of(const channel_state& c, kind what) const;
  /// Books the time since the last call.
  void count_time(std::uint64_t statistics::* phase);
  [[nodiscard]] bool stopping() const;

  [[nodiscard]] std::size_t lay_out_restarts();

  device& device_;
  const graph_model& model_;
  const scheduling_policy& policy_;
  const settings& options_;
  std::size_t memory_bytes_;
  std::byte* memory_;
  std::unique_ptr<channel_table> table_;
  bound_channel restarts_;
  std::uint64_t restarts_position_ = 0;
  std::uint32_t restarts_capacity_ = 0;

  std::vector<std::unique_ptr<flight_record>> flights_;
  std::vector<flight_record*> free_flights_;
  std::uint32_t in_flight_ = 0;
  std::uint64_t lanes_in_flight_ = 0;
  std::uint64_t restart_room_ =
      0;  ///< lanes that there were restart contexts for when options were gathered
  std::uint32_t most_in_batch_ = 0;
  std::vector<std::size_t>
      pushed_;  ///< by stack: bytes of `stack_model::pushed` already in a channel
  bool pushes_left_ = true;
  bool changed_ = true;         ///< there may be something to decide
  std::uint64_t progress_ = 0;  ///< batches that changed anything
  bool alone_ = false;  ///< one batch at a time: nothing else could run, and each gets a fair trial
  std::uint64_t fruitless_ = 0;  ///< batches in a row that did not
  /// Of these may forced yields be the cause: a hundred times what four reservations take.
  std::uint64_t fruitless_before_refused_;

  std::vector<candidate> candidates_;
  std::vector<option> options_of_candidates_;
  std::vector<option> waiting_options_;

  bool timed_ = false;
  device::clock::time_point phase_start_;
  statistics statistics_;

  mutable std::timed_mutex state_mutex_;  ///< held by the aggregator except while it lends itself
  mutable std::mutex stop_mutex_;
  bool stop_asked_ = false;
  std::string stop_reason_;
  std::uint64_t beats_ = 0;
};

}  // namespace channels::detail
