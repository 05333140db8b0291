#pragma once

#include <cstddef>  // size_t

namespace channels::detail {

/// Memory of a device that kernels write to. The host reads and writes it only between runs.
class device_memory {
 public:
  device_memory() = default;
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  virtual ~device_memory() = default;

  /// Its address, as kernels use it.
  [[nodiscard]] virtual void* data() const = 0;
  /// Copies the first `bytes` bytes to the host, or from the host. Throws `channels::error` if the
  /// device fails.
  virtual void read(void* to, std::size_t bytes) const = 0;
  virtual void write(const void* from, std::size_t bytes) = 0;
};

}  // namespace channels::detail
