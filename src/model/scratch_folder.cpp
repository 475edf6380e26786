// SPDX-License-Identifier: MIT
#include "moorea/support/scratch_folder.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "moorea/error.h"

namespace moorea {

ScratchFolder::ScratchFolder() {
  const char* const place = std::getenv("TMPDIR");
  std::string name =
      (std::filesystem::path(place == nullptr || *place == '\0' ? "/tmp" : place) / "moorea-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    const int error = errno;
    throw Error(fmt::format("cannot make a folder {}: {}; the variable TMPDIR names another place", name,
                            std::strerror(error)),
                error);
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace moorea
