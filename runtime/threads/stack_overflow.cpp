#include "runtime/threads/stack_overflow.hpp"

#include <elf.h>           // Elf64_Sym
#include <fcntl.h>         // open
#include <link.h>          // dl_iterate_phdr
#include <pthread.h>       // pthread_getattr_np
#include <sys/mman.h>      // mmap
#include <sys/resource.h>  // getrlimit
#include <sys/stat.h>      // fstat
#include <ucontext.h>      // ucontext_t
#include <unistd.h>        // write, close

#include <csignal>      // sigaction
#include <cstdint>      // uintptr_t
#include <cstdio>       // snprintf
#include <cstring>      // strlen
#include <string_view>  // string_view

namespace channels::detail {
namespace {

/// For the handler: it reads the program's symbols and writes a line.
constexpr std::size_t handler_bytes = std::size_t{64} << 10U;
/// How far from the stack pointer a function may touch its frame first.
constexpr std::uintptr_t largest_frame = std::uintptr_t{1} << 20U;
/// The guard, and what the system keeps below a main thread's stack.
constexpr std::uintptr_t below_a_stack = std::uintptr_t{1} << 21U;

/// The calling thread's stack; 0 if nothing is known.
struct bounds {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};
thread_local constinit bounds this_stack;

bounds find_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t bytes = 0;
  bounds found;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    found.low = reinterpret_cast<std::uintptr_t>(low);
    found.high = found.low + bytes;
  }
  pthread_attr_destroy(&attributes);
  return found;
}

struct interrupted_at {
  std::uintptr_t code = 0;
  std::uintptr_t stack = 0;
};

interrupted_at place_of(const void* context) {
  const auto& at = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<std::uintptr_t>(at.gregs[REG_RIP]),
          static_cast<std::uintptr_t>(at.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {at.pc, at.sp};
#else
  return {};
#endif
}

/// The distance of the program's code from where its file says.
std::uintptr_t load_distance() {
  std::uintptr_t distance = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
        return 1;  // the first is the program
      },
      &distance);
  return distance;
}

/// The whole of a file, while it lives. No memory is allocated: a handler may use it.
class mapped_file {
 public:
  explicit mapped_file(const char* name) {
    const int file = ::open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat is{};
    if (::fstat(file, &is) == 0) {
      bytes_ = static_cast<std::size_t>(is.st_size);
      void* const at = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) first_ = static_cast<const char*>(at);
    }
    ::close(file);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
    if (first_ != nullptr) ::munmap(const_cast<char*>(first_), bytes_);
  }

  /// `count` objects at a distance from the start, or null.
  template <class T>
  [[nodiscard]] const T* at(std::size_t offset, std::size_t count = 1) const {
    const bool inside =
        first_ != nullptr && offset <= bytes_ && count <= (bytes_ - offset) / sizeof(T);
    return inside ? reinterpret_cast<const T*>(first_ + offset) : nullptr;
  }

 private:
  const char* first_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The symbol of the function at `code`, or "".
std::string_view symbol_at(const mapped_file& program, std::uintptr_t code) {
  const auto* const head = program.at<ElfW(Ehdr)>(0);
  if (head == nullptr) return {};
  const auto* const sections = program.at<ElfW(Shdr)>(head->e_shoff, head->e_shnum);
  for (std::size_t i = 0; sections != nullptr && i < head->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
    const std::size_t count = sections[i].sh_size / sizeof(ElfW(Sym));
    const auto* const symbols = program.at<ElfW(Sym)>(sections[i].sh_offset, count);
    const auto& names = sections[sections[i].sh_link];
    for (std::size_t k = 0; symbols != nullptr && k < count; ++k) {
      const ElfW(Sym)& one = symbols[k];
      if ((one.st_info & 0xFU) != STT_FUNC || code < one.st_value ||
          code >= one.st_value + one.st_size || one.st_name >= names.sh_size)
        continue;
      const auto* const name = program.at<char>(names.sh_offset + one.st_name);
      return name != nullptr ? std::string_view(name) : std::string_view();
    }
  }
  return {};
}

/// The name in the source of a function with this symbol: of C++ only where that is simple.
std::string_view source_name(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.find('.'));
  std::string_view rest = symbol;
  if (!rest.starts_with("_Z")) return symbol;
  rest.remove_prefix(rest.starts_with("_ZL") ? 3 : 2);
  std::size_t length = 0;
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
    length = 10 * length + static_cast<std::size_t>(rest.front() - '0');
    rest.remove_prefix(1);
  }
  return length != 0 && length <= rest.size() ? rest.substr(0, length) : symbol;
}

void say(const interrupted_at& where) {
  const mapped_file program("/proc/self/exe");
  std::string_view name = source_name(symbol_at(program, where.code - load_distance()));
  if (name.empty()) name = "a function";
  char text[512];
  const int length = std::snprintf(
      text, sizeof text,
      "channels: %.*s: the recursion needs more than the %zu KiB of this thread's stack; allow "
      "more "
      "with 'ulimit -s', or run it through channels (CHANNELS_ORDER=channels), where memory alone "
      "limits the depth\n",
      static_cast<int>(name.size() < 200 ? name.size() : 200), name.data(),
      static_cast<std::size_t>(this_stack.high - this_stack.low) >> 10U);
  if (length > 0) (void)!::write(STDERR_FILENO, text, std::strlen(text));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const interrupted_at where = place_of(context);
  const bool near_pointer =
      address + largest_frame > where.stack && address < where.stack + largest_frame;
  const bool at_the_end =
      address < this_stack.low + below_a_stack / 32 && address + below_a_stack > this_stack.low;
  if (info->si_code > 0 && near_pointer && at_the_end) say(where);
  // The instruction faults again, and ends the process as if there were no handler.
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
}

}  // namespace

void tell_of_stack_overflow() {
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
}

watched_stack::watched_stack() {
  stack_t now{};
  if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = ::mmap(nullptr, handler_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t ours{};
  ours.ss_sp = memory;
  ours.ss_size = handler_bytes;
  if (::sigaltstack(&ours, nullptr) != 0) {
    ::munmap(memory, handler_bytes);
    return;
  }
  memory_ = memory;
  this_stack = find_stack();
}

watched_stack::~watched_stack() {
  stack_t now{};
  if (memory_ == nullptr || ::sigaltstack(nullptr, &now) != 0 || now.ss_sp != memory_) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  if (::sigaltstack(&none, nullptr) == 0) ::munmap(memory_, handler_bytes);
}

}  // namespace channels::detail
