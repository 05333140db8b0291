#include <algorithm>  // sort
#include <random>     // mt19937

#include "bench/evaluate/workload.hpp"
#include "channels/call.hpp"
#include "channels/depth_first.hpp"
#include "examples/tasks/fib.hpp"
#include "examples/tasks/queens.hpp"
#include "examples/tasks/sort.hpp"
#include "examples/tasks/strassen.hpp"

namespace evaluate {
namespace {

/// One that is a call of `Task`: of its input remains what the arguments are, and what is right.
template <channels::task Task>
class task_workload : public workload {
 public:
  void run(channels::runtime& on, const schedule& how) override {
    keep([&] {
      return channels::detail::call_with<Task, channels::detail::host_node_code>(
          on, arguments(), how.policy, how.worth);
    });
  }
  void run_depth_first() override {
    keep([&] { return channels::call_depth_first<Task>(arguments()); });
  }
  void run_observed(channels::runtime& on, divergence& seen) override {
    observer = &seen;
    keep([&] { return channels::call<observed<Task>>(on, arguments()); });
    observer = nullptr;
  }

 protected:
  [[nodiscard]] virtual typename Task::arguments arguments() = 0;
  [[nodiscard]] long result() const { return result_; }

 private:
  template <class Call>
  void keep(const Call& call) {
    if constexpr (std::is_void_v<typename Task::result_type>) {
      call();
    } else {
      result_ = call();
    }
  }

  long result_ = 0;
};

class fib final : public task_workload<tasks::fib> {
 public:
  explicit fib(long n) : n_(static_cast<int>(n)) {}
  void prepare() override {}
  [[nodiscard]] bool right() override { return result() == tasks::fast_fib(n_); }

 private:
  [[nodiscard]] tasks::fib::arguments arguments() override { return {n_}; }

  int n_;
};

class queens final : public task_workload<tasks::queens> {
 public:
  explicit queens(long rows)
      : board_(tasks::empty_board(static_cast<unsigned>(rows))),
        expected_(tasks::serial_queens(board_)) {}
  void prepare() override {}
  [[nodiscard]] bool right() override { return result() == expected_; }

 private:
  [[nodiscard]] tasks::queens::arguments arguments() override { return {board_, 4}; }

  tasks::chess_board board_;
  long expected_;
};

class sort final : public task_workload<tasks::sort> {
 public:
  explicit sort(long size) : input_(static_cast<std::size_t>(size)), scratch_(input_.size()) {
    std::mt19937 random(1);
    for (int& x : input_) x = static_cast<int>(random());
    expected_ = input_;
    std::sort(expected_.begin(), expected_.end());
  }
  void prepare() override { data_ = input_; }
  [[nodiscard]] bool right() override { return data_ == expected_; }

 private:
  [[nodiscard]] tasks::sort::arguments arguments() override {
    return {data_.data(), scratch_.data(), static_cast<std::ptrdiff_t>(data_.size()), {64, 64}};
  }

  std::vector<int> input_;
  std::vector<int> scratch_;
  std::vector<int> data_;
  std::vector<int> expected_;
};

class strassen final : public task_workload<tasks::strassen> {
 public:
  explicit strassen(long rows)
      : rows_(rows), a_(elements()), b_(elements()), c_(elements()), expected_(elements()) {
    std::mt19937 random(1);
    // Small integers: all sums are exact.
    for (float& x : a_) x = static_cast<float>(random() % 8);
    for (float& x : b_) x = static_cast<float>(random() % 8);
    tasks::multiply_add(block(a_), block(b_), block(expected_), rows_);
  }
  void prepare() override { std::fill(c_.begin(), c_.end(), 0.0F); }
  [[nodiscard]] bool right() override { return c_ == expected_; }

 private:
  [[nodiscard]] tasks::strassen::arguments arguments() override {
    return {block(a_), block(b_), block(c_), rows_, tasks::block_unit};
  }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(rows_ * rows_); }
  [[nodiscard]] tasks::block block(std::vector<float>& m) const { return {m.data(), rows_}; }

  std::ptrdiff_t rows_;
  std::vector<float> a_;
  std::vector<float> b_;
  std::vector<float> c_;
  std::vector<float> expected_;
};

}  // namespace

std::vector<std::string> workload_names() { return {"fib", "queens", "sort", "strassen"}; }

std::unique_ptr<workload> make_workload(const std::string& name, long size) {
  // The paper's sizes (table 3).
  const auto or_paper = [&](long paper) { return size == 0 ? paper : size; };
  if (name == "fib") return std::make_unique<fib>(or_paper(24));
  if (name == "queens") return std::make_unique<queens>(or_paper(13));
  if (name == "sort") return std::make_unique<sort>(or_paper(1'000'000));
  return std::make_unique<strassen>(or_paper(512));
}

}  // namespace evaluate
