// From three vectors to lists, scores, bytes and back: no file is opened, nothing is printed by the library.
#include <equipoise/equipoise.h>

#include <iostream>
#include <vector>

int main() {
  std::vector<std::string> users, items;
  std::vector<int> stars;
  for (int u = 0; u < 200; ++u) {
    for (int i = 0; i < 40; ++i) {
      if ((u * 7 + i * 11) % 5 == 0) continue;  // not everything is shown to everybody
      users.push_back("user " + std::to_string(u));
      items.push_back("item " + std::to_string(i));
      stars.push_back(1 + (u % 3 == i % 3 ? 3 : 0) + (u + i) % 2);
    }
  }
  try {
    const auto data = equipoise::Data::from_rows({.user = users, .item = items, .label = stars},
                                                 {{"positive_at_least", "4"}, {"name", "three vectors"}});
    equipoise::TrainOptions options;
    options.base = "gmf";
    options.parameters = {{"epochs", "10"}, {"learning_rate", "0.01"}};
    const auto model = equipoise::Model::train(data, options);

    for (const auto& best : model.recommend("user 7", {.k = 3, .exclude = {"item 1"}})) {
      std::cout << best.item << ' ' << equipoise::probability(best.score) << '\n';
    }
    std::vector<float> scores(users.size());
    model.score(users, items, scores);

    const std::string bytes = model.bytes();
    const auto again = equipoise::Model::from_bytes(bytes);
    std::cout << (again.score(users, items) == scores && again.bytes() == bytes ? "the same" : "another")
              << " model of " << bytes.size() << " bytes\n";
    std::cout << "AUC " << again.evaluate(data).at("auc").mean << '\n';
  } catch (const equipoise::Failure& failure) {
    std::cerr << failure.what() << '\n';
    return static_cast<int>(failure.kind());
  }
}
