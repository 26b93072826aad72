// Trains on the rows of a CSV file from memory, by the public face alone: train_rows CSV METHOD BASE OUT.
#include <equipoise/equipoise.h>

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  std::vector<std::string> users, items;
  std::vector<float> labels;
  std::ifstream file(argv[1]);
  std::string line, user, item, label;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::getline(fields, user, ','), std::getline(fields, item, ','), std::getline(fields, label, ',');
    users.push_back(user), items.push_back(item), labels.push_back(std::stof(label));
  }
  try {
    const auto data = equipoise::Data::from_rows({.user = users, .item = items, .label = labels}, {{"name", "log"}});
    equipoise::TrainOptions options{.method = argv[2], .base = argv[3]};
    options.parameters = {{"epochs", options.method == "att" ? "6" : "2"}};
    equipoise::Model::train(data, options).save(argv[4]);
  } catch (const equipoise::Failure& failure) {
    std::cerr << failure.what() << '\n';
    return static_cast<int>(failure.kind());
  }
}
