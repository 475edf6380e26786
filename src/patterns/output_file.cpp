// SPDX-License-Identifier: MIT
#include "moorea/support/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "moorea/error.h"
#include "patterns/files.h"

namespace moorea {
namespace {

std::atomic<int> output = STDOUT_FILENO;

}  // namespace

int output_descriptor() { return output; }

void separate_output() {
  if (output != STDOUT_FILENO || ::isatty(STDOUT_FILENO) != 0) return;
  std::fflush(stdout);
  const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Error(std::string("standard output cannot be kept apart: ") + std::strerror(errno));
  output = own;
}

struct OutputFile::State {
  explicit State(const std::string& path) : sink(path) {}
  patterns::FileSink sink;
};

OutputFile::OutputFile(const std::string& path) {
  patterns::check_can_create(path);
  state_ = std::make_unique<State>(path);
}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) { state_->sink.write(text); }
void OutputFile::finish() { state_->sink.finish(); }
int OutputFile::descriptor() const { return state_->sink.descriptor(); }

}  // namespace moorea
