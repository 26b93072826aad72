// Files of every format ever released, kept in tests/golden and read for ever.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/text.h"
#include "recommender/fixture.h"
#include "recommender/model_file.h"

namespace equipoise::test {
namespace {

const std::filesystem::path kGolden = EQUIPOISE_GOLDEN;

std::vector<std::filesystem::path> golden(const char* extension) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kGolden)) {
    if (entry.path().extension() == extension) out.push_back(entry.path());
  }
  return out;
}

// Beside NAME.model lies NAME.csv: "user,item,score", what the program of that time said.
TEST(Golden, EveryModelIsReadAndScoresAsItDid) {
  Pool pool(1);
  const auto models = golden(".model");
  ASSERT_GE(models.size(), 4U);
  for (std::filesystem::path path : models) {
    SCOPED_TRACE(path.filename());
    const auto recommender = Recommender::load(path.string(), pool);
    std::ifstream scores(path.replace_extension(".csv"));
    std::string line;
    int lines = 0;
    std::getline(scores, line);
    for (; std::getline(scores, line); ++lines) {
      const auto fields = split(line, ',');
      ASSERT_EQ(fields.size(), 3U) << line;
      const float logit =
          score_one(*recommender, recommender->users().find(fields[0]), recommender->items().find(fields[1]));
      // Kernels of another instruction set may differ in the last digits.
      const double then = std::stod(fields[2]);
      EXPECT_NEAR(logit, then, 1e-5 * (1 + std::abs(then))) << line;
    }
    EXPECT_GT(lines, 10);
  }
}

TEST(Golden, EveryCheckpointIsRead) {
  const auto checkpoints = golden(".checkpoint");
  ASSERT_GE(checkpoints.size(), 1U);
  for (const std::filesystem::path& path : checkpoints) {
    const BlockFile file = BlockFile::load(path.string(), "checkpoint");
    EXPECT_NO_THROW(file.check_format("equipoise checkpoint")) << path;
    EXPECT_GT(parse_json(file.meta("position"), "position").at("step").as_int(), 0);
  }
}

}  // namespace
}  // namespace equipoise::test
