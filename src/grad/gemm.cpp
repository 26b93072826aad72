// Matrix products by oneDNN, and by our own kernels for narrow layers, tiny shapes and where oneDNN is not built in.
#include "grad/gemm.h"

#include <algorithm>
#include <vector>

#include "grad/kernels.h"

#ifdef EQUIPOISE_HAS_ONEDNN
#include <dnnl.h>
#include <execinfo.h>

#include <array>
#include <exception>
#include <new>

#include "core/error.h"

// Of the OpenMP library, whose header not every compiler finds.
extern "C" void omp_set_num_threads(int threads);
extern "C" int omp_get_max_threads();
#endif

namespace equipoise {

#ifdef EQUIPOISE_HAS_ONEDNN
namespace {

constexpr std::size_t kTiny = 4096;  // multiply-adds below which a call of the library costs more than the work
constexpr std::size_t kKernels = std::size_t{32} << 20;  // bytes, nearly twice what the library's kernels take
constexpr std::size_t kThread = 4096;                    // bytes, many times what OpenMP keeps of a thread

// Fails where that memory is not there, by an error like any other; the libraries called next would crash.
void ask_for(std::size_t bytes) {
  void* volatile memory = ::operator new(bytes);  // volatile, or the compiler sees that nobody needs it
  ::operator delete(memory);
}

// To the end of the scope, the library opens no threads of its own inside this one; then the caller's wish counts
// again.
class OneThreadHere {
 public:
  OneThreadHere() : before_(wished()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~OneThreadHere() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  OneThreadHere(const OneThreadHere&) = delete;
  OneThreadHere& operator=(const OneThreadHere&) = delete;

 private:
  static int wished() {
    thread_local const bool asked = (ask_for(kThread), true);  // for what OpenMP keeps of the thread
    static_cast<void>(asked);
    return omp_get_max_threads();
  }
  int before_;
};

// C (m × n) = A·B or A·Bᵀ, of zeros.
bool try_product(char transpose_b, std::size_t m, std::size_t n, std::size_t k) {
  const std::vector<float> a(m * k), b(k * n);
  std::vector<float> c(m * n);
  const auto size = [](std::size_t value) { return static_cast<dnnl_dim_t>(value); };
  return dnnl_sgemm('N', transpose_b, size(m), size(n), size(k), 1.0f, a.data(), size(k), b.data(),
                    size(transpose_b == 'N' ? n : k), 0.0f, c.data(), size(n)) == dnnl_success;
}

// Has the library make its kernels: those of all products, of few rows times a transposed matrix, and of one row.
void make_kernels() {
  const OneThreadHere here;
  ask_for(kKernels);
  // What is thrown within the library passes through the C library, which loads the unwinder only then, or aborts.
  std::array<void*, 1> frame{};
  backtrace(frame.data(), 1);
  bool made = false;
  try {
    made = try_product('N', 128, 64, 64) && try_product('T', 7, 64, 64) && try_product('N', 1, 64, 64);
  } catch (const std::exception&) {  // of the library's own kinds; all that can be short here is memory
  }
  if (!made) throw std::bad_alloc();
}

}  // namespace

void prepare_products() {
  static const bool made = (make_kernels(), true);
  static_cast<void>(made);
}

void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k, const float* a,
          std::size_t lda, const float* b, std::size_t ldb, float beta, float* c, std::size_t ldc) {
  if (m == 0 || n == 0) return;
  if (k == 0 || m * n * k < kTiny || n == 1) {
    return kernels().gemm(transpose_a, transpose_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
  }
  const OneThreadHere here;
  prepare_products();
  const auto status =
      dnnl_sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', static_cast<dnnl_dim_t>(m),
                 static_cast<dnnl_dim_t>(n), static_cast<dnnl_dim_t>(k), 1.0f, a, static_cast<dnnl_dim_t>(lda), b,
                 static_cast<dnnl_dim_t>(ldb), beta, c, static_cast<dnnl_dim_t>(ldc));
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
  EQUIPOISE_ASSERT(status == dnnl_success);
}

const char* gemm_name() { return "oneDNN"; }

// By our own look at the processor: asking the library would fix its choice.
int product_level() {
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return wide ? 3 : __builtin_cpu_supports("avx2") ? 2 : __builtin_cpu_supports("avx") ? 1 : 0;
}

void limit_products(int level) {
  if (level >= product_level()) return;
  constexpr dnnl_cpu_isa_t kSets[] = {dnnl_cpu_isa_sse41, dnnl_cpu_isa_avx, dnnl_cpu_isa_avx2};
  if (dnnl_set_max_cpu_isa(kSets[level]) == dnnl_success) return;
  throw CheckError("another rank's processor is older, and oneDNN has computed as it does on this one already");
}
#else
void prepare_products() {}

void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k, const float* a,
          std::size_t lda, const float* b, std::size_t ldb, float beta, float* c, std::size_t ldc) {
  kernels().gemm(transpose_a, transpose_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

const char* gemm_name() { return "plain"; }
int product_level() { return 0; }
void limit_products(int) {}
#endif

namespace {

#ifdef EQUIPOISE_HAS_ONEDNN
// Up to these widths our kernel is as fast as the library or faster; with AVX-512 both sum in the order of k, the bias
// last. Beyond them the library is faster, because it keeps parts of W near.
bool is_ours(std::size_t n, std::size_t k) {
  constexpr std::size_t kWidest = 64, kDeepest = 384;
  return n <= kWidest && k <= kDeepest;
}
#else
bool is_ours(std::size_t, std::size_t) { return true; }
#endif

constexpr std::size_t kRows = 128;

// How the library sums a row depends on how many rows there are and where among them it is, but not where they are 128.
// So it always gets so many; where there are fewer, the others are zeros.
void affine_of_library(std::size_t m, std::size_t n, std::size_t k, const float* x, const float* w, const float* bias,
                       float* y) {
  thread_local std::vector<float> in, out;
  const bool whole = m == kRows;
  if (!whole) {
    in.assign(kRows * k, 0.0f);
    out.resize(kRows * n);
    std::copy_n(x, m * k, in.data());
  }
  float* to = whole ? y : out.data();
  if (bias != nullptr) kernels().copy_rows(bias, 0, to, n, kRows, n);
  gemm(false, false, kRows, n, k, whole ? x : in.data(), k, w, n, bias != nullptr ? 1.0f : 0.0f, to, n);
  if (!whole) std::copy_n(to, m * n, y);
}

}  // namespace

// The kernel is chosen by n and k, never by m: a row's result is the same whatever rows are beside it.
void affine(std::size_t m, std::size_t n, std::size_t k, const float* x, const float* w, const float* bias, float* y) {
  if (n == 1) {
    if (bias != nullptr) std::fill_n(y, m, *bias);
    return kernels().gemm(false, false, m, n, k, x, k, w, n, bias != nullptr ? 1.0f : 0.0f, y, n);
  }
  if (is_ours(n, k)) return kernels().affine(m, n, k, x, w, bias, y);
  for (std::size_t i = 0; i < m; i += kRows) {
    affine_of_library(std::min(kRows, m - i), n, k, x + i * k, w, bias, y + i * n);
  }
}

}  // namespace equipoise
