#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstddef>  // size_t
#include <memory>   // unique_ptr

#include "channels/net/transport.hpp"

namespace channels {

/// The places are the processes that `mpirun` has started; without it there is one. The library
/// `channels_mpi` has it, besides `channels`, and it needs MPI.
///
/// All processes call it, together. Unless MPI is initialised it initialises it, and then the
/// transport's destructor ends it, so it is called once in a process; if a
/// place was lost it does not, since that would wait for it, and `mpirun` ends the others.
/// Throws `channels::error` with what MPI says, also if MPI was initialised without
/// MPI_THREAD_SERIALIZED: the thread of the aggregator calls it, one thread at a time.
[[nodiscard]] std::unique_ptr<transport> mpi_transport(
    std::size_t parcel_bytes = usual_parcel_bytes);

}  // namespace channels

#endif
