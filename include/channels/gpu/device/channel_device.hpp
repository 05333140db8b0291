#pragma once

#include <algorithm>  // find_if, min, max
#include <chrono>     // steady_clock
#include <cstdlib>    // calloc, free
#include <cstring>    // memcpy
#include <memory>     // unique_ptr, shared_ptr
#include <string>     // string
#include <utility>    // exchange

#include "channels/detail/aggregating_device.hpp"
#include "channels/detail/device.hpp"
#include "channels/detail/heap_abi.hpp"
#include "channels/detail/logging_device.hpp"
#include "channels/detail/running_time.hpp"
#include "channels/error.hpp"
#include "channels/gpu/device/batch_ends.hpp"
#include "channels/gpu/device/batch_launch.hpp"
#include "channels/gpu/device/device_aggregator_run.hpp"
#include "channels/gpu/device/small_batch_worker_run.hpp"
#include "channels/gpu/device/task_arenas.hpp"
#include "channels/gpu/tuning.hpp"
#include "channels/settings.hpp"

/// A GPU behind the device interface. Its channels are in its memory, and its aggregator is on a
/// thread of the host, or on the device during a handover.
namespace channels::gpu {

namespace detail {

using channels::detail::channel_memory;
using channels::detail::flight;
using channels::detail::graph_model;
using channels::detail::handover;
using channels::detail::node_model;

}  // namespace detail

/// `submit` launches a batch: as a kernel of its own on one of several streams, so that the next
/// one is there when one ends, or, if it is small, by the small-batch worker
/// (small_batch_worker_run.hpp). Nothing blocks: the host learns of a batch's end from a word in
/// pinned memory. During a handover the device has an aggregator of its own in a persistent kernel
/// (device_aggregator_run.hpp). One thread of the host calls the functions, except `stop`,
/// `stopped`, `heartbeat` and `how_far`.
class channel_device final : public channels::detail::device,
                             public channels::detail::aggregating_device,
                             public channels::detail::logging_device {
 public:
  /// Throws `channels::error` if there is no GPU, or too little memory.
  explicit channel_device(const settings& options) {
    const detail::device_shape shape = detail::shape_of_device(options.compute_units);
    if (shape.units == 0) {
      throw error(std::string("CHANNELS_DEVICE=") + device_name +
                  ": there is no such device, or no driver for it; set CHANNELS_DEVICE to host");
    }
    width_ = shape.width;
    units_ = shape.units;
    most_groups_ = units_ * batch_groups;
    persistent_.make_end();
    for (detail::batch_slot& s : slots_) s.make(options.batch);
    counters_ = detail::allocate<detail::device_counters>(
        sizeof(detail::device_counters) * in_flight, "memory for batches");
    detail::check(
        CHANNELS_GPU(Memset)(counters_.get(), 0, sizeof(detail::device_counters) * in_flight),
        "memory for batches");
  }
  ~channel_device() override { free_memory(); }

  [[nodiscard]] std::string_view name() const override { return device_name; }
  [[nodiscard]] std::string_view unit_name() const override { return gpu::unit_name; }
  [[nodiscard]] bool reports_writes() const override { return true; }
  [[nodiscard]] bool wants_large_channels() const override { return true; }
  /// One: the aggregator treats the whole GPU as one compute unit, which a batch may fill.
  [[nodiscard]] std::uint32_t compute_units() const override { return 1; }
  [[nodiscard]] std::uint32_t most_in_flight() const override { return in_flight; }
  [[nodiscard]] channels::detail::aggregating_device* as_aggregating() override { return this; }
  [[nodiscard]] channels::detail::logging_device* as_logging() override { return this; }
  [[nodiscard]] unsigned width() const { return width_; }

  void check(const detail::graph_model& model) const override {
    if (!lost_.empty()) throw error(lost_ + "; the device cannot be used any more");
    for (const detail::node_model& n : model.nodes) {
      const auto refuse = [&](const std::string& why) {
        throw error(std::string(model.name) + ": kernel node '" + n.name + "' " + why);
      };
      if (n.outputs.size() > detail::most_outputs) {
        refuse("writes to " + std::to_string(n.outputs.size()) + " channels, and to at most " +
               std::to_string(detail::most_outputs) + " it can on a GPU");
      }
      if (n.on_gpu == nullptr) {
        refuse(std::string("has no code for the device '") + device_name +
               "': it was compiled for the host only; set CHANNELS_DEVICE to host");
      }
      if (std::string_view(n.on_gpu->device) != device_name) {
        refuse(std::string("was compiled for the device '") + n.on_gpu->device + "', not for '" +
               device_name + "'");
      }
    }
  }

  [[nodiscard]] detail::channel_memory allocate(std::size_t bytes) override {
    if (kept_bytes_ == bytes) {
      kept_bytes_ = 0;
      return kept_;
    }
    free_memory();
    void* data = nullptr;
    if (CHANNELS_GPU(Malloc)(&data, bytes) != success) return {};
    void* const control = std::calloc(bytes, 1);
    if (control == nullptr) {
      (void)CHANNELS_GPU(Free)(data);
      return {};
    }
    return {static_cast<std::byte*>(control), static_cast<std::byte*>(data), bytes};
  }
  /// Keeps the memory for the next run, which will want as much.
  void release(detail::channel_memory memory, std::size_t bytes) override {
    free_memory();
    kept_ = memory;
    kept_bytes_ = bytes;
  }
  void upload(detail::channel_memory memory, std::size_t offset, std::size_t bytes) override {
    detail::check(CHANNELS_GPU(Memcpy)(memory.data + offset, memory.control + offset, bytes,
                                       CHANNELS_GPU(MemcpyHostToDevice)),
                  "elements from the host");
  }
  void download(detail::channel_memory memory, std::size_t offset, std::size_t bytes) override {
    detail::check(CHANNELS_GPU(Memcpy)(memory.control + offset, memory.data + offset, bytes,
                                       CHANNELS_GPU(MemcpyDeviceToHost)),
                  "elements to the host");
  }
  void blank(std::byte* data, std::size_t bytes) override {
    detail::check(CHANNELS_GPU(Memset)(data, 0xff, bytes), "frames");
    copies_left_ = true;
  }
  [[nodiscard]] std::uint32_t parts() const override {
    return std::max(parts_of_slot() * in_flight, units_ * most_persistent_waves);
  }
  [[nodiscard]] std::shared_ptr<channels::detail::device_memory> make_memory(
      std::size_t bytes) override {
    return std::make_shared<detail::plain_memory>(bytes);
  }
  [[nodiscard]] std::shared_ptr<void> make_shared_memory(std::size_t bytes) override {
    return detail::allocate_on_host<std::byte>(bytes, "pinned memory");
  }

  [[nodiscard]] std::unique_ptr<channels::detail::task_allocations> make_task_memory(
      std::size_t bytes) override {
    return std::make_unique<detail::task_arenas>(bytes);
  }

  void begin(const channels::detail::run_setup& setup) override {
    own_allocations();
    setup_ = setup;
    // This device made it.
    arenas_ = static_cast<detail::task_arenas*>(setup.memory);
    counted_ = {};
    last_end_ = 0;
    detail::finish_copies();
    persistent_.begin(setup);
    work_.begin(setup.log, most_groups_, in_flight);
    worker_.begin(setup, heap(), slots_, work_.ring(0), width_);
    persistent_.stop(false);
    // Relaxed: a flag, and nothing else is read because of it.
    __atomic_store_n(&stopping_, false, __ATOMIC_RELAXED);
  }

  void submit(detail::flight* f) override {
    const auto free_slot = std::find_if(
        slots_, slots_ + in_flight, [](const detail::batch_slot& s) { return s.work == nullptr; });
    detail::batch_slot& s = *free_slot;
    s.work = f;
    s.frames_are_free = false;
    const batch& b = f->work;
    detail::batch_parameters& p = s.parameters;
    p.source = b.source->view.data();
    p.source_mask = b.source->view.capacity() - 1;
    p.source_channel = b.source->id;
    p.count = b.count;
    p.level = b.level;
    p.number = ++number_;
    p.refuse_share = setup_.refuse_share;
    p.seed = static_cast<std::uint32_t>(setup_.seed) + number_ * 2246822519U;
    p.tallies = nullptr;
    p.heap = heap();
    p.grants = f->granted ? 1 : 0;
    if (f->granted && arenas_ != nullptr) arenas_->grant(f->node->name, b.level);
    p.tickets = nullptr;
    if (b.tickets != nullptr) {
      p.tickets = s.tickets.get();
      std::memcpy(s.tickets.get(), b.tickets, sizeof *b.tickets * b.count);
    }
    p.run_count = b.tickets == nullptr ? b.run_count : 0;
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < b.run_count; ++i) {
      p.first[i] = b.runs[i].first;
      p.before[i] = before;
      before += b.runs[i].count;
    }
    // One for each element, and one for what the first was denied.
    std::uint64_t most_remarks = std::uint64_t{b.count} + 1;
    for (std::uint32_t i = 0; i < b.output_count; ++i) {
      p.outputs[i] = open_window(*f, i);
      most_remarks += p.outputs[i].count;
    }
    make_room(s, most_remarks);
    const auto index = static_cast<unsigned>(free_slot - slots_);
    p.part = index * parts_of_slot();
    p.count_in(counters_.get()[index]);
    p.report = s.report.get();
    p.remarks = s.remarks.get();
    p.more_remarks = s.more_remarks.get();
    const unsigned waves = std::min((b.count + width_ - 1) / width_, batch_waves);
    const unsigned items = width_ * waves;
    const unsigned groups = std::min((b.count + items - 1) / items, most_groups_);
    if (std::exchange(copies_left_, false)) detail::finish_copies();
    p.node = setup_.model == nullptr
                 ? 0
                 : static_cast<std::uint32_t>(f->node - setup_.model->nodes.data());
    const bool is_small = worker_.takes(b.count);
    p.log = work_.place(index, is_small ? 1 : groups);
    if (is_small) {
      worker_.send(s, index);
      return;
    }
    const detail::batch_launch launch{p, groups, items, groups * waves, s.stream.handle()};
    f->node->on_gpu->launch(f->node->arguments.get(), &launch);
    const error_code code = CHANNELS_GPU(GetLastError)();
    if (code != success) lose(std::string("start: ") + CHANNELS_GPU(GetErrorString)(code));
  }

