#pragma once

#include <cstdint>  // fixed-width integers
#include <cstdio>   // fprintf
#include <cstdlib>  // strtoull, exit
#include <cstring>  // strcmp, strncmp
#include <string>   // string

#include "channels/net/threads.hpp"
#include "channels/net/world.hpp"
#ifdef WITH_MPI
#include "channels/net/mpi.hpp"
#endif

/// What the programs in examples/net have in common: their options, and places to run at.
namespace examples {

/// The value of `--name value` or `--name=value`, or `usual`.
inline std::string option(int argc, char** argv, const char* name, const std::string& usual) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], name, length) != 0) continue;
    if (argv[i][length] == '=') return argv[i] + length + 1;
    if (argv[i][length] == '\0' && i + 1 < argc) return argv[i + 1];
  }
  return usual;
}
inline std::uint64_t number(int argc, char** argv, const char* name, std::uint64_t usual) {
  return std::strtoull(option(argc, argv, name, std::to_string(usual)).c_str(), nullptr, 10);
}

/// Calls `program(world)` at each place: `--transport threads` (the default, but for programs that
/// mpirun has started) or `mpi`; `--places`, of threads. Returns the exit status.
template <class Program>
int at_places(int argc, char** argv, const Program& program) {
  const bool by_mpirun =
      std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
  const std::string by = option(argc, argv, "--transport", by_mpirun ? "mpi" : "threads");
  try {
    if (by == "threads") {
      const channels::thread_network net(
          static_cast<std::uint32_t>(number(argc, argv, "--places", 4)));
      channels::at_all_places(net, [&](std::unique_ptr<channels::transport> t) {
        channels::world w(std::move(t));
        program(w);
      });
      return 0;
    }
#ifdef WITH_MPI
    if (by == "mpi") {
      channels::world w(channels::mpi_transport());
      program(w);
      return 0;
    }
#endif
    std::fprintf(stderr, "there is no transport '%s' in this build\n", by.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  return 1;
}

}  // namespace examples
