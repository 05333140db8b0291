#pragma once

#include <algorithm>  // all_of, copy_n, max
#include <memory>     // unique_ptr
#include <vector>     // vector

#include "channels/gpu/device/batch_slot.hpp"
#include "channels/gpu/device/node_closures.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::gpu::detail {

/// How the host talks to the small-batch worker (channels/small_batch_worker.hpp): starts it, hands
/// it one batch at a time, learns of its end, and dismisses it. One thread of the host calls its
/// functions.
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

  /// Whether it should get a batch of so many elements now.
  [[nodiscard]] bool takes(std::uint32_t elements) {
    if (model_ == nullptr || elements > persistent_items || slot_ != nullptr) return false;
    if (small_ < small_batch_tuning::launches_before_start) {
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
    const batch_parameters& b = s.parameters;
    const auto outputs = static_cast<std::uint32_t>(model_->nodes[b.node].outputs.size());
    write(small_batch_message::write(words, b, index, outputs, functions_[b.node],
                                     closures_.of(b.node)),
          words);
    if (!running_ || has_left()) start();
  }
  /// Whether it has `s`.
  [[nodiscard]] bool has(const batch_slot& s) const { return slot_ == &s; }
  [[nodiscard]] bool is_free() const { return slot_ == nullptr; }
  /// Whether its batch has ended; then the slot has the report.
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
  /// Tells it to leave, so that nothing waits for it. It has no batch.
  void dismiss() {
    if (!running_) return;
    const std::uint32_t words[small_batch_message::head] = {batch_head::over};
    static_assert(batch_head::node == 0);
    write(small_batch_message::head, words);
    running_ = false;
  }
  [[nodiscard]] error_code query() const { return stream_.query(); }

 private:
  static bool can_run(const channels::detail::graph_model* model) {
    if (model == nullptr || model->nodes.empty()) return false;
    const persistent_code* const first = persistent_code_of(model->nodes.front());
    return std::all_of(model->nodes.begin(), model->nodes.end(), [&](const auto& n) {
      const persistent_code* const code = persistent_code_of(n);
      return code != nullptr && code->kernel == first->kernel;
    });
  }

  /// Before its first batch of a run.
  void make_ready() {
    is_ready_ = true;
    parameters_.leaf_bytes = prepare_leaves(*model_);
    if (kernel().groups_per_unit(group_bytes()) == 0) {
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
      functions_.push_back(persistent_code_of(n)->address());
    parameters_.closures = closures_.all();
    parameters_.lines = lines_.get();
    finish_copies();
  }
  [[nodiscard]] const persistent_kernel& kernel() const {
    return *persistent_code_of(model_->nodes.front())->kernel;
  }
  [[nodiscard]] std::size_t group_bytes() const {
    return small_batch_worker_bytes(parameters_.leaf_bytes,
                                    (persistent_items + width_ - 1) / width_);
  }

  /// The next message.
  void write(std::uint32_t count, const std::uint32_t* words) {
    if (++number_ == 0) ++number_;  // 0 in `left` says that no worker has left
    const std::uint32_t lines =
        std::max((count + line::size - 1) / line::size, small_batch_message::first_lines);
    for (std::uint32_t i = 0; i < lines * line::size; ++i) {
      const std::uint32_t word = i < count ? words[i] : 0;
      // Release: what the host has written and learnt, for the lane that reads the word.
      __atomic_store_n(&lines_->message[i / line::size].words[i % line::size],
                       std::uint64_t{number_} << 32U | word, __ATOMIC_RELEASE);
    }
  }

  /// Whether the worker has left before the last message. Acquire: what its batches wrote.
  [[nodiscard]] bool has_left() const {
    return __atomic_load_n(&lines_->left, __ATOMIC_ACQUIRE) == number_;
  }
  /// Starts a worker whose first message is the last one written.
  void start() {
    parameters_.first_number = number_;
    // Relaxed: the one before has left, and the next one begins after this.
    __atomic_store_n(&lines_->left, 0U, __ATOMIC_RELAXED);
    kernel().launch({{}, parameters_, true}, 1, group_bytes(), stream_.handle());
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
  std::uint32_t small_ = 0;   ///< batches so far, up to `small_batch_tuning::launches_before_start`
  bool is_ready_ = false;     ///< for this run
  bool running_ = false;      ///< was started, and not dismissed
};

}  // namespace channels::gpu::detail
