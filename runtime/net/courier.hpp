#pragma once

#include <chrono>   // milliseconds
#include <cstdint>  // fixed-width integers
#include <memory>   // unique_ptr
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/running_time.hpp"
#include "runtime/net/endpoint.hpp"
#include "runtime/net/far_traffic.hpp"
#include "runtime/net/termination_waves.hpp"

namespace channels::detail {

/// How a place is, as the aggregator sees it.
struct place_state {
  bool idle = false;     ///< nothing runs and nothing can, for now
  bool passive = false;  ///< nothing is left to do here, but for what may arrive
  std::uint64_t progress = 0;
};

/// Fills, sends and receives the parcels of one run, and finds its end. It has no thread: the
/// aggregator's thread calls all of it, again and again, and none of it waits, but for `finish` and
/// `tell_failure`, which do so for a short time.
///
/// What it throws is a `channels::error`: another place has failed or is lost, its graph is another
/// one, or all places together get nowhere.
class courier {
 public:
  /// `graph`: its name. `description`: all that has to be the same at all places, line by line.
  /// `timeout`: how long others may take to begin, and all of them without getting anywhere.
  courier(endpoint& on, std::string graph, std::vector<far_shape> far,
          const std::string& description, std::chrono::milliseconds timeout);

  /// Tells the others that this place is here.
  void begin();
  /// Receives and sends. Returns whether elements or credit have come.
  bool turn(const place_state& now);
  /// The run has ended at all places.
  [[nodiscard]] bool has_ended() const { return ended_; }
  /// After the end: sees to it that the others hear of it.
  void finish();
  /// The run has failed here: tells the others, unless they know.
  void tell_failure(const std::string& why) noexcept;

  [[nodiscard]] far_traffic& traffic(std::uint32_t far) { return *traffic_[far]; }
  [[nodiscard]] const far_traffic& traffic(std::uint32_t far) const { return *traffic_[far]; }
  [[nodiscard]] std::uint32_t far_channels() const {
    return static_cast<std::uint32_t>(traffic_.size());
  }
  [[nodiscard]] std::uint32_t places() const { return on_.by->places(); }
  [[nodiscard]] std::uint32_t here() const { return on_.by->here(); }

 private:
  using clock = transport::clock;

  /// What is known of another place.
  struct other_place {
    bool begun = false;  ///< its hello has come
    running_time heard;  ///< since its last parcel
  };

  void receive();
  void handle(std::uint32_t from, parcel p);
  void compare(std::uint32_t from, const std::string& theirs) const;
  void send(std::uint32_t to, parcel_kind kind, std::uint64_t number, const std::string& rest);
  void answer(const place_state& now, clock::time_point at);
  void lead(const place_state& now, clock::time_point at);
  [[nodiscard]] wave_report report(std::uint64_t wave, const place_state& now) const;
  void pump(clock::time_point at);
  void check_others(clock::time_point at);
  [[noreturn]] void fail_as_lost(std::uint32_t place);
  [[noreturn]] void fail_as_stuck() const;
  [[nodiscard]] std::string what_is_out(std::uint32_t place) const;
  void drain(clock::duration longest, clock::duration at_least);

  endpoint& on_;
  std::string graph_;
  std::string description_;
  std::chrono::milliseconds timeout_;
  std::chrono::milliseconds patience_;
  std::vector<std::unique_ptr<far_traffic>> traffic_;
  std::vector<other_place> others_;
  std::uint32_t begun_ = 0;  ///< other places that have begun
  running_time since_begin_;
  running_time since_progress_;  ///< place 0: of any place
  clock::time_point next_flush_;
  clock::time_point next_check_;
  clock::time_point next_wave_;         ///< place 0: not before, if it is passive
  clock::time_point next_look_around_;  ///< place 0: then in any case
  termination_waves waves_;
  std::uint64_t asked_ = 0;     ///< a wave that was not answered yet; 0: none
  clock::time_point asked_at_;  ///< when the last wave came; at place 0, when it left
  bool came_ = false;
  bool ended_ = false;
  bool lost_ = false;  ///< a place is gone
  bool told_ = false;  ///< another place has said that the run has failed
};

}  // namespace channels::detail
