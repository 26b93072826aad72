// Matrix products: the two functions that all of them go through.
#pragma once

#include <cstddef>

namespace equipoise {

/// C (m × n) = op(A)·op(B) + beta·C, row-major; op(A) is m × k, op(B) is k × n; lda, ldb, ldc are the rows' strides in
/// memory as stored. Single-threaded: callers cut their work into fixed pieces and spread those.
void gemm(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k, const float* a,
          std::size_t lda, const float* b, std::size_t ldb, float beta, float* c, std::size_t ldc);

/// Y (m × n) = X·W + b, for X (m × k), W (k × n) and b (1 × n) or nullptr, rows without gaps. A row of Y depends on its
/// own row of X alone, to the last bit: not on m, its place or the other rows.
void affine(std::size_t m, std::size_t n, std::size_t k, const float* x, const float* w, const float* bias, float* y);

/// Makes what products need once in a process, some 20 MB, or throws bad_alloc. The first product does it otherwise;
/// but where other threads could take the memory meanwhile, the library of products crashes. So before threads begin.
void prepare_products();

/// How wide the instructions are that products may use here: a higher level has more, and may round differently.
int product_level();
/// From now on those of at most that level. CheckError if products were computed by wider ones already.
void limit_products(int level);

/// "oneDNN" or "plain".
const char* gemm_name();

}  // namespace equipoise