  [[nodiscard]] detail::flight* poll() override {
    for (detail::batch_slot& s : slots_) {
      if (s.work == nullptr || !has_ended(s)) continue;
      __atomic_fetch_add(&beats_, 1, __ATOMIC_RELAXED);
      return finish(s);
    }
    if (lost_.empty()) return nullptr;
    for (detail::batch_slot& s : slots_) {
      // The run ends with an error: nothing is consumed any more.
      if (s.work != nullptr) return std::exchange(s.work, nullptr);
    }
    return nullptr;
  }

  bool lend(clock::time_point deadline) override {
    const auto ended = [this] {
      return persistent_.has_ended() ||
             std::any_of(slots_, slots_ + in_flight, [this](const detail::batch_slot& s) {
               return s.work != nullptr && has_ended(s);
             });
    };
    while (!ended()) {
      host_nap();
      if (clock::now() < deadline) continue;
      look_for_faults();
      break;
    }
    return false;
  }

  [[nodiscard]] std::string why_no_aggregator(const detail::graph_model& model) const override {
    return detail::device_aggregator_run::why_not(model);
  }
  void hand_over(detail::handover& r) override {
    worker_.dismiss();
    persistent_.start(r, setup_, heap(), slots_, counters_.get(), units_, width_);
  }
  [[nodiscard]] bool has_handed_back(detail::handover& r) override {
    if (persistent_.has_ended()) {
      persistent_.take(r);
      // A task that found no memory may have asked before others gave some back.
      if (arenas_ != nullptr) arenas_->count_releases(1);
      count(r);
      return true;
    }
    if (lost_.empty() || !persistent_.is_running()) return false;
    // The run ends with an error: the channels are not used any more.
    persistent_.give_up();
    r.why = channels::detail::handover_end::stopped;
    return true;
  }
  [[nodiscard]] channels::detail::handover_progress how_far() const override {
    return persistent_.how_far();
  }
  void return_batch(detail::flight* f, const detail::handover::left_batch& batch) override {
    detail::batch_slot& s = slots_[batch.slot];
    s.work = f;
    s.frames_are_free = batch.looked;
    for (std::size_t i = 0; i < batch.windows.size(); ++i) {
      const bound_channel* const to = f->work.outputs[i];
      s.parameters.outputs[i] = {};
      if (to == nullptr) continue;
      s.parameters.outputs[i] = {to->view.data(), batch.windows[i].reserved.first,
                                 batch.windows[i].reserved.count, to->view.capacity() - 1, to->id};
    }
    s.report->began = s.report->ended = 0;
    s.report->number = s.parameters.number = ++number_;
  }

