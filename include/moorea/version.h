// SPDX-License-Identifier: MIT
// Version of the headers, as macros for the preprocessor; version() is that of the library that runs.
#pragma once

#define MOOREA_VERSION_MAJOR 0
#define MOOREA_VERSION_MINOR 1
#define MOOREA_VERSION_PATCH 0

/// Increases with every version: MAJOR * 10000 + MINOR * 100 + PATCH.
#define MOOREA_VERSION (MOOREA_VERSION_MAJOR * 10000 + MOOREA_VERSION_MINOR * 100 + MOOREA_VERSION_PATCH)
