// SPDX-License-Identifier: MIT
// Messages between the ranks of one run, from the first to the last.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/app.h"
#include "moorea/mpi_session.h"

namespace app {

/// Calls body(session) and returns its exit code, the same on all ranks: an error of one rank ends all, and
/// one rank reports it. Throws moorea::Error if MPI cannot be started.
int over_ranks(double patience, const std::function<int(moorea::MpiSession&)>& body);

/// The texts of all ranks on rank 0, by rank; nothing on the others.
std::vector<std::string> gather_texts(moorea::RankLink& link, const std::string& text);

}  // namespace app
