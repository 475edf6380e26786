// SPDX-License-Identifier: MIT
// A page of HTML that runs a world in a browser: web/export/page.html with its cells and its rule.
#pragma once

#include <cstddef>
#include <string>

#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace app {

struct ExportedPage {
  std::string text;
  std::size_t engine_bytes = 0;  ///< of the WebAssembly module, before it became text
};

/// Throws moorea::Error for a world that such a page does not run.
void require_exportable(const moorea::WorldSpec& world);

/// The world is exportable. Throws moorea::Error for too many or too distant cells.
ExportedPage make_export_page(const moorea::Simulation& simulation, const std::string& title);

}  // namespace app
