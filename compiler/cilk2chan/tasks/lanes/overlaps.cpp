#include "tasks/lanes/overlaps.hpp"

#include "analysis/usage.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/printing.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

// Iterations this far apart in memory still share what a wavefront reads at once.
constexpr std::int64_t near_bytes = 32;

// Finds reads through pointers in the expression of an address: these need a pointer that is valid.
class pointer_read_finder : public tree_walker {
 public:
  bool found = false;

  bool VisitStmt(clang::Stmt* node) override {
    const clang::Expr* place = place_read(node);
    if (place != nullptr && root_variable(place) == nullptr) found = true;
    return !found;
  }
};

class overlap_finder {
 public:
  overlap_finder(const program& source, const variable_usage& usage, lane_loop& loop)
      : source_(source), usage_(usage), loop_(loop), symbol_(key_of(loop.form.variable)) {
    const auto by =
        loop.form.step == nullptr ? std::optional<std::int64_t>(1) : constant(loop.form.step);
    const clang::QualType type = loop.form.variable->getType();
    // The addresses of places are in bytes.
    const std::int64_t unit =
        type->isPointerType()
            ? source.context->getTypeSizeInChars(type->getPointeeType()).getQuantity()
            : 1;
    if (by) step_ = (loop.form.subtracts ? -*by : *by) * unit;
    trips_ = constant_trips(source, loop.form, loop.first);
  }

  std::string run() {
    if (loop_.promised) return {};
    for (std::size_t i = 0; i < loop_.accesses.size(); ++i) {
      if (!loop_.accesses[i].stores) continue;
      std::string why = with_itself(i);
      for (std::size_t j = 0; j < loop_.accesses.size() && why.empty(); ++j) {
        if (j == i || (loop_.accesses[j].stores && j < i)) continue;
        why = of_two(i, j);
      }
      if (!why.empty()) return why;
    }
    return {};
  }

  [[nodiscard]] std::optional<std::int64_t> stride_of(const access& one) const {
    if (!one.where || !step_) return std::nullopt;
    const auto factor = one.where->offset.factor_of(symbol_).constant();
    if (!factor) return std::nullopt;
    return *factor * *step_;
  }

 private:
  std::optional<std::int64_t> constant(const clang::Expr* value) const {
    clang::Expr::EvalResult known;
    if (!value->EvaluateAsInt(known, *source_.context)) return std::nullopt;
    return known.Val.getInt().getExtValue();
  }
  std::string text(const access& one) const {
    std::string text = print(source_, one.place);
    std::ranges::replace(text, '\n', ' ');
    return "'" + text + "'";
  }

  std::string with_itself(std::size_t i) {
    const access& one = loop_.accesses[i];
    if (!one.commutes.empty()) return {};
    if (!one.where) return "where it stores " + text(one) + " is not known when it begins";
    if (!one.where->offset.mentions(symbol_)) return "each iteration stores " + text(one);
    const auto stride = stride_of(one);
    if (stride && one.around.empty() && !one.where->may_wrap)
      return one.bytes <= std::abs(*stride)
                 ? ""
                 : "iterations overlap in what they store as " + text(one);
    return compare(i, i);
  }

  std::string of_two(std::size_t store, std::size_t other) {
    const access& a = loop_.accesses[store];
    const access& b = loop_.accesses[other];
    if (are_distinct(a, b) || (!a.commutes.empty() && a.commutes == b.commutes)) return {};
    if (!a.where || !b.where)
      return "where " + text(a.where ? b : a) + " is, is not known when it begins, and it may be " +
             text(a.where ? a : b) + " of another iteration";
    const bool plain = a.around.empty() && b.around.empty() && !a.where->may_wrap &&
                       !b.where->may_wrap && a.where->base == b.where->base;
    const auto stride = stride_of(a);
    if (plain && stride && stride == stride_of(b)) {
      const auto distance = (b.where->offset - a.where->offset).constant();
      if (distance) {
        if (!meet(*stride, *distance, a.bytes, b.bytes)) return {};
        return text(b) + " may be " + text(a) + " of another iteration";
      }
    }
    return compare(store, other);
  }

  // Whether [0, bytes) of an iteration meets [distance, distance + others) of another.
  bool meet(std::int64_t stride, std::int64_t distance, std::int64_t bytes,
            std::int64_t others) const {
    // Both stay where they are.
    if (stride == 0) return distance < bytes && distance + others > 0;
    const std::int64_t around = -distance / stride;
    const std::int64_t reach = (bytes + others) / std::abs(stride) + 2;
    for (std::int64_t k = around - reach; k <= around + reach; ++k) {
      if (k == 0 || (trips_ && static_cast<std::uint64_t>(std::abs(k)) >= *trips_)) continue;
      const std::int64_t begin = distance + k * stride;
      if (begin < bytes && begin + others > 0) return true;
    }
    return false;
  }

