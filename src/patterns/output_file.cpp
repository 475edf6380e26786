// SPDX-License-Identifier: MIT
#include "moorea/support/output_file.h"

#include "patterns/files.h"

namespace moorea {

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
