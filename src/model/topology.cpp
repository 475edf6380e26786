// SPDX-License-Identifier: MIT
#include "moorea/topology.h"

#include <fmt/core.h>
#include <strings.h>

#include "moorea/error.h"

namespace moorea {

std::string_view to_string(Topology topology) { return topology == Topology::torus ? "torus" : "plane"; }

Topology parse_topology(std::string_view text) {
  const std::string word(text);
  if (strcasecmp(word.c_str(), "torus") == 0) return Topology::torus;
  if (strcasecmp(word.c_str(), "plane") == 0) return Topology::plane;
  throw Error(fmt::format("topology \"{}\": expected torus or plane", word), ErrorKind::usage);
}

std::string Bounds::suffix() const {
  return fmt::format(":{}{},{}", topology == Topology::torus ? 'T' : 'P', width, height);
}

}  // namespace moorea