  [[nodiscard]] std::uint64_t heartbeat() const override {
    return __atomic_load_n(&beats_, __ATOMIC_RELAXED) + persistent_.beats();
  }
  void stop() override {
    __atomic_store_n(&stopping_, true, __ATOMIC_RELAXED);
    persistent_.stop(true);
  }
  [[nodiscard]] bool stopped() const override {
    return __atomic_load_n(&stopping_, __ATOMIC_RELAXED);
  }
  work_counters end() override {
    worker_.dismiss();
    if (!lost_.empty()) throw error("device '" + std::string(device_name) + "': " + lost_);
    return counted_;
  }
  channels::detail::noted_work take_log() override {
    if (setup_.log == 0 || !lost_.empty()) return {};
    const channels::detail::noted_work launched = work_.take();
    const channels::detail::noted_work persistent = persistent_.take_log();
    return {launched.kept + persistent.kept, launched.dropped + persistent.dropped};
  }
  void read_log(std::vector<channels::detail::unit_work>& to) const override {
    work_.read(to);
    persistent_.read_log(to);
  }

 private:
  static constexpr unsigned in_flight = device_batches_in_flight;

  /// The thread of the aggregator: pauses the program's heap for itself. In a compiled program,
  /// neither the vendor's library nor this code may get memory of the program's heap for devices.
  static void own_allocations() {
    thread_local bool owned = false;
    if (owned || &channels_heap_pause == nullptr) return;
    (void)channels_heap_pause(1);
    owned = true;
  }

