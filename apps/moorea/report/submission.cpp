// SPDX-License-Identifier: MIT
#include "report/submission.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "moorea/error.h"
#include "report/results.h"

namespace app {
namespace {

// The member of a list of objects with this name; null if there is none.
Json with_name(const Json& list, const char* key, const std::string& name) {
  for (const Json& each : list)
    if (each.value(key, "") == name) return each;
  return nullptr;
}

}  // namespace

std::vector<Json> submissions(const Json& document) {
  const Json& results = document["results"];
  if (results.empty()) throw moorea::Error("--submit: nothing was measured");
  if (const std::string busy = busy_text(results); !busy.empty())
    throw moorea::Error(fmt::format("--submit: {}: measure again when they have ended", busy));
  std::vector<Json> lines;
  const auto line_of = [&](const std::string& name) {
    return std::ranges::find_if(lines, [&](const Json& line) { return line["name"] == name; });
  };
  for (const Json& row : results) {
    const auto name = row["device"].get<std::string>();
    if (line_of(name) == lines.end()) {
      const Json device = with_name(document["machine"]["devices"], "name", name),
                 ceilings = with_name(document["ceilings"], "device", name);
      Json line = {{"name", name},
                   {"device", device.is_null() ? name : device.value("description", name)},
                   {"system", document["machine"]["system"]},
                   {"version", document["version"]},
                   {"revision", document["revision"]},
                   {"compiler", document["compiler"]},
                   {"date", document["date"]},
                   {"copy_bytes_per_second",
                    ceilings.is_null() ? Json() : ceilings.value("copy_bytes_per_second", Json())},
                   {"speeds", Json::array()}};
      if (name == "cpu" && row["threads"].is_number()) line["threads"] = row["threads"];
      lines.push_back(std::move(line));
    }
    (*line_of(name))["speeds"].push_back({{"rule", row["rule"]},
                                          {"width", row["width"]},
                                          {"height", row["height"]},
                                          {"kernel", row["kernel"]},
                                          {"cells_per_second", row["cells_per_second"]},
                                          {"spread", row["spread"]}});
  }
  return lines;
}

}  // namespace app
