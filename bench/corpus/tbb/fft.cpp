#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/fft.c"
#undef main

namespace with_tbb {

// Below SMALL the elision's function is a loop.
void parallel_compute_w_coefficients(int n, int a, int b, COMPLEX* W) {
  if (b - a < SMALL) return ::compute_w_coefficients(n, a, b, W);
  const int ab = (a + b) / 2;
  parallel_invoke([=] { parallel_compute_w_coefficients(n, a, ab, W); },
                  [=] { parallel_compute_w_coefficients(n, ab, b, W); });
}

void parallel_unshuffle(int a, int b, COMPLEX* in, COMPLEX* out, int m) {
  if (b - a < SMALL) return ::unshuffle(a, b, in, out, m);
  const int ab = (a + b) / 2;
  parallel_invoke([=] { parallel_unshuffle(a, ab, in, out, m); },
                  [=] { parallel_unshuffle(ab, b, in, out, m); });
}

void parallel_twiddle(int a, int b, COMPLEX* in, COMPLEX* out, COMPLEX* W, int stride, int m) {
  if (b - a < SMALL) return ::twiddle(a, b, in, out, W, stride, m);
  const int ab = (a + b) / 2;
  parallel_invoke([=] { parallel_twiddle(a, ab, in, out, W, stride, m); },
                  [=] { parallel_twiddle(ab, b, in, out, W, stride, m); });
}

void parallel_fft_aux(int n, COMPLEX* in, COMPLEX* out, COMPLEX* W, int stride) {
  const int m = n / 2;
  if (n <= BASE) {
    fft_base(n, in, out, W, stride);
    return;
  }
  parallel_unshuffle(0, m, in, out, m);
  parallel_invoke([=] { parallel_fft_aux(m, out, in, W, stride * 2); },
                  [=] { parallel_fft_aux(m, out + m, in + m, W, stride * 2); });
  parallel_twiddle(0, m, in, out, W, stride, m);
}

void parallel_fft(int n, COMPLEX* in, COMPLEX* out) {
  COMPLEX* W = static_cast<COMPLEX*>(malloc((n + 1) * sizeof(COMPLEX)));
  parallel_compute_w_coefficients(n, 0, n + 1, W);
  parallel_fft_aux(n, in, out, W, 1);
  free(W);
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 2 ? atoi(argv[2]) : 4096;
  COMPLEX* in = static_cast<COMPLEX*>(malloc(n * sizeof(COMPLEX)));
  COMPLEX* out = static_cast<COMPLEX*>(malloc(n * sizeof(COMPLEX)));
  init_signal(n, in);
  with_tbb::timed([&] { with_tbb::parallel_fft(n, in, out); });
  const int good = report(n, out);
  free(in);
  free(out);
  return good ? 0 : 1;
}
