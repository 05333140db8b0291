#pragma once

#include <algorithm>  // min
#include <atomic>     // atomic
#include <memory>     // unique_ptr, shared_ptr
#include <string>     // string

#include "channels/detail/device_memory.hpp"
#include "channels/error.hpp"
#include "channels/gpu/port/device_code.hpp"
#include "channels/gpu/port/device_name.hpp"
#include "channels/gpu/port/host_api.hpp"
#include "channels/gpu/tuning.hpp"

/// Owners of a GPU's memory, of pinned memory of the host, and of streams; and what the host can
/// ask about a GPU.
namespace channels::gpu {

#if defined(CHANNELS_GPU_EMULATED)
inline std::string name_of_gpu(int /*device*/) { return "emulated"; }
#elif defined(__HIP__)
inline std::string name_of_gpu(int device) {
  char name[256] = "?";
  return hipDeviceGetName(name, sizeof name, device) == hipSuccess ? name : "?";
}
#else
inline std::string name_of_gpu(int device) {
  cudaDeviceProp is{};
  return cudaGetDeviceProperties(&is, device) == cudaSuccess ? is.name : "?";
}
#endif

namespace detail {

/// Throws `channels::error` if `code` says that a call of the vendor's interface failed. `what`:
/// what the call was for.
inline void check(error_code code, const char* what) {
  if (code == success) return;
  throw error(std::string("device: ") + what + ": " + CHANNELS_GPU(GetErrorString)(code));
}

/// GPUs that one run uses at most.
inline constexpr int most_gpus = 16;

/// The GPU that this thread's calls of the vendor's interface are for.
inline int current_gpu() {
  int device = 0;
  // Without a driver there is none, which whoever uses it will be told.
  if (CHANNELS_GPU(GetDevice)(&device) != success) device = 0;
  return device;
}

/// While an object of this class lives, the thread's calls of the vendor's interface are for
/// another GPU.
class on_gpu {
 public:
  explicit on_gpu(int device) : before_(current_gpu()) { set(device); }
  on_gpu(const on_gpu&) = delete;
  on_gpu& operator=(const on_gpu&) = delete;
  ~on_gpu() { (void)CHANNELS_GPU(SetDevice)(before_); }

 private:
  void set(int device) const {
    if (device != before_) check(CHANNELS_GPU(SetDevice)(device), "choosing a GPU");
  }
  int before_;
};

/// The size of a device.
struct device_shape {
  unsigned units = 0;  ///< compute units to use; 0: there is no device, or no driver for it
  unsigned all = 0;    ///< compute units that there are
  unsigned width = 0;  ///< lanes of a wavefront
};
/// The shape of the current device. `limit`: compute units to use, 0 for all.
inline device_shape shape_of_device(unsigned limit) {
  int devices = 0;
  if (CHANNELS_GPU(GetDeviceCount)(&devices) != success || devices == 0) return {};
  int units = 0;
  int width = 0;
  const int device = current_gpu();
  check(CHANNELS_GPU(DeviceGetAttribute)(&units, unit_count, device), "properties");
  check(CHANNELS_GPU(DeviceGetAttribute)(&width, wave_lanes, device), "properties");
  const auto all = static_cast<unsigned>(units);
  return {limit == 0 ? all : std::min(all, limit), all, static_cast<unsigned>(width)};
}

/// Bytes of the device's memory that are free.
inline std::uint64_t free_memory_of_device() {
  std::size_t free = 0;
  std::size_t all = 0;
  check(CHANNELS_GPU(MemGetInfo)(&free, &all), "free memory");
  return free;
}
/// Bytes for channels, if the settings do not say how many.
inline std::uint64_t memory_for_channels(std::uint64_t free = free_memory_of_device()) {
  return std::min(free / 8, std::uint64_t{8} << 30U) & ~std::uint64_t{4095};
}

/// Bytes for frames and ready tasks of the device's own scheduler, if the settings do not say how
/// many: what is left is for what the program and its tasks allocate.
inline std::uint64_t memory_for_tasks(std::uint64_t free = free_memory_of_device()) {
  return std::min(free / pool_tuning::parts_of_free * pool_tuning::parts_for_tasks,
                  pool_tuning::most_bytes) &
         ~std::uint64_t{4095};
}

/// Waits for what was copied to the device. Copies from memory that is not pinned go on when the
/// vendor's function has returned, and `own_stream`s do not wait for them.
inline void finish_copies() {
  check(CHANNELS_GPU(StreamSynchronize)(stream_handle{}), "copies before the run");
}

/// Whether a device can still be used. There is one for each device of the process, whoever uses
/// it: a vendor's free waits for all kernels of the device. Any thread calls its functions.
class device_state {
 public:
  /// The state of the device that this thread's calls of the vendor's interface are for.
  [[nodiscard]] static device_state& current() {
    static device_state all[most_gpus];
    return all[current_gpu() % most_gpus];
  }
  /// A kernel runs that nothing can stop. What would wait for it is left alone from now on: memory
  /// is not freed, streams are not destroyed.
  void lose() {
    // Relaxed: it carries nothing but itself.
    lost_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> lost_{false};
};

/// Frees memory of the device that was current when this was made, unless that is lost.
struct free_memory {
  const device_state* device = &device_state::current();
  void operator()(void* p) const {
    if (!device->is_lost()) (void)CHANNELS_GPU(Free)(p);
  }
};
/// Frees pinned memory of the host, unless the device that reads it is lost.
struct free_host_memory {
  const device_state* device = &device_state::current();
  void operator()(void* p) const {
    if (!device->is_lost()) (void)free_pinned(p);
  }
};

/// A stream that waits for no other. It exists from `make` on.
class own_stream {
 public:
  own_stream() = default;
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;
  ~own_stream() {
    if (is_made() && !device_->is_lost()) (void)CHANNELS_GPU(StreamDestroy)(handle_);
  }
  void make() {
    if (is_made()) return;
    check(CHANNELS_GPU(StreamCreateWithFlags)(&handle_, CHANNELS_GPU(StreamNonBlocking)), "stream");
  }
  /// The device that it is on.
  [[nodiscard]] device_state& device() const { return *device_; }
  [[nodiscard]] bool is_made() const { return handle_ != stream_handle{}; }
  [[nodiscard]] stream_handle handle() const { return handle_; }
  [[nodiscard]] error_code query() const { return CHANNELS_GPU(StreamQuery)(handle_); }
  /// Waits until all on it has ended. `what`: what that is, for the error.
  void wait(const char* what) const { check(CHANNELS_GPU(StreamSynchronize)(handle_), what); }

