#include "channels/net/world.hpp"

#include <utility>  // move

#include "channels/error.hpp"
#include "runtime/net/endpoint.hpp"

namespace channels {

world::world(std::unique_ptr<transport> by, world_options options) {
  if (by == nullptr) throw error("world: it was given no transport");
  endpoint_ = std::make_shared<detail::endpoint>(std::move(by), options);
}

std::uint32_t world::places() const { return endpoint_->by->places(); }
std::uint32_t world::here() const { return endpoint_->by->here(); }
world_counts world::counted() const { return endpoint_->counts; }

}  // namespace channels
