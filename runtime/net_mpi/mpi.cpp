#include "channels/net/mpi.hpp"

#include <fmt/format.h>  // format
#include <mpi.h>         // MPI_*

#include <array>    // array
#include <cstdlib>  // setenv
#include <string>   // string
#include <utility>  // exchange, move
#include <vector>   // vector

#include "channels/error.hpp"

namespace channels {
namespace {

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw error(
      fmt::format("MPI: {}: {}", what, std::string(text.data(), static_cast<std::size_t>(length))));
}

/// MPI, initialised at least for one thread at a time. Ends it if it began it.
class mpi_session {
 public:
  mpi_session() {
    int is_on = 0;
    int is_over = 0;
    check(MPI_Finalized(&is_over), "MPI_Finalized");
    if (is_over != 0) throw error("MPI: it has been finalized, and cannot begin again");
    check(MPI_Initialized(&is_on), "MPI_Initialized");
    int level = MPI_THREAD_SINGLE;
    if (is_on != 0) {
      check(MPI_Query_thread(&level), "MPI_Query_thread");
    } else {
      // Where there are more processes than cores Open MPI yields in each call. The aggregator's
      // loop makes many, and when a core is busy with others each would take milliseconds. What the
      // user has set stays.
      ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
      check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
      mine_ = true;
    }
    if (level < MPI_THREAD_SERIALIZED) {
      throw error(
          "MPI: it was initialised without MPI_THREAD_SERIALIZED, and the aggregator's thread "
          "calls it; call MPI_Init_thread with that level, or leave it to mpi_transport");
    }
  }
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;
  ~mpi_session() {
    if (mine_) MPI_Finalize();
  }
  void leave_open() noexcept { mine_ = false; }

 private:
  bool mine_ = false;
};

/// Invariant: `receives_` are posted in the order of the ring that begins at `next_`, and so match
/// parcels in the order in which those were sent.
class mpi_place final : public transport {
 public:
  explicit mpi_place(std::size_t parcel_bytes) : transport(parcel_bytes) {
    // With a communicator of its own it can be used beside the program's MPI.
    check(MPI_Comm_dup(MPI_COMM_WORLD, &all_), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int rank = 0;
    int size = 0;
    check(MPI_Comm_rank(all_, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(all_, &size), "MPI_Comm_size");
    here_ = static_cast<std::uint32_t>(rank);
    places_ = static_cast<std::uint32_t>(size);
    for (receive& r : receives_) {
      r.into = take();
      listen(r);
    }
  }
  ~mpi_place() override {
    if (given_up_) {
      // MPI may still write to them.
      for (receive& r : receives_) static_cast<void>(r.into.bytes.release());
      for (parcel& p : sending_) static_cast<void>(p.bytes.release());
      session_.leave_open();
      return;
    }
    for (receive& r : receives_) {
      if (r.request == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&r.request);
      MPI_Wait(&r.request, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    MPI_Comm_free(&all_);
  }

  [[nodiscard]] std::uint32_t places() const override { return places_; }
  [[nodiscard]] std::uint32_t here() const override { return here_; }
  [[nodiscard]] transport_capabilities can() const override { return {.reliable = true}; }

  [[nodiscard]] bool post(std::uint32_t to, parcel& p) override {
    if (sends_.size() == most_sends) collect_sends();
    if (sends_.size() == most_sends) return false;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend(p.bytes.get(), static_cast<int>(p.size), MPI_BYTE, static_cast<int>(to), tag,
                    all_, &request),
          "MPI_Isend");
    sends_.push_back(request);
    sending_.push_back(std::exchange(p, {}));
    return true;
  }

  [[nodiscard]] std::optional<arrived_parcel> poll() override {
    receive& first = receives_[next_];
    int is_there = 0;
    MPI_Status status;
    check(MPI_Test(&first.request, &is_there, &status), "MPI_Test of a receive");
    if (is_there == 0) {
      collect_sends();
      return std::nullopt;
    }
    int size = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    arrived_parcel p{static_cast<std::uint32_t>(status.MPI_SOURCE), std::move(first.into)};
    p.what.size = static_cast<std::size_t>(size);
    first.into = take();
    listen(first);
    next_ = next_ + 1 == receives_.size() ? 0 : next_ + 1;
    return p;
  }

  [[nodiscard]] bool sent_all() override {
    collect_sends();
    return sends_.empty();
  }
  void give_up() noexcept override { given_up_ = true; }

 private:
  struct receive {
    parcel into;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  static constexpr int tag = 1;
  /// Parcels that may arrive while nobody polls, before MPI has to keep them elsewhere.
  static constexpr std::size_t most_receives = 32;
  /// Parcels on their way out; then the transport is busy.
  static constexpr std::size_t most_sends = 64;

  void listen(receive& r) {
    check(MPI_Irecv(r.into.bytes.get(), static_cast<int>(parcel_bytes()), MPI_BYTE, MPI_ANY_SOURCE,
                    tag, all_, &r.request),
          "MPI_Irecv");
  }

  /// Takes back the memory of what has left.
  void collect_sends() {
    if (sends_.empty()) return;
    std::array<int, most_sends> gone;
    int count = 0;
    check(MPI_Testsome(static_cast<int>(sends_.size()), sends_.data(), &count, gone.data(),
                       MPI_STATUSES_IGNORE),
          "MPI_Testsome of sends");
    if (count <= 0) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      if (sends_[i] == MPI_REQUEST_NULL) {
        give(std::move(sending_[i]));
        continue;
      }
      if (kept != i) {
        sends_[kept] = sends_[i];
        sending_[kept] = std::move(sending_[i]);
      }
      ++kept;
    }
    sends_.resize(kept);
    sending_.resize(kept);
  }

  mpi_session session_;  // first: it ends after all else
  MPI_Comm all_ = MPI_COMM_NULL;
  std::uint32_t here_ = 0;
  std::uint32_t places_ = 1;
  std::array<receive, most_receives> receives_;
  std::size_t next_ = 0;  ///< the receive that was posted first
  std::vector<MPI_Request> sends_;
  std::vector<parcel> sending_;  ///< of each of `sends_`
  bool given_up_ = false;
};

}  // namespace

std::unique_ptr<transport> mpi_transport(std::size_t parcel_bytes) {
  return std::make_unique<mpi_place>(parcel_bytes);
}

}  // namespace channels
