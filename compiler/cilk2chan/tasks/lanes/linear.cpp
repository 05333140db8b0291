#include "tasks/lanes/linear.hpp"

#include <algorithm>

namespace cilk2chan {

linear operator*(const linear& a, const linear& b) {
  linear product;
  for (const auto& [left, count] : a.terms_) {
    for (const auto& [right, times] : b.terms_) {
      std::vector<std::string> symbols;
      std::ranges::merge(left, right, std::back_inserter(symbols));
      product.add(symbols, count * times);
    }
  }
  return product;
}

std::optional<std::int64_t> linear::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

bool linear::mentions(const std::string& symbol) const {
  return std::ranges::any_of(
      terms_, [&](const auto& term) { return std::ranges::count(term.first, symbol) != 0; });
}

linear linear::factor_of(const std::string& symbol) const {
  linear factor;
  for (const auto& [symbols, count] : terms_) {
    const auto found = std::ranges::find(symbols, symbol);
    if (found == symbols.end()) continue;
    std::vector<std::string> others(symbols.begin(), found);
    others.insert(others.end(), found + 1, symbols.end());
    factor.add(others, count);
  }
  return factor;
}

bool linear::is_linear_in(const std::vector<std::string>& symbols) const {
  return std::ranges::all_of(terms_, [&](const auto& term) {
    return std::ranges::count_if(term.first, [&](const std::string& one) {
             return std::ranges::count(symbols, one) != 0;
           }) <= 1;
  });
}

void linear::add(const std::vector<std::string>& symbols, std::int64_t count) {
  const auto [place, is_new] = terms_.try_emplace(symbols, 0);
  place->second += count;
  if (place->second == 0) terms_.erase(place);
}

}  // namespace cilk2chan
