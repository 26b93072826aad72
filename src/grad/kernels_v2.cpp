// The element-wise kernels for x86-64-v2.
#define EQUIPOISE_KERNEL_SET kernels_v2
#define EQUIPOISE_KERNEL_NAME "x86-64-v2"
#include "grad/kernels.inc"
