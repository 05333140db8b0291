#pragma once

#include <algorithm>  // fill_n, max, min
#include <bit>        // bit_width, has_single_bit
#include <chrono>     // milliseconds
#include <memory>     // make_unique, unique_ptr
#include <string>     // string, to_string
#include <utility>    // move
#include <vector>     // vector

#include "channels/detail/running_time.hpp"
#include "channels/gpu/active_messages/message_kernel.hpp"
#include "channels/gpu/active_messages/sliced.hpp"

namespace channels::gpu {

/// What a place has sent to others and read of them, in all runs. Messages to itself do not count.
struct message_counts {
  std::uint64_t sent = 0;
  std::uint64_t read = 0;
};

/// Sends messages of one type between the GPUs of this process, fine-grain, from any lane: a
/// message is a call of a handler at another place. `Message` is plain data.
///
///     channels::gpu::places gpus;
///     channels::gpu::sliced<std::uint64_t> table(gpus, words);
///     channels::gpu::messenger<std::uint64_t> mail(gpus);
///     mail.run(updates, make_updates{table.view()}, add_one{table.view()});
///
/// A sender is a function object that is called once for each item, at the place whose share it is
/// in, with what it sends with and the number of the item. A handler is one that is called once for
/// each message, at the place that the message was sent to. Many run at the same time.
///
///     struct make_updates {
///       channels::gpu::slices<std::uint64_t> table;
///       template <class Out>
///       CHANNELS_DEVICE void operator()(Out& out, std::uint64_t i) const {
///         const std::uint64_t word = word_of(i);
///         out.send(table.owner(word), word);
///       }
///     };
///     struct add_one {
///       channels::gpu::slices<std::uint64_t> table;
///       CHANNELS_DEVICE void operator()(channels::gpu::message_place, std::uint64_t word) const {
///         table.increment(word);
///       }
///     };
///
/// Handlers do not send. What they want sent, the next run sends.
template <class Message>
class messenger {
  using layout = detail::mail_layout<Message>;

 public:
  /// `capacity`: messages of a ring, a power of two. A wavefront that sends faster than the ring is
  /// read waits. A place has a ring for each wavefront of each other place that sends. Throws
  /// `channels::error` if a GPU has too little memory.
  explicit messenger(places where, std::uint32_t capacity = message_tuning::capacity)
      : where_(std::move(where)), capacity_(capacity) {
    const std::uint32_t least = message_tuning::words_under_way * shape(0).width;
    if (!std::has_single_bit(capacity) || capacity < least) {
      throw error("messages: a ring of " + std::to_string(capacity) +
                  " messages; their number has to be a power of two, " + std::to_string(least) +
                  " at least");
    }
    for (std::uint32_t place = 0; place < where_.count(); ++place)
      stride_ = std::max(stride_, shape(place).units * most_groups_of_unit * readers);
    for (std::uint32_t place = 0; place < where_.count(); ++place) make_place(place);
    for (const auto& one : parts_)
      for (std::uint32_t place = 0; place < where_.count(); ++place)
        one->mail.blocks[place] = parts_[place]->block;
  }
  messenger(const messenger&) = delete;
  messenger& operator=(const messenger&) = delete;
  ~messenger() = default;

  /// Calls `sender` for each of `items`, of which each place has a part of the same size, one
  /// behind the other; returns when all messages have been handled. Throws `channels::error` if a
  /// GPU fails, or if nothing gets anywhere for the timeout; then this messenger can do no more.
  template <class Sender, class Handler>
  void run(std::uint64_t items, const Sender& sender, const Handler& handler) {
    if (lost_) throw error("messages: an earlier run has failed");
    ++run_;
    const std::uint64_t share = (items + where_.count() - 1) / where_.count();
    lost_ = true;  // until it has ended well
    const auto kernel = &detail::exchange_messages<Message, Sender, Handler>;
    prepare(reinterpret_cast<const void*>(kernel));
    for (std::uint32_t place = 0; place < where_.count(); ++place) {
      part& one = *parts_[place];
      const detail::on_gpu here(where_.gpu(place));
      const std::uint64_t first = std::min(items, place * share);
      detail::message_run<Message, Sender, Handler> its{
          one.mail, first, std::min(items, first + share), sender, handler};
      launch(kernel, groups_, group_waves * one.width, 0, one.stream.handle(), its);
      detail::check(CHANNELS_GPU(GetLastError)(), "start of a run with messages");
      one.running = true;
    }
    wait();
    lost_ = false;
  }

