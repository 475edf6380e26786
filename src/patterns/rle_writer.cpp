// SPDX-License-Identifier: MIT
#include "patterns/rle_writer.h"

#include <fmt/core.h>

#include "patterns/pattern_rule.h"
#include "patterns/rle_states.h"
#include "patterns/text.h"

namespace moorea::patterns {
namespace {

void write_comments(const Pattern& pattern, Sink& sink) {
  if (!pattern.name.empty()) sink.write("#N " + one_line(pattern.name) + "\n");
  if (!pattern.author.empty()) sink.write("#O " + one_line(pattern.author) + "\n");
  for (const std::string& comment : pattern.comments) sink.write(comment_line("#C", comment));
  if (pattern.position || pattern.generation != 0) {
    std::string line = "#CXRLE";
    if (pattern.position) line += fmt::format(" Pos={},{}", pattern.position->x, pattern.position->y);
    if (pattern.generation != 0) line += fmt::format(" Gen={}", pattern.generation);
    sink.write(line + "\n");
  }
}

}  // namespace

RleWriter::RleWriter(const Pattern& facts, Size size, Sink& sink)
    : sink_(sink), has_states_(facts.states.has_value()) {
  write_comments(facts, sink);
  const std::optional<Rule> rule = rule_of(facts);
  sink.write(fmt::format("x = {}, y = {}, rule = {}\n", size.width, size.height,
                         facts.rule.empty() ? Rule().str()
                         : rule             ? one_line(notation_of(facts, *rule))
                                            : one_line(facts.rule)));
  if (rule) rule_text_ = rule->definition();
}

void RleWriter::run(std::int64_t x, std::int64_t y, std::int64_t length, int state) {
  if (y > y_) {
    put(y - y_, "$");
    y_ = y;
    x_ = 0;
  }
  put_cells(x - x_, 0);
  put_cells(length, state);
  x_ = x + length;
}

void RleWriter::finish() {
  // One more dead cell says that "B" and "O" are states, not "b" and "o"
  if (has_ambiguous_letter_ && !has_state_letter_) put_cells(1, 0);
  put(1, "!");
  end_line();
  if (rule_text_.empty()) return;
  sink_.write("\n" + rule_text_ + (rule_text_.ends_with('\n') ? "" : "\n"));
}

void RleWriter::put_cells(std::int64_t count, int state) {
  if (count == 0) return;
  if (!has_states_) {
    put(count, state == 0 ? "b" : "o");
    return;
  }
  const std::string letters = rle_state_text(state);
  (letters == "B" || letters == "O" ? has_ambiguous_letter_ : has_state_letter_) = true;
  put(count, letters);
}

void RleWriter::put(std::int64_t count, std::string_view tag) {
  const std::string run = count == 1 ? std::string(tag) : fmt::format("{}{}", count, tag);
  if (line_.size() + run.size() > 70) end_line();
  line_ += run;
}

void RleWriter::end_line() {
  line_ += '\n';
  sink_.write(line_);
  line_.clear();
}

}  // namespace moorea::patterns
