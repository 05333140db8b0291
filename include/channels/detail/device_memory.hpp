#pragma once

#include <cstddef>  // size_t

namespace channels::detail {

/// Memory of a device that kernels write to and the host looks at when nothing runs.
class device_memory {
 public:
  device_memory() = default;
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  virtual ~device_memory() = default;

  [[nodiscard]] virtual void* data() const = 0;
  virtual void read(void* to, std::size_t bytes) const = 0;
  virtual void write(const void* from, std::size_t bytes) = 0;
};

}  // namespace channels::detail
