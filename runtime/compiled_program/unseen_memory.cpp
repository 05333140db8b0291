#include "channels/gpu/compiled_program/unseen_memory.hpp"

#include <cstring>  // memcpy
#include <fstream>  // ifstream
#include <sstream>  // istringstream

namespace channels::cilk {
namespace {

// The process's mapping that holds `address`, in words; "" if there is none.
std::string mapping_of(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    memory_range one{};
    char dash = 0;
    std::string access;
    std::string offset;
    std::string device;
    std::string inode;
    std::string name;
    words >> std::hex >> one.begin >> dash >> one.end >> access >> offset >> device >> inode;
    std::getline(words >> std::ws, name);
    if (!one.holds(address)) continue;
    if (name.empty()) return "memory of mmap, of a library or of another thread's stack";
    if (name == "[heap]") return "memory of a library's malloc";
    if (name == "[stack]") return "the main thread's stack";
    if (name.find(".so") != std::string::npos) return "the shared library " + name;
    return "the file " + name + ", which mmap gave the program";
  }
  return {};
}

}  // namespace

std::string unseen_arguments(const void* arguments, std::size_t bytes,
                             const std::vector<memory_range>& seen) {
  std::string found;
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(arguments) + at, sizeof word);
    bool is_seen = false;
    for (const memory_range& one : seen) is_seen = is_seen || one.holds(word);
    if (is_seen) continue;
    const std::string where = mapping_of(word);
    if (where.empty()) continue;
    found += (found.empty() ? "the pointer at byte " : ", the one at byte ") + std::to_string(at) +
             " of the call's arguments points into " + where;
  }
  return found;
}

}  // namespace channels::cilk
