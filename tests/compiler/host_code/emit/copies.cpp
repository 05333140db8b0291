// Which C++ functions are written twice: those in namespaces whose arguments can be passed on.
// RUN: %cilk2chan --emit=source --no-line %s 2>/dev/null | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
#include <string>
namespace a { namespace {
// CHECK: int twice(int n, const std::string& s);
// CHECK: CHANNELS_CILK_GIVING static
// CHECK-NEXT: int twice_giving(int n, const std::string& s) { channels::cilk::{{(guarded_)?}}frame cilk_frame; try {
// CHECK: int twice(int n, const std::string& s) { if (channels_cilk_shallow()) return twice_giving(n, s);
int twice(int n, const std::string& s) { if (n < 2) return n; int x = cilk_spawn twice(n - 1, s); cilk_sync; return x; }
} }
// CHECK-NOT: {{_giving|if \(channels_cilk_shallow}}
std::string by_value(std::string s) { if (s.empty()) return s; std::string t = cilk_spawn by_value(""); cilk_sync; return t; }
int moved(std::string&& s) { int x = cilk_spawn moved(std::move(s)); cilk_sync; return x; }
int usual(int n = 3) { int x = cilk_spawn usual(n - 1); cilk_sync; return x; }
template <class T> T generic(T n) { T x = cilk_spawn generic(n - 1); cilk_sync; return x; }
struct object { int member(int n) { int x = cilk_spawn member(n - 1); cilk_sync; return x; } };
auto deduced(int n) -> decltype(auto) { if (n < 2) return n; int x = cilk_spawn deduced(n - 1); cilk_sync; return x; }
extern "C" int single(int n) { int x = cilk_spawn single(n - 1); cilk_sync; return x; }
[[nodiscard]] int attribute(int n) { int x = cilk_spawn attribute(n - 1); cilk_sync; return x; }
