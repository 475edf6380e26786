// SPDX-License-Identifier: MIT
#include "serve/web_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace app {
namespace {

std::string type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/javascript; charset=utf-8";
}

}  // namespace

std::vector<WebFile> web_files() {
  std::vector<WebFile> files;
  for (const WebText& each : web_texts()) {
    const std::string_view name = each.name == "index.html" ? "" : each.name;
    files.push_back({fmt::format("/{}", name), type_of(each.name), each.text});
  }
  return files;
}

bool has_three() {
  const std::span<const WebText> texts = web_texts();
  return std::any_of(texts.begin(), texts.end(),
                     [](const WebText& each) { return each.name == "three.min.js"; });
}

}  // namespace app
