// What each form of spawn becomes in C++.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

#include <string>
#include <utility>
#include <vector>

struct object {
  int member(int n) const;
  int run(int n);
};
int leaf(int n);
std::string name(std::string first, const std::string& second, std::string&& third, std::string& fourth);

// CHECK: int object::run(int n) { channels::cilk::frame cilk_frame; try {
int object::run(int n) {
  // CHECK: int x; channels_cilk_hungry(&cilk_frame) ? channels::cilk::give_child(cilk_frame, [this, cilk_1 = n, &cilk_result = x]() mutable { cilk_result = member(cilk_1); }) : (void)(x = member(n));
  int x = cilk_spawn member(n);
  object* other = this;
  // CHECK: [&cilk_object = *(other), cilk_1 = n]() mutable { cilk_object.member(cilk_1); }
  cilk_spawn other->member(n);
  // CHECK: cilk_frame.sync();
  cilk_sync;
  return x;
  // CHECK: } catch (...) { cilk_frame.sync(); throw; } }
}

// CHECK: {{^}}template <class T> T total(const std::vector<T>& values, T start) { channels::cilk::guarded_frame cilk_frame; try {
template <class T> T total(const std::vector<T>& values, T start) {
  // CHECK: channels::cilk::decayed<decltype(total(values, start))> left; channels_cilk_hungry(&cilk_frame) ? channels::cilk::give_child(cilk_frame, [&cilk_1 = values, cilk_2 = start, &cilk_result = left]() mutable { cilk_result = total(cilk_1, cilk_2); }) : (void)(left = total(values, start)); channels::cilk::exit_guard cilk_guard_1(cilk_frame);
  auto left = cilk_spawn total(values, start);
  cilk_sync;
  return left;
}
long use(const std::vector<long>& v) { return total(v, 3L); }

std::string forms(int n, std::string s) {
  // CHECK: std::string made; channels_cilk_hungry(&cilk_frame) ? channels::cilk::give_child(cilk_frame, [cilk_1 = s, cilk_2 = channels::cilk::convert<{{.*}}>("b"), cilk_3 = s + "c", &cilk_4 = s, &cilk_result = made]() mutable { cilk_result = name(std::move(cilk_1), std::as_const(cilk_2), std::move(cilk_3), cilk_4); }) :
  std::string made = cilk_spawn name(s, "b", s + "c", s);
  // CHECK: channels_cilk_hungry_or_pending(&cilk_frame) ? (void)channels::cilk::give_finished{cilk_frame, [cilk_1 = std::move(s), &cilk_2 = s, {{.*}}]() mutable { return name({{.*}}); }, [&cilk_result = made](auto&& cilk_value) { cilk_result += std::move(cilk_value); }}
  made += cilk_spawn name(std::move(s), s, "c", s);
  // CHECK: [cilk_object = [&] { return leaf(n); }]() mutable { cilk_object(); }
  cilk_spawn [&] { return leaf(n); }();
  try {
    // CHECK: try { channels::cilk::frame cilk_frame_2; try {
    cilk_spawn leaf(1);
    // CHECK: (cilk_frame_2.sync(), cilk_frame.sync());
    cilk_sync;
    // CHECK: } catch (...) { cilk_frame_2.sync(); throw; } } catch (int) {
  } catch (int) {
  }
  return made;
}
