// SPDX-License-Identifier: MIT
#include "patterns/rle_writer.h"

#include <fmt/core.h>

#include "patterns/text.h"

namespace moorea::patterns {
namespace {

void write_comments(const Pattern& pattern, Sink& sink) {
  if (!pattern.name.empty()) sink.write("#N " + one_line(pattern.name) + "\n");
  if (!pattern.author.empty()) sink.write("#O " + one_line(pattern.author) + "\n");
  for (const std::string& comment : pattern.comments) sink.write("#C " + one_line(comment) + "\n");
  if (pattern.position || pattern.generation != 0) {
    std::string line = "#CXRLE";
    if (pattern.position) line += fmt::format(" Pos={},{}", pattern.position->x, pattern.position->y);
    if (pattern.generation != 0) line += fmt::format(" Gen={}", pattern.generation);
    sink.write(line + "\n");
  }
}

}  // namespace

RleWriter::RleWriter(const Pattern& facts, Size size, Sink& sink) : sink_(sink) {
  write_comments(facts, sink);
  sink.write(fmt::format("x = {}, y = {}, rule = {}\n", size.width, size.height,
                         facts.rule.empty() ? Rule().str() : one_line(facts.rule)));
}

void RleWriter::run(std::int64_t x, std::int64_t y, std::int64_t length) {
  if (y > y_) {
    put(y - y_, '$');
    y_ = y;
    x_ = 0;
  }
  put(x - x_, 'b');
  put(length, 'o');
  x_ = x + length;
}

void RleWriter::finish() {
  put(1, '!');
  end_line();
}

void RleWriter::put(std::int64_t count, char tag) {
  if (count == 0) return;
  const std::string run = count == 1 ? std::string(1, tag) : fmt::format("{}{}", count, tag);
  if (line_.size() + run.size() > 70) end_line();
  line_ += run;
}

void RleWriter::end_line() {
  line_ += '\n';
  sink_.write(line_);
  line_.clear();
}

}  // namespace moorea::patterns
