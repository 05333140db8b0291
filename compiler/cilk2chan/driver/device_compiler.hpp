#pragma once

#include "driver/commands.hpp"
#include "driver/options.hpp"

#include <optional>
#include <string>

namespace cilk2chan {

/// The name of a device, as `--device` spells it.
[[nodiscard]] const char* name_of(device_kind device);

/// The compiler for a device: nvcc, hipcc, or the host's compiler for an emulated device. Looks for
/// nvcc below `--cuda-path`, in CUDA_HOME, in PATH and in /usr/local/cuda, in this order. Prints
/// what to set if there is none.
[[nodiscard]] std::optional<std::string> find_device_compiler(device_kind device,
                                                              const options& chosen);

/// The command that compiles the tasks of `source`, without the files of their text and of the
/// object: code for the device, and code for the host that starts it.
[[nodiscard]] command device_command(const std::string& compiler, device_kind device,
                                     const options& chosen, const std::string& include_directory,
                                     const input_file& source);

/// The command that compiles what all programs for a device have in common on the host
/// (channels/gpu/compiled_program/host_part.hpp).
[[nodiscard]] command host_part_command(const std::string& compiler, device_kind device,
                                        const options& chosen,
                                        const std::string& include_directory);

/// What a program with code for `device` is linked with. `compiler` compiled that code.
[[nodiscard]] arguments device_libraries(const std::string& compiler, device_kind device);

}  // namespace cilk2chan
