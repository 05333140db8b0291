#pragma once

#include <array>     // array
#include <chrono>    // steady_clock
#include <memory>    // unique_ptr
#include <mutex>     // mutex
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/scheduling.hpp"
#include "channels/settings.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/channel_table.hpp"
#include "runtime/aggregator/ended_batch.hpp"
#include "runtime/aggregator/run_trace.hpp"
#include "runtime/aggregator/slow_core.hpp"
#include "runtime/observe/device_clock.hpp"

namespace channels::detail {

/// How far a run is.
struct run_progress {
  std::uint64_t tasks = 0;   ///< elements consumed by work and pre-spawn nodes
  std::uint64_t yields = 0;  ///< frames and elements handed over for lack of room
  std::uint64_t memory = 0;  ///< bytes of channels
  std::int64_t level = -1;   ///< the deepest that holds anything
};

/// One run of one graph: the thread that calls `execute` is the aggregator (paper, sections 3.1,
/// 6, 7.2). In a loop it takes what batches have ended, files restart contexts, decides,
/// dispatches, and lends itself to the device when there is nothing left to decide.
class aggregator {
 public:
  /// `trace`: null unless the run is to be entered in one.
  aggregator(device& on, const graph_model& model, const scheduling_policy& policy,
             const settings& options, std::shared_ptr<trace_session> trace);
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
  /// What the aggregator saw last; nothing unless `settings::progress`.
  [[nodiscard]] run_progress how_far() const;
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

  // An aggregator on the device (handover.cpp).
  bool hand_over();
  void make_ahead();
  [[nodiscard]] bool is_tidy() const;
  bool describe_channels();
  void describe_counted(const channel_state& c, handover_channel& s);
  void take_back();
  void return_batch(const handover::left_batch& batch);

  flight_record& begin_flight(channel_state& source, kind what);
  void add_output(flight_record& f, channel_state* to, std::uint64_t promised);
  void count_flight(flight_record& f);
  void push_from_host();
  void store(channel_state& c, run r, const std::byte* elements);
  void complete(flight_record& f);
  void put_back(flight_record& f);
  void collect_restarts();
  void release_frames();
  void release_starved();
  bool grant_memory();
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
  /// Books the time since the last call, if that is timed.
  void count_time(phase what);
  void count_time(phase what, std::uint64_t now);
  /// Notes what a batch did, if that was timed.
  void count_batch(flight_record& f);
  /// Books what was noted.
  void book_batches();
  void estimate_times(flight_record& f);
  /// Enters in the trace what the device has noted: of its aggregator, and of its compute units.
  void enter_handover();
  void enter_work();
  void count_restarts(const channel_state& c, std::uint32_t count);
  /// What of the statistics is known only at the end of the run.
  void finish_statistics(device::clock::time_point start);
  void turn_ticks_into_time();
  /// Tells `how_far`.
  void publish_progress();
  [[nodiscard]] bool stopping() const;

  [[nodiscard]] std::size_t lay_out_restarts();

  device& device_;
  const graph_model& model_;
  const scheduling_policy& policy_;
  const settings& options_;
  slow_core core_;
  std::size_t memory_bytes_;
  channel_memory memory_;
  std::unique_ptr<channel_table> table_;
  std::unique_ptr<task_allocations> task_memory_;  ///< if tasks allocate
  std::uint64_t starved_ = 0;                      ///< frames that wait for it
  std::uint64_t releases_seen_ = 0;                ///< of task memory, when they were last let try
  std::uint64_t starved_tried_ = ~std::uint64_t{0};  ///< progress when they tried in vain
  const channel_state* granting_ = nullptr;  ///< of which the next restarted frame goes on alone
  std::uint64_t granted_at_ = ~std::uint64_t{0};  ///< progress when one did in vain
  bound_channel restarts_;
  std::uint64_t restarts_position_ = 0;
  std::uint32_t restarts_capacity_ = 0;
  std::size_t restarts_clean_ = 0;  ///< bytes of it that were 0 when it was made
  bool ended_well_ = false;

  bool on_device_ = false;
  bool handed_over_ = false;  ///< the device decides
  handover handover_;
  std::uint32_t levels_ahead_ = 12;  ///< for which channels are made before that
  /// Dispatches before the device may try again, since it could do nothing.
  std::uint32_t turns_of_host_ = 0;

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
  std::uint64_t reliefs_in_vain_ = 0;  ///< since a batch last changed anything
  std::uint64_t fruitless_ = 0;        ///< batches in a row that did not
  /// Of these may forced yields be the cause: a hundred times what four reservations take.
  std::uint64_t fruitless_before_refused_;

  std::vector<candidate> candidates_;
  std::vector<option> options_of_candidates_;
  std::vector<option> waiting_options_;

  bool timed_ = false;
  std::unique_ptr<run_trace> trace_;
  std::optional<device_clock> device_clock_;  ///< if times are by such a clock
  std::uint64_t handed_over_at_ = 0;          ///< in ticks, if that is timed
  std::uint64_t tasks_ = 0;
  std::uint64_t yields_ = 0;
  run_progress how_far_;  ///< these two, and more, as of the last `publish_progress`
  std::array<std::uint64_t, 6> phase_ticks_{};
  std::vector<ended_batch> ended_;  ///< of which statistics and trace do not know yet
  std::uint64_t start_ticks_ = 0;
  std::uint64_t phase_start_ = 0;
  statistics statistics_;

  mutable std::timed_mutex state_mutex_;  ///< held by the aggregator except while it lends itself
  mutable std::mutex stop_mutex_;
  bool stop_asked_ = false;
  std::string stop_reason_;
  std::uint64_t beats_ = 0;
};

}  // namespace channels::detail
