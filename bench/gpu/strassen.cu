#include <cublas_v2.h>
#include <dlfcn.h>  // dlopen, dlsym

#include <memory>  // unique_ptr
#include <vector>  // vector

#include "gpu_bench.hpp"
#include "tasks/strassen.hpp"

/// A product of matrices by divide and conquer, with products of blocks that wavefronts compute
/// together, beside cuBLAS in single precision, without tensor cores.
namespace {

using channels::gpu::detail::check;

class matrices {
 public:
  explicit matrices(std::size_t size) : size_(size), host_(size * size) {
    for (auto* m : {&a_, &b_, &c_})
      *m = channels::gpu::detail::allocate<float>(bytes(), "a matrix");
    fill(a_.get(), 13);
    fill(b_.get(), 11);
  }
  void clear() { check(cudaMemset(c_.get(), 0, bytes()), "clear"); }
  [[nodiscard]] tasks::block a() const { return of(a_); }
  [[nodiscard]] tasks::block b() const { return of(b_); }
  [[nodiscard]] tasks::block c() const { return of(c_); }

  /// Some of the product, from whole numbers so small that their sums are exact.
  [[nodiscard]] bool is_product() {
    check(cudaMemcpy(host_.data(), c_.get(), bytes(), cudaMemcpyDeviceToHost), "copy");
    for (std::size_t sample = 0; sample < 1000; ++sample) {
      const std::size_t i = sample * 7919 % size_;
      const std::size_t j = sample * 104729 % size_;
      float sum = 0;
      for (std::size_t k = 0; k < size_; ++k)
        sum += value(i * size_ + k, 13) * value(k * size_ + j, 11);
      if (host_[i * size_ + j] != sum) return false;
    }
    return true;
  }

 private:
  using memory = std::unique_ptr<float, channels::gpu::detail::free_memory>;

  static float value(std::size_t i, std::size_t modulus) {
    return static_cast<float>(i * 7 % modulus) - 5;
  }
  [[nodiscard]] std::size_t bytes() const { return size_ * size_ * sizeof(float); }
  [[nodiscard]] tasks::block of(const memory& m) const {
    return {m.get(), static_cast<std::ptrdiff_t>(size_)};
  }
  void fill(float* to, std::size_t modulus) {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = value(i, modulus);
    check(cudaMemcpy(to, host_.data(), bytes(), cudaMemcpyHostToDevice), "copy");
  }

  std::size_t size_;
  std::vector<float> host_;
  memory a_;
  memory b_;
  memory c_;
};

template <class Multiply>
void multiply_each_time(benchmark::State& state, Multiply multiply) {
  const auto size = static_cast<std::size_t>(state.range(0));
  matrices m(size);
  for (auto _ : state) {
    state.PauseTiming();
    m.clear();
    check(cudaDeviceSynchronize(), "clear");
    state.ResumeTiming();
    multiply(m);
    check(cudaDeviceSynchronize(), "product");
  }
  if (!m.is_product()) state.SkipWithError("wrong answer");
  state.counters["flop/s"] = benchmark::Counter(
      2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size),
      benchmark::Counter::kIsIterationInvariantRate);
}

void strassen_tasks(benchmark::State& state) {
  channels::gpu::caller<tasks::strassen> call(gpu_bench::options());
  multiply_each_time(state, [&](const matrices& m) {
    call({m.a(), m.b(), m.c(), state.range(0), state.range(1)});
  });
  gpu_bench::describe(state, call.report());
}
BENCHMARK(strassen_tasks)
    ->Args({2048, 128})
    ->Args({8192, 64})
    ->Args({8192, 128})
    ->Args({8192, 256})
    ->Args({8192, 512})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void product_tasks(benchmark::State& state) {
  channels::gpu::caller<tasks::product> call(gpu_bench::options());
  multiply_each_time(state, [&](const matrices& m) {
    call({m.a(), m.b(), m.c(), state.range(0), state.range(0), state.range(1)});
  });
  gpu_bench::describe(state, call.report());
}
BENCHMARK(product_tasks)
    ->Args({2048, 64})
    ->Args({8192, 64})
    ->Args({8192, 128})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// cuBLAS, loaded when a benchmark needs it: other benchmarks run without it.
class cublas {
 public:
  cublas() : library_(dlopen("libcublas.so.13", RTLD_NOW)) {
    if (library_ == nullptr) return;
    const auto create = find<decltype(&cublasCreate_v2)>("cublasCreate_v2");
    multiply_ = find<decltype(&cublasSgemm_v2)>("cublasSgemm_v2");
    if (create == nullptr || create(&handle_) != CUBLAS_STATUS_SUCCESS) multiply_ = nullptr;
  }
  [[nodiscard]] bool is_there() const { return multiply_ != nullptr; }
  /// Rows of ours are columns of BLAS: the product of the transposes, in the other order.
  [[nodiscard]] bool multiply(const matrices& m, int size) const {
    const float one = 1;
    return multiply_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, m.b().first, size,
                     m.a().first, size, &one, m.c().first, size) == CUBLAS_STATUS_SUCCESS;
  }

 private:
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  void* library_;
  cublasHandle_t handle_{};
  decltype(&cublasSgemm_v2) multiply_ = nullptr;
};

void cublas_sgemm(benchmark::State& state) {
  static const cublas blas;
  if (!blas.is_there()) {
    state.SkipWithError("there is no libcublas.so.13; set LD_LIBRARY_PATH to where it is");
    return;
  }
  bool fine = true;
  multiply_each_time(state, [&](const matrices& m) {
    fine &= blas.multiply(m, static_cast<int>(state.range(0)));
  });
  if (!fine) state.SkipWithError("cuBLAS failed");
}
BENCHMARK(cublas_sgemm)->Arg(2048)->Arg(8192)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
