#pragma once

#include <algorithm>  // min

#include "channels/gpu/scheduler/run_control.hpp"

namespace channels::gpu::detail {

/// How wavefronts of the summing kind agree on the end of a run, and on its sum. A wavefront that
/// has work counts for one, and so does each gift under way; a wavefront gives back its *credits*
/// when it has nothing any more. Who gives back the last has the sum of all.
///
/// On several GPUs this happens twice. A GPU of which any wavefront counts as working holds credits
/// of the run, in the memory of the first GPU: one from the beginning for the GPU with the root,
/// and one for each gift that came from another GPU. The wavefront that finds that no other of its
/// GPU works takes the GPU's credits, if no gift has come meanwhile, and gives them back with the
/// GPU's sum. A GPU that gives raises the run's count before it gives, while it counts as working.
/// So the count is 0 only when no GPU has work and no gift is under way. (tests/spin/peer_end.pml
/// is a model of it.)
///
/// One lane calls these functions.
template <class Set, bool Several>
struct run_sum {
  /// The wavefront that calls it has no work any more: adds `sum` to the run's sum, and gives back
  /// its `credits`. True if it was the last of all; then it has told the host the result.
  static CHANNELS_GPU_INLINE bool leave(const run_parameters<Set>& run, std::uint64_t sum,
                                        std::uint32_t credits) {
    control_block& c = *run.control;
    // Relaxed: the next operation releases it.
    if (sum != 0) fetch_add<order::relaxed>(&c.sum, sum);
    if constexpr (Several) {
      return leave_gpu(run, credits);
    } else {
      // Release, at the device's scope: the sum, and all that this wavefront has written. Acquire:
      // the last wavefront sees what the others have released.
      if (fetch_add<order::acq_rel>(&c.working, ~credits + 1) != credits) return false;
      tell_host(run, load<order::relaxed>(&c.sum));
      return true;
    }
  }

  /// A gift of another GPU came to this wavefront, with a credit of the run for this GPU.
  static CHANNELS_GPU_INLINE void take_credit_of_peer(const run_parameters<Set>& run) {
    // Relaxed, at the device's scope: only wavefronts of this GPU use the word, and a later release
    // by this one orders what it does with the gift. Both halves at once: see `leave_gpu`.
    fetch_add<order::relaxed>(&run.control->working_and_held, held | 1U);
  }

 private:
  static constexpr std::uint64_t held = std::uint64_t{1} << 32U;

  static CHANNELS_GPU_INLINE bool leave_gpu(const run_parameters<Set>& run, std::uint32_t credits) {
    control_block& c = *run.control;
    // As on one GPU.
    const std::uint64_t left =
        fetch_add<order::acq_rel>(&c.working_and_held, ~std::uint64_t{credits} + 1) - credits;
    if (static_cast<std::uint32_t>(left) != 0) return false;
    // No wavefront of this GPU has work. Relaxed: the operation above has acquired what the others
    // released, and this one only decides who goes on: nobody, if a gift has come since.
    if (!compare_exchange<order::relaxed>(&c.working_and_held, left, std::uint64_t{0}))
      return false;
    peer_block& all = *run.peers.blocks[0];
    // Of the system's scope, as the first GPU's block is for all GPUs. Relaxed: the next operation
    // releases it.
    const std::uint64_t sum = exchange<order::relaxed>(&c.sum, std::uint64_t{0});
    if (sum != 0) fetch_add<order::relaxed, scope::system>(&all.sum, sum);
    // Release: the sum, and all that this GPU's wavefronts have written, which this one has
    // acquired. Acquire: the last GPU sees what the others have released.
    const std::uint64_t its_credits = left >> 32U;
    if (fetch_add<order::acq_rel, scope::system>(&all.working, ~its_credits + 1) != its_credits)
      return false;
    tell_host(run, load<order::relaxed, scope::system>(&all.sum));
    return true;
  }

  static CHANNELS_GPU_INLINE void tell_host(const run_parameters<Set>& run, std::uint64_t total) {
    memcpy(run.result, &total, min(sizeof total, std::size_t{Set::result_words} * 4));
    run.host->ended = 1;
  }
};

}  // namespace channels::gpu::detail
