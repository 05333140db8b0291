#pragma once

/// The header that the device code of cilk2chan includes. That code is one unit for each source
/// file. nvcc compiles it for CUDA, hipcc for HIP, and the host's compiler for the emulated device.
/// What is the same for all units is compiled apart (host_part.hpp), and only declared here.
#if !defined(CHANNELS_CILK_UNIT)
#define CHANNELS_CILK_UNIT  // cilk2chan says it before headers of the command line
#endif
#include "channels/gpu/compiled_program/device_names.hpp"

#include "channels/detail/call_code.hpp"
#include "channels/gpu/compiled_program/unit_calls.hpp"
#include "channels/gpu/device/task_node_code.hpp"
#if defined(CHANNELS_CILK_DEVICE_AGGREGATOR)
#include "channels/gpu/device/persistent_graph_code.hpp"
#endif
#include "channels/gpu/scheduler/set_code.hpp"

#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_ADDRESS(type, name) static type* name
#define CHANNELS_CILK_HOST_ADDRESSES(count) static std::uintptr_t cilk_host_address[count]
#else
/// The address of a variable of the program. `bind` sets it before the first run.
#define CHANNELS_CILK_ADDRESS(type, name) static __constant__ type* name
/// The host's addresses of functions, which `bind_addresses` sets.
#define CHANNELS_CILK_HOST_ADDRESSES(count) \
  static __constant__ std::uintptr_t cilk_host_address[count]
#endif

#include "channels/gpu/compiled_program/endings.hpp"
#include "channels/gpu/compiled_program/functions.hpp"
#include "channels/gpu/compiled_program/group.hpp"
#include "channels/gpu/compiled_program/indirect_calls.hpp"
#include "channels/gpu/compiled_program/lanes.hpp"
#include "channels/gpu/compiled_program/library.hpp"
#include "channels/gpu/compiled_program/malloc.hpp"
#include "channels/gpu/compiled_program/streams.hpp"
#include "channels/gpu/compiled_program/variables.hpp"

/// A function of the program that tasks call.
#define CHANNELS_CILK_COPY CHANNELS_DEVICE inline
/// A table of the program that never changes. The device has its own.
#if defined(CHANNELS_GPU_EMULATED)
#define CHANNELS_CILK_TABLE
#else
#define CHANNELS_CILK_TABLE __device__
#endif

/// Around the program's own text: functions that it does not mark are for the host and for the
/// device. For nvcc, each function is marked.
#if defined(__HIP__)
#define CHANNELS_CILK_TEXT_BEGIN _Pragma("clang force_cuda_host_device begin")
#define CHANNELS_CILK_TEXT_END _Pragma("clang force_cuda_host_device end")
#else
#define CHANNELS_CILK_TEXT_BEGIN
#define CHANNELS_CILK_TEXT_END
#endif

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

namespace detail {

/// Names the unit's kernels, so that those of different units differ.
namespace {
struct this_unit;
}

/// Tells the unit's device code, on the current GPU, where lanes tell the host, and where the arena
/// is. It is static, as the places are.
static inline void bind_told(const told_places& told) {
  if (told.messages != nullptr) bind(device_messages, told.messages);
  if (told.end != nullptr) bind(device_program_end, told.end);
  if (told.unknown != nullptr) bind(device_unknown_call, told.unknown);
  if (told.arena == nullptr) return;
  bind(device_allocation_failure, told.no_memory);
  bind(device_arena, told.arena);
}

/// The first kind of stacks that is considered: the option --stacks of cilk2chan.
#if !defined(CHANNELS_CILK_STACKS)
#define CHANNELS_CILK_STACKS summing
#endif
template <task Root>
using set_of =
    gpu::detail::task_set<gpu::detail::tasks_of<Root>, gpu::stacks::CHANNELS_CILK_STACKS>;

/// Code for kernels that stay: the option --device-aggregator of cilk2chan. Compilers for GPUs take
/// longest for these, and only runs with CHANNELS_ORDER=channels use them.
#if defined(CHANNELS_CILK_DEVICE_AGGREGATOR)
using persistent_unit_code = gpu::detail::persistent_graph_code<this_unit>;
#else
using persistent_unit_code = gpu::detail::no_persistent_code;
#endif

/// All that tasks reach is memory that the program's GPUs share, but for what `why_on_one` finds.
template <class Set>
inline constexpr const gpu::detail::set_code& code_of_set =
    gpu::detail::code_of_set<Set, gpu::detail::set_travels<Set, reach::host>>;
template <task Root>
inline constexpr root_code code_of_root{
    Root::name,
    sizeof(typename Root::arguments),
    channels::detail::bytes_of_result<typename Root::result_type>(),
    set_of<Root>::template id<Root>,
    &code_of_set<set_of<Root>>,
    &channels::detail::code_of_call<Root, gpu::detail::task_node_code<persistent_unit_code>>};

}  // namespace detail

namespace {

/// The device code of one source file.
struct gpu_unit : unit_code {
  gpu_unit(device_needs needs, void (*variables)(named_variables&))
      : unit_code{needs, variables, &detail::bind_told} {
    begin_unit(*this);
  }
};

}  // namespace

/// Whether a GPU is expected to be fast at `Root`: its tasks only add up, or wavefronts run their
/// leaves.
template <task Root>
inline constexpr bool suits_gpu = [] {
  using set = gpu::detail::task_set<gpu::detail::tasks_of<Root>>;
  return set::summing || set::any_group_leaves;
}();

/// Runs `Root` on the device in place of a call of its function. The arguments are at `arguments`,
/// and the result goes to `result`. If it fails, the program ends with a message.
template <task Root>
void run_on_gpu(gpu_unit& unit, const void* arguments, void* result) {
  run_root(unit, detail::code_of_root<Root>, arguments, result);
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk

#undef gpu
