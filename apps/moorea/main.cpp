// SPDX-License-Identifier: MIT
#include <iostream>
#include <new>

#include "app.h"
#include "moorea/error.h"
#include "moorea/inventory.h"

namespace {

int exit_code(moorea::ErrorKind kind) {
  switch (kind) {
    case moorea::ErrorKind::usage:
      return app::usage_error;
    case moorea::ErrorKind::unavailable:
      return app::unavailable;
    case moorea::ErrorKind::run:
      break;
  }
  return app::run_error;
}

// An empty value is most often a variable that is not set; taken for "not given" it would lose what was asked
// for.
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() > 0) {
      option->check(
          [](const std::string& value) { return value.empty() ? std::string("is empty") : std::string(); });
    }
  }
  for (CLI::App* sub : command.get_subcommands({})) refuse_empty_values(*sub);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App parser{
      "Moorea runs two-dimensional cellular automata: give it a rule and a pattern, it returns exact "
      "generations."};
  parser.name("moorea");
  parser.set_version_flag("--version",
                          [] { return "moorea " + moorea::version() + ", revision " + moorea::revision(); });
  parser.require_subcommand(1);
  parser.footer(
      "Start here:\n"
      "  moorea run patterns/acorn.rle -g 5206     run a pattern\n"
      "  moorea info --rules                       rules with names\n"
      "  moorea COMMAND --help                     what a command can do, with examples\n"
      "Exit codes: 0 done, 1 a file or the run failed, 2 wrong usage, 3 results differ, 4 kernel or device\n"
      "unavailable, 130 interrupted.");
  std::vector<std::pair<const CLI::App*, app::Action>> commands;
  for (const auto& add : {app::add_run, app::add_info, app::add_convert, app::add_kernels, app::add_verify,
                          app::add_bench, app::add_compare, app::add_reduce, app::add_completion}) {
    app::Action action = add(parser);
    commands.emplace_back(parser.get_subcommands({}).back(), std::move(action));
  }
  refuse_empty_values(parser);
  try {
    if (argc == 1) {
      app::print(parser.help());
      return app::usage_error;
    }
    try {
      parser.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      const int exit = parser.exit(error) == 0 ? app::ok : app::usage_error;
      app::print("");  // so that a help text that could not be written is an error
      return std::cout.flush() ? exit : app::run_error;
    }
    for (const auto& [command, action] : commands) {
      if (command->parsed()) return action();
    }
  } catch (const moorea::Error& error) {
    app::say(error.what());
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    app::say("out of memory");
    return app::run_error;
  }
  return app::usage_error;
}
