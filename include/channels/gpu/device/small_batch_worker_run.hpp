#pragma once

#include <algorithm>  // all_of, copy_n, max
#include <memory>     // unique_ptr
#include <vector>     // vector

#include "channels/gpu/device/batch_slot.hpp"
#include "channels/gpu/device/node_closures.hpp"

namespace channels::gpu::detail {

/// The host's side of a work-group that runs small batches (small_batch_worker.hpp): starts it,
/// hands it one batch at a time, and sends it home. One thread calls its functions.
class small_batch_worker_run {
 public:
  small_batch_worker_run() = default;
  small_batch_worker_run(const small_batch_worker_run&) = delete;
  small_batch_worker_run& operator=(const small_batch_worker_run&) = delete;
  ~small_batch_worker_run() {
    dismiss();
    if (stream_.is_made() && !stream_.device().is_lost()) {
      (void)CHANNELS_GPU(StreamSynchronize)(stream_.handle());
    }
  }

  /// A run begins. `slots`: where batches leave remarks and have their tickets.
  void begin(const channels::detail::run_setup& setup, const task_heap& heap,
             const batch_slot* slots, const work_log& log, unsigned width) {
    dismiss();
    slot_ = nullptr;
    width_ = width;
    small_ = 0;
    is_ready_ = false;
    model_ = can_run(setup.model) ? setup.model : nullptr;
    parameters_ = {};
    parameters_.refuse_share = setup.refuse_share;
    parameters_.heap = heap;
    parameters_.log = log;
    for (std::uint32_t i = 0; i < device_batches_in_flight; ++i) {
      parameters_.remarks[i] = slots[i].remarks.get();
      parameters_.tickets[i] = slots[i].tickets.get();
    }
  }

  /// Whether it should have a batch of so many elements, to start now.
  [[nodiscard]] bool takes(std::uint32_t elements) {
    if (model_ == nullptr || elements > persistent_items || slot_ != nullptr) return false;
    if (small_ < few) {
      ++small_;
      return false;
    }
    if (!is_ready_) make_ready();
    return model_ != nullptr;
  }
  /// Hands it the batch of `s`, whose parameters are set, as the `index`th slot.
  void send(batch_slot& s, std::uint32_t index) {
    slot_ = &s;
    std::uint32_t words[small_batch_message::lines * line::size];
    write(write_batch(words, s.parameters, index), words);
    if (!running_ || has_left()) start();
  }
  /// Whether it has `s`.
  [[nodiscard]] bool has(const batch_slot& s) const { return slot_ == &s; }
  [[nodiscard]] bool is_free() const { return slot_ == nullptr; }
  /// Whether the batch that it has has ended; then the slot has its report.
  [[nodiscard]] bool has_ended() {
    std::uint32_t words[line::size];
    for (std::uint32_t i = 0; i < line::size; ++i) {
      // Acquire: remarks, and what else the batch wrote.
      const std::uint64_t word = __atomic_load_n(&lines_->report.words[i], __ATOMIC_ACQUIRE);
      if (word >> 32U != number_) {
        if (has_left()) start();
        return false;
      }
      words[i] = static_cast<std::uint32_t>(word);
    }
    const auto time = [&words](std::uint32_t at) {
      return words[at] | std::uint64_t{words[at + 1]} << 32U;
    };
    batch_report& r = *slot_->report;
    std::copy_n(words + report_word::taken, most_outputs, r.taken);
    r.remarks = words[report_word::remarks];
    r.frames = words[report_word::frames];
    r.released = words[report_released];
    r.began = time(report_began);
    r.ended = time(report_ended);
    r.number = slot_->parameters.number;
    slot_ = nullptr;
    return true;
  }
  /// So that nothing waits for it. It has no batch.
  void dismiss() {
    if (!running_) return;
    const std::uint32_t words[small_batch_message::head] = {};
    static_assert(small_batch_message::over == 0);
    write(small_batch_message::head, words);
    running_ = false;
  }
  [[nodiscard]] error_code query() const { return stream_.query(); }

 private:
  /// Small batches of a run before it is worth its start.
  static constexpr std::uint32_t few = 4;

  static bool can_run(const channels::detail::graph_model* model) {
    if (model == nullptr || model->nodes.empty()) return false;
    const persistent_code* const first = code_that_stays(model->nodes.front());
    return std::all_of(model->nodes.begin(), model->nodes.end(), [&](const auto& n) {
      const persistent_code* const code = code_that_stays(n);
      return code != nullptr && code->kernel == first->kernel;
    });
  }

