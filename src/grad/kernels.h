// The element-wise kernels, built for several instruction sets and chosen once, when the program starts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace equipoise {

struct AdamStep {
  float rate;  // already divided by the first moment's bias correction
  float beta1;
  float beta2;
  float epsilon;
  float root;   // 1 ÷ √(the second moment's bias correction)
  float decay;  // 2λ: the gradient of λ‖θ‖² is 2λθ
};

/// Of a row x: log Σ eˣ, and what e^(x − its largest) is multiplied by to become the softmax.
struct Exponentials {
  float log_sum;
  float share;
};

inline constexpr std::int32_t kNoSlot = INT32_MIN;

// A tile of products: enough sums for the widest registers, and a whole number of passes for the narrower ones.
inline constexpr std::size_t kTileUsers = 12;
inline constexpr std::size_t kTileItems = 16;

/// One instruction set's versions. Arrays do not overlap unless they are the same array.
struct Kernels {
  const char* name;  // "x86-64-v4", …

  void (*add)(const float* x, float* y, std::size_t n);  // y += x
  /// y = x and y += x, row by row; the rows are so far apart in memory (0: always the same one).
  void (*copy_rows)(const float* x, std::size_t x_stride, float* y, std::size_t y_stride, std::size_t rows,
                    std::size_t width);
  void (*add_rows)(const float* x, std::size_t x_stride, float* y, std::size_t y_stride, std::size_t rows,
                   std::size_t width);
  void (*add_scaled)(float a, const float* x, float* y, std::size_t n);  // y += a x
  void (*sigmoid)(const float* x, float* out, std::size_t n);
  void (*softplus)(const float* x, float* out, std::size_t n);  // log(1 + eˣ)
  void (*relu)(float* x, std::size_t n);                        // in place: x < 0 ? 0 : x
  void (*relu_back)(const float* y, float* g, std::size_t n);   // g = y > 0 ? g : 0
  void (*elu)(float* x, std::size_t n);                         // in place: x > 0 ? x : eˣ − 1
  void (*elu_back)(const float* y, float* g, std::size_t n);    // g ·= y > 0 ? 1 : y + 1
  /// out[r] = Σₖ x y h, of rows of x and y (rows × width) and of h (1 × width).
  void (*dot3_rows)(const float* x, const float* y, const float* h, std::size_t rows, std::size_t width, float* out);
  /// out (1 × width) = Σᵣ g[r] · row r of x ⊙ y (rows × width), in the order of the rows.
  void (*dot3_columns)(const float* g, const float* x, const float* y, std::size_t rows, std::size_t width, float* out);
  /// In place: x, with the bias added if there is one, becomes e to the power of x less its largest number.
  Exponentials (*exponentials)(float* x, const float* bias, std::size_t n);
  void (*scale)(float a, float* x, std::size_t n);                              // x ·= a
  void (*scale_twice)(float a, float b, float* x, float* sums, std::size_t n);  // x = (x a) b; sums += x, if any
  /// Row r of out (count × width) = g[r] · h ⊙ row r of x.
  void (*weighted_rows)(const float* g, const float* h, const float* x, std::size_t count, std::size_t width,
                        float* out);
  /// Row k of out (count × width) becomes row rows[k] of the table; zeros where that is −1.
  void (*gather)(const float* table, const std::int32_t* rows, std::size_t count, std::size_t width, float* out);
  /// Row k of x (count × width) is added to row slots[k] of sums, or put over row ~slots[k] where that is negative;
  /// kNoSlot = left out.
  void (*scatter)(const float* x, const std::int32_t* slots, std::size_t count, std::size_t width, float* sums);
  /// Row r of out (bags × width) becomes Σ shares[k] · table row codes[k], k from begin[r] to before begin[r + 1].
  void (*bag_sums)(const float* table, const std::int32_t* begin, const std::int32_t* codes, const float* shares,
                   std::size_t bags, std::size_t width, float* out);
  /// Its way back: shares[k] times row r of x is added to, or put over, row slots[k] of sums, as `scatter` does.
  void (*bag_scatter)(const float* x, const std::int32_t* begin, const std::int32_t* slots, const float* shares,
                      std::size_t bags, std::size_t width, float* sums);
  /// out (m × n) (+)= A·B, A·Bᵀ or Aᵀ·B for small shapes; see gemm.h for the letters.
  void (*gemm)(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k, const float* a,
               std::size_t lda, const float* b, std::size_t ldb, float beta, float* c, std::size_t ldc);
  /// y (m × n) = x·W + b, of x (m × k), W (k × n) and b (1 × n) or nullptr: first the products in the order of k, then
  /// b, in every row.
  void (*affine)(std::size_t m, std::size_t n, std::size_t k, const float* x, const float* w, const float* bias,
                 float* y);
  /// The scores of a tile of users and items, which leave the registers only where they matter. A score is
  /// items[0][i] + Σₚ users[p][u] · items[p + 1][i], of users (width × kTileUsers) and items (width + 1 × kTileItems),
  /// each row of items aligned to 64 bytes. Bit u of the answer: user u has a score above limits[u]; then bit i of
  /// above[u] says whether item i's is, and row u of `scores` (kTileUsers × kTileItems, aligned likewise) holds them.
  /// The last users cost nothing if their limits are +∞.
  std::uint32_t (*tile_above)(const float* users, const float* items, std::size_t width, const float* limits,
                              std::uint32_t* above, float* scores);
  void (*adam)(const AdamStep& step, float* value, const float* gradient, float* m, float* v, std::size_t n);
  /// Adam on some rows of arrays of `cols` columns; the gradient has only those rows, in their order.
  void (*adam_rows)(const AdamStep& step, const std::int32_t* rows, std::size_t count, std::size_t cols, float* value,
                    const float* gradient, float* m, float* v);
  void (*adagrad)(float rate, float epsilon, float decay, float* value, const float* gradient, float* sum,
                  std::size_t n);
  void (*sgd)(float rate, float decay, float* value, const float* gradient, std::size_t n);
};

/// The widest set that this machine has; EQUIPOISE_KERNELS=plain|v2|v3|v4 asks for a narrower one.
const Kernels& kernels();
/// The level of that set: 2, 3 or 4, or 0 for plain code without instructions of one processor.
int kernel_level();
/// From now on a set of at most that level; before anything is computed.
void limit_kernels(int level);

/// In place: x becomes its softmax; returns log Σ eˣ.
inline float softmax(float* x, std::size_t n) {
  const Exponentials e = kernels().exponentials(x, nullptr, n);
  kernels().scale(e.share, x, n);
  return e.log_sum;
}

namespace kernels_plain {
extern const Kernels table;
}
// Of x86-64 only.
namespace kernels_v2 {
extern const Kernels table;
}
namespace kernels_v3 {
extern const Kernels table;
}
namespace kernels_v4 {
extern const Kernels table;
}

}  // namespace equipoise
