#pragma once

#include "analysis/references.hpp"
#include "tasks/emission/emit.hpp"

namespace cilk2chan {

/// Refuses what tasks, and the functions that they call, cannot do on a device other than the host:
/// calls of functions without device code, exceptions, variables whose address the device cannot
/// get.
void check_device(const program& source, const std::vector<finished_task>& tasks,
                  reference_finder& finder);

/// Whether a device has code for the function: it is of this file, or of those that devices have.
/// What it calls is not looked at.
[[nodiscard]] bool has_device_code(const program& source, const clang::FunctionDecl* function);

/// The functions of the C library that channels has for devices. A unit that calls one gives it its
/// name by a macro.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_library();
/// Those that end the program, which the host does for a device; likewise.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_endings();
/// Those that read and write text in memory, and algorithms; likewise.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_text();
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_algorithms();
/// The functions that channels/openmp/on_device.hpp has for devices.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_openmp();

/// Those that write to stdout or stderr; likewise, with the names of the streams.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_streams();
/// Those that allocate memory and free it: a unit that calls one gives all of them their names.
[[nodiscard]] llvm::ArrayRef<llvm::StringLiteral> device_heap();

/// Whether devices have the function of the C library's mathematics, for `double` or for `float`.
[[nodiscard]] bool is_device_mathematics(llvm::StringRef name);

}  // namespace cilk2chan
