// Files and folders under way beside what they will become: locked while their writer lives, swept when it was killed.
#pragma once

#include <string>

namespace equipoise {

struct Temporary {
  std::string path;
  int descriptor = -1;  // open (a file for writing) and locked; −1 = it could not be made, and errno says why
};

/// A new empty file "path.tmp-PROCESS-NUMBER", after those that killed processes left there have been removed.
Temporary make_temporary(const std::string& path);

/// Removes the files of such names that nobody holds locked. What cannot be removed is left without a word.
void sweep_temporaries(const std::string& path);

/// Makes a new empty folder that is to become the folder `path`.
Temporary make_temporary_folder(const std::string& path);
/// Removes the folders of such names, with all that is in them, that nobody holds locked.
void sweep_temporary_folders(const std::string& path);

}  // namespace equipoise
