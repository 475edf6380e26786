// SPDX-License-Identifier: MIT
// Kernels from users' files: valid declarations, errors with their lines, and the examples compile, those for
// GPUs included.
#include "choose/kernel_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "devices/cuda.h"
#include "devices/opencl.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/instruments.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

const std::string examples = MOOREA_SOURCE_DIR "/examples/kernels/";

class KernelFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "moorea-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Each call writes a separate file, because a path is read once
  std::string file(const std::string& ending, const std::string& text) {
    const std::filesystem::path path = folder_ / (std::to_string(files_++) + ending);
    std::ofstream(path) << text;
    return path.string();
  }

  // Returns the error for such a file, without its path.
  std::string error_of(const std::string& ending, const std::string& text) {
    const std::string path = file(ending, text);
    try {
      kernel_from_file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::run);
      const std::string what = error.what();
      const std::size_t at = what.find(path);
      EXPECT_NE(at, std::string::npos) << what;
      return what.substr(at + path.size());
    }
    return "";
  }

 private:
  std::filesystem::path folder_;
  int files_ = 0;
};

TEST_F(KernelFiles, AreKnownByTheirEndings) {
  EXPECT_TRUE(is_kernel_file("mine.cpp"));
  EXPECT_TRUE(is_kernel_file("a/mine.cu"));
  EXPECT_TRUE(is_kernel_file("mine.cl"));
  for (const char* name : {"cpu/bits", "mine.c", ".cpp", "mine", "", "cuda/strided"})
    EXPECT_FALSE(is_kernel_file(name)) << name;
}

const kernels::CudaBinding& cuda_binding(const kernels::Kernel& kernel) {
  return std::get<kernels::CudaBinding>(kernel.file->binding);
}

TEST_F(KernelFiles, SayWhatTheyAre) {
  const kernels::Kernel& cpp =
      *kernel_from_file(file(".cpp",
                             "// @summary mine\n// @layout bits\n// @steps 3\n// @tile 128x16\r\n"
                             "#include <moorea/kernel.h>\n"
                             "extern \"C\" void advance(const moorea::kernels::Block&) {}\n"))
           .kernel;
  EXPECT_STREQ(cpp.summary, "mine");
  EXPECT_EQ(cpp.layout, kernels::Layout::bits);
  EXPECT_EQ(cpp.max_steps, 3);
  const auto& block = std::get<kernels::BlockContract>(cpp.contract);
  EXPECT_EQ(block.tile.width, 128);
  EXPECT_EQ(block.tile.height, 16);
  EXPECT_FALSE(block.wraps);
  const kernels::Kernel& cuda =
      *kernel_from_file(file(".cu", "// @layout ints\n// @block 64x2\n// @item 4x1\n// @wraps 1\n")).kernel;
  EXPECT_EQ(cuda.layout, kernels::Layout::ints);
  const auto& launched = std::get<kernels::CudaContract>(cuda.contract);
  EXPECT_EQ(launched.block.width, 64);
  EXPECT_EQ(launched.block.height, 2);
  EXPECT_EQ(cuda_binding(cuda).item.width, 4);
  EXPECT_TRUE(launched.wraps);
  const kernels::Kernel& opencl =
      *kernel_from_file(file(".cl", "// @group 16x2\n// @item 8x1\n// @layout strided\n// @lanes 32\n"))
           .kernel;
  EXPECT_EQ(opencl.layout, kernels::Layout::strided);
  const auto& grouped = std::get<kernels::OpenClContract>(opencl.contract);
  EXPECT_EQ(grouped.lanes, 32);
  EXPECT_EQ(std::get<kernels::OpenClBinding>(opencl.file->binding).item.width, 8);
  EXPECT_EQ(grouped.block.height, 2);
}

TEST_F(KernelFiles, AreReadOnce) {
  const std::string path = file(".cu", "// @block 64x2\n");
  const kernels::TableEntry& first = kernel_from_file(path);
  EXPECT_EQ(&first, &kernel_from_file(path));
  EXPECT_EQ(first.name, path);
}