  /// Before its first batch of a run.
  void make_ready() {
    is_ready_ = true;
    parameters_.leaf_bytes = make_ready_for_leaves(*model_);
    if (kernel().workers_per_unit(group_bytes()) == 0) {
      model_ = nullptr;
      return;
    }
    if (lines_ == nullptr) {
      stream_.make();
      lines_ = allocate_on_host<small_batch_lines>(sizeof(small_batch_lines), "pinned memory");
      *lines_ = small_batch_lines{};
    }
    closures_.copy(*model_);
    functions_.clear();
    for (const channels::detail::node_model& n : model_->nodes)
      functions_.push_back(code_that_stays(n)->address());
    parameters_.closures = closures_.all();
    parameters_.lines = lines_.get();
    finish_copies();
  }
  [[nodiscard]] const persistent_kernel& kernel() const {
    return *code_that_stays(model_->nodes.front())->kernel;
  }
  [[nodiscard]] std::size_t group_bytes() const {
    return small_batch_worker_bytes(parameters_.leaf_bytes,
                                    (persistent_items + width_ - 1) / width_);
  }

  /// Returns the number of words.
  std::uint32_t write_batch(std::uint32_t* words, const batch_parameters& b,
                            std::uint32_t index) const {
    using message = small_batch_message;
    const auto put_long = [words](std::uint32_t at, std::uint64_t value) {
      words[at] = static_cast<std::uint32_t>(value);
      words[at + 1] = static_cast<std::uint32_t>(value >> 32U);
    };
    const auto put_pointer = [&put_long](std::uint32_t at, const auto* p) {
      put_long(at, reinterpret_cast<std::uintptr_t>(p));
    };
    const auto outputs = static_cast<std::uint32_t>(model_->nodes[b.node].outputs.size());
    put_long(message::function, reinterpret_cast<std::uintptr_t>(functions_[b.node]));
    put_pointer(message::closure, closures_.of(b.node));
    put_pointer(message::source, b.source);
    put_pointer(message::more_remarks, b.more_remarks);
    words[message::source_mask] = b.source_mask;
    words[message::source_channel] = b.source_channel;
    words[message::elements] = b.count;
    words[message::level] = b.level;
    words[message::seed] = b.seed;
    words[message::part] = b.part;
    words[message::node] = b.node;
    words[message::slot] = index;
    words[message::outputs] = outputs;
    words[message::runs] = b.run_count;
    words[message::takes_tickets] = b.tickets != nullptr ? 1 : 0;
    words[message::grants] = b.grants;
    words[message::log] = b.log.first;
    std::uint32_t at = message::head;
    for (std::uint32_t i = 0; i < outputs; ++i, at += message::window_words) {
      const window& w = b.outputs[i];
      put_pointer(at + message::window_data, w.data);
      put_long(at + message::window_first, w.first);
      words[at + message::window_count] = w.count;
      words[at + message::window_mask] = w.mask;
      words[at + message::window_channel] = w.channel;
    }
    for (std::uint32_t i = 0; i < b.run_count; ++i, at += message::run_words) {
      const std::uint32_t end = i + 1 < b.run_count ? b.before[i + 1] : b.count;
      put_long(at + message::run_first, b.first[i]);
      words[at + message::run_count] = end - b.before[i];
    }
    return at;
  }
  /// The next message.
  void write(std::uint32_t count, const std::uint32_t* words) {
    if (++number_ == 0) ++number_;  // that nobody has left
    const std::uint32_t lines =
        std::max((count + line::size - 1) / line::size, small_batch_message::near_lines);
    for (std::uint32_t i = 0; i < lines * line::size; ++i) {
      const std::uint32_t word = i < count ? words[i] : 0;
      // Release: what the host has written and learnt, for the lane that reads the word.
      __atomic_store_n(&lines_->message[i / line::size].words[i % line::size],
                       std::uint64_t{number_} << 32U | word, __ATOMIC_RELEASE);
    }
  }

  /// Acquire: what batches before wrote.
  [[nodiscard]] bool has_left() const {
    return __atomic_load_n(&lines_->left, __ATOMIC_ACQUIRE) == number_;
  }
  /// With the last message.
  void start() {
    parameters_.first_number = number_;
    // Relaxed: the one before has left, and the next one begins after this.
    __atomic_store_n(&lines_->left, 0U, __ATOMIC_RELAXED);
    kernel().launch_worker(parameters_, group_bytes(), stream_.handle());
    check(CHANNELS_GPU(GetLastError)(), "start of a worker for the host's aggregator");
    running_ = true;
  }

  own_stream stream_;
  std::unique_ptr<small_batch_lines, free_host_memory> lines_;
  node_closures closures_;
  std::vector<node_function> functions_;  ///< by node
  small_batch_worker_parameters parameters_{};
  const channels::detail::graph_model* model_ = nullptr;  ///< of the run, if it can run that
  batch_slot* slot_ = nullptr;                            ///< of the batch that it has
  unsigned width_ = 0;
  std::uint32_t number_ = 0;  ///< of the last message
  std::uint32_t small_ = 0;   ///< batches so far, up to `few`
  bool is_ready_ = false;     ///< for this run
  bool running_ = false;      ///< was started, and not sent home
};

}  // namespace channels::gpu::detail
