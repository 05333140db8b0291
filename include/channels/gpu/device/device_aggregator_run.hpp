#pragma once

#include <algorithm>  // any_of, max, min
#include <cstring>    // memcpy
#include <memory>     // unique_ptr
#include <string>     // string
#include <utility>    // exchange
#include <vector>     // vector

#include "channels/gpu/device/batch_slot.hpp"
#include "channels/gpu/device/log_memory.hpp"
#include "channels/gpu/device/node_closures.hpp"

namespace channels::gpu::detail {

using channels::detail::graph_model;
using channels::detail::handover;
using channels::detail::node_model;
using channels::detail::stack_model;

/// How the host talks to the device aggregator: `start` hands over to it in a persistent kernel,
/// and `take` reads what it hands back. One thread of the host calls its functions, except where
/// they say otherwise.
class device_aggregator_run {
 public:
  /// Why the kernel cannot run `model`; "" if it can.
  static std::string why_not(const graph_model& model) {
    std::size_t outputs = 0;
    const persistent_kernel* kernel = nullptr;
    for (const stack_model& s : model.stacks) {
      if (s.worth) return "the predicate of channel '" + s.name + "' is code of the host";
    }
    for (const node_model& n : model.nodes) {
      const persistent_code* const code = persistent_code_of(n);
      if (code == nullptr) {
        return "kernel node '" + n.name +
               "' has no code for it, which cilk2chan adds with --device-aggregator";
      }
      if (kernel != nullptr && code->kernel != kernel) {
        return "kernel node '" + n.name + "' was compiled in another file than others";
      }
      kernel = code->kernel;
      outputs += n.outputs.size();
    }
    if (model.nodes.size() > most_graph_nodes || model.stacks.size() > most_graph_stacks ||
        outputs > most_graph_outputs) {
      return "the graph has " + std::to_string(model.nodes.size()) + " kernel nodes, " +
             std::to_string(model.stacks.size()) + " channels and " + std::to_string(outputs) +
             " outputs, and it keeps at most " + std::to_string(most_graph_nodes) + ", " +
             std::to_string(most_graph_stacks) + " and " + std::to_string(most_graph_outputs);
    }
    return {};
  }

  /// `slots`: where batches that are left to the host leave their reports and remarks.
  void start(const handover& r, const channels::detail::run_setup& setup, const task_heap& heap,
             batch_slot* slots, device_counters* counters, unsigned units, unsigned width) {
    if (memory_ == nullptr) make();
    const persistent_code& code = *persistent_code_of(r.model->nodes.front());
    const std::uint32_t leaf_bytes = prepare_leaves(*r.model);
    const std::size_t waves = (persistent_items + width - 1) / width;
    const std::size_t group_bytes = persistent_group_bytes(leaf_bytes, waves);
    groups_ = std::max(code.kernel->groups_per_unit(group_bytes) * units, least_persistent_groups);

    device_aggregator_parameters p{};
    p.channel_count = static_cast<std::uint32_t>(r.channels.size());
    const auto& stacks = r.model->stacks;
    const bool counted =
        std::any_of(stacks.begin(), stacks.end(), [](const stack_model& s) { return !s.control; });
    if (counted) copy_counts(r, p);
    p.base_level = ~std::uint32_t{0};
    for (const handover_channel& c : r.channels) p.base_level = std::min(p.base_level, c.level);
    std::copy(r.channels.begin(), r.channels.end(), channels_.get());
    if (!graph_is_there_) copy(graph_.get(), graph_of(*r.model));
    graph_is_there_ = true;
    p.heap = heap;
    p.graph = graph_.get();
    p.closures = closures_.all();
    p.addresses = addresses_.get();
    p.channels = channels_.get();
    p.order = r.order;
    p.most_in_batch = r.most_in_batch;
    p.most_written = 4 * r.most_in_batch + 4096;
    p.announcements = memory_.get();
    p.reports = reports_.get();
    p.counters = counters;
    for (std::uint32_t i = 0; i < device_batches_in_flight; ++i) {
      slots[i].make_room(p.most_written);
      p.host_reports[i] = slots[i].report.get();
      p.remarks[i] = slots[i].remarks.get();
      p.more_remarks[i] = slots[i].more_remarks.get();
    }
    p.times = times_.get();
    p.first_number = next_number_;
    p.run_number = ++number_;
    p.refuse_share = setup.refuse_share;
    p.seed = static_cast<std::uint32_t>(setup.seed);
    p.leaf_bytes = leaf_bytes;
    work_.place(groups_, p.work, p.log);
    p.end = end_.get();
    finish_copies();
    end_->tasks = 0;
    code.kernel->launch({p, {}, false}, groups_, group_bytes, stream_.handle());
    check(CHANNELS_GPU(GetLastError)(), "start of the aggregator on the device");
    running_ = true;
  }

