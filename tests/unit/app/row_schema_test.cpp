// SPDX-License-Identifier: MIT
#include "report/row_schema.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "report/csv.h"

namespace app {
namespace {

TEST(RowSchema, IsTheTableOfTheDocument) {
  std::ifstream file(std::string(MOOREA_SOURCE_DIR) + "/docs/laboratory.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string begin = "<!-- table: made by moorea bench --keys -->\n\n",
                    end = "\n<!-- end of table -->";
  const std::size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(page.substr(from + begin.size(), to - from - begin.size()), row_schema_table())
      << "docs/laboratory.md is stale: replace its table by the output of moorea bench --keys";
}

TEST(RowSchema, HasEachKeyAndEachColumnOnce) {
  std::set<std::string> names, columns;
  for (const RowKey& key : row_schema()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_NE(std::string(key.meaning), "") << key.name;
    for (const CsvColumn& column : key.columns)
      EXPECT_TRUE(columns.insert(*column.name != '\0' ? column.name : key.name).second) << key.name;
  }
}

// Columns that scripts of others may read: this list only grows.
TEST(RowSchema, ColumnsOfTheCsvStay) {
  EXPECT_EQ(csv({{"results", Json::array()}}),
            "kernel,device,rule,topology,width,height,start,after,threads,tile_width,tile_height,schedule,"
            "placement,block_width,block_height,bytes_per_thread,generations_per_pass,generations,samples,"
            "median_seconds,spread,noise,generations_per_second,cells_per_second,bytes_per_second,"
            "part_of_copy_bandwidth,part_of_logic_throughput,registers_per_thread,occupancy,"
            "joules_per_billion_updates,checked_with,busy,discarded_samples,cpu_taken,fixed_generations,"
            "died_after,relative_to,times_reference,mesh,adjacency,numbering,bytes_per_cell,"
            "mean_megahertz,min_megahertz,max_megahertz,mean_of_min_megahertz,mean_of_max_megahertz,"
            "megahertz_deviation,wide_share,shares\n");
}

TEST(RowSchema, WritesWhatItReads) {
  ResultRow row;
  row.kernel = "cpu/bits";
  row.width = 64;
  row.tiling = {{"width", 16}, {"height", 8}, {"schedule", "static"}, {"placement", "none"}};
  row.registers_per_thread = 40;
  row.sample_seconds = {0.5, 0.25};
  row.core_megahertz = {{"0", 3000.0}};
  row.asked = {{"kernel", "auto"}};
  const Json json = row_json(row);
  EXPECT_EQ(row_json(read_row(json)), json);
  EXPECT_TRUE(json.at("bytes_per_second").is_null());  // in every row
  EXPECT_TRUE(json.at("occupancy").is_null());         // with the registers
  EXPECT_FALSE(json.contains("block"));
  EXPECT_FALSE(row_json(ResultRow()).contains("occupancy"));
  const std::string table = csv({{"results", {json}}});
  EXPECT_NE(table.find("\ncpu/bits,,,,64,0,,0,0,16,8,static,none,,,,,0,0,"), std::string::npos) << table;
}

TEST(RowSchema, RequiresWhatEachRowHas) {
  Json json = row_json(ResultRow());
  json.erase("rounds");
  EXPECT_THROW(read_row(json), Json::exception);
  json["rounds"] = "three";
  EXPECT_THROW(read_row(json), Json::exception);
  json["rounds"] = 3;
  EXPECT_EQ(read_row(json).rounds, 3);
}

}  // namespace
}  // namespace app
