// SPDX-License-Identifier: MIT
#include "moorea/topology.h"

#include <fmt/core.h>
#include <strings.h>

#include "moorea/error.h"

namespace moorea {

std::string_view to_string(Topology topology) {
  switch (topology) {
    case Topology::plane:
      return "plane";
    case Topology::torus:
      return "torus";
    case Topology::surface:
      return "surface";
    case Topology::unbounded:
      break;
  }
  return "unbounded";
}

Topology parse_topology(std::string_view text) {
  const std::string word(text);
  for (const Topology topology : {Topology::plane, Topology::torus, Topology::unbounded}) {
    if (strcasecmp(word.c_str(), std::string(to_string(topology)).c_str()) == 0) return topology;
  }
  throw Error(fmt::format("topology \"{}\": expected plane, torus or unbounded", word), ErrorKind::usage);
}

std::string Bounds::suffix() const {
  if (is_unbounded() || topology == Topology::surface) return "";
  return fmt::format(":{}{},{}", topology == Topology::torus ? 'T' : 'P', width, height);
}

}  // namespace moorea
