// SPDX-License-Identifier: MIT
// Commands and their options, parsed by CLI11, whose headers take long to compile and are therefore included
// by command_line.cpp only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace app {

/// Runs a command with its parsed options and returns the exit code.
using Action = std::function<int()>;

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& required();
  /// Sets the placeholder of the value in the help.
  Option& type_name(const std::string& name);
  Option& positive();
  /// Restricts the value to this range, bounds included.
  Option& range(double minimum, double maximum);

 private:
  CLI::Option* option_;
};

/// Names and description of an option, for completion scripts and manual pages.
struct OptionText {
  std::vector<std::string> names;  ///< with their dashes; none for a positional argument
  std::string description;
  bool takes_value = false;
  std::string value;  ///< placeholder of the value, or of the argument
};

struct CommandText {
  std::string name;
  std::string description;
  std::vector<OptionText> options;
  std::string footer;
};

class Command {
 public:
  explicit Command(CLI::App* command) : command_(command) {}

  /// `names` as in "-o,--output", or without dashes for a positional argument. The reference must outlive
  /// parsing. A list accepts several values, separated by commas or spaces.
  Option add_option(const std::string& names, std::string& value, const std::string& help);
  Option add_option(const std::string& names, double& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<double>& value, const std::string& help);
  Option add_list(const std::string& names, std::vector<std::string>& values, const std::string& help);
  /// Adds an option that may be given several times; its values may contain commas.
  Option add_repeated(const std::string& names, std::vector<std::string>& values, const std::string& help);
  void add_flag(const std::string& names, bool& value, const std::string& help);
  void footer(const std::string& text);

 private:
  CLI::App* command_;
};

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  /// Adds a command: `make` calls add_command() and returns the command's action.
  void add(Action (*make)(CommandLine&));
  /// `takes_time` is whether the command has an option for its maximum time.
  Command add_command(const std::string& name, const std::string& description, bool takes_time = true);
  std::vector<CommandText> commands() const;
  /// The program itself, without options.
  CommandText program() const;

  /// Reads the arguments and runs the command that they name; help and mistakes are printed. Returns the exit
  /// code; throws what the command throws.
  int run(int argc, char** argv);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace app
