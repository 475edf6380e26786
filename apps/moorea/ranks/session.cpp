// SPDX-License-Identifier: MIT
#include "ranks/session.h"

#include <exception>
#include <new>

namespace app {
namespace {

constexpr int text_tag = 5;

int failed(moorea::MpiSession& session, const std::string& text, moorea::ErrorKind kind) {
  session.link()->raise(text, kind);
  const int exit = was_signalled() ? interruption_exit() : exit_code(kind);
  session.end_failed(exit, [&] {
    unmute();
    say_error(text);
  });
  return exit;
}

}  // namespace

int over_ranks(double patience, const std::function<int(moorea::MpiSession&)>& body) {
  moorea::MpiSession session(patience);
  int exit = run_error;
  try {
    exit = body(session);
    wait_for_ranks(*session.link());  // one of them may still fail
  } catch (const moorea::Error& error) {
    return failed(session, error.what(), error.kind());
  } catch (const std::bad_alloc&) {
    return failed(session, "out of memory", moorea::ErrorKind::memory);
  } catch (const std::exception& error) {
    return failed(session, error.what(), moorea::ErrorKind::run);
  }
  session.end();
  return exit;
}

std::vector<std::string> gather_texts(moorea::RankLink& link, const std::string& text) {
  const auto length = static_cast<std::size_t>(max_of_ranks(link, text.size()));
  std::string padded = text;
  padded.resize(length);
  if (link.rank() != 0) {
    const moorea::Outgoing out = {0, text_tag, std::as_bytes(std::span(padded))};
    link.transfer({&out, 1}, {});
    return {};
  }
  std::vector<std::string> texts(static_cast<std::size_t>(link.size()), padded);
  std::vector<moorea::Incoming> in;
  for (int rank = 1; rank < link.size(); ++rank)
    in.push_back({rank, text_tag, std::as_writable_bytes(std::span(texts[static_cast<std::size_t>(rank)]))});
  link.transfer({}, in);
  for (std::string& each : texts) each.resize(each.find_last_not_of('\0') + 1);
  return texts;
}

}  // namespace app
