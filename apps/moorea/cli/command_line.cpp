// SPDX-License-Identifier: MIT
#include "cli/command_line.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <utility>

#include "cli/app.h"
#include "cli/numbers.h"
#include "moorea/inventory.h"
#include "moorea/mpi_session.h"
#include "moorea/support/nearest.h"
#include "moorea/support/printable.h"

namespace app {
namespace {

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

constexpr const char* common_options = "Options of most commands";

CommandText describe(const CLI::App& command) {
  CommandText text{command.get_name(), command.get_description(), {}, command.get_footer()};
  // Those that all commands have come last, as in the help
  std::vector<const CLI::Option*> options = command.get_options();
  std::stable_partition(options.begin(), options.end(),
                        [](const CLI::Option* option) { return option->get_group() != common_options; });
  for (const CLI::Option* option : options) {
    OptionText entry;
    if (!option->get_positional()) {
      for (const std::string& name : option->get_snames()) entry.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) entry.names.push_back("--" + name);
    }
    entry.description = option->get_description();
    entry.takes_value = option->get_items_expected_max() > 0;
    entry.value = entry.names.empty() ? option->get_single_name() : option->get_type_name();
    text.options.push_back(entry);
  }
  return text;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// The first option among the words that the command does not know, with a suggestion; empty if there is none.
std::string unknown_option(const std::vector<std::string>& rest, const CLI::App& command) {
  const auto unknown = std::find_if(
      rest.begin(), rest.end(), [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (unknown == rest.end()) return {};
  constexpr std::string_view dashes = "--";
  std::vector<std::string> names;
  for (const OptionText& option : describe(command).options) {
    for (const std::string& name : option.names) {
      if (name.starts_with(dashes)) names.push_back(name.substr(dashes.size()));
    }
  }
  const std::string name = unknown->substr(0, unknown->find('='));
  const std::string nearest =
      moorea::nearest_name(name.substr(std::min(name.find_first_not_of('-'), name.size())), names);
  return fmt::format("unknown option {}{}", name,
                     nearest.empty() ? "" : fmt::format("; did you mean --{}?", nearest));
}

// Why a text is no number; empty if it is one. The parser would not say what it expects.
std::string number_error(const std::string& text) {
  double number = 0;
  return CLI::detail::lexical_cast(text, number)
             ? ""
             : fmt::format("expected a number such as 0.5, not \"{}\"", text);
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::positive() {
  // CLI::PositiveNumber ends its message with the largest double, written out
  option_->check([](const std::string& text) {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
    return is_number && value > 0 ? std::string() : fmt::format("\"{}\": expected a number above 0", text);
  });
  return *this;
}

Option& Option::range(double minimum, double maximum) {
  option_->check(CLI::Range(minimum, maximum));
  return *this;
}

Option Command::add_option(const std::string& names, std::string& value, const std::string& help) {
  return Option(command_->add_option(names, value, help));
}

Option Command::add_option(const std::string& names, double& value, const std::string& help) {
  return Option(command_->add_option(names, value, help)->check(number_error));
}

Option Command::add_option(const std::string& names, std::optional<double>& value, const std::string& help) {
  return Option(command_->add_option(names, value, help)->check(number_error));
}

Option Command::add_list(const std::string& names, std::vector<std::string>& values,
                         const std::string& help) {
  return Option(command_->add_option(names, values, help)->delimiter(','));
}

Option Command::add_repeated(const std::string& names, std::vector<std::string>& values,
                             const std::string& help) {
  return Option(command_->add_option(names, values, help));
}

void Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  command_->add_flag(names, value, help);
}

void Command::footer(const std::string& text) { command_->footer(text); }

struct CommandLine::Parser {
  CLI::App parser{
      "Moorea runs two-dimensional cellular automata: give it a rule and a pattern, it returns exact "
      "generations."};
  std::map<const CLI::App*, Action> actions;
};

namespace {

// CLI11's text of an option that is given several times, in words.
std::string in_words(const std::string& text) {
  constexpr std::string_view often = ": At Most 1 required but received ";
  const std::size_t at = text.find(often);
  if (at == std::string::npos) return text;
  return fmt::format("{} is given {} times: leave all but one of them out", text.substr(0, at),
                     text.substr(at + often.size()));
}

}  // namespace

CommandLine::CommandLine() : parser_(std::make_unique<Parser>()) {
  CLI::App& parser = parser_->parser;
  parser.name("moorea");
  parser.set_version_flag("--version",
                          [] { return "moorea " + moorea::version() + ", revision " + moorea::revision(); });
  parser.require_subcommand(1);
  parser.failure_message([](const CLI::App* app, const CLI::Error& error) {
    const std::vector<const CLI::App*> commands = app->get_subcommands(nullptr);
    const auto used = std::find_if(commands.begin(), commands.end(),
                                   [](const CLI::App* command) { return command->parsed(); });
    std::string text = in_words(error.what());
    if (used != commands.end()) {
      // A misspelt option is why another one is missing
      const std::vector<std::string> rest = app->remaining(true);
      if (const std::string unknown = unknown_option(rest, **used); !unknown.empty())
        text = unknown;
      else if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
        text = fmt::format("unexpected argument \"{}\"", rest.front());
    } else if (const std::vector<std::string> rest = app->remaining();
               !rest.empty() && !rest[0].starts_with('-')) {
      std::vector<std::string> names = names_of(commands);
      names.insert(names.end(), {"help", "version"});  // see main.cpp
      text = fmt::format("there is no command \"{}\"{}", rest[0], moorea::did_you_mean(rest[0], names));
    } else if (!rest.empty()) {
      text = fmt::format("unknown option {}{}", rest[0],
                         moorea::did_you_mean(rest[0], std::vector<std::string>{"--help", "--version"}));
    }
    text = moorea::escaped_lines(text);
    return used == commands.end()
               ? fmt::format("moorea: {}\nmoorea --help lists the commands\n", text)
               : fmt::format("moorea: {}\nmoorea {} --help lists the options\n", text, (*used)->get_name());
  });
  parser.footer(
      "Start here:\n"
      "  moorea run patterns/acorn.rle -g 5206     run a pattern\n"
      "  moorea info --rules                       rules with names\n"
      "  moorea COMMAND --help                     what a command can do, with examples\n"
      "Exit codes: 0 done, 1 a file or the run failed, 2 wrong usage, 3 results differ, 4 kernel or device\n"
      "unavailable, 124 ended by --time-limit, 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP, 141 if "
      "nobody\nreads the output any more.");
}

CommandLine::~CommandLine() = default;

void CommandLine::add(Action (*make)(CommandLine&)) {
  Action action = make(*this);
  parser_->actions[parser_->parser.get_subcommands({}).back()] = std::move(action);
}

Command CommandLine::add_command(const std::string& name, const std::string& description, bool takes_time) {
  CLI::App* const command = parser_->parser.add_subcommand(name, description);
  command
      ->add_flag_callback("-q,--quiet", set_quiet,
                          "No progress and no remarks on standard error; errors are printed")
      ->group(common_options);
  if (takes_time) {
    command
        ->add_option_function<std::string>(
            "--time-limit",
            [](const std::string& text) { set_time_limit(parse_duration(text, "--time-limit")); },
            "End after this time, such as 30s, 50m or 2h, as after Ctrl-C, with the exit code 124")
        ->type_name("TIME")
        ->group(common_options);
  }
  return Command(command);
}

std::vector<CommandText> CommandLine::commands() const {
  std::vector<CommandText> texts;
  for (const CLI::App* sub : std::as_const(parser_->parser).get_subcommands({}))
    texts.push_back(describe(*sub));
  return texts;
}

CommandText CommandLine::program() const {
  const CLI::App& parser = parser_->parser;
  return {parser.get_name(), parser.get_description(), {}, parser.get_footer()};
}

int CommandLine::run(int argc, char** argv) {
  CLI::App& parser = parser_->parser;
  refuse_empty_values(parser);
  if (argc == 1) {
    print(parser.help());
    return usage_error;
  }
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (is_muted()) return leave(error.get_exit_code() == 0 ? ok : usage_error);
    const int exit = parser.exit(error) == 0 ? int{ok} : int{usage_error};
    print("");  // so that a help text that could not be written is an error
    return std::cout.flush() ? exit : int{run_error};
  }
  const CLI::App* const command = parser.get_subcommands().front();
  const std::string& name = command->get_name();
  if (const int ranks = moorea::launched_ranks(); ranks > 1 && name != "run" && name != "info") {
    say_error(
        fmt::format("moorea {} runs in one process, but {} were started: start it without mpirun or srun; "
                    "moorea run divides a world among processes",
                    name, ranks));
    return leave(usage_error);
  }
  return parser_->actions.at(command)();
}

}  // namespace app
