#pragma once

#include <climits>      // LONG_MAX
#include <cstddef>      // size_t
#include <type_traits>  // is_integral_v, is_pointer_v

#include "channels/config.hpp"

/// Functions of C's library that read and write text in memory, in plain code. A unit that calls
/// one includes this file, and gives them their usual names. Any lane calls them. There is no
/// errno.

static CHANNELS_DEVICE inline char* channels_cilk_strchr(const char* text, int letter) {
  for (;; ++text) {
    if (*text == static_cast<char>(letter)) return const_cast<char*>(text);
    if (*text == '\0') return nullptr;
  }
}
static CHANNELS_DEVICE inline char* channels_cilk_strrchr(const char* text, int letter) {
  const char* found = nullptr;
  for (;; ++text) {
    if (*text == static_cast<char>(letter)) found = text;
    if (*text == '\0') return const_cast<char*>(found);
  }
}
static CHANNELS_DEVICE inline char* channels_cilk_strstr(const char* text, const char* part) {
  for (;; ++text) {
    std::size_t same = 0;
    while (part[same] != '\0' && text[same] == part[same]) ++same;
    if (part[same] == '\0') return const_cast<char*>(text);
    if (*text == '\0') return nullptr;
  }
}
static CHANNELS_DEVICE inline void* channels_cilk_memchr(const void* from, int byte,
                                                         std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(from);
  for (; bytes > 0; --bytes, ++at) {
    if (*at == static_cast<unsigned char>(byte)) return const_cast<unsigned char*>(at);
  }
  return nullptr;
}

