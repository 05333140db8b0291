#pragma once

#include <algorithm>  // clamp, fill_n, max, min
#include <bit>        // bit_ceil
#include <cstring>    // memcpy
#include <memory>     // make_shared, shared_ptr, unique_ptr
#include <string>     // string, to_string
#include <utility>    // exchange, move
#include <vector>     // vector

#include "channels/detail/call_progress.hpp"
#include "channels/error.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/scheduler/chosen_gpus.hpp"
#include "channels/gpu/scheduler/host_step_threads.hpp"
#include "channels/gpu/scheduler/set_code.hpp"
#include "channels/gpu/scheduler/task_pool.hpp"
#include "channels/gpu/tuning.hpp"
#include "channels/settings.hpp"

namespace channels::gpu::detail {

/// Divides a pool of `units` into arenas, `most` at most, and the reserve, which tasks of the
/// summing kind do without.
inline void divide_pool(run_words& run, bool summing, std::uint32_t units, std::uint32_t most) {
  run.reserve_units = summing ? 0 : reserve_of(units);
  const std::uint32_t rest = units - run.reserve_units;
  run.arena_count = std::clamp(rest / pool_tuning::least_arena_units, 1U, most);
  run.arena_units = rest / run.arena_count;
}

/// One GPU of a `run_caller`: its memory, its stream, its kernels. A run on several GPUs has a part
/// on each. All functions are for the host.
class gpu_part {
 public:
  /// Runs `code` on the current GPU, which the caller has seen to be there. `pool`: memory of it
  /// that others use at other times; null: memory of its own. `several`: its runs have other parts,
  /// too. `host_steps`: the host may take steps of tasks. Throws as the constructor of `caller`
  /// does.
  gpu_part(const set_code& code, const settings& options, std::shared_ptr<task_pool> pool,
           bool several, bool host_steps)
      : code_(code),
        pool_(std::move(pool)),
        gpu_(current_gpu()),
        several_(several),
        arguments_(code.argument_words) {
    const device_shape shape = shape_of_device(options.compute_units);
    width_ = shape.width;
    parameters_.force_yield = static_cast<std::uint32_t>(options.force_yield * 4294967295.0);
    parameters_.seed = static_cast<std::uint32_t>(options.seed);
    choose_wavefronts(shape);
    make_pool(options.memory, shape.units);
    make_control();
    make_ways_to_share();
    host_ = allocate_on_host<host_memory>(
        sizeof(host_memory) + code.result_words * sizeof(std::uint32_t), "pinned memory");
    *host_ = {};
    parameters_.host = &host_->block;
    parameters_.result = result();
    progress_ =
        allocate_on_host<wave_progress>(sizeof(wave_progress) * parameters_.waves, "pinned memory");
    std::fill_n(progress_.get(), parameters_.waves, wave_progress{});
    parameters_.progress = progress_.get();
    if (host_steps && code.host_step_bytes != 0) {
      steps_ = std::make_unique<host_step_threads>(code);
      memory_ += sizeof(host_step_state);
    }
    stream_.make();
  }
  gpu_part(const gpu_part&) = delete;
  gpu_part& operator=(const gpu_part&) = delete;
  ~gpu_part() = default;

  [[nodiscard]] int gpu() const { return gpu_; }
  [[nodiscard]] std::uint32_t waves() const { return parameters_.waves; }
  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] std::uint64_t memory() const { return memory_; }
  [[nodiscard]] const std::shared_ptr<task_pool>& pool() const { return pool_; }

