// The element-wise kernels for x86-64-v3.
#define EQUIPOISE_KERNEL_SET kernels_v3
#define EQUIPOISE_KERNEL_NAME "x86-64-v3"
#include "grad/kernels.inc"
