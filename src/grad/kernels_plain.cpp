// The element-wise kernels without a word of any instruction set: for other processors, and for tests everywhere.
#define EQUIPOISE_PLAIN_KERNELS
#define EQUIPOISE_KERNEL_SET kernels_plain
#define EQUIPOISE_KERNEL_NAME "plain"
#include "grad/kernels.inc"
