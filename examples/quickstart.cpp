// From a log to recommendations in C++: simulate, train, evaluate, recommend, save and load.
#include <equipoise/equipoise.h>

#include <iostream>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "quickstart.model";
  try {
    const auto data = equipoise::Data::simulate({{"users", "1000"}, {"seed", "1"}});

    equipoise::TrainOptions options;
    options.method = "base";
    options.base = "gmf";
    options.parameters = {{"epochs", "15"}, {"learning_rate", "0.01"}};
    const auto model = equipoise::Model::train(data, options);

    const auto metrics = model.evaluate(data);
    const auto& auc = metrics.at("auc");
    std::cout << "AUC " << auc.mean << " (" << auc.low << " to " << auc.high << ")\n";

    for (const auto& best : model.recommend("u17", {.k = 3})) {
      std::cout << best.item << ' ' << equipoise::probability(best.score) << '\n';
    }

    model.save(path);
    std::cout << equipoise::Model::load(path).score("u17", "i3") << '\n';
  } catch (const equipoise::Failure& failure) {
    std::cerr << failure.what() << '\n';
    return static_cast<int>(failure.kind());
  }
}
