#pragma once

#include <atomic>              // atomic
#include <condition_variable>  // condition_variable
#include <cstdint>             // fixed-width integers
#include <deque>               // deque
#include <memory>              // unique_ptr
#include <mutex>               // mutex
#include <string>              // string
#include <unordered_map>       // unordered_map
#include <vector>              // vector

#include "channels/detail/running_time.hpp"
#include "channels/net/transport.hpp"
#include "runtime/host_code/travellers.hpp"
#include "runtime/host_code/worker_pool.hpp"
#include "runtime/net_tasks/arrived_task.hpp"
#include "runtime/net_tasks/gate.hpp"
#include "runtime/net_tasks/message.hpp"

namespace channels::net_tasks {

/// Exchanges children of host code with the other ranks, by stealing: a rank with nothing to do
/// asks another, one at a time; who is asked gives its oldest child that may travel. In the pool of
/// workers the exchange is a worker without a thread: hungry while another rank asks, and giver of
/// what has come.
///
/// One thread calls `run`, and it alone uses the transport. docs/design/far-channels.md says why
/// it is so.
class task_exchange final : arrived_task::listener {
 public:
  using clock = transport::clock;

  /// `patience`: a rank of which nothing is heard for that long is lost.
  task_exchange(std::unique_ptr<transport> by, clock::duration patience);

  [[nodiscard]] bool is_first() const { return here_ == 0; }
  /// Exchanges tasks until the program ends: at rank 0 until `end` is called, at others until rank
  /// 0 says so. Returns when no message is under way. A rank that is lost, or a failure at any
  /// rank, ends the process with a message.
  void run();
  /// At rank 0: the program ends. Any thread may call it.
  void end();
  /// Ends MPI. After `run`; workers may still be at tasks of other ranks.
  void close() { by_.reset(); }

 private:
  using child = host_code::child;

  /// A child of this rank that is at another one.
  struct away_task {
    child* record;
    const channels_cilk_traveller* how;
    std::uint32_t at;
    clock::time_point since;
  };
  /// What is known of another rank.
  struct peer {
    detail::running_time heard;            ///< since its last message
    bool greeted = false;                  ///< its first message has come
    bool left = false;                     ///< its last message has come
    std::uint32_t away = 0;                ///< tasks of this rank that are there
    std::vector<std::uint32_t> away_from;  ///< at rank 0: tasks of that rank at each rank, as it
                                           ///< said last
  };
  /// Another rank's question that has no answer yet.
  struct held_question {
    std::uint32_t from;
    clock::time_point until;
  };

  bool take_turn(clock::time_point now);
  void rest(bool busy);
  void greet();
  void receive(const arrived_parcel& p);
  void check_program(std::uint32_t from, std::uint64_t hash);
  void take_task(std::uint32_t from, const message& m);
  void take_result(const message& m);
  void send_results();
  void answer(clock::time_point now);
  bool give_to(std::uint32_t to, clock::time_point now);
  void hunger(bool is);
  void ask(clock::time_point now);
  void refused(clock::time_point now);
  void watch(clock::time_point now);
  void say_alive();
  void leave();
  [[nodiscard]] bool all_have_left() const;
  void send(std::uint32_t to, const message_header& h, std::span<const std::byte> body = {});
  bool flush();
  [[noreturn]] void fail(const std::string& why);
  [[nodiscard]] std::string what_was_at(std::uint32_t rank) const;
  void task_has_ended() noexcept override;

  std::unique_ptr<transport> by_;
  clock::duration patience_;
  std::uint32_t here_;
  std::uint32_t ranks_;
  std::uint64_t program_;  ///< hash_of_this_program()
  host_code::traveller_table travellers_;
  host_code::worker_pool& pool_;
  host_code::worker& me_;
  host_code::net_counts counts_;

  std::vector<peer> peers_;
  detail::running_time spoken_;  ///< since all others were told that this rank is alive
  std::deque<std::pair<std::uint32_t, parcel>> unsent_;
  std::unordered_map<std::uint64_t, away_task> away_;
  std::uint64_t next_number_ = 1;
  std::vector<arrived_task::pointer> arrived_;
  gate gate_;

  // Questions of others.
  std::vector<held_question> held_;
  bool hungry_ = false;  ///< counted in the pool
  clock::time_point hungry_since_;

  // This rank's own question.
  bool asking_ = false;
  std::uint32_t asked_;         ///< the rank that is asked, or is next
  std::uint32_t refusals_ = 0;  ///< in a row
  clock::duration pause_{};     ///< after the last round of refusals
  clock::time_point next_question_;

  bool leaving_ = false;

  std::mutex mutex_;  ///< guards the next three
  std::condition_variable woken_;
  bool wake_ = false;
  bool ending_ = false;
  std::chrono::microseconds rest_{0};
};

}  // namespace channels::net_tasks
