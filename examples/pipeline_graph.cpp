// A pipeline on channels: a file is read block by block while two more stages work on what was read
// before. It prints how many blocks there are, and a number that depends on each of their bytes.
//
//   pipeline_graph [file]
//
// Blocks are hashed in any order. What needs an order takes it from the block's number: `hashes`
// has a place for each. A feed takes as many elements as its channel holds, so a fast reader waits.

#include <cstdint>  // fixed-width integers
#include <cstdio>   // printf, fprintf
#include <fstream>  // ifstream
#include <memory>   // unique_ptr
#include <vector>   // vector

#include "channels/error.hpp"
#include "channels/graph.hpp"

namespace {

constexpr std::size_t block_bytes = 64 * 1024;

struct block {
  std::uint64_t number;
  std::uint64_t bytes;
  unsigned char* data;  ///< the stage that is done with it frees it
};
struct hashed {
  std::uint64_t number;
  std::uint64_t hash;
};

struct hash_block {
  template <class Lane, class Port>
  channels::outcome operator()(Lane& lane, block b, Port& done) const {
    if (!done.reserve(1)) return lane.retry();
    const std::unique_ptr<unsigned char[]> data(b.data);
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (std::uint64_t i = 0; i < b.bytes; ++i) hash = (hash ^ data[i]) * 1099511628211U;
    done.push({b.number, hash});
    return lane.done();
  }
};

struct put_in_place {
  template <class Lane>
  void operator()(Lane& /*lane*/, hashed h, std::uint64_t* hashes) const {
    hashes[h.number] = h.hash;
  }
};

std::uint64_t blocks_of(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  const auto bytes = static_cast<std::uint64_t>(file.tellg());
  file.seekg(0);
  return (bytes + block_bytes - 1) / block_bytes;
}

}  // namespace

int main(int argc, char** argv) try {
  const char* const name = argc > 1 ? argv[1] : argv[0];
  std::ifstream file(name, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", name);
    return 1;
  }
  std::vector<std::uint64_t> hashes(blocks_of(file));

  channels::runtime on;
  channels::graph g(on, "pipeline");
  const auto blocks = g.channel<block>("blocks", 64);
  const auto done = g.channel<hashed>("done", 64);
  g.kernel("hash", blocks, hash_block{}, channels::up_to(1, done));
  g.kernel("put in place", done, put_in_place{}, hashes.data());

  auto read = g.feed(blocks);
  g.execute();
  for (std::uint64_t n = 0; n < hashes.size(); ++n) {
    auto data = std::make_unique<unsigned char[]>(block_bytes);
    file.read(reinterpret_cast<char*>(data.get()), block_bytes);
    read.push({n, static_cast<std::uint64_t>(file.gcount()), data.release()});
  }
  read.close();
  g.wait();

  std::uint64_t all = 0;
  for (const std::uint64_t hash : hashes) all = all * 31 + hash;
  std::printf("%zu blocks, %016llx\n", hashes.size(), static_cast<unsigned long long>(all));
} catch (const channels::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
