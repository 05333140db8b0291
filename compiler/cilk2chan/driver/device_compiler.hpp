#pragma once

#include "driver/commands.hpp"
#include "driver/options.hpp"

#include <optional>
#include <string>

namespace cilk2chan {

/// As `--device` names it.
[[nodiscard]] const char* name_of(device_kind device);

/// nvcc, hipcc, or for an emulated device the host's compiler: below `--cuda-path`, in CUDA_HOME,
/// in PATH, in the usual place. Says what to set if there is none.
[[nodiscard]] std::optional<std::string> find_device_compiler(device_kind device,
                                                              const options& chosen);

/// What compiles the tasks of a source, in `text_file`, for the device and for the host.
[[nodiscard]] command device_command(const std::string& compiler, device_kind device,
                                     const options& chosen, const std::string& include_directory,
                                     const input_file& source, const std::string& text_file,
                                     const std::string& object);

/// What a program is linked with that has code for a device, which `compiler` compiled.
[[nodiscard]] arguments device_libraries(const std::string& compiler, device_kind device);

}  // namespace cilk2chan