  /// For a run on several GPUs: makes the part's block, for `blocks` of all parts.
  [[nodiscard]] peer_block* make_block() {
    const on_gpu here(gpu_);
    const std::size_t bytes = sizeof(peer_block) + sizeof(std::uint32_t) *
                                                       std::size_t{code_.ready_words} * width_ *
                                                       peer_lines;
    block_ = allocate_shared<peer_block>(bytes, "memory for gifts between GPUs");
    memory_ += bytes;
    return block_.get();
  }
  /// The blocks of all parts; `self` is this one's place among them.
  void know_peers(const std::vector<peer_block*>& blocks, std::uint32_t self) {
    parameters_.peers.count = static_cast<std::uint32_t>(blocks.size());
    parameters_.peers.self = self;
    for (std::size_t i = 0; i < blocks.size(); ++i) parameters_.peers.blocks[i] = blocks[i];
  }

  /// Makes the GPU ready for a run of task number `root` with `arguments`, of so many bytes.
  void prepare_run(std::uint32_t root, const void* arguments, std::size_t bytes) {
    const on_gpu here(gpu_);
    std::memcpy(arguments_.data(), arguments, bytes);
    parameters_.root = root;
    finish_copies();
    // Otherwise what wavefronts tell is only compared with what they told before.
    if (parameters_.shows_progress)
      std::fill_n(progress_.get(), parameters_.waves, wave_progress{});
    if (steps_ != nullptr) {
      parameters_.host_steps = steps_->words();
      steps_->begin();
    }
    const unsigned words = std::max(parameters_.waves, most_compute_units);
    code_.prepare(parameters_, arguments_.data(),
                  {(words + width_ - 1) / width_, width_, 0, stream_.handle()});
    check_here(CHANNELS_GPU(GetLastError)(), "start");
    running_ = true;
  }
  /// Waits until that has happened: then other GPUs may use its block.
  void finish_preparing() {
    const on_gpu here(gpu_);
    check_here(CHANNELS_GPU(StreamSynchronize)(stream_.handle()), "start");
  }
  /// Starts the run on this GPU.
  void start() {
    const on_gpu here(gpu_);
    code_.start(several_, parameters_, arguments_.data(),
                {groups_, width_, group_memory_, stream_.handle()});
    check_here(CHANNELS_GPU(GetLastError)(), "start");
  }

  /// Whether the part's kernels have not ended yet. Throws if they failed: then the GPU is lost.
  [[nodiscard]] bool is_running() {
    if (!running_) return false;
    const on_gpu here(gpu_);
    const error_code code = stream_.query();
    if (code == CHANNELS_GPU(ErrorNotReady)) {
      if (steps_ != nullptr) steps_->help();
      return true;
    }
    running_ = false;
    const bool failed = code != success || host_->block.failed != 0;
    if (steps_ != nullptr && !steps_->end(failed)) stream_.device().lose();
    if (code != success) {
      // The kernel itself failed: the process runs no other on this GPU.
      stream_.device().lose();
      check_here(code, "run");
    }
    return false;
  }
  /// Asks the part's wavefronts to end the run.
  void ask_to_stop() {
    // Relaxed: it carries nothing but itself.
    channels::detail::atomic_store<order::relaxed>(&host_->block.stop, 1U);
  }
  void forget_stop() { host_->block.stop = 0; }
  /// The part's kernels cannot be stopped, and nothing of it is freed any more.
  void lose() { stream_.device().lose(); }
  [[nodiscard]] bool is_lost() const { return stream_.device().is_lost(); }

  /// After a run: whether the last wavefront at work was of this part, and so has the result.
  [[nodiscard]] bool take_ended() { return std::exchange(host_->block.ended, 0) != 0; }
  [[nodiscard]] failure take_failure() {
    return static_cast<failure>(std::exchange(host_->block.failed, 0));
  }
  /// What the run has told of a failure.
  [[nodiscard]] const host_block& told() const { return host_->block; }
  /// The result of the run, if its last wavefront at work was of this part.
  [[nodiscard]] std::uint32_t* result() const {
    return reinterpret_cast<std::uint32_t*>(host_.get() + 1);
  }

