#pragma once

#include <algorithm>  // min
#include <chrono>     // steady_clock
#include <cstring>    // memcpy
#include <memory>     // unique_ptr
#include <string>     // string, to_string
#include <utility>    // exchange

#include "channels/error.hpp"
#include "channels/gpu/kernel.hpp"
#include "channels/settings.hpp"

/// Tasks on a GPU, with what is compiled by nvcc or hipcc.
namespace channels::gpu {

/// What a run did.
struct run_report {
  std::uint64_t tasks = 0;
  std::uint64_t resumed = 0;  ///< continuations
  std::uint64_t yields = 0;
  std::uint64_t offered = 0;  ///< children given to other wavefronts
  std::uint64_t handed = 0;   ///< children given within a wavefront
  double lanes_active = 0;    ///< 0 to 1, in the turns of wavefronts that had work
  std::uint32_t lanes = 0;
  std::uint64_t memory = 0;  ///< bytes of the device, stacks in private memory included
};

namespace detail {

inline void check(error_code code, const char* what) {
  if (code == success) return;
  throw error(std::string("device: ") + what + ": " + CHANNELS_GPU(GetErrorString)(code));
}

struct free_memory {
  void operator()(void* p) const { (void)CHANNELS_GPU(Free)(p); }
};
struct free_host_memory {
  void operator()(void* p) const { (void)free_pinned(p); }
};

template <class T>
std::unique_ptr<T, free_memory> allocate(std::size_t bytes, const char* what) {
  void* p = nullptr;
  check(CHANNELS_GPU(Malloc)(&p, bytes), what);
  check(CHANNELS_GPU(Memset)(p, 0, bytes), what);
  return std::unique_ptr<T, free_memory>(static_cast<T*>(p));
}

}  // namespace detail

/// One GPU, ready to run calls of `Root`: its memory is allocated once. One run at a time.
template <task Root>
class caller {
  using set = detail::task_set<detail::tasks_of<Root>>;

 public:
  using result_type = typename Root::result_type;

