// SPDX-License-Identifier: MIT
#include "lab/configuration.h"

#include "moorea/lab/tuning.h"

namespace app {

// In the order that results files have, which --resume compares as well: the world between the device and the
// other options.
Json asked(const Configuration& configuration) {
  const Start& start = configuration.start;
  const Json options = options_json(configuration.options);
  Json json = {{"kernel", configuration.kernel.name},
               {"device", options["device"]},
               {"rule", start.rule.str()},
               {"topology", moorea::to_string(start.topology)},
               {"width", start.size.width},
               {"height", start.size.height},
               {"start", start.world},
               {"after", start.after},
               {"threads", options["threads"]}};
  if (start.mesh != nullptr) {
    json["mesh"] = start.mesh->name();
    json["adjacency"] = to_string(start.adjacency);
  }
  if (configuration.kernel.fingerprint != 0)
    json["kernel_text"] = hash_text(configuration.kernel.fingerprint);
  for (const auto& [name, value] : options.items()) {
    if (!json.contains(name)) json[name] = value;
  }
  if (configuration.sample_generations) json["generations"] = *configuration.sample_generations;
  return json;
}

Json options_json(const moorea::Options& options) { return Json::parse(moorea::format_options(options)); }

moorea::Options read_options(const Json& json) { return moorea::parse_options(json.dump()); }

}  // namespace app
