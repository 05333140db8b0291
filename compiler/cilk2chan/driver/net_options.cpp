#include "driver/net_options.hpp"

#include "paths.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>

namespace cilk2chan {

std::optional<arguments> net_libraries(const std::string& library) {
  const std::string own = beside(library, "libchannels_mpi.a");
  if (paths::mpi_libraries.empty() || !llvm::sys::fs::exists(own)) {
    fail("'--net=mpi' needs libchannels_mpi.a beside '" + library +
         "', which is built where CMake finds MPI: install it (Debian: libopenmpi-dev, "
         "openmpi-bin), and build the project again");
    return std::nullopt;
  }
  arguments made = {"-Wl,--wrap=main", own};
  llvm::SmallVector<llvm::StringRef, 4> files;
  llvm::StringRef(paths::mpi_libraries).split(files, '\n');
  for (const llvm::StringRef file : files) {
    if (file.starts_with("/") && !llvm::sys::fs::exists(file)) {
      fail("'--net=mpi' needs '" + file.str() +
           "', MPI's library: install it (Debian: libopenmpi-dev, openmpi-bin)");
      return std::nullopt;
    }
    made.push_back(file.str());
  }
  return made;
}

}  // namespace cilk2chan
