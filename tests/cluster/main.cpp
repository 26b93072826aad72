// Runs the tests on every rank that mpirun has started; a failure on one of them is one of all.
#include <gtest/gtest.h>

#include "cluster/job.h"
#include "cluster/mpi_ranks.h"

namespace {
std::unique_ptr<equipoise::Ranks> started;
}

equipoise::Ranks& equipoise::test::job() { return *started; }

int main(int argc, char** argv) {
  started = equipoise::start_mpi(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  if (!started->first()) {
    delete testing::UnitTest::GetInstance()->listeners().Release(
        testing::UnitTest::GetInstance()->listeners().default_result_printer());
  }
  const int failed = RUN_ALL_TESTS();
  const int exit =
      started->end({failed, failed != 0 ? started->name_of(started->rank()) + ": a test failed" : ""}).exit;
  started.reset();
  return exit;
}