/// The classes of letters, in the locale "C": what glibc gives for a letter that is in the class.
struct channels_cilk_letter {
  int c;
  CHANNELS_DEVICE constexpr bool in(int first, int last) const { return c >= first && c <= last; }
  CHANNELS_DEVICE constexpr bool upper() const { return in('A', 'Z'); }
  CHANNELS_DEVICE constexpr bool lower() const { return in('a', 'z'); }
  CHANNELS_DEVICE constexpr bool alpha() const { return upper() || lower(); }
  CHANNELS_DEVICE constexpr bool digit() const { return in('0', '9'); }
  CHANNELS_DEVICE constexpr bool alnum() const { return alpha() || digit(); }
  CHANNELS_DEVICE constexpr bool xdigit() const { return digit() || in('a', 'f') || in('A', 'F'); }
  CHANNELS_DEVICE constexpr bool space() const { return c == ' ' || in('\t', '\r'); }
  CHANNELS_DEVICE constexpr bool blank() const { return c == ' ' || c == '\t'; }
  CHANNELS_DEVICE constexpr bool print() const { return in(' ', '~'); }
  CHANNELS_DEVICE constexpr bool graph() const { return in('!', '~'); }
  CHANNELS_DEVICE constexpr bool punct() const { return graph() && !alnum(); }
  CHANNELS_DEVICE constexpr bool cntrl() const { return in(0, 31) || c == 127; }
};
static CHANNELS_DEVICE inline int channels_cilk_isupper(int c) {
  return channels_cilk_letter{c}.upper() ? 256 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_islower(int c) {
  return channels_cilk_letter{c}.lower() ? 512 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isalpha(int c) {
  return channels_cilk_letter{c}.alpha() ? 1024 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isdigit(int c) {
  return channels_cilk_letter{c}.digit() ? 2048 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isxdigit(int c) {
  return channels_cilk_letter{c}.xdigit() ? 4096 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isspace(int c) {
  return channels_cilk_letter{c}.space() ? 8192 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isprint(int c) {
  return channels_cilk_letter{c}.print() ? 16384 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isgraph(int c) {
  return channels_cilk_letter{c}.graph() ? 32768 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isblank(int c) {
  return channels_cilk_letter{c}.blank() ? 1 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_iscntrl(int c) {
  return channels_cilk_letter{c}.cntrl() ? 2 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_ispunct(int c) {
  return channels_cilk_letter{c}.punct() ? 4 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_isalnum(int c) {
  return channels_cilk_letter{c}.alnum() ? 8 : 0;
}
static CHANNELS_DEVICE inline int channels_cilk_toupper(int c) {
  return channels_cilk_letter{c}.lower() ? c - 'a' + 'A' : c;
}
static CHANNELS_DEVICE inline int channels_cilk_tolower(int c) {
  return channels_cilk_letter{c}.upper() ? c - 'A' + 'a' : c;
}

/// The length of the beginning of a text that is made of letters of `set`, or has none of them.
static CHANNELS_DEVICE inline std::size_t channels_cilk_span(const char* text, const char* set,
                                                             bool of_set) {
  std::size_t length = 0;
  for (; text[length] != '\0'; ++length) {
    bool found = false;
    for (const char* one = set; *one != '\0' && !found; ++one) found = *one == text[length];
    if (found != of_set) break;
  }
  return length;
}
static CHANNELS_DEVICE inline std::size_t channels_cilk_strspn(const char* text, const char* set) {
  return channels_cilk_span(text, set, true);
}
static CHANNELS_DEVICE inline std::size_t channels_cilk_strcspn(const char* text, const char* set) {
  return channels_cilk_span(text, set, false);
}
static CHANNELS_DEVICE inline char* channels_cilk_strpbrk(const char* text, const char* set) {
  const char* at = text + channels_cilk_span(text, set, false);
  return *at == '\0' ? nullptr : const_cast<char*>(at);
}
static CHANNELS_DEVICE inline std::size_t channels_cilk_strnlen(const char* text,
                                                                std::size_t most) {
  std::size_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}
static CHANNELS_DEVICE inline char* channels_cilk_strncat(char* to, const char* from,
                                                          std::size_t most) {
  char* at = to;
  while (*at != '\0') ++at;
  for (; most > 0 && *from != '\0'; --most) *at++ = *from++;
  *at = '\0';
  return to;
}

/// The number at the beginning of a text, as `strtol` and its like read it.
struct channels_cilk_number {
  unsigned long magnitude = 0;
  bool negative = false;
  bool too_large = false;
  const char* end = nullptr;  ///< behind it; the text's beginning if there is none
};

/// The value of a digit or a letter; 36 or more: it is none.
static CHANNELS_DEVICE inline unsigned channels_cilk_digit(char letter) {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  if (letter >= 'a' && letter <= 'z') return static_cast<unsigned>(letter - 'a') + 10;
  if (letter >= 'A' && letter <= 'Z') return static_cast<unsigned>(letter - 'A') + 10;
  return 36;
}

static CHANNELS_DEVICE inline channels_cilk_number channels_cilk_read_number(const char* text,
                                                                             int base) {
  channels_cilk_number read;
  read.end = text;
  const char* at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  if (*at == '-' || *at == '+') read.negative = *at++ == '-';
  const bool prefixed = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  if ((base == 0 || base == 16) && prefixed && channels_cilk_digit(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  for (; channels_cilk_digit(*at) < static_cast<unsigned>(base); read.end = ++at) {
    const unsigned long digit = channels_cilk_digit(*at);
    const auto factor = static_cast<unsigned long>(base);
    read.too_large = read.too_large || read.magnitude > (ULONG_MAX - digit) / factor;
    read.magnitude = read.magnitude * factor + digit;
  }
  return read;
}

static CHANNELS_DEVICE inline long channels_cilk_strtol(const char* text, char** end, int base) {
  const channels_cilk_number read = channels_cilk_read_number(text, base);
  if (end != nullptr) *end = const_cast<char*>(read.end);
  const auto most = static_cast<unsigned long>(LONG_MAX);
  if (read.negative)
    return read.too_large || read.magnitude > most + 1 ? LONG_MIN
                                                       : static_cast<long>(0 - read.magnitude);
  return read.too_large || read.magnitude > most ? LONG_MAX : static_cast<long>(read.magnitude);
}
static CHANNELS_DEVICE inline unsigned long channels_cilk_strtoul(const char* text, char** end,
                                                                  int base) {
  const channels_cilk_number read = channels_cilk_read_number(text, base);
  if (end != nullptr) *end = const_cast<char*>(read.end);
  if (read.too_large) return ULONG_MAX;
  return read.negative ? 0 - read.magnitude : read.magnitude;
}
static CHANNELS_DEVICE inline long long channels_cilk_strtoll(const char* text, char** end,
                                                              int base) {
  return channels_cilk_strtol(text, end, base);
}
static CHANNELS_DEVICE inline unsigned long long channels_cilk_strtoull(const char* text,
                                                                        char** end, int base) {
  return channels_cilk_strtoul(text, end, base);
}
static CHANNELS_DEVICE inline long channels_cilk_atol(const char* text) {
  return channels_cilk_strtol(text, nullptr, 10);
}
static CHANNELS_DEVICE inline long long channels_cilk_atoll(const char* text) {
  return channels_cilk_atol(text);
}
static CHANNELS_DEVICE inline int channels_cilk_atoi(const char* text) {
  return static_cast<int>(channels_cilk_atol(text));
}

/// An argument of `snprintf`: the bits of a number, or a text.
struct channels_cilk_argument {
  unsigned long bits = 0;
  const char* text = nullptr;
};

template <class Value>
static CHANNELS_DEVICE inline channels_cilk_argument channels_cilk_argument_of(Value value) {
  channels_cilk_argument made;
  if constexpr (std::is_pointer_v<Value>) {
    made.text = static_cast<const char*>(value);
  } else {
    made.bits = static_cast<unsigned long>(value);
  }
  return made;
}

/// What `snprintf` writes for whole numbers, letters and texts. cilk2chan takes no other formats.
class channels_cilk_formatter {
 public:
  CHANNELS_DEVICE channels_cilk_formatter(char* to, std::size_t room) : to_(to), room_(room) {}

  CHANNELS_DEVICE int write(const char* format, const channels_cilk_argument* arguments) {
    for (; *format != '\0'; ++format) {
      if (*format != '%') {
        put(*format);
      } else {
        format = convert(format + 1, arguments);
      }
    }
    if (room_ > 0) to_[count_ < room_ ? count_ : room_ - 1] = '\0';
    return static_cast<int>(count_);
  }

 private:
  struct conversion {
    bool left = false, zero = false, plus = false, blank = false, other = false;
    int width = 0;
    int precision = -1;
    unsigned bytes = sizeof(int);
  };

  CHANNELS_DEVICE void put(char letter) {
    if (count_ + 1 < room_) to_[count_] = letter;
    ++count_;
  }
  CHANNELS_DEVICE void fill(char letter, int times) {
    for (; times > 0; --times) put(letter);
  }

  /// Returns where the conversion ends.
  CHANNELS_DEVICE const char* convert(const char* at, const channels_cilk_argument*& next) {
    conversion how;
    for (;; ++at) {
      if (*at == '-') {
        how.left = true;
      } else if (*at == '0') {
        how.zero = true;
      } else if (*at == '+') {
        how.plus = true;
      } else if (*at == ' ') {
        how.blank = true;
      } else if (*at == '#') {
        how.other = true;
      } else {
        break;
      }
    }
    at = number(at, how.width, next);
    if (how.width < 0) {
      how.left = true;
      how.width = -how.width;
    }
    if (*at == '.') {
      how.precision = 0;
      at = number(at + 1, how.precision, next);
    }
    for (;; ++at) {
      if (*at == 'h') {
        how.bytes /= 2;
      } else if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') {
        how.bytes = sizeof(long);
      } else {
        break;
      }
    }
    one(*at, how, next);
    return at;
  }

  CHANNELS_DEVICE static const char* number(const char* at, int& value,
                                            const channels_cilk_argument*& next) {
    if (*at == '*') {
      value = static_cast<int>((next++)->bits);
      return at + 1;
    }
    for (; *at >= '0' && *at <= '9'; ++at) value = value * 10 + (*at - '0');
    return at;
  }

  CHANNELS_DEVICE void one(char kind, const conversion& how, const channels_cilk_argument*& next) {
    if (kind == '%') return put('%');
    const channels_cilk_argument value = *next++;
    if (kind == 'c') {
      if (!how.left) fill(' ', how.width - 1);
      put(static_cast<char>(value.bits));
      if (how.left) fill(' ', how.width - 1);
    } else if (kind == 's') {
      text(value.text, how);
    } else {
      whole(value.bits, kind, how);
    }
  }

  CHANNELS_DEVICE void text(const char* from, const conversion& how) {
    if (from == nullptr) from = "(null)";
    int length = 0;
    while ((how.precision < 0 || length < how.precision) && from[length] != '\0') ++length;
    if (!how.left) fill(' ', how.width - length);
    for (int i = 0; i < length; ++i) put(from[i]);
    if (how.left) fill(' ', how.width - length);
  }

  CHANNELS_DEVICE void whole(unsigned long bits, char kind, const conversion& how) {
    const unsigned unused = 8 * (static_cast<unsigned>(sizeof bits) - how.bytes);
    const bool is_signed = kind == 'd' || kind == 'i';
    const bool negative = is_signed && static_cast<long>(bits << unused) < 0;
    bits = bits << unused >> unused;
    if (negative) bits = (0 - bits) << unused >> unused;
    const unsigned base = kind == 'x' || kind == 'X' ? 16 : kind == 'o' ? 8 : 10;
    char digits[24];
    int length = 0;
    const char* const letters = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    for (unsigned long rest = bits; rest != 0; rest /= base)
      digits[length++] = letters[rest % base];
    int least = how.precision < 0 ? 1 : how.precision;
    if (base == 8 && how.other && length >= least) least = length + 1;
    char sign[3] = {};
    int signs = 0;
    if (negative) {
      sign[signs++] = '-';
    } else if (is_signed && (how.plus || how.blank)) {
      sign[signs++] = how.plus ? '+' : ' ';
    }
    if (base == 16 && how.other && bits != 0) {
      sign[signs++] = '0';
      sign[signs++] = kind;
    }
    if (how.zero && !how.left && how.precision < 0 && how.width - signs > least)
      least = how.width - signs;
    const int padding = how.width - signs - (length > least ? length : least);
    if (!how.left) fill(' ', padding);
    for (int i = 0; i < signs; ++i) put(sign[i]);
    fill('0', least - length);
    while (length > 0) put(digits[--length]);
    if (how.left) fill(' ', padding);
  }

  char* to_;
  std::size_t room_;
  std::size_t count_ = 0;
};

template <class... Values>
static CHANNELS_DEVICE inline int channels_cilk_snprintf(char* to, std::size_t room,
                                                         const char* format, Values... values) {
  const channels_cilk_argument arguments[] = {channels_cilk_argument_of(values)...,
                                              channels_cilk_argument()};
  return channels_cilk_formatter(to, room).write(format, arguments);
}
template <class... Values>
static CHANNELS_DEVICE inline int channels_cilk_sprintf(char* to, const char* format,
                                                        Values... values) {
  return channels_cilk_snprintf(to, static_cast<std::size_t>(INT_MAX), format, values...);
}

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk_atoi;
using ::channels_cilk_atol;
using ::channels_cilk_atoll;
using ::channels_cilk_isalnum;
using ::channels_cilk_isalpha;
using ::channels_cilk_isblank;
using ::channels_cilk_iscntrl;
using ::channels_cilk_isdigit;
using ::channels_cilk_isgraph;
using ::channels_cilk_islower;
using ::channels_cilk_isprint;
using ::channels_cilk_ispunct;
using ::channels_cilk_isspace;
using ::channels_cilk_isupper;
using ::channels_cilk_isxdigit;
using ::channels_cilk_memchr;
using ::channels_cilk_snprintf;
using ::channels_cilk_sprintf;
using ::channels_cilk_strchr;
using ::channels_cilk_strcspn;
using ::channels_cilk_strncat;
using ::channels_cilk_strpbrk;
using ::channels_cilk_strrchr;
using ::channels_cilk_strspn;
using ::channels_cilk_strstr;
using ::channels_cilk_strtol;
using ::channels_cilk_strtoll;
using ::channels_cilk_strtoul;
using ::channels_cilk_strtoull;
using ::channels_cilk_tolower;
using ::channels_cilk_toupper;
}  // namespace std
