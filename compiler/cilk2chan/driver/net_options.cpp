#include "driver/net_options.hpp"

#include "paths.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace cilk2chan {

std::optional<arguments> net_libraries(const std::string& library) {
  llvm::SmallString<256> own(llvm::sys::path::parent_path(library));
  llvm::sys::path::append(own, "libchannels_mpi.a");
  if (paths::mpi_libraries.empty() || !llvm::sys::fs::exists(own)) {
    fail("'--net=mpi' needs libchannels_mpi.a beside '" + library +
         "', which is built where CMake finds MPI: install it (Debian: libopenmpi-dev, "
         "openmpi-bin), and build the project again");
    return std::nullopt;
  }
  arguments made = {"-Wl,--wrap=main", own.str().str()};
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