TEST_F(KernelFiles, MistakesHaveTheirLine) {
  EXPECT_EQ(error_of(".cpp", "\n// @block 32x4\n"),
            ":2: there is no line \"// @block\" in .cpp files, only @summary, @layout, @rule, @steps, @tile, "
            "@wraps, @skips");
  EXPECT_EQ(error_of(".cu", "// @layout bits\n\n// @layout bits\n"), ":3: \"// @layout\" is said twice");
  EXPECT_EQ(error_of(".cu", "// @layout tiles\n"), ":1: @layout \"tiles\": expected bytes, bits or ints");
  EXPECT_EQ(error_of(".cl", "// @layout ints\n"), ":1: @layout \"ints\": expected bytes, bits or strided");
  EXPECT_EQ(error_of(".cpp", "// @layout\n"), ":1: @layout \"\": expected bytes or bits");
  EXPECT_EQ(error_of(".cpp", "// @steps 65\n"), ":1: @steps \"65\": expected 1 to 64");
  EXPECT_EQ(error_of(".cpp", "// @steps 2x\n"), ":1: @steps \"2x\": expected 1 to 64");
  EXPECT_EQ(error_of(".cpp", "// @wraps yes\n"), ":1: @wraps \"yes\": expected 1, or 0 as without this line");
  EXPECT_EQ(error_of(".cu", "// @block 64x32\n"), ":1: @block \"64x32\": a block has at most 1024 threads");
  EXPECT_EQ(error_of(".cu", "// @item 0x1\n"),
            ":1: @item \"0x1\": expected columns x rows as in 32x4, each 1 to 65536");
  EXPECT_EQ(error_of(".cpp", "// @layout bits\n// @tile 100x4\n"),
            ":2: @tile \"100x4\": expected columns x rows as in 64x4, each 1 to 1073741824, the columns a "
            "multiple of 64");
  EXPECT_EQ(error_of(".cpp", "// @skips 1\n"),
            ":1: @skips \"1\": a kernel that leaves tiles out has a line @tile");
  EXPECT_EQ(error_of(".cl", "// @item 1x1\n"), ": there is no line that begins with \"// @group\"");
  EXPECT_EQ(error_of(".cl", "// @group 1x1\n"), ": there is no line that begins with \"// @item\"");
  EXPECT_EQ(error_of(".cl", "// @group 1x1\n// @item 1x1\n// @word 64\n"),
            ":3: @word \"64\": expected 32 or 512");
  EXPECT_EQ(error_of(".cl", "// @group 1x1\n// @item 1x1\n// @steps 2\n"),
            ":3: @steps \"2\": only kernels of the strided layout have a halo for several");
  EXPECT_EQ(error_of(".cu", ""), ": is empty");
  // Variants of such a line are recognised
  EXPECT_EQ(error_of(".cu", "\xEF\xBB\xBF// @layout x\n"), ":1: @layout \"x\": expected bytes, bits or ints");
  EXPECT_EQ(error_of(".cu", "//@layout x\n"), ":1: @layout \"x\": expected bytes, bits or ints");
  EXPECT_EQ(error_of(".cu", "  /// @layout x\n"), ":1: @layout \"x\": expected bytes, bits or ints");
  EXPECT_EQ(error_of(".cu", "/// @param x\n"), "");
  const std::string rule = error_of(".cu", "// @rule B3/S29\n");
  EXPECT_TRUE(rule.starts_with(":1: @rule \"B3/S29\": ")) << rule;
}

TEST_F(KernelFiles, WithoutTheFunction) {
  EXPECT_EQ(error_of(".cpp", "int other;\n"),
            " has no function advance; it is declared extern \"C\" void advance(const Block& block)");
}

