#pragma once

#include <cstddef>  // size_t

/// Where the memory of a compiled program comes from if a device cannot read all of the host's:
/// what the heap's code and that of devices, made by other compilers, ask of each other.
extern "C" {

/// One piece of memory that the host and the device read and write, in a unit of the device's code.
/// Null if there is no room for so much. `*unwanted` is set if the device needs no such memory, or
/// is not there. One for each kind of device; those that a program has no code for are null.
using channels_chunk_source = void*(std::size_t bytes, bool* unwanted);
__attribute__((weak)) channels_chunk_source channels_chunk_of_cuda;
__attribute__((weak)) channels_chunk_source channels_chunk_of_hip;
__attribute__((weak)) channels_chunk_source channels_chunk_of_emulated;

/// From now on what the program allocates is for that device; until `channels_heap_ready` in memory
/// of the host that is still to be registered, for the device's library is not ready while the
/// program's constructors run, nor for the first `bytes_of_host` bytes after that. Null in a
/// program without heap.
__attribute__((weak)) void channels_heap_begin(const char* device, std::size_t bytes_of_host);
__attribute__((weak)) void channels_heap_ready();
/// Called before memory that both see is taken: returns when the device's library has started. The
/// runtime has it.
__attribute__((weak)) void channels_heap_awaits_device();
/// Called when there is no more memory that both see. True: the program goes on with the C
/// library's, and no call goes to the device any more. The runtime has it.
__attribute__((weak)) bool channels_heap_is_full();
/// While this is not 0, what the calling thread allocates is the host's own: inside of a device's
/// library. Adds `by` and returns the sum.
__attribute__((weak)) int channels_heap_pause(int by);
/// Takes an arena into the heap (heap_arena.hpp): what the device allocates the host can free.
__attribute__((weak)) void channels_heap_add_arena(void* arena, std::size_t bytes);
/// Whether the calling thread runs while a device does: what it frees of an arena is then kept
/// until `channels_heap_settle`.
__attribute__((weak)) void channels_heap_beside_device(bool is);
/// No device runs: frees what was kept, and in `arenas` what lanes have kept there for the host.
__attribute__((weak)) void channels_heap_settle(bool arenas);
/// Calls `use` for each chunk, but arenas. `used`: the bytes of it that were ever in use;
/// `of_host`: it is to be registered.
__attribute__((weak)) void channels_heap_visit(void (*use)(void* chunk, std::size_t bytes,
                                                           std::size_t used, bool of_host));
}
