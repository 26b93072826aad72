// The element-wise kernels for x86-64-v4.
#define EQUIPOISE_KERNEL_SET kernels_v4
#define EQUIPOISE_KERNEL_NAME "x86-64-v4"
#include "grad/kernels.inc"
