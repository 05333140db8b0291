#include "runtime/aggregator/restart_channel.hpp"

#include <algorithm>  // min, max
#include <bit>        // bit_ceil, bit_floor
#include <cstring>    // memset

#include "channels/settings.hpp"

namespace channels::detail {

restart_channel::restart_channel(run_memory& memory, const device& on, const graph_model& model,
                                 const settings& options)
    : memory_(memory) {
  constexpr std::uint64_t per_element =
      sizeof(restart_context) + 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
  const std::uint64_t wanted = std::bit_ceil(std::uint64_t{options.batch} * on.most_in_flight());
  const std::uint64_t affordable =
      std::bit_floor(std::max<std::uint64_t>(memory.bytes() / 32 / per_element, 16));
  capacity_ = static_cast<std::uint32_t>(std::min(wanted, affordable));
  most_in_batch_ = std::min(options.batch, std::max(capacity_ / on.most_in_flight(), 1U));
  // Groups of one: a reclaimer that skips the rest of a larger group hides its room for a moment.
  const channel_geometry geometry{capacity_, 1};
  bytes_ = geometry.bytes(layout_of<restart_context>::bytes(capacity_));
  if (bytes_ > memory.bytes()) {
    throw error(fmt::format(
        "{}: {} bytes of channel memory do not hold even the channel of restart contexts ({} "
        "bytes); set CHANNELS_MEMORY higher",
        model.name, memory.bytes(), bytes_));
  }
  zeroed_bytes_ = channel_view::zeroed_bytes(geometry);
  const channel_memory& all = memory.all();
  if (all.clean < zeroed_bytes_) std::memset(all.control + all.clean, 0, zeroed_bytes_ - all.clean);
  memory.set_clean(0);
  channel_ = {channel_view(all.control, geometry), ~std::uint32_t{0}};
}

void restart_channel::clear() {
  channel_.view.clear();
  memory_.set_clean(zeroed_bytes_);
}

}  // namespace channels::detail
