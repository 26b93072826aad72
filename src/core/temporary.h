// Files under way beside the one they will become: locked while their writer lives, swept away when it was killed.
#pragma once

#include <string>

namespace equipoise {

struct Temporary {
  std::string path;
  int descriptor = -1;  // open for writing and locked; −1 = it could not be made, and errno says why
};

/// A new empty file "path.tmp-PROCESS-NUMBER", after those that killed processes left there have been removed.
Temporary make_temporary(const std::string& path);

/// Removes the files of such names that nobody holds locked. What cannot be removed is left without a word.
void sweep_temporaries(const std::string& path);

}  // namespace equipoise
