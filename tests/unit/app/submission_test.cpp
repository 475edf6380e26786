// SPDX-License-Identifier: MIT
#include "report/submission.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/submitted.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace app {
namespace {

Json row_of(const char* device, int width, bool busy) {
  return {{"kernel", "auto"}, {"device", device}, {"rule", "B3/S23"},        {"width", width},
          {"height", width},  {"threads", 2},     {"cells_per_second", 1e9}, {"spread", 0.01},
          {"busy", busy},     {"cpu_taken", 0.4}};
}

Json document_of(const Json& rows) {
  return {{"machine",
           {{"system", "Linux"},
            {"devices",
             {{{"name", "cpu"}, {"description", "A CPU"}}, {{"name", "cuda:0"}, {"description", "A GPU"}}}}}},
          {"version", "0.1"},
          {"revision", "0123456789ab"},
          {"compiler", "c++"},
          {"date", "2026-11-25T00:00:00Z"},
          {"ceilings", {{{"device", "cpu"}, {"copy_bytes_per_second", 3e10}}}},
          {"results", rows}};
}

TEST(Submission, IsALineForEachDevice) {
  // As they were measured: both devices in a size before both in another one
  const auto lines = submissions(
      document_of({row_of("cpu", 64, false), row_of("cuda:0", 64, false), row_of("cpu", 128, false)}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["device"], "A CPU");
  EXPECT_EQ(lines[0]["copy_bytes_per_second"], 3e10);
  EXPECT_EQ(lines[0]["threads"], 2);
  EXPECT_FALSE(lines[1].contains("threads"));
  ASSERT_EQ(lines[0]["speeds"].size(), 2u);
  EXPECT_EQ(lines[0]["speeds"][1]["width"], 128);
  EXPECT_EQ(lines[1]["device"], "A GPU");
  EXPECT_TRUE(lines[1]["copy_bytes_per_second"].is_null());
  EXPECT_EQ(lines[1]["revision"], "0123456789ab");
}

TEST(Submission, MeasuresEachDeviceWithItsKernels) {
  Selection selection;
  std::size_t devices = 0;
  selection.devices.clear();
  for (const moorea::DeviceInfo& device : moorea::list_devices()) {
    if (!device.name.starts_with("cpu") && devices == 2) continue;
    selection.devices.push_back(device.name);
    ++devices;
  }
  selection.sizes = {"64", "128"};
  selection.rules.clear();
  complete(selection, selection_to_submit());
  EXPECT_EQ(selection.sizes, (std::vector<std::string>{"64", "128"}));
  EXPECT_EQ(selection.rules, (std::vector<std::string>{"Life", "Anneal"}));
  const Combined combined = combine_to_submit(selection);
  EXPECT_EQ(combined.configurations.size(), devices * 2 * 2);  // sizes and rules
  for (const Configuration& each : combined.configurations) {
    EXPECT_EQ(each.problem, "") << each.options.device;
    EXPECT_EQ(moorea::backend_of_device(each.options.device), each.kernel.backend);
  }
  selection.kernels = {"cpu/bits"};
  EXPECT_EQ(combine_to_submit(selection).configurations.size(), 4u);
  for (const Configuration& each : combine_to_submit(selection).configurations)
    EXPECT_EQ(each.options.device, "cpu");
  // What is selected remains, although it is the default of other runs
  Selection defaults;
  complete(defaults, selection_to_submit());
  EXPECT_EQ(defaults.rules, Selection().rules);
  EXPECT_EQ(defaults.sizes, Selection().sizes);
  EXPECT_EQ(defaults.devices, Selection().devices);
}

TEST(Submission, RefusesWhatWasDisturbed) {
  const auto error_of = [](const Json& rows) -> std::string {
    try {
      submissions(document_of(rows));
    } catch (const moorea::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(Json::array()), "--submit: nothing was measured");
  EXPECT_NE(error_of({row_of("cpu", 64, false), row_of("cpu", 128, true)}).find("measure again"),
            std::string::npos);
}

}  // namespace
}  // namespace app