  /// From now on the part's wavefronts tell their progress often enough to show it.
  void watch() { parameters_.shows_progress = true; }
  /// Adds the progress of this part to `all`.
  void add_progress(call_progress& all) const {
    all.wavefronts += parameters_.waves;
    if (steps_ != nullptr) all.tasks += steps_->begun();
    // Relaxed: see wave_progress.hpp.
    const auto told = [](const auto* word) {
      return channels::detail::atomic_load<order::relaxed>(word);
    };
    for (std::uint32_t i = 0; i < parameters_.waves; ++i) {
      const wave_progress& one = progress_.get()[i];
      all.tasks += told(&one.tasks);
      all.yields += told(&one.yields);
      all.working += told(&one.works);
      // `taken` counts requests that were in vain, too.
      all.memory += std::uint64_t{std::min(told(&one.units), parameters_.arena_units)} * unit_bytes;
    }
  }

  /// What all runs so far did here. Copies from the device; not to be called during a run.
  [[nodiscard]] control_block counted() const {
    const on_gpu here(gpu_);
    control_block c{};
    check_here(CHANNELS_GPU(Memcpy)(&c, control_.get(), sizeof c, CHANNELS_GPU(MemcpyDeviceToHost)),
               "report");
    return c;
  }
  /// Steps that the host took in all runs so far.
  [[nodiscard]] std::uint64_t host_steps() const { return steps_ == nullptr ? 0 : steps_->begun(); }
  /// Bytes of the pool that the last run used.
  [[nodiscard]] std::uint64_t memory_used() const {
    const on_gpu here(gpu_);
    std::vector<pool_arena> arenas(parameters_.arena_count);
    check_here(CHANNELS_GPU(Memcpy)(arenas.data(), arenas_.get(), sizeof arenas[0] * arenas.size(),
                                    CHANNELS_GPU(MemcpyDeviceToHost)),
               "report");
    std::uint64_t used = 0;
    for (const pool_arena& a : arenas)
      used += std::uint64_t{std::min(a.taken, parameters_.arena_units)} * unit_bytes;
    return used;
  }

 private:
  /// The result follows it.
  struct alignas(16) host_memory {
    host_block block;
  };

  /// As `check`; a run on several GPUs says which.
  void check_here(error_code code, const char* what) const {
    if (code == success) return;
    const std::string name = several_ ? full_name_of_gpu(gpu_) + ": " : "";
    check(code, (name + what).c_str());
  }