  [[nodiscard]] detail::task_heap heap() const {
    return arenas_ == nullptr ? detail::task_heap{} : arenas_->heap();
  }
  [[nodiscard]] bool has_ended(const detail::batch_slot& s) {
    return worker_.has(s) ? worker_.has_ended() : s.has_ended();
  }
  void make_room(detail::batch_slot& s, std::uint64_t remarks) {
    if (!s.lacks_room(remarks)) return;
    // To free memory would wait for the small-batch worker.
    if (worker_.is_free()) worker_.dismiss();
    s.make_room(remarks);
  }

  /// Reserves what the batch may write to its `i`th output.
  [[nodiscard]] static detail::window open_window(const detail::flight& f, std::uint32_t i) {
    const bound_channel* const to = f.work.outputs[i];
    // A continuation has its frame already.
    if (to == nullptr || f.node->outputs[i].bound == 0) return {};
    const channel_view& view = to->view;
    const std::uint64_t wanted = f.alone ? view.capacity() : f.promised[i];
    const run room = view.talloc_between(
        1, static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, view.capacity())));
    return {view.data(), room.first, room.count, view.capacity() - 1, to->id};
  }

  /// Applies what a batch that has ended did to the channels, and counts it.
  detail::flight* finish(detail::batch_slot& s) {
    detail::flight& f = *std::exchange(s.work, nullptr);
    const work_counters before = counted_;
    ends_.take(s, f, setup_, counted_);
    f.work.times.retries = static_cast<std::uint32_t>(counted_.retries - before.retries);
    f.work.times.yields = static_cast<std::uint32_t>(counted_.yields - before.yields);
    const detail::batch_report& r = *s.report;
    if (arenas_ != nullptr) arenas_->count_releases(r.released);
    counted_.waves += (f.work.count + width_ - 1) / width_;
    counted_.lanes += f.work.count;
    if (r.ended != 0) {
      f.device_start = r.began;
      f.device_end = r.ended;
    }
    counted_.busy_ns += r.ended - std::min(r.ended, std::max(r.began, last_end_));
    last_end_ = std::max(last_end_, r.ended);
    return &f;
  }

  /// Adds what the device aggregator has counted, without the batches that it left to the host.
  void count(const detail::handover& r) {
    for (std::size_t i = 0; i < r.nodes.size(); ++i) {
      const bool frames = r.model->stacks[r.model->nodes[i].stack].frames;
      (frames ? counted_.resumed : counted_.tasks) += r.nodes[i].elements;
      counted_.lanes += r.nodes[i].elements;
      // Each batch has one wavefront at most that is not full.
      counted_.waves += (r.nodes[i].elements + r.nodes[i].batches * (width_ / 2)) / width_;
    }
    counted_.busy_ns += r.busy_ns;
  }

  void look_for_faults() {
    if (persistent_.is_running()) {
      const error_code code = persistent_.query();
      if (code != success && code != CHANNELS_GPU(ErrorNotReady)) {
        lose(std::string("the aggregator on the device, or a kernel node: ") +
             CHANNELS_GPU(GetErrorString)(code));
        return;
      }
    }
    for (const detail::batch_slot& s : slots_) {
      if (s.work == nullptr || has_ended(s)) continue;
      const error_code code = worker_.has(s) ? worker_.query() : s.stream.query();
      if (code != success && code != CHANNELS_GPU(ErrorNotReady)) {
        lose("kernel node '" + s.work->node->name + "', level " +
             std::to_string(s.work->work.level) + ": " + CHANNELS_GPU(GetErrorString)(code));
        return;
      }
    }
    if (!stopped()) {
      stopped_for_.restart();
    } else if (stopped_for_.look() > std::chrono::milliseconds(wait_tuning::batch_grace_ms)) {
      detail::device_state::current().lose();
      std::string who = "a kernel node";
      for (const detail::batch_slot& s : slots_) {
        if (s.work != nullptr && !has_ended(s)) who = "kernel node '" + s.work->node->name + "'";
      }
      lose(who + " has not returned after the run was stopped");
    }
  }
  void lose(std::string why) {
    if (lost_.empty()) lost_ = std::move(why);
    stop();
  }

  void free_memory() {
    if (kept_bytes_ == 0) return;
    std::free(kept_.control);
    detail::free_memory{}(kept_.data);
    kept_bytes_ = 0;
  }

  /// The most wavefronts of a persistent kernel that a compute unit can hold.
  static constexpr unsigned most_persistent_waves = 64;

  /// The most wavefronts of a batch: of a kernel of its own, or of the small-batch worker.
  [[nodiscard]] unsigned parts_of_slot() const {
    return std::max(most_groups_ * batch_waves, persistent_items / width_);
  }

  unsigned width_ = 0;
  unsigned units_ = 0;
  unsigned most_groups_ = 0;  ///< of a batch
  detail::batch_slot slots_[in_flight];
  std::unique_ptr<detail::device_counters, detail::free_memory> counters_;
  channels::detail::run_setup setup_;
  detail::task_arenas* arenas_ = nullptr;  ///< of the run, if its tasks allocate
  std::uint32_t number_ = 0;               ///< of the last batch
  bool copies_left_ = false;               ///< that a batch must not overtake
  detail::batch_ends ends_;
  detail::device_aggregator_run persistent_;
  detail::small_batch_worker_run worker_;
  detail::launched_work work_;
  work_counters counted_;
  std::uint64_t last_end_ = 0;  ///< of the batches so far, by the device's clock
  std::uint64_t beats_ = 0;
  bool stopping_ = false;
  channels::detail::running_time stopped_for_;
  std::string lost_;  ///< why the device cannot be used any more
  detail::channel_memory kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace channels::gpu
