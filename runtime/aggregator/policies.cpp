#include "runtime/aggregator/policies.hpp"

#include <algorithm>  // any_of

namespace channels {
namespace {

/// Chooses the candidate with the largest rank in `Order`, the first of equal ones.
template <class Order, scheduling_order Name>
class ordered_policy final : public scheduling_policy {
 public:
  explicit ordered_policy(const char* name) : name_(name) {}

  [[nodiscard]] const char* name() const override { return name_; }
  [[nodiscard]] scheduling_order goes_by() const override { return Name; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (!best || Order::rank(ready[i]).is_above(Order::rank(ready[*best]))) best = i;
    }
    return best;
  }

 private:
  const char* name_;
};

}  // namespace

std::unique_ptr<scheduling_policy> bounded_breadth_first() {
  return std::make_unique<
      ordered_policy<bounded_breadth_first_order, scheduling_order::bounded_breadth_first>>(
      "bounded breadth-first");
}

std::unique_ptr<scheduling_policy> first_come() {
  return std::make_unique<ordered_policy<first_come_order, scheduling_order::first_come>>(
      "first come");
}

std::unique_ptr<scheduling_policy> level_first() {
  return std::make_unique<ordered_policy<level_first_order, scheduling_order::level_first>>(
      "level first");
}

namespace detail {

std::unique_ptr<scheduling_policy> policy_of(const settings& options, const graph_model& model) {
  switch (options.policy) {
    case policy_choice::automatic: break;
    case policy_choice::bounded_breadth_first: return bounded_breadth_first();
    case policy_choice::first_come: return first_come();
    case policy_choice::level_first: return level_first();
  }
  const bool levels = std::any_of(model.stacks.begin(), model.stacks.end(),
                                  [](const stack_model& s) { return s.levels; });
  if (!levels) return first_come();
  // Without frames there is no space that a deeper level could free, and a search whose levels are
  // run one after the other visits what it would else visit several times (bench/bfs).
  const bool frames = std::any_of(model.stacks.begin(), model.stacks.end(),
                                  [](const stack_model& s) { return s.frames; });
  if (!frames) return level_first();
  // On a GPU a small batch costs as much time as a large one, and whole levels make large batches;
  // the host has little cache for them. By the counted rule frames do not wait for levels, so the
  // largest batch first is better there (docs/evaluation, "Policies and predicates").
  return options.device == "host" || options.rule == readiness::counted ? bounded_breadth_first()
                                                                        : level_first();
}

}  // namespace detail

}  // namespace channels
