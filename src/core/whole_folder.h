// A folder that is replaced whole: its files are written elsewhere, and put in place in one step.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "core/temporary.h"

namespace equipoise {

/// A folder under way: files are written into `path()`; `commit` makes it the folder `target`. Without `commit` nothing
/// is left behind; what a killed process left is removed by the next one that writes the same folder.
///
/// The new folder is made beside the old one, and the two change places in one step (a link to a folder stays a link).
/// Where that cannot be (the target is a mount point or the current folder, or lies where nothing new may be made, or
/// the file system cannot exchange names) the files are moved into the old folder one by one, `first` before all.
class WholeFolder {
 public:
  /// OutputError if there is no place to write to.
  WholeFolder(const std::string& target, std::string first);
  ~WholeFolder();
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  const std::string& path() const { return temporary_.path; }
  /// `old_files` are those of the old folder that go; whatever else it holds is in the new one too.
  void commit(const std::vector<std::string>& old_files);
  /// Calls write(path()) and commits. Messages name the folder that was asked for, not the one that is written to until
  /// it is whole.
  template <class Write>
  void fill(Write write, const std::vector<std::string>& old_files) {
    try {
      write(path());
      commit(old_files);
    } catch (const OutputError& error) {
      std::string text = error.what();
      if (const std::size_t at = text.find(path()); at != std::string::npos) text.replace(at, path().size(), name_);
      throw OutputError(text);
    }
  }

 private:
  void carry_over(const std::vector<std::string>& old_files) const;
  bool exchange() const;
  void move_in(std::vector<std::string> written, const std::vector<std::string>& old_files) const;
  [[noreturn]] void fail(const char* what) const;

  std::string name_;    // as given, for messages
  std::string target_;  // without links
  std::string first_;
  bool within_ = false;  // whether the files are written into the target
  Temporary temporary_;
};

/// Removes what killed writers of the folder left within it, so that it looks as it did before them.
void sweep_whole_folder(const std::string& target);

}  // namespace equipoise