 private:
  device_state* device_ = &device_state::current();
  stream_handle handle_{};
};

/// Allocates memory of the device. Throws `channels::error` if there is too little; `what`: what
/// the memory is for.
template <class T>
std::unique_ptr<T, free_memory> allocate(std::size_t bytes, const char* what) {
  void* p = nullptr;
  check(CHANNELS_GPU(Malloc)(&p, bytes), what);
  return std::unique_ptr<T, free_memory>(static_cast<T*>(p));
}

/// As `allocate`, as much of `bytes` as the device has: other programs may use it, too. At each
/// failure it tries half as much, down to `least` bytes. `bytes` is what it got.
template <class T>
std::unique_ptr<T, free_memory> allocate_most(std::size_t& bytes, std::size_t least,
                                              const char* what) {
  for (;;) {
    void* p = nullptr;
    const error_code code = CHANNELS_GPU(Malloc)(&p, bytes);
    if (code == success) return std::unique_ptr<T, free_memory>(static_cast<T*>(p));
    // Else the next look for errors of a kernel would find this one.
    (void)CHANNELS_GPU(GetLastError)();
    if (code != CHANNELS_GPU(ErrorMemoryAllocation) || bytes / 2 < least) check(code, what);
    bytes /= 2;
  }
}

/// Allocates memory of the current GPU for words that it shares with others. Throws as `allocate`
/// does.
template <class T>
std::unique_ptr<T, free_memory> allocate_shared(std::size_t bytes, const char* what) {
  void* p = nullptr;
  check(allocate_for_peers(&p, bytes), what);
  return std::unique_ptr<T, free_memory>(static_cast<T*>(p));
}

/// Allocates pinned memory of the host, which the device reaches at the same address. Throws as
/// `allocate` does.
template <class T>
std::unique_ptr<T, free_host_memory> allocate_on_host(std::size_t bytes, const char* what) {
  void* p = nullptr;
  check(allocate_pinned(&p, bytes), what);
  return std::unique_ptr<T, free_host_memory>(static_cast<T*>(p));
}

/// Memory of the device that the host copies from and to.
class plain_memory final : public channels::detail::device_memory {
 public:
  explicit plain_memory(std::size_t bytes)
      : memory_(allocate<std::byte>(bytes, "memory for accumulators")) {}

  [[nodiscard]] void* data() const override { return memory_.get(); }
  void read(void* to, std::size_t bytes) const override {
    check(CHANNELS_GPU(Memcpy)(to, memory_.get(), bytes, CHANNELS_GPU(MemcpyDeviceToHost)), "copy");
  }
  void write(const void* from, std::size_t bytes) override {
    check(CHANNELS_GPU(Memcpy)(memory_.get(), from, bytes, CHANNELS_GPU(MemcpyHostToDevice)),
          "copy");
    finish_copies();
  }

 private:
  std::unique_ptr<std::byte, free_memory> memory_;
};

}  // namespace detail
}  // namespace channels::gpu
