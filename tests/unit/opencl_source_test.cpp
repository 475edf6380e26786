// SPDX-License-Identifier: MIT
// What an OpenCL compiler says of a user's file is said in the file's own lines.
#include "devices/opencl/source.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace moorea::test