  /// Throws `channels::error` if there is no GPU, or too little memory on it.
  explicit caller(const settings& options = settings::from_environment()) : options_(options) {
    int devices = 0;
    if (CHANNELS_GPU(GetDeviceCount)(&devices) != success || devices == 0) {
      throw error(
          "device: there is no GPU, or no driver for it; channels::call runs tasks on the CPU");
    }
    int count = 0;
    detail::check(CHANNELS_GPU(DeviceGetAttribute)(&count, unit_count, 0), "properties");
    int width = 0;
    detail::check(CHANNELS_GPU(DeviceGetAttribute)(&width, wave_lanes, 0), "properties");
    width_ = static_cast<unsigned>(width);
    const std::size_t window_bytes =
        detail::lane_stack<set::reach>::window * sizeof(std::uint32_t) * width_;
    if (detail::windows_in_group<set>(width_)) {
      group_memory_ = window_bytes;
      detail::check(
          CHANNELS_GPU(FuncSetAttribute)(reinterpret_cast<const void*>(&detail::run_tasks<set>),
                                         CHANNELS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                         static_cast<int>(group_memory_)),
          "memory of a work-group");
    }
    int resident = 0;
    detail::check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
                      &resident, detail::run_tasks<set>, width, group_memory_),
                  "occupancy");
    if (resident == 0) throw error("device: the kernel does not fit a compute unit");
    auto units = static_cast<unsigned>(count);
    if (options.compute_units != 0) units = std::min(units, options.compute_units);
    groups_ = units * static_cast<unsigned>(resident);
    const std::uint32_t lanes = groups_ * width_;
    const std::uint32_t waves = groups_;
    using gift = detail::gift<set>;
    parameters_.waves = waves;
    parameters_.force_yield = static_cast<std::uint32_t>(options.force_yield * 4294967295.0);
    parameters_.seed = static_cast<std::uint32_t>(options.seed);
    const std::size_t gift_bytes = sizeof(gift) * waves * detail::gifts_per_wave;
    box_bytes_ = sizeof(detail::mailbox) * waves;
    const std::size_t hungry_bytes = sizeof(detail::hungry_word) * ((waves + 31) / 32);
    // Half of the memory, or all, for stacks: those that lanes use, and those that wait for
    // children.
    const std::size_t for_all = options.memory / (set::any_shared_frame ? 2 : 1);
    regions_ = waves * detail::regions_per_wave;
    parameters_.stack_words = static_cast<std::uint32_t>(
        std::min<std::size_t>(for_all / regions_ / sizeof(std::uint32_t), 1U << 28U));
    stacks_ = detail::allocate<std::uint32_t>(
        std::size_t{parameters_.stack_words} * sizeof(std::uint32_t) * regions_,
        "memory for the lanes' stacks");
    parameters_.stacks = stacks_.get();
    free_ = detail::allocate<std::uint32_t>(
        sizeof(std::uint32_t) * waves * (detail::gift_words + detail::region_words), "memory");
    parameters_.free_gifts = free_.get();
    parameters_.free_regions = free_.get() + waves * detail::gift_words;
    if (set::any_shared_frame) {
      parameters_.frame_bytes = for_all / regions_ / 16 * 16;
      frames_ =
          detail::allocate<std::byte>(parameters_.frame_bytes * regions_, "memory for frames");
      parameters_.frames = frames_.get();
    }
    if (!detail::windows_in_group<set>(width_)) {
      windows_ = detail::allocate<std::uint32_t>(window_bytes * groups_, "memory for windows");
      parameters_.windows = windows_.get();
    }
    control_ = detail::allocate<detail::control_block>(sizeof(detail::control_block), "memory");
    mailboxes_ = detail::allocate<detail::mailbox>(box_bytes_ + hungry_bytes, "memory");
    gifts_ = detail::allocate<gift>(gift_bytes, "memory for gifts");
    parameters_.control = control_.get();
    parameters_.mailboxes = mailboxes_.get();
    parameters_.hungry = reinterpret_cast<detail::hungry_word*>(mailboxes_.get() + waves);
    box_bytes_ += hungry_bytes;
    parameters_.gifts = gifts_.get();
    void* host = nullptr;
    detail::check(allocate_pinned(&host, sizeof(host_block)), "pinned memory");
    host_.reset(static_cast<host_block*>(host));
    void* seen = nullptr;
    detail::check(CHANNELS_GPU(HostGetDevicePointer)(&seen, host, 0), "pinned memory");
    parameters_.host = static_cast<host_block*>(seen);
    host_->failed = 0;
    host_->ended = 0;
    host_->stop = 0;
    detail::check(CHANNELS_GPU(StreamCreateWithFlags)(&stream_, CHANNELS_GPU(StreamNonBlocking)),
                  "stream");
    report_.lanes = lanes;
    report_.memory = gift_bytes + box_bytes_ + sizeof(detail::control_block) +
                     std::size_t{parameters_.stack_words} * 4 * regions_ +
                     parameters_.frame_bytes * regions_;
    prepare();
  }
  caller(const caller&) = delete;
  caller& operator=(const caller&) = delete;
  ~caller() { (void)CHANNELS_GPU(StreamDestroy)(stream_); }

  /// Runs `Root` with `arguments` and returns its result. Throws `channels::error` if the run
  /// failed, or if it did not end in `settings::timeout`.
  result_type operator()(const typename Root::arguments& arguments) {
    if (lost_) throw error("device: it still runs what it was stopped in");
    std::memcpy(parameters_.arguments, &arguments, sizeof arguments);
    parameters_.root = set::template id<Root>;
    // No letters, nobody hungry. Gifts are free when a run has ended well.
    detail::check(CHANNELS_GPU(MemsetAsync)(mailboxes_.get(), 0, box_bytes_, stream_), "start");
    detail::run_tasks<set><<<groups_, width_, group_memory_, stream_>>>(parameters_);
    detail::check(CHANNELS_GPU(GetLastError)(), "start");
    wait();
    if constexpr (!std::is_void_v<result_type>) {
      result_type result;
      std::memcpy(&result, host_->result, sizeof result);
      return result;
    }
  }

  /// What all runs so far did.
  [[nodiscard]] run_report report() {
    detail::control_block c{};
    detail::check(
        CHANNELS_GPU(Memcpy)(&c, control_.get(), sizeof c, CHANNELS_GPU(MemcpyDeviceToHost)),
        "report");
    report_.tasks = c.tasks;
    report_.resumed = c.resumed;
    report_.yields = c.yields;
    report_.offered = c.offered;
    report_.handed = c.handed;
    report_.lanes_active =
        c.turns == 0 ? 0.0 : static_cast<double>(c.busy) / (static_cast<double>(c.turns) * width_);
    return report_;
  }

 private:
  using host_block = detail::host_block<set>;

  /// Before the first run, and after one that has failed.
  void prepare() {
    const std::uint32_t most = parameters_.waves * detail::gifts_per_wave;
    detail::prepare<<<(most + width_ - 1) / width_, width_, 0, stream_>>>(parameters_);
    detail::check(CHANNELS_GPU(GetLastError)(), "start");
  }

  /// True if the run has ended by then.
  bool ends_before(std::chrono::steady_clock::time_point deadline) {
    error_code code{};
    while ((code = CHANNELS_GPU(StreamQuery)(stream_)) == CHANNELS_GPU(ErrorNotReady)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
    }
    detail::check(code, "run");
    return true;
  }

  void wait() {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    if (!ends_before(now() + options_.timeout)) {
      *const_cast<volatile std::uint32_t*>(&host_->stop) = 1;
      lost_ = !ends_before(now() + std::chrono::seconds(2));
      if (lost_) {
        throw error("device: a task has not returned in " +
                    std::to_string(options_.timeout.count() / 1000) +
                    " s; the device cannot be used any more by this process");
      }
      host_->stop = 0;
    }
    const auto why = static_cast<detail::failure>(std::exchange(host_->failed, 0));
    if (why == detail::failure::none && std::exchange(host_->ended, 0) != 0) return;
    host_->ended = 0;
    prepare();
    const std::string where =
        std::string("task ") + set::name(host_->where) + ", level " + std::to_string(host_->level);
    const std::string memory =
        "; CHANNELS_MEMORY sets how many bytes all lanes have together, now " +
        std::to_string(options_.memory);
    switch (why) {
      case detail::failure::stack:
        throw error("device: " + where + ": the lane's stack is full" + memory);
      case detail::failure::frames:
        throw error("device: " + where + ": the lane's memory for frames is full" + memory);
      case detail::failure::room:
        throw error("device: " + where +
                    ": it wants room for more children at once than its "
                    "spawn_bound says");
      case detail::failure::points:
        throw error("device: " + where + ": it waits at a point beyond " +
                    std::to_string(detail::record_head::most_points));
      case detail::failure::stopped:
        throw error("device: the run has not ended in " +
                    std::to_string(options_.timeout.count() / 1000) +
                    " s; CHANNELS_TIMEOUT sets how many it may take");
      default: break;
    }
    throw error("device: " + where + ": a gift was lost; please report this");
  }

  settings options_;
  bool lost_ = false;   // a kernel runs that nobody can stop
  unsigned width_ = 0;  // lanes of a wavefront, which is a work-group
  unsigned groups_ = 0;
  std::size_t group_memory_ = 0;  // bytes
  detail::run_parameters<set> parameters_{};
  std::unique_ptr<std::uint32_t, detail::free_memory> windows_;
  std::unique_ptr<std::uint32_t, detail::free_memory> stacks_;
  std::unique_ptr<std::byte, detail::free_memory> frames_;
  std::unique_ptr<std::uint32_t, detail::free_memory> free_;
  std::uint32_t regions_ = 0;
  std::unique_ptr<detail::control_block, detail::free_memory> control_;
  std::unique_ptr<detail::mailbox, detail::free_memory> mailboxes_;
  std::size_t box_bytes_ = 0;
  std::unique_ptr<detail::gift<set>, detail::free_memory> gifts_;
  std::unique_ptr<host_block, detail::free_host_memory> host_;
  stream_handle stream_{};
  run_report report_;
};

}  // namespace channels::gpu