  /// Before the first start of a run.
  void begin(const channels::detail::run_setup& setup) {
    graph_is_there_ = false;
    work_.begin(setup.log);
  }
  /// What work-groups have noted of the run, which has ended.
  channels::detail::noted_work take_log() {
    // The aggregator says that it has left before the others have.
    if (memory_ == nullptr) return {};
    stream_.wait("the end of the aggregator on the device");
    return work_.take();
  }
  void read_log(std::vector<unit_work>& to) const { work_.read(to); }
  [[nodiscard]] channels::detail::handover_progress how_far() const {
    if (!running_) return {};
    // Relaxed: figures for a person, each by itself.
    return {__atomic_load_n(&end_->tasks, __ATOMIC_RELAXED),
            __atomic_load_n(&end_->level, __ATOMIC_RELAXED)};
  }
  [[nodiscard]] bool is_running() const { return running_; }
  /// Acquire: all that it left was written before.
  [[nodiscard]] bool has_ended() const {
    return running_ && __atomic_load_n(&end_->ended, __ATOMIC_ACQUIRE) == number_;
  }
  /// Asks the vendor for the kernel's state. The host calls it while the kernel runs.
  [[nodiscard]] error_code query() const { return stream_.query(); }
  void give_up() { running_ = false; }

  /// What the kernel has left.
  void take(handover& r) {
    running_ = false;
    const device_aggregator_end& e = *end_;
    next_number_ = e.next_number;
    std::copy_n(channels_.get(), r.channels.size(), r.channels.begin());
    r.why = e.why;
    r.batches = e.batches;
    r.cut_by_room = e.cut_by_room;
    r.largest_batch = e.largest_batch;
    r.decide_ns = e.decide_ns;
    r.idle_ns = e.idle_ns;
    r.busy_ns = (e.busy_ns - std::exchange(busy_before_, e.busy_ns)) / (groups_ - 1);
    r.wait_ns = (e.wait_ns - std::exchange(wait_before_, e.wait_ns)) / (groups_ - 1);
    take_counts(r);
    r.log = {};
    if (work_.wanted()) {
      r.log.began = e.started;
      r.log.ended = e.left_at;
      work_.read(e.noted, r.log);
    }
    r.nodes.clear();
    for (std::size_t i = 0; i < r.model->nodes.size(); ++i)
      r.nodes.push_back({e.node_batches[i], e.node_elements[i]});
    r.left.clear();
    for (std::uint32_t i = 0; i < e.left_count; ++i) {
      const batch_for_host& from = e.left[i];
      handover::left_batch& to = r.left.emplace_back();
      to.slot = from.slot;
      to.node = from.node;
      to.source = from.source;
      to.count = from.count;
      to.looked = r.channels[from.source].counted != 0;
      if (work_.wanted()) {
        to.start = from.start;
        to.end = from.end;
      }
      to.runs.assign(from.runs, from.runs + from.run_count);
      for (std::size_t o = 0; o < r.model->nodes[from.node].outputs.size(); ++o)
        to.windows.push_back(
            {from.windows[o].channel, {from.windows[o].first, from.windows[o].count}});
    }
  }

  /// May be called from any thread. Relaxed, both: the kernel only looks whether it is set, and
  /// others whether the count changes.
  void stop(bool wanted) {
    if (end_ != nullptr) __atomic_store_n(&end_->stop, wanted ? 1U : 0U, __ATOMIC_RELAXED);
  }
  [[nodiscard]] std::uint64_t beats() const {
    return end_ == nullptr ? 0 : __atomic_load_n(&end_->beats, __ATOMIC_RELAXED);
  }
  /// Before other threads know of it.
  void make_end() {
    end_ = allocate_on_host<device_aggregator_end>(sizeof(device_aggregator_end), "pinned memory");
    *end_ = device_aggregator_end{};
  }

  device_aggregator_run() = default;
  device_aggregator_run(const device_aggregator_run&) = delete;
  device_aggregator_run& operator=(const device_aggregator_run&) = delete;
  ~device_aggregator_run() = default;

 private:
  template <class T>
  static void copy(T* to, const T& from, std::size_t count = 1) {
    check(CHANNELS_GPU(Memcpy)(to, &from, count * sizeof(T), CHANNELS_GPU(MemcpyHostToDevice)),
          "what an aggregator on the device begins with");
  }

