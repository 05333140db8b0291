#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// A sum of products of an integer and of symbols: variables, and expressions that keep their value
/// while a loop runs. The address of an access is such a sum, in bytes.
class linear {
 public:
  linear() = default;
  explicit linear(std::int64_t value) {
    if (value != 0) terms_[{}] = value;
  }
  explicit linear(const std::string& symbol) { terms_[{symbol}] = 1; }

  friend linear operator+(linear a, const linear& b) {
    for (const auto& [symbols, count] : b.terms_) a.add(symbols, count);
    return a;
  }
  friend linear operator-(const linear& a, const linear& b) { return a + b * linear(-1); }
  friend linear operator*(const linear& a, const linear& b);
  friend bool operator==(const linear& a, const linear& b) { return a.terms_ == b.terms_; }

  /// The value, if there are no symbols.
  [[nodiscard]] std::optional<std::int64_t> constant() const;
  [[nodiscard]] bool mentions(const std::string& symbol) const;
  /// What `symbol` is multiplied by. It stands in each product once at most.
  [[nodiscard]] linear factor_of(const std::string& symbol) const;
  /// Whether each product has one of `symbols` at most, and that once.
  [[nodiscard]] bool is_linear_in(const std::vector<std::string>& symbols) const;

 private:
  void add(const std::vector<std::string>& symbols, std::int64_t count);

  std::map<std::vector<std::string>, std::int64_t> terms_;  // by their symbols, in order
};

}  // namespace cilk2chan