  /// What each place has sent and read. Copies from the GPUs; not to be called during a run.
  [[nodiscard]] std::vector<message_counts> counts() const {
    std::vector<message_counts> all;
    for (const auto& one : parts_)
      all.push_back({total(*one, one->mail.tails), total(*one, one->mail.heads)});
    return all;
  }

 private:
  static constexpr std::uint32_t group_waves = usual_group_waves;
  static constexpr std::uint32_t readers =
      std::max(1U, message_tuning::reading_waves* group_waves / 8);
  static constexpr std::uint32_t most_groups_of_unit = 8;

  /// One place.
  struct part {
    detail::mail_parameters mail{};
    detail::mail_block block{};
    std::uint32_t width = 0;
    std::unique_ptr<std::uint64_t, detail::free_memory> own;     // tails, heads, and `ended`
    std::unique_ptr<std::uint64_t, detail::free_memory> shared;  // the block's words
    std::unique_ptr<detail::mail_host, detail::free_host_memory> host;
    detail::own_stream stream;
    bool running = false;
  };

  [[nodiscard]] detail::device_shape shape(std::uint32_t place) const {
    const detail::on_gpu here(where_.gpu(place));
    return detail::shape_of_device(where_.options().compute_units);
  }

  void make_place(std::uint32_t place) {
    const detail::on_gpu here(where_.gpu(place));
    parts_.push_back(std::make_unique<part>());
    part& one = *parts_.back();
    one.width = shape(place).width;
    const std::size_t ways = std::size_t{where_.count()} * stride_;
    const std::size_t words = (ways - stride_) * capacity_ * layout::words;
    // The number of the run is in the words: none has been there before.
    one.own = cleared(detail::allocate<std::uint64_t>(8 * (2 * ways + 1), "counters of messages"),
                      2 * ways + 1);
    one.shared =
        cleared(detail::allocate_shared<std::uint64_t>(8 * (words + 2 * ways), "rings of messages"),
                words + 2 * ways);
    const std::size_t waves = stride_ / readers * group_waves;
    one.host = detail::allocate_on_host<detail::mail_host>(
        sizeof(detail::mail_host) + sizeof(std::uint32_t) * waves, "pinned memory");
    one.host->stop = 0;
    std::fill_n(one.host->beats, waves, 0U);
    one.block = {one.shared.get() + 2 * ways, one.shared.get(), one.shared.get() + ways};
    detail::mail_parameters& mail = one.mail;
    mail.here = place;
    mail.places = where_.count();
    mail.ring_stride = stride_;
    mail.capacity_bits = static_cast<std::uint32_t>(std::bit_width(capacity_) - 1);
    mail.readers = readers;
    mail.group_waves = group_waves;
    mail.tails = one.own.get();
    mail.heads = one.own.get() + ways;
    mail.ended = reinterpret_cast<std::uint32_t*>(one.own.get() + 2 * ways);
    mail.host = one.host.get();
    one.stream.make();
  }
  static std::unique_ptr<std::uint64_t, detail::free_memory> cleared(
      std::unique_ptr<std::uint64_t, detail::free_memory> memory, std::size_t words) {
    detail::check(CHANNELS_GPU(Memset)(memory.get(), 0, 8 * words), "clearing memory");
    detail::finish_copies();
    return memory;
  }