  /// The counted rule: done counts, and a tally for each channel by its number.
  void copy_counts(const handover& r, device_aggregator_parameters& p) {
    constexpr const char* what = "memory for done counts (CHANNELS_DONE_GROUP)";
    std::uint32_t tallies = 0;
    for (const handover_channel& c : r.channels) tallies = std::max(tallies, c.id + 1);
    const std::size_t wanted = r.done.size() + tallies;
    if (counts_room_ < wanted) {
      counts_.reset();
      counts_room_ = 0;
      counts_ = allocate<std::uint32_t>(2 * wanted * sizeof(std::uint32_t), what);
      counts_room_ = 2 * wanted;
    }
    p.done = counts_.get();
    p.tallies = counts_.get() + r.done.size();
    if (!r.done.empty()) copy(p.done, r.done.front(), r.done.size());
  }
  void take_counts(handover& r) const {
    r.ready.clear();
    if (r.done.empty()) return;
    check(CHANNELS_GPU(Memcpy)(r.done.data(), counts_.get(), r.done.size() * sizeof(std::uint32_t),
                               CHANNELS_GPU(MemcpyDeviceToHost)),
          "done counts");
    for (std::size_t i = 0; i < r.channels.size(); ++i) {
      if (r.channels[i].counted != 0 && r.channels[i].ready_frames != 0) find_ready(r, i);
    }
  }
  /// Which frames of a channel are ready: their heads say so.
  static void find_ready(handover& r, std::size_t channel) {
    const handover_channel& c = r.channels[channel];
    const std::size_t bytes = r.model->stacks[c.stack].element_bytes;
    std::vector<std::byte> frames;
    for (std::uint64_t t = c.head; t < c.tail;) {
      // Up to the end of the array, where the channel begins again.
      const std::uint64_t slot = t & (c.capacity - 1);
      const std::uint64_t count = std::min(c.tail - t, c.capacity - slot);
      frames.resize(bytes * count);
      check(CHANNELS_GPU(Memcpy)(frames.data(), c.data + bytes * slot, frames.size(),
                                 CHANNELS_GPU(MemcpyDeviceToHost)),
            "frames");
      for (std::uint64_t i = 0; i < count; ++i) {
        std::uint32_t join = 0;
        std::memcpy(&join, frames.data() + bytes * i, sizeof join);
        if (join == 0) r.ready.push_back({static_cast<std::uint32_t>(channel), t + i});
      }
      t += count;
    }
  }

  void make() {
    stream_.make();
    constexpr std::size_t announcements = sizeof(announcement) * announcement_ring;
    constexpr std::size_t reports = sizeof(line) * device_batches_in_flight;
    constexpr const char* what = "memory for an aggregator on the device";
    memory_ = allocate<announcement>(announcements, what);
    reports_ = allocate<line>(reports, what);
    graph_ = allocate<device_graph>(sizeof(device_graph), what);
    addresses_ = allocate<channel_address>(sizeof(channel_address) * most_handover_channels, what);
    channels_ = allocate_on_host<handover_channel>(
        sizeof(handover_channel) * most_handover_channels, "pinned memory");
    times_ = allocate<std::uint64_t>(2 * sizeof(std::uint64_t), what);
    check(CHANNELS_GPU(Memset)(memory_.get(), 0, announcements), what);
    check(CHANNELS_GPU(Memset)(reports_.get(), 0, reports), what);
    check(CHANNELS_GPU(Memset)(times_.get(), 0, 2 * sizeof(std::uint64_t)), what);
  }

  /// The graph with addresses on the device.
  device_graph graph_of(const graph_model& model) {
    device_graph g{};
    g.node_count = static_cast<std::uint32_t>(model.nodes.size());
    g.stack_count = static_cast<std::uint32_t>(model.stacks.size());
    for (std::size_t i = 0; i < model.stacks.size(); ++i) {
      const stack_model& s = model.stacks[i];
      g.stacks[i] = {static_cast<std::uint16_t>(s.consumer), s.levels, s.frames};
    }
    closures_.copy(model);
    std::uint32_t outputs = 0;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      const node_model& n = model.nodes[i];
      g.nodes[i] = {persistent_code_of(n)->address(), closures_.of(i), outputs,
                    static_cast<std::uint32_t>(n.outputs.size())};
      for (const channels::detail::output_model& o : n.outputs) {
        g.outputs[outputs++] = {static_cast<std::uint16_t>(o.stack),
                                static_cast<std::uint16_t>(o.step), o.bound};
      }
    }
    return g;
  }

  std::unique_ptr<announcement, free_memory> memory_;
  std::unique_ptr<line, free_memory> reports_;
  std::unique_ptr<device_graph, free_memory> graph_;
  std::unique_ptr<channel_address, free_memory> addresses_;
  std::unique_ptr<handover_channel, free_host_memory> channels_;
  std::unique_ptr<std::uint64_t, free_memory> times_;
  std::unique_ptr<std::uint32_t, free_memory> counts_;
  std::size_t counts_room_ = 0;
  std::unique_ptr<device_aggregator_end, free_host_memory> end_;
  persistent_work work_;
  bool graph_is_there_ = false;    ///< of this run
  std::uint64_t busy_before_ = 0;  ///< sums of earlier kernels
  std::uint64_t wait_before_ = 0;
  node_closures closures_;         ///< of the graph
  std::uint32_t next_number_ = 1;  ///< of announcements
  std::uint32_t number_ = 0;       ///< of runs of the kernel
  unsigned groups_ = 0;
  bool running_ = false;
  own_stream stream_;  ///< last: it ends before what the kernel on it uses
};

}  // namespace channels::gpu::detail
