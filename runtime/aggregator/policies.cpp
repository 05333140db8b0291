#include "channels/scheduling.hpp"

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

}  // namespace channels
