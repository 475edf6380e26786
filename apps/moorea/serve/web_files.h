// SPDX-License-Identifier: MIT
// The page of moorea serve: the files of web/, embedded by the build.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "serve/web_server.h"

namespace app {

struct WebText {
  std::string_view name, text;
};

/// The embedded files by name.
std::span<const WebText> web_texts();

/// The embedded files by path, with their media types; index.html is at /.
std::vector<WebFile> web_files();

/// Whether three.js is among them, with which the page shows surfaces in three dimensions.
bool has_three();

}  // namespace app
