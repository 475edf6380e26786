// SPDX-License-Identifier: MIT
#include "report/parquet.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "cli/app.h"
#include "moorea/error.h"
#include "moorea/support/output_file.h"
#include "moorea/support/process.h"

namespace app {
namespace {

// Arguments: the CSV file and the rules as JSON. Descriptor 3 is the output.
constexpr const char* script = R"(
import os, sys
import numpy, pyarrow
from pyarrow import csv, parquet
names = open(sys.argv[1]).readline().strip().split(",")
kinds = {n: pyarrow.string() if n == "hash" else pyarrow.int64() if n in ("x", "y") else pyarrow.uint64() for n in names}
schema = pyarrow.schema([(n, pyarrow.uint64() if n == "hash" else kinds[n]) for n in names],
                        metadata={"rules": sys.argv[2]} if sys.argv[2] != "[]" else None)
def numbers(column):
    texts = column.to_pylist()
    return pyarrow.array(numpy.frombuffer(bytes.fromhex("".join(t.zfill(16) for t in texts)), ">u8").astype("u8"))
with os.fdopen(3, "wb") as file, parquet.ParquetWriter(file, schema) as writer:
    for batch in csv.open_csv(sys.argv[1], csv.ReadOptions(block_size=1 << 24), convert_options=csv.ConvertOptions(column_types=kinds)):
        columns = [numbers(c) if n == "hash" else c for n, c in zip(names, batch.columns)]
        writer.write_batch(pyarrow.record_batch(columns, schema=schema))
)";

struct PythonEnd {
  moorea::ProcessEnd end;
  std::string said;  // its messages
};

// Runs a script by the python3 of PATH. Throws std::system_error if there is none.
PythonEnd run_python(const char* code, const std::vector<std::string>& arguments, int output) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> words(std::tmpfile(), std::fclose);
  if (!words) throw moorea::Error(fmt::format("no temporary file can be made: {}", std::strerror(errno)));
  moorea::ProcessCommand command;
  command.words = {"python3", "-c", code};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  command.descriptors = {{fileno(words.get()), STDOUT_FILENO}, {fileno(words.get()), STDERR_FILENO}};
  if (output >= 0) command.descriptors.push_back({output, 3});
  PythonEnd result;
  result.end = moorea::Process(command).wait();
  std::rewind(words.get());
  result.said.resize(1 << 12);
  result.said.resize(std::fread(result.said.data(), 1, result.said.size(), words.get()));
  return result;
}

}  // namespace

void require_parquet(const std::string& path) {
  std::string reason;
  try {
    const PythonEnd python = run_python("import numpy, pyarrow.csv, pyarrow.parquet", {}, -1);
    if (python.end.succeeded()) return;
    reason = "python3 has no pyarrow";
  } catch (const std::system_error& error) {
    reason = fmt::format("cannot run python3: {}", error.code().message());
  }
  throw moorea::Error(
      fmt::format(
          "{}: Parquet files are written by Python's pyarrow, and {}; install it (python3 -m pip install "
          "pyarrow, in a virtual environment that is activated), or choose a name that ends in .csv or "
          ".npz",
          path, reason),
      moorea::ErrorKind::unavailable);
}

void write_parquet(const std::string& path, const std::string& csv, const std::vector<std::string>& rules) {
  moorea::OutputFile file(path);
  const PythonEnd python = run_python(script, {csv, Json(rules).dump()}, file.descriptor());
  if (!python.end.succeeded()) {
    throw moorea::Error(fmt::format("{}: pyarrow did not make it ({}); the rows are in {}\n{}", path,
                                    python.end.str(), csv, python.said));
  }
  file.finish();
}

}  // namespace app