  /// How many wavefronts run, and how many work-groups are started for them.
  void choose_wavefronts(const device_shape& shape) {
    const std::size_t bytes = code_.group_memory(width_);
    const bool fits = bytes <= most_group_memory;
    const void* const kernel = code_.kernel(several_);
    if (fits) {
      group_memory_ = bytes;
      check(CHANNELS_GPU(FuncSetAttribute)(kernel,
                                           CHANNELS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                           static_cast<int>(group_memory_)),
            "memory of a work-group");
    }
    int persistent = 0;
    check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
              &persistent, kernel, static_cast<int>(width_), group_memory_),
          "occupancy");
    if (persistent == 0) throw error("device: the kernel does not fit a compute unit");
    if (code_.kept_in == stacks::pooled && !code_.shares_tasks)
      persistent = std::min(persistent, stacks_tuning::most_pooled_waves);
    const std::uint32_t waves = shape.units * static_cast<unsigned>(persistent);
    parameters_.waves = waves;
    groups_ = waves;
    if (shape.units != shape.all && tells_units) {
      groups_ = shape.all * static_cast<unsigned>(persistent);
      const std::size_t part_bytes = sizeof(std::uint32_t) * most_compute_units;
      unit_parts_ = allocate<std::uint32_t>(part_bytes, "memory");
      parameters_.unit_parts = unit_parts_.get();
      parameters_.units = shape.units;
    }
    if (!fits) {
      windows_ = allocate<std::uint32_t>(bytes * waves, "memory for windows");
      parameters_.windows = windows_.get();
      memory_ += bytes * waves;
    }
  }

  /// The memory for frames and for ready tasks beyond the windows, in arenas for the compute units.
  void make_pool(std::uint64_t most, unsigned compute_units) {
    if (pool_ == nullptr) {
      pool_ = std::make_shared<task_pool>(most);
      memory_ += pool_->bytes();
    }
    const auto pool_units = static_cast<std::uint32_t>(pool_->bytes() / unit_bytes);
    divide_pool(parameters_, code_.kept_in == stacks::summing, pool_units, compute_units);
    if (parameters_.arena_units < code_.frame_units) {
      throw error("device: CHANNELS_MEMORY is " + std::to_string(pool_->bytes()) +
                  " bytes: less than two frames");
    }
    parameters_.pool = pool_->memory();
    arenas_ = allocate<pool_arena>(sizeof(pool_arena) * parameters_.arena_count, "memory");
    parameters_.arenas = arenas_.get();
  }

  /// Control words, mailboxes, and the bits of hungry wavefronts.
  void make_control() {
    const std::uint32_t waves = parameters_.waves;
    control_ = allocate<control_block>(sizeof(control_block), "memory");
    check(CHANNELS_GPU(Memset)(control_.get(), 0, sizeof(control_block)), "memory");
    parameters_.control = control_.get();
    const std::size_t bytes = sizeof(mailbox) * waves + sizeof(std::uint32_t) * ((waves + 31) / 32);
    mailboxes_ = allocate<mailbox>(bytes, "memory");
    parameters_.mailboxes = mailboxes_.get();
    parameters_.hungry = reinterpret_cast<std::uint32_t*>(mailboxes_.get() + waves);
    memory_ += bytes;
  }

  /// Wavefronts give each other tasks in inboxes, or, with group leaves, share a channel of them.
  void make_ways_to_share() {
    if (code_.shares_tasks) {
      // Room for what all give at once, each because it saw too few, and for what is being read.
      parameters_.shared_capacity = std::bit_ceil(parameters_.waves * (width_ + 2));
      const std::size_t bytes =
          sizeof(std::uint32_t) * shared_words(parameters_.shared_capacity, code_.ready_words);
      shared_ = allocate<std::uint32_t>(bytes, "memory for tasks that all share");
      parameters_.shared = shared_.get();
      memory_ += bytes;
    } else {
      const std::size_t bytes =
          std::size_t{code_.ready_words} * sizeof(std::uint32_t) * width_ * parameters_.waves;
      inboxes_ = allocate<std::uint32_t>(bytes, "memory for gifts");
      parameters_.inboxes = inboxes_.get();
      memory_ += bytes;
    }
  }

  const set_code& code_;
  std::shared_ptr<task_pool> pool_;
  int gpu_;
  bool several_;
  bool running_ = false;
  unsigned width_ = 0;  // lanes of a wavefront, which is a work-group
  unsigned groups_ = 0;
  std::size_t group_memory_ = 0;  // bytes
  std::uint64_t memory_ = 0;      // bytes of the device
  run_words parameters_{};
  std::vector<std::uint32_t> arguments_;  // of the root
  std::unique_ptr<pool_arena, free_memory> arenas_;
  std::unique_ptr<std::uint32_t, free_memory> windows_;
  std::unique_ptr<std::uint32_t, free_memory> unit_parts_;
  std::unique_ptr<control_block, free_memory> control_;
  std::unique_ptr<mailbox, free_memory> mailboxes_;
  std::unique_ptr<std::uint32_t, free_memory> inboxes_;
  std::unique_ptr<std::uint32_t, free_memory> shared_;
  std::unique_ptr<peer_block, free_memory> block_;
  std::unique_ptr<host_memory, free_host_memory> host_;
  std::unique_ptr<wave_progress, free_host_memory> progress_;
  std::unique_ptr<host_step_threads> steps_;  // if the host takes some
  own_stream stream_;
};

}  // namespace channels::gpu::detail
