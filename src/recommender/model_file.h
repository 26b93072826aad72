// The model file: a recommender as named arrays, and back, trusting nothing on the way back.
#pragma once

#include <memory>
#include <string>

#include "core/blocks.h"
#include "core/version.h"
#include "recommender/recommender.h"

namespace equipoise {

class ModelFile {
 public:
  static constexpr const char* kFormat = "equipoise model";

  static BlockFile pack(const Recommender& recommender);
  /// The same, of arrays that stay where they are: for saving it at once. Ranks that hold any of them between them
  /// save it together, or take part.
  static BlockFile view(const Recommender& recommender);
  /// Frozen. `path` is what messages call the file.
  static std::unique_ptr<const Recommender> unpack(const BlockFile& file, const std::string& path, Pool& pool);
};

/// The values of all arrays as blocks "prefix + name", and back into arrays of the same names and shapes. The arrays
/// must stay until the file is saved; where ranks hold tables between them they save it together, or take part.
void add_parameters(BlockFile& file, const Networks& networks, const std::string& prefix);
/// Numbers of an array (rows × cols).
void add_numbers(BlockFile& file, const std::string& name, const TrainedArray& p, const Floats& numbers);
void read_parameters(const BlockFile& file, Networks& networks, const std::string& prefix);

}  // namespace equipoise
