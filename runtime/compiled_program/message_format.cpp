#include "channels/cilk/message_format.hpp"

#include <cstdint>      // fixed-width integers
#include <cstdio>       // snprintf
#include <cstring>      // memcpy, strlen
#include <string_view>  // string_view

namespace channels::cilk {
namespace {

/// Reads the arguments of a message in their order.
class argument_reader {
 public:
  argument_reader(const char* kinds, const char* at) : kinds_(kinds), at_(at) {}

  [[nodiscard]] argument_kind kind() const { return static_cast<argument_kind>(*kinds_); }
  template <class Value>
  Value number() {
    static_assert(sizeof(Value) == 8);
    Value value{};
    std::memcpy(static_cast<void*>(&value), at_, sizeof value);
    ++kinds_;
    at_ += sizeof value;
    return value;
  }
  const char* text() {
    const char* const found = at_;
    ++kinds_;
    at_ += std::strlen(found) + 1;
    return found;
  }
  void skip() {
    if (kind() == argument_kind::end) return;
    if (kind() == argument_kind::text) {
      (void)text();
    } else {
      (void)number<std::uint64_t>();
    }
  }
  [[nodiscard]] bool is_number() const {
    return kind() == argument_kind::signed_number || kind() == argument_kind::unsigned_number;
  }

 private:
  const char* kinds_;
  const char* at_;
};

template <class Value>
void append(std::string& all, const std::string& conversion, Value value) {
  const int length = std::snprintf(nullptr, 0, conversion.c_str(), value);
  if (length <= 0) return;
  const std::size_t before = all.size();
  all.resize(before + static_cast<std::size_t>(length) + 1);
  (void)std::snprintf(all.data() + before, static_cast<std::size_t>(length) + 1, conversion.c_str(),
                      value);
  all.pop_back();  // the zero
}

/// A number as its conversion's length modifier has it.
std::int64_t as_signed(std::string_view length, std::uint64_t value) {
  if (length == "hh") return static_cast<signed char>(value);
  if (length == "h") return static_cast<short>(value);
  if (length.empty()) return static_cast<int>(value);
  return static_cast<std::int64_t>(value);
}
std::uint64_t as_unsigned(std::string_view length, std::uint64_t value) {
  if (length == "hh") return static_cast<unsigned char>(value);
  if (length == "h") return static_cast<unsigned short>(value);
  if (length.empty()) return static_cast<unsigned>(value);
  return value;
}

}  // namespace

std::string formatted(const char* format, const char* kinds, const char* arguments) {
  constexpr std::string_view flags = "-+ #0'";
  constexpr std::string_view digits = "0123456789";
  constexpr std::string_view lengths = "hljztLq";
  argument_reader next(kinds, arguments);
  std::string all;
  const std::string_view text = format;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '%') {
      all += text[i++];
      continue;
    }
    std::string conversion = "%";
    const auto take = [&](std::string_view letters) {
      std::string taken;
      while (i < text.size() && letters.find(text[i]) != letters.npos) taken += text[i++];
      return taken;
    };
    // A width or a precision, which may be an argument.
    const auto take_count = [&] {
      if (i < text.size() && text[i] == '*') {
        ++i;
        if (next.is_number()) conversion += std::to_string(next.number<std::int64_t>());
      } else {
        conversion += take(digits);
      }
    };
    ++i;
    conversion += take(flags);
    take_count();
    if (i < text.size() && text[i] == '.') {
      conversion += text[i++];
      take_count();
    }
    const std::string length = take(lengths);
    const char letter = i < text.size() ? text[i++] : '%';
    const bool is_signed = letter == 'd' || letter == 'i';
    if (letter == '%') {
      all += '%';
    } else if (next.is_number() && is_signed) {
      append(all, conversion + "lld",
             static_cast<long long>(as_signed(length, next.number<std::uint64_t>())));
    } else if (next.is_number() &&
               std::string_view("ouxX").find(letter) != std::string_view::npos) {
      append(all, conversion + "ll" + letter,
             static_cast<unsigned long long>(as_unsigned(length, next.number<std::uint64_t>())));
    } else if (next.is_number() && letter == 'c') {
      append(all, conversion + 'c', static_cast<int>(next.number<std::int64_t>()));
    } else if (next.kind() == argument_kind::real &&
               std::string_view("eEfFgGaA").find(letter) != std::string_view::npos) {
      append(all, conversion + letter, next.number<double>());
    } else if (next.kind() == argument_kind::text && letter == 's') {
      append(all, conversion + 's', next.text());
    } else if (next.kind() == argument_kind::pointer && letter == 'p') {
      append(all, conversion + 'p', next.number<void*>());
    } else {
      next.skip();
      all += '?';
    }
  }
  return all;
}

}  // namespace channels::cilk