TEST_F(KernelFiles, AreForOneRuleIfTheySaySo) {
  const std::string path = examples + "mine_bits.cpp";
  EXPECT_TRUE(kernel_info(path, Rule::parse("Life")).runs);
  const KernelInfo info = kernel_info(path, Rule::parse("HighLife"));
  EXPECT_FALSE(info.runs);
  EXPECT_EQ(info.reason, "its line @rule says that it is for B3/S23");
  EXPECT_EQ(info.backend, Backend::cpu);
}

TEST_F(KernelFiles, AreErrorsWithTheCompilersWords) {
  const std::string path = file(".cpp", "#include <moorea/kernel.h>\n\nint x = \"text\";\n");
  try {
    kernel_from_file(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path + ":3:9: error"), std::string::npos) << error.what();
  }
}

// Kernels that skip, and those that compute several steps, obey the same contract as those of the table.
TEST_F(KernelFiles, MaySkipTilesAndTakeSteps) {
  const std::string cell =
      "static unsigned cell(const Block& b, std::int64_t x, std::int64_t y) {\n"
      "  unsigned n = 0;\n"
      "  for (int dy = -1; dy <= 1; ++dy)\n"
      "    for (int dx = -1; dx <= 1; ++dx) n += row_from<std::uint8_t>(b, y + dy)[x + dx];\n"
      "  const unsigned at = row_from<std::uint8_t>(b, y)[x];\n"
      "  return next_cell_state(b.rule, at, n - at);\n"
      "}\n";
  const std::string lazy = file(".cpp",
                                "// @tile 16x16\n// @skips 1\n#include <moorea/kernel.h>\n"
                                "using namespace moorea::kernels;\n" +
                                    cell +
                                    "extern \"C\" void advance(const Block& b) {\n"
                                    "  for (std::int64_t y = 0; y < b.height; ++y)\n"
                                    "    for (std::int64_t x = 0; x < b.width; ++x) {\n"
                                    "      std::uint8_t& to = row_to<std::uint8_t>(b, y)[x];\n"
                                    "      const unsigned next = cell(b, x, y);\n"
                                    "      if (to != next) *b.changed = true;\n"
                                    "      to = next;\n"
                                    "    }\n"
                                    "}\n");
  Options reference, mine;
  reference.kernel = "cpu/reference";
  mine.kernel = lazy;
  Simulation a({}, Topology::torus, Grid::random(200, 100, 0.3, 1), reference),
      b({}, Topology::torus, Grid::random(200, 100, 0.3, 1), mine);
  a.step(1000);
  b.step(1000);
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_GT(tile_counts(b).skipped, 0u);

  // Three generations per call, which use up the halo; and a kernel that finds its neighbours itself
  const std::string deep = file(".cpp",
                                "// @steps 3\n#include <moorea/kernel.h>\n#include <vector>\n"
                                "using namespace moorea::kernels;\n" +
                                    cell +
                                    "extern \"C\" void advance(const Block& b) {\n"
                                    "  const std::int64_t pitch = b.width + 6;\n"
                                    "  std::vector<std::uint8_t> a(pitch * (b.height + 6)), c = a;\n"
                                    "  for (std::int64_t y = -b.steps; y < b.height + b.steps; ++y)\n"
                                    "    for (std::int64_t x = -b.steps; x < b.width + b.steps; ++x)\n"
                                    "      a[(y + 3) * pitch + x + 3] = row_from<std::uint8_t>(b, y)[x];\n"
                                    "  for (int left = b.steps - 1; left >= 0; --left, a.swap(c)) {\n"
                                    "    Block part = b;\n"
                                    "    part.from = &a[3 * pitch + 3], part.pitch = pitch;\n"
                                    "    for (std::int64_t y = -left; y < b.height + left; ++y)\n"
                                    "      for (std::int64_t x = -left; x < b.width + left; ++x)\n"
                                    "        c[(y + 3) * pitch + x + 3] = cell(part, x, y);\n"
                                    "  }\n"
                                    "  for (std::int64_t y = 0; y < b.height; ++y)\n"
                                    "    for (std::int64_t x = 0; x < b.width; ++x)\n"
                                    "      row_to<std::uint8_t>(b, y)[x] = a[(y + 3) * pitch + x + 3];\n"
                                    "}\n");
  const std::string wraps =
      file(".cpp",
           "// @wraps 1\n#include <moorea/kernel.h>\n"
           "using namespace moorea::kernels;\n"
           "extern \"C\" void advance(const Block& b) {\n"
           "  const World& w = b.world;\n"
           "  const auto alive = [&](std::int64_t x, std::int64_t y) -> unsigned {\n"
           "    if (!w.torus && (x < 0 || y < 0 || x >= w.width || y >= w.height)) return 0;\n"
           "    x = (x + w.width) % w.width, y = (y + w.height) % w.height;\n"
           "    return row_from<std::uint8_t>(b, y - b.y)[x - b.x];\n"
           "  };\n"
           "  for (std::int64_t y = b.y; y < b.y + b.height; ++y)\n"
           "    for (std::int64_t x = b.x; x < b.x + b.width; ++x) {\n"
           "      unsigned n = 0;\n"
           "      for (int d = 0; d < 9; ++d)\n"
           "        if (d != 4) n += alive(x + d % 3 - 1, y + d / 3 - 1);\n"
           "      row_to<std::uint8_t>(b, y - b.y)[x - b.x] = next_cell_state(b.rule, alive(x, y), n);\n"
           "    }\n"
           "}\n");
  for (const std::string& path : {deep, wraps}) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      Options other;
      other.kernel = path;
      other.threads = 2;
      const Grid start = Grid::random(70, 45, 0.4, 2);
      Simulation c({}, topology, start, reference), d({}, topology, start, other);
      c.step(40);
      d.step(40);
      EXPECT_EQ(c.hash(), d.hash()) << path << ", " << to_string(topology);
    }
  }
}

