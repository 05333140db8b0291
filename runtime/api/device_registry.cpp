#include "runtime/api/device_registry.hpp"

#include <fmt/format.h>  // format

#include <mutex>   // mutex
#include <vector>  // vector

#include "channels/error.hpp"
#include "channels/runtime.hpp"
#include "runtime/host_device/host_device.hpp"

namespace channels::detail {
namespace {

struct known_device {
  const char* name;
  device_maker make;
};
/// Filled before `main`, or by a library when it is loaded.
std::vector<known_device>& known_devices() {
  static std::vector<known_device> devices;
  return devices;
}
std::mutex known_devices_mutex;

}  // namespace

bool register_device(const char* name, device_maker make) {
  const std::lock_guard lock(known_devices_mutex);
  known_devices().push_back({name, make});
  return true;
}

std::unique_ptr<device> make_device(settings& options) {
  if (options.device == "host") return std::make_unique<host_device>(options.compute_units);
  const std::lock_guard lock(known_devices_mutex);
  for (const known_device& d : known_devices()) {
    if (options.device == d.name) return d.make(options);
  }
  throw error(
      fmt::format("there is no device '{}' in this program: no file of it was compiled for that "
                  "device with channels/gpu.hpp; set CHANNELS_DEVICE to host",
                  options.device));
}

}  // namespace channels::detail
