#include "bench/evaluate/scheduling.hpp"

#include <utility>  // pair

namespace evaluate {
namespace {

using channels::candidate;
using better = bool (*)(const candidate&, const candidate&);

/// Takes the best candidate by an order; of equals the first.
class ordered_policy final : public channels::scheduling_policy {
 public:
  ordered_policy(const char* name, better order) : name_(name), order_(order) {}
  [[nodiscard]] const char* name() const override { return name_; }
  [[nodiscard]] std::optional<std::size_t> choose(std::span<const candidate> ready) const override {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (!best || order_(ready[i], ready[*best])) best = i;
    }
    return best;
  }

 private:
  const char* name_;
  better order_;
};

/// The deepest level first; of a level, what frees space.
bool deeper(const candidate& a, const candidate& b) {
  return a.level != b.level ? a.level > b.level : a.continuation && !b.continuation;
}
/// The level nearest to the root first, also where it lacks room; of a level, what frees space.
bool shallower(const candidate& a, const candidate& b) {
  return a.level != b.level ? a.level < b.level : a.continuation && !b.continuation;
}

const std::pair<const char*, better> orders[] = {{"deepest", deeper}, {"shallowest", shallower}};

struct named_predicate {
  const char* name;
  channels::predicate worth;
};

const std::vector<named_predicate>& predicates() {
  static const std::vector<named_predicate> all = {
      {"always", {}},
      {"wavefront", channels::full_wavefront()},
      {"16-wavefronts",
       [](const channels::channel_status& c) {
         return c.ready >= std::uint64_t{16} * c.width || c.ready * 2 >= c.capacity;
       }},
      {"half-channel", [](const channels::channel_status& c) { return c.ready * 2 >= c.capacity; }},
  };
  return all;
}

}  // namespace

std::vector<std::string> built_in_policy_names() {
  return {"auto", "bounded-breadth-first", "first-come", "level-first"};
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names = built_in_policy_names();
  for (const auto& [name, order] : orders) names.emplace_back(name);
  return names;
}

std::vector<std::string> predicate_names() {
  std::vector<std::string> names;
  for (const named_predicate& p : predicates()) names.emplace_back(p.name);
  return names;
}

schedule make_schedule(const std::string& policy, const std::string& worth) {
  schedule s;
  for (const auto& [name, order] : orders) {
    if (policy == name) s.policy = std::make_shared<ordered_policy>(name, order);
  }
  if (policy == "bounded-breadth-first") s.policy = channels::bounded_breadth_first();
  if (policy == "first-come") s.policy = channels::first_come();
  if (policy == "level-first") s.policy = channels::level_first();
  for (const named_predicate& p : predicates()) {
    if (worth == p.name) s.worth = p.worth;
  }
  return s;
}

}  // namespace evaluate