  /// All places have as many wavefronts, and so as many rings, as the smallest one holds at a time:
  /// those that wait for each other have to be there together.
  void prepare(const void* kernel) {
    groups_ = stride_ / readers;
    for (std::uint32_t place = 0; place < where_.count(); ++place) {
      part& one = *parts_[place];
      const detail::on_gpu here(where_.gpu(place));
      int fit = 0;
      detail::check(CHANNELS_GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(
                        &fit, kernel, static_cast<int>(group_waves * one.width), 0),
                    "occupancy");
      if (fit == 0) throw error("messages: the sender and the handler do not fit a compute unit");
      groups_ = std::min(groups_, shape(place).units * static_cast<unsigned>(fit));
      detail::check(
          CHANNELS_GPU(MemsetAsync)(one.mail.ended, 0, sizeof(std::uint32_t), one.stream.handle()),
          "clearing memory");
      one.stream.wait("clearing memory");
    }
    for (const auto& one : parts_) {
      one->mail.run = run_;
      one->mail.rings = groups_ * readers;
      one->mail.sending = groups_ * (group_waves - readers);
    }
  }

  [[nodiscard]] bool is_running(part& one) {
    if (!one.running) return false;
    const detail::on_gpu here(where_.gpu(one.mail.here));
    const error_code code = one.stream.query();
    if (code == CHANNELS_GPU(ErrorNotReady)) return true;
    one.running = false;
    if (code != success) {
      // The kernel itself failed: the process runs no other on this GPU.
      one.stream.device().lose();
      const std::string name = detail::full_name_of_gpu(where_.gpu(one.mail.here));
      detail::check(code, (name + ": messages").c_str());
    }
    return false;
  }
  [[nodiscard]] bool any_runs() {
    bool any = false;
    for (const auto& one : parts_) any = is_running(*one) || any;
    return any;
  }
  [[nodiscard]] std::uint64_t beats() const {
    std::uint64_t all = 0;
    // Relaxed: each carries nothing but itself.
    for (const auto& one : parts_)
      for (std::uint32_t wave = 0; wave < groups_ * group_waves; ++wave)
        all += channels::detail::atomic_load<detail::order::relaxed>(one->host->beats + wave);
    return all;
  }

  void wait() {
    channels::detail::running_time waited;
    std::uint64_t before = beats();
    try {
      while (any_runs()) {
        host_nap();
        if (waited.look() < where_.options().timeout) continue;
        const std::uint64_t now = beats();
        if (now == before) throw error(stuck());
        before = now;
        waited.restart();
      }
    } catch (const error&) {
      stop();
      throw;
    }
  }
  /// Asks all places to end the run. Those that do not are lost.
  void stop() {
    // Relaxed: it carries nothing but itself.
    for (const auto& one : parts_)
      channels::detail::atomic_store<detail::order::relaxed>(&one->host->stop, 1U);
    channels::detail::running_time waited;
    const auto runs = [this](part& one) {
      try {
        return is_running(one);
      } catch (const error&) {
        return false;  // it has failed; another failure is told
      }
    };
    for (const auto& one : parts_) {
      while (runs(*one)) {
        host_nap();
        if (waited.look() <= std::chrono::milliseconds(wait_tuning::scheduler_grace_ms)) continue;
        one->stream.device().lose();
        break;
      }
    }
  }
  [[nodiscard]] std::string stuck() const {
    std::string text = "messages: nothing has been sent or handled for " +
                       std::to_string(where_.options().timeout.count()) +
                       " ms (CHANNELS_TIMEOUT); still at work:";
    for (const auto& one : parts_)
      if (one->running) text += " " + detail::full_name_of_gpu(where_.gpu(one->mail.here));
    return text;
  }

  [[nodiscard]] std::uint64_t total(const part& one, const std::uint64_t* counters) const {
    const detail::on_gpu here(where_.gpu(one.mail.here));
    std::vector<std::uint64_t> all(std::size_t{where_.count()} * stride_);
    detail::check(CHANNELS_GPU(Memcpy)(all.data(), counters, 8 * all.size(),
                                       CHANNELS_GPU(MemcpyDeviceToHost)),
                  "copy");
    std::uint64_t sum = 0;
    for (const std::uint64_t each : all) sum += each;
    return sum;
  }

  places where_;
  std::uint32_t capacity_;
  std::uint32_t stride_ = 0;
  std::uint32_t groups_ = 0;
  std::uint32_t run_ = 0;
  bool lost_ = false;
  std::vector<std::unique_ptr<part>> parts_;
};

}  // namespace channels::gpu
