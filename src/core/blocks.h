// A file of named, checksummed arrays in the safetensors layout; models and checkpoints are such files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/parallel.h"

namespace equipoise {

enum class Type { f32, f64, i32, i64, u8 };
std::size_t size_of(Type type);

/// Length (8 bytes, little-endian), JSON header, arrays. The header lists each array with its type, shape, place and
/// XXH3 checksum; the last array is the checksum of every byte before it.
class BlockFile {
 public:
  using Sink = FunctionRef<void(std::string_view)>;
  /// Gives all bytes of an array, piece by piece and in order, as often as it is asked.
  using Source = std::function<void(Sink)>;
  struct Block {
    Type type = Type::u8;
    std::vector<std::int64_t> shape;
    std::string bytes;
    Source source = {};  // where it is set, the array is not in the file's memory: `bytes` is empty

    std::size_t size() const;  // in bytes
  };

  /// The newest layout that this program writes and reads; one number for every kind of file.
  static constexpr std::int64_t kFormatVersion = 1;

  /// What kind of file it is, which version of the layout it has, and how new a reader must be.
  void set_format(const std::string& kind);
  /// CheckError if it is of another kind, or needs a newer reader than this one.
  void check_format(const std::string& kind) const;

  /// `meta` values are texts; what is structured goes in as JSON text.
  void set_meta(const std::string& key, std::string value) { meta_[key] = std::move(value); }  // not "checksums"
  const std::string& meta(const std::string& key) const;  ///< CheckError if there is none
  bool has_meta(const std::string& key) const { return meta_.contains(key); }

  template <class T>
  void add(const std::string& name, std::vector<std::int64_t> shape, std::span<const T> values) {
    add_bytes(name, type_of<T>(), std::move(shape), values.data(), values.size_bytes());
  }
  /// An array that stays where it is, and must be there until the file is saved.
  template <class T>
  void add_view(const std::string& name, std::vector<std::int64_t> shape, std::span<const T> values) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    add_source(name, type_of<T>(), std::move(shape), [bytes](Sink sink) { sink(bytes); });
  }
  /// An array that is made while the file is written. What all ranks make together is given to the first one's.
  void add_source(const std::string& name, Type type, std::vector<std::int64_t> shape, Source source);
  bool has(const std::string& name) const { return blocks_.contains(name); }
  const std::map<std::string, Block>& blocks() const { return blocks_; }
  const Block& block(const std::string& name) const;  ///< CheckError if there is none
  /// The array as values of T; CheckError if it is of another type, or not of `count` values (count ≥ 0).
  template <class T>
  std::vector<T> values(const std::string& name, std::int64_t count = -1) const {
    std::vector<T> out(checked_count(name, type_of<T>(), count));
    copy_bytes(name, out.data());
    return out;
  }
  /// The array of that name with other values, of the same type.
  template <class T>
  void replace(const std::string& name, std::vector<std::int64_t> shape, std::span<const T> values) {
    EQUIPOISE_ASSERT(block(name).type == type_of<T>());
    blocks_.erase(name);
    add<T>(name, std::move(shape), values);
  }
  void replace_texts(const std::string& name, const std::vector<std::string>& texts) {
    blocks_.erase(name);
    blocks_.erase(name + ".offsets");
    add_texts(name, texts);
  }
  /// Texts as one array of bytes and one of offsets.
  void add_texts(const std::string& name, const std::vector<std::string>& texts);
  /// Copies what the sources give into the file.
  void settle();
  std::vector<std::string> texts(const std::string& name) const;

  /// Written whole or not at all (see AtomicFile); Error if there is more of anything than a reader would accept. Every
  /// source is asked twice, whether or not the file can be written.
  void save(const std::string& path) const;
  /// Asks the sources as `save` does: for ranks that give their part of what another one saves.
  void take_part() const;
  /// `what` names the kind of file in messages ("model"). CheckError if anything at all is not as it was written; all
  /// of it is checked before any array is copied.
  static BlockFile load(const std::string& path, const std::string& what);
  static BlockFile parse(std::string_view bytes, const std::string& path, const std::string& what);
  std::string serialise() const;

 private:
  template <class T>
  static constexpr Type type_of() {
    if constexpr (std::is_same_v<T, float>)
      return Type::f32;
    else if constexpr (std::is_same_v<T, double>)
      return Type::f64;
    else if constexpr (std::is_same_v<T, std::int32_t>)
      return Type::i32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
      return Type::i64;
    else {
      static_assert(sizeof(T) == 1);
      return Type::u8;
    }
  }
  void add_bytes(const std::string& name, Type type, std::vector<std::int64_t> shape, const void* data,
                 std::size_t bytes);
  std::size_t checked_count(const std::string& name, Type type, std::int64_t count) const;
  void copy_bytes(const std::string& name, void* out) const;
  std::string newer() const;  // why this reader is too old for it; "" = it is not

  std::map<std::string, std::string> meta_;
  std::map<std::string, Block> blocks_;
};

}  // namespace equipoise
