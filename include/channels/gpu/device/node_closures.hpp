#pragma once

#include <algorithm>  // max
#include <cstddef>    // byte, size_t
#include <memory>     // unique_ptr
#include <vector>     // vector

#include "channels/detail/model.hpp"
#include "channels/gpu/device/persistent_code.hpp"

namespace channels::gpu::detail {

/// What persistent kernels call for `n`; null if there is nothing.
inline const persistent_code* persistent_code_of(const channels::detail::node_model& n) {
  return n.on_gpu == nullptr ? nullptr : static_cast<const persistent_code*>(n.on_gpu->persistent);
}

/// Bytes that leaves of `model` take of a work-group's memory, for each wavefront. Lanes' stacks
/// are as large as they need. All nodes have code.
inline std::uint32_t prepare_leaves(const channels::detail::graph_model& model) {
  std::size_t most = 0;
  for (const channels::detail::node_model& n : model.nodes)
    most = std::max(most, persistent_code_of(n)->leaf_bytes);
  if (most != 0) check(ask_for_stack(leaf_stack_bytes), "stacks for leaves");
  return static_cast<std::uint32_t>(most);
}

/// What the kernel nodes of a graph are given, in the device's memory.
class node_closures {
 public:
  /// Those of `model`; all nodes have code. Nothing runs that uses what was there before.
  void copy(const channels::detail::graph_model& model) {
    std::vector<std::byte> all;
    std::vector<std::byte> one;
    first_.clear();
    for (const channels::detail::node_model& n : model.nodes) {
      const persistent_code& code = *persistent_code_of(n);
      first_.push_back(none);
      if (code.close == nullptr) continue;
      code.close(n.arguments.get(), one);
      first_.back() = all.size();
      all.insert(all.end(), one.begin(), one.end());
      all.resize((all.size() + alignment - 1) / alignment * alignment);
    }
    bytes_ = static_cast<std::uint32_t>(all.size());
    if (all.empty()) return;
    constexpr const char* what = "what kernel nodes are given";
    if (room_ < all.size()) {
      memory_.reset();
      room_ = 0;
      memory_ = allocate<std::byte>(all.size(), what);
      room_ = all.size();
    }
    check(CHANNELS_GPU(Memcpy)(memory_.get(), all.data(), all.size(),
                               CHANNELS_GPU(MemcpyHostToDevice)),
          what);
  }
  [[nodiscard]] closure_block all() const { return {memory_.get(), bytes_}; }
  /// Null if the node is given nothing.
  [[nodiscard]] const void* of(std::size_t node) const {
    return first_[node] == none ? nullptr : memory_.get() + first_[node];
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t alignment = most_closure_alignment;

  std::unique_ptr<std::byte, free_memory> memory_;
  std::size_t room_ = 0;
  std::uint32_t bytes_ = 0;
  std::vector<std::size_t> first_;  ///< byte, by node
};

}  // namespace channels::gpu::detail
