// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "cli/app.h"
#include "cli/child.h"
#include "cli/kernel_watch.h"
#include "commands/table.h"
#include "moorea/error.h"

namespace {

bool is_command(std::string_view name) {
  const auto commands = app::command_table();
  return std::ranges::find(commands, name, &app::TableCommand::name) != commands.end();
}

// "moorea help", "moorea help COMMAND" and "moorea version", which many programs have, as options.
std::vector<char*> arguments_of(int argc, char** argv) {
  static char help[] = "--help", version[] = "--version";
  std::vector<char*> arguments(argv, argv + argc);
  const std::string_view first = argc > 1 ? argv[1] : "";
  const std::string_view asked = first == "help" && argc > 2 ? argv[2] : first;
  const int end = first == "version" ? 2 : first == "help" ? 3 : argc;
  if (argc > end)
    throw moorea::Error(fmt::format("{}: unexpected argument \"{}\"", first, argv[end]),
                        moorea::ErrorKind::usage);
  if (first == "version" || asked == "version") {
    arguments = {argv[0], version};
  } else if (first == "help" && asked == "help") {
    arguments = {argv[0], help};
  } else if (first == "help") {
    arguments = {argv[0], argv[2]};
    if (is_command(asked)) arguments.push_back(help);
  }
  arguments.push_back(nullptr);
  return arguments;
}

// Adds the command that the first argument names, or all, as for `completion` and `man`: their options take
// longer than a small pattern.
void add_commands(app::CommandLine& line, std::string_view first_argument) {
  const auto commands = app::command_table();
  const auto named = std::ranges::find(commands, first_argument, &app::TableCommand::name);
  if (named != commands.end() && first_argument != "completion" && first_argument != "man") {
    line.add(named->add);
  } else {
    for (const app::TableCommand& command : commands) line.add(command.add);
  }
}

int run(int argc, char** argv) {
  try {
    std::vector<char*> arguments = arguments_of(argc, argv);
    app::CommandLine line;
    add_commands(line, argc > 1 ? arguments[1] : "");
    return line.run(static_cast<int>(arguments.size()) - 1, arguments.data());
  } catch (const moorea::Error& error) {
    // That nobody reads standard output is no news
    if (!app::output_is_broken() || !std::string_view(error.what()).ends_with(std::strerror(EPIPE)))
      app::say_error(error.what());
    return app::leave(app::was_signalled() ? app::interruption_exit() : app::exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    app::say_error("out of memory");
    return app::leave(app::run_error);
  } catch (const std::exception& error) {  // of the standard library, of files mostly
    app::say_error(error.what());
    return app::leave(app::run_error);
  }
}

}  // namespace

int main(int argc, char** argv) {
  app::prepare_child();
  app::prepare_process();
  const int exit = run(argc, argv);
  app::allow_exit();
  return exit;
}
