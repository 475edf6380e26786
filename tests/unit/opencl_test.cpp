// SPDX-License-Identifier: MIT
// Properties of OpenCL devices and error messages for users' files, apart from the worlds that they run.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "choose/kernel_table.h"
#include "devices/opencl.h"
#include "devices/opencl/source.h"
#include "jit/bound_kernel.h"

namespace moorea::test {
namespace {

TEST(OpenClSource, MessagesNameTheFilesLines) {
  const std::string text = "first\nsecond\n#line 1 \"mine.cl\"\nfile 1\nfile 2\n";
  EXPECT_EQ(
      opencl::with_lines_of_file("<kernel>:5:33: warning: nobody\n<kernel>:4:1: error", text, "mine.cl"),
      "mine.cl:2:33: warning: nobody\nmine.cl:1:1: error");
  EXPECT_EQ(opencl::with_lines_of_file("<kernel>:2:1: in what stands before", text, "mine.cl"),
            "<kernel>:2:1: in what stands before");
  EXPECT_EQ(opencl::with_lines_of_file("mine.cl:2: <kernel>:", text, "mine.cl"), "mine.cl:2: <kernel>:");
  EXPECT_EQ(opencl::with_lines_of_file("<kernel>:7", "a kernel of ours", "mine.cl"), "<kernel>:7");
}

// Gates are functions that are defined by their tables: NVIDIA's compiler accepts calls of others, and fails
// to link.
TEST(OpenClSource, GatesAreDefined) {
  const std::pair<const char*, const char*> kernels[] = {
      {"opencl/strided", "Life"},
      {"opencl/strided", "tlife"},
      {"opencl/states/strided", "WireWorld"},
      {"opencl/blocks/strided", "Critters"},
      {"opencl/blocks/strided", "BBM"},
      {"opencl/states/transitions", MOOREA_SOURCE_DIR "/bench/rules/Cyclic8.rule"}};
  const std::regex call("LUT3\\([a-z][^;()]*, (0x[0-9A-Fa-f]+)\\)");
  int calls = 0;
  for (const auto& [name, rule_name] : kernels) {
    const Rule rule = Rule::parse(rule_name);
    RuleCode code(rule);
    const kernels::Kernel& kernel = *named_kernel(name).kernel;
    const BoundKernel bound = bind_kernel(kernel, Topology::torus, code);
    ASSERT_EQ(bound.refusal(), nullptr) << name;
    const std::string text = opencl::kernel_text(std::get<kernels::OpenClBinding>(bound.binding), kernel,
                                                 rule, {32, 4}, kernels::OpenClTraits());
    for (std::sregex_iterator each(text.begin(), text.end(), call), end; each != end; ++each, ++calls)
      EXPECT_NE(text.find("GATE(" + (*each)[1].str() + ")\n"), std::string::npos)
          << name << ": " << each->str();
  }
  EXPECT_GT(calls, 20);
}

// Their worlds are accounted in the machine's memory, and a plane stops growing before that is full.
TEST(OpenClDevices, CpusHaveTheMachinesMemory) {
  const std::vector<DeviceInfo> devices = list_opencl();
  if (devices.empty()) GTEST_SKIP() << opencl_unavailable_reason();
  int cpus = 0;
  for (int i = 0; i < static_cast<int>(devices.size()); ++i) {
    if (!opencl_is_cpu(i)) continue;
    ++cpus;
    EXPECT_TRUE(opencl_in_main_memory(i)) << devices[i].description;
  }
  if (cpus == 0) GTEST_SKIP() << "no OpenCL device here is a CPU";
}

}  // namespace
}  // namespace moorea::test
