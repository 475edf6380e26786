// SPDX-License-Identifier: MIT
#include "cli/out_of_core.h"

#include <fmt/core.h>

#include <cstdlib>
#include <utility>

#include "cli/numbers.h"
#include "moorea/support/bytes.h"

namespace app {
namespace {

constexpr std::int64_t max_rows = std::int64_t{1} << 60, max_generations_a_visit = 1 << 20;

double parse_host_share(const std::string& text) {
  char* end = nullptr;
  const double share = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(share > 0 && share <= 1))
    usage(fmt::format("--host-share \"{}\": expected a number above 0, at most 1", text));
  return share;
}

}  // namespace

void add_out_of_core_options(Command& command, EngineOptions& options) {
  command.add_flag(
      "--out-of-core", options.out_of_core,
      "Keep the rows that exceed the device's memory in the machine's memory; they pass through the "
      "device in bands. Slower than in the device's memory: see docs/many-devices.md");
  command
      .add_option(
          "--device-memory", options.device_memory,
          "With --out-of-core: memory of the device that the world may take, such as 4G. Default: 90 % of "
          "the available memory")
      .type_name("BYTES");
  command
      .add_option(
          "--host-share", options.host_share,
          "With --out-of-core: share of the rows that stay in the machine's memory, above 0 and at most 1. "
          "Default: what exceeds --device-memory")
      .type_name("P");
  command
      .add_option(
          "--band-rows", options.band_rows,
          "With --out-of-core: maximum number of rows in a band. Default: 8192 or 2^31 cells, if more, "
          "and at least six bands")
      .type_name("N");
  command
      .add_option(
          "--generations-per-visit", options.generations_a_visit,
          "With --out-of-core: generations that a band advances on the device, at most its rows. Default: a "
          "43rd of the band's rows, 4 to 256")
      .type_name("N");
}

std::optional<moorea::OutOfCore> EngineOptions::out_of_core_options() const {
  const std::pair<const char*, const std::string&> details[] = {
      {"--device-memory", device_memory},
      {"--host-share", host_share},
      {"--band-rows", band_rows},
      {"--generations-per-visit", generations_a_visit}};
  if (!out_of_core) {
    for (const auto& [name, value] : details)
      if (!value.empty())
        usage(fmt::format("{} is for worlds that are out of core: add --out-of-core", name));
    return std::nullopt;
  }
  moorea::OutOfCore result;
  if (!device_memory.empty()) result.device_memory = moorea::parse_bytes(device_memory, "device memory");
  if (!host_share.empty()) result.host_share = parse_host_share(host_share);
  if (!band_rows.empty()) result.band_rows = parse_from_one(band_rows, "--band-rows", max_rows);
  if (!generations_a_visit.empty()) {
    result.generations_a_visit = static_cast<int>(
        parse_from_one(generations_a_visit, "--generations-per-visit", max_generations_a_visit));
  }
  return result;
}

Json out_of_core_json(const moorea::OutOfCorePlan& plan) {
  const double rows = static_cast<double>(plan.host_rows + plan.resident_rows);
  return {{"host_rows", plan.host_rows},
          {"resident_rows", plan.resident_rows},
          {"resident_share", static_cast<double>(plan.resident_rows) / rows},
          {"bands", plan.bands},
          {"band_rows", plan.band_rows},
          {"bands_at_once", plan.bands_at_once},
          {"generations_a_visit", plan.generations_a_visit},
          {"device_bytes", plan.device_bytes}};
}

std::string out_of_core_text(const std::optional<moorea::OutOfCorePlan>& plan) {
  if (!plan) return "";
  if (plan->bands == 0) return "  memory  all rows in the device's memory: nothing is out of core\n";
  return fmt::format("  memory  {} rows on the host in {}, {} in the device's memory; {} per visit\n",
                     plan->host_rows, counted(static_cast<std::uint64_t>(plan->bands), "band"),
                     plan->resident_rows,
                     counted(static_cast<std::uint64_t>(plan->generations_a_visit), "generation"));
}

}  // namespace app
