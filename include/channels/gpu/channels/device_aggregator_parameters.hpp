#pragma once

#include "channels/detail/handover.hpp"
#include "channels/gpu/channels/announcement.hpp"
#include "channels/gpu/channels/device_graph.hpp"

/// What the host gives the persistent kernel, and what comes back.
namespace channels::gpu::detail {

using channels::detail::handover_channel;
using channels::detail::handover_end;
using channels::detail::most_handover_channels;
using channels::detail::most_handover_places;

/// A batch that has ended and that the device aggregator leaves to the host.
struct batch_for_host {
  std::uint32_t slot, node, source, count, run_count;
  std::uint64_t start, end;  ///< if batches are noted
  run runs[announcement::most_runs];
  struct {
    std::uint32_t channel, count;
    std::uint64_t first;
  } windows[most_outputs];
};

/// What comes back, in pinned memory of the host.
struct device_aggregator_end {
  handover_end why;
  std::uint32_t left_count;
  std::uint64_t batches, cut_by_room, largest_batch, decide_ns, idle_ns, busy_ns, wait_ns;
  std::uint64_t node_batches[most_graph_nodes];
  std::uint64_t node_elements[most_graph_nodes];
  batch_for_host left[device_batches_in_flight];
  std::uint64_t started;  ///< when the aggregator did, by the device's clock
  std::uint64_t left_at;
  decision_counts noted;
  std::uint32_t next_number;  ///< of announcements
  std::uint32_t beats;        ///< grows while batches end
  std::uint32_t level;        ///< as of the last beat, of the batch that ended last
  std::uint64_t tasks;        ///< as of the last beat
  std::uint32_t stop;         ///< from the host: not 0, if the run is to end
  std::uint32_t ended;        ///< the number of the run that has ended
};

struct device_aggregator_parameters {
  const device_graph* graph;
  closure_block closures;
  channel_address* addresses;  ///< by channel
  handover_channel* channels;  ///< in the host's memory: at the start, and at the end
  std::uint32_t channel_count;
  std::uint32_t* tallies;    ///< see `batch_parameters`; null unless the rule is counted
  std::uint32_t* done;       ///< `handover::done`
  task_heap heap;            ///< for tasks that allocate
  std::uint32_t base_level;  ///< the least of any channel
  channels::scheduling_order order;
  std::uint32_t most_in_batch;
  std::uint32_t most_written;  ///< elements of a batch and its windows together
  announcement* announcements;
  line* reports;  ///< of each batch in flight
  device_counters* counters;
  batch_report* host_reports[device_batches_in_flight];  ///< for batches that are left to the host
  remark* remarks[device_batches_in_flight];
  remark* more_remarks[device_batches_in_flight];
  std::uint64_t* times;  ///< nanoseconds with and without a batch, of all work-groups
  std::uint32_t first_number;
  std::uint32_t run_number;
  std::uint32_t refuse_share;
  std::uint32_t seed;
  std::uint32_t leaf_bytes;  ///< of a wavefront
  persistent_work_log work;
  decision_log log;
  device_aggregator_end* end;
};

}  // namespace channels::gpu::detail
