// The program in one process.
#include "program.h"
#include "streams.h"

int main(int argc, char** argv) {
  equipoise::cli::hold_standard_streams();
  return equipoise::cli::run_program(argc, argv, equipoise::single_process());
}