TEST_F(KernelFiles, ForGpusCompile) {
  if (cuda_compiler_unavailable_reason() != nullptr) GTEST_SKIP() << cuda_compiler_unavailable_reason();
  for (const char* name : {"mine.cu", "mine_bits.cu"}) {
    const kernels::TableEntry& entry = kernel_from_file(examples + name);
    EXPECT_FALSE(compile_for_gpu(*cuda_binding(*entry.kernel).file_source, Rule(), 90).empty());
  }
  const std::string path = file(".cu", "#include <moorea/kernel.h>\n\n__device__ int x = foo;\n");
  try {
    compile_for_gpu(*cuda_binding(*kernel_from_file(path).kernel).file_source, Rule(), 90);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path + "(3): error"), std::string::npos) << error.what();
  }
}

// Each example against the definition's kernel, on worlds with odd widths.
TEST_F(KernelFiles, OfTheExamplesAreRight) {
  for (const char* name : {"mine.cpp", "mine_bits.cpp", "mine.cl", "mine.cu", "mine_bits.cu"}) {
    const std::string path = examples + name;
    const KernelInfo info = kernel_info(path);
    if (!info.runs) {
      EXPECT_TRUE((info.backend == Backend::cuda &&
                   (cuda_unavailable_reason() != nullptr || cuda_compiler_unavailable_reason() != nullptr)) ||
                  (info.backend == Backend::opencl && opencl_unavailable_reason() != nullptr))
          << info.reason;
      continue;
    }
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      Options reference, mine;
      reference.kernel = "cpu/reference";
      mine.kernel = path;
      Simulation a({}, topology, Grid::random(301, 77, 0.5, 1), reference),
          b({}, topology, Grid::random(301, 77, 0.5, 1), mine);
      a.step(50);
      b.step(50);
      EXPECT_EQ(a.hash(), b.hash()) << name;
      EXPECT_EQ(b.kernel(), path);
    }
  }
}

}  // namespace
}  // namespace moorea
