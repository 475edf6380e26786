// SPDX-License-Identifier: MIT
// The page of moorea serve: the files of web/, which the build puts into the program.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "serve/web_server.h"

namespace app {

struct WebText {
  std::string_view name, text;
};

/// The files as they are.
std::span<const WebText> web_texts();

/// The same as a server gives them; index.html is at /.
std::vector<WebFile> web_files();

}  // namespace app
