#include "channels/scheduling.hpp"

namespace channels {
namespace {

class bounded_breadth_first_policy final : public scheduling_policy {
 public:
  [[nodiscard]] const char* name() const override { return "bounded breadth-first"; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (!best || better(ready[i], ready[*best])) best = i;
    }
    return best;
  }

 private:
  static bool better(const candidate& a, const candidate& b) {
    if (a.room != b.room) return a.room > b.room;
    if (a.level != b.level) return a.level > b.level;
    return a.continuation && !b.continuation;  // frees space
  }
};

class first_come_policy final : public scheduling_policy {
 public:
  [[nodiscard]] const char* name() const override { return "first come"; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (!first || ready[i].arrival < ready[*first].arrival) first = i;
    }
    return first;
  }
};

}  // namespace

std::unique_ptr<scheduling_policy> bounded_breadth_first() {
  return std::make_unique<bounded_breadth_first_policy>();
}

std::unique_ptr<scheduling_policy> first_come() { return std::make_unique<first_come_policy>(); }

}  // namespace channels