  // Whether no run of the program can have both at one place.
  bool are_distinct(const access& a, const access& b) const {
    if (a.root == nullptr || b.root == nullptr || a.root == b.root) return false;
    const auto is_object = [](const clang::VarDecl* one) {
      return !one->getType()->isPointerType() && !one->getType()->isReferenceType();
    };
    const auto is_hidden = [&](const clang::VarDecl* one) {
      return is_object(one) && one->hasLocalStorage() && !usage_.escaped.contains(one);
    };
    const auto is_given = [&](const clang::VarDecl* one) {
      return llvm::isa<clang::ParmVarDecl>(one) && !usage_.changed.contains(one);
    };
    const auto is_alone = [&](const clang::VarDecl* one) {
      return is_given(one) && one->getType().isRestrictQualified();
    };
    if (is_object(a.root) && is_object(b.root)) return true;
    if (is_hidden(a.root) || is_hidden(b.root)) return true;
    const bool known =
        (is_object(a.root) || is_given(a.root)) && (is_object(b.root) || is_given(b.root));
    return known && (is_alone(a.root) || is_alone(b.root));
  }

  std::string compare(std::size_t a, std::size_t b) {
    for (const std::size_t one : {a, b}) {
      const std::string why = obstacle(loop_.accesses[one]);
      if (!why.empty()) return why;
    }
    const auto [first, last] = std::minmax({compared_as(a), compared_as(b)});
    loop_.apart.emplace(first, last);
    return {};
  }

  // The number of what stands for the access when it is compared.
  std::size_t compared_as(std::size_t number) {
    const access& one = loop_.accesses[number];
    for (std::size_t i = 0; i < loop_.compared.size(); ++i) {
      compared_access& group = loop_.compared[i];
      const access& first = loop_.accesses[group.access];
      const auto distance = distance_between(first, one);
      if (!distance) continue;
      const std::int64_t begin = std::min<std::int64_t>(0, *distance);
      const std::int64_t end = std::max(group.bytes, *distance + one.bytes);
      if (*distance < 0) group.access = number;
      group.bytes = end - begin;
      return i;
    }
    loop_.compared.push_back({number, one.bytes});
    return loop_.compared.size() - 1;
  }
  static std::optional<std::int64_t> distance_between(const access& a, const access& b) {
    const auto limit = [](const counted_loop& loop) { return loop.form.limit; };
    if (!a.where || !b.where || a.where->base != b.where->base || a.where->may_wrap ||
        b.where->may_wrap || !std::ranges::equal(a.around, b.around, {}, limit, limit))
      return std::nullopt;
    return (b.where->offset - a.where->offset).constant();
  }

  // Why the address cannot be computed before the loop.
  std::string obstacle(access& one) const {
    one.in_fixed_loops = true;
    if (one.on_condition && reads_through_pointer(one.place))
      return "where " + text(one) + " is, is known only where it is used";
    for (std::size_t i = 0; i < one.around.size(); ++i) {
      const counted_loop& inner = one.around[i];
      const std::vector<counted_loop> outside(one.around.begin(),
                                              one.around.begin() + static_cast<long>(i));
      address_reader reader(source_, loop_.variables, outside);
      const auto known = [&](const clang::Expr* value) {
        const auto sum = reader.integer(value);
        return reader.is_fixed(value) || (sum && sum->is_linear_in(reader.symbols()));
      };
      const bool fixed = known(inner.first) && known(inner.form.limit) &&
                         (inner.form.step == nullptr || reader.is_fixed(inner.form.step));
      const std::vector<counted_loop> none;
      address_reader alone(source_, loop_.variables, none);
      one.in_fixed_loops =
          one.in_fixed_loops && alone.is_fixed(inner.first) && alone.is_fixed(inner.form.limit);
      const bool reads = inner.on_condition && (reads_through_pointer(inner.first) ||
                                                reads_through_pointer(inner.form.limit));
      if (!fixed || reads)
        return "the limits of the loop around " + text(one) + " are not known when it begins";
    }
    return {};
  }

  const program& source_;
  const variable_usage& usage_;
  lane_loop& loop_;
  std::string symbol_;
  std::optional<std::int64_t> step_;
  std::optional<std::uint64_t> trips_;
};

}  // namespace

std::string find_overlaps(const program& source, const variable_usage& usage, lane_loop& loop) {
  return overlap_finder(source, usage, loop).run();
}

bool reads_through_pointer(const clang::Stmt* code) {
  pointer_read_finder reads;
  reads.look_through(code);
  return reads.found;
}

bool is_known(const counted_loop& loop, address_reader& reader) {
  const auto known = [&](const clang::Expr* value) {
    return value == nullptr || (reader.is_fixed(value) && !reads_through_pointer(value));
  };
  return known(loop.first) && known(loop.form.limit) && known(loop.form.step);
}

bool stores_nearby(const program& source, const lane_loop& loop) {
  lane_loop copy = loop;
  const variable_usage none;
  const overlap_finder finder(source, none, copy);
  const auto stores_in_order = [](const access& one) { return one.stores && one.commutes.empty(); };
  const bool any_stores = std::ranges::any_of(loop.accesses, stores_in_order);
  return std::ranges::all_of(loop.accesses, [&](const access& one) {
    if (!one.commutes.empty() || one.stores != any_stores) return true;
    const auto stride = finder.stride_of(one);
    return stride && std::abs(*stride) <= near_bytes;
  });
}

}  // namespace cilk2chan
