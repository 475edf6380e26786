// SPDX-License-Identifier: MIT
// Commands and their options. CLI11 reads them; it stays behind this header because it takes long to compile.
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

/// What a command does when it was chosen, with the options that were read; returns the exit code.
using Action = std::function<int()>;

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& required();
  /// What the help shows for its value
  Option& type_name(const std::string& name);
  Option& positive();
  /// The value must lie in it, the ends included.
  Option& range(double minimum, double maximum);

 private:
  CLI::Option* option_;
};

/// What completes an option, or tells of it.
struct OptionText {
  std::vector<std::string> names;  ///< with their dashes; none for a positional argument
  std::string description;
  bool takes_value = false;
};

struct CommandText {
  std::string name;
  std::string description;
  std::vector<OptionText> options;
};

class Command {
 public:
  explicit Command(CLI::App* command) : command_(command) {}

  /// `names` as in "-o,--output", or without dashes for a positional argument. The reference must outlive the
  /// reading. A list takes values behind commas.
  Option add_option(const std::string& names, std::string& value, const std::string& help);
  Option add_option(const std::string& names, double& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<double>& value, const std::string& help);
  Option add_list(const std::string& names, std::vector<std::string>& values, const std::string& help);
  /// May be given several times; commas do not part its values.
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

  /// `make` adds one command by add_command() and returns what that does.
  void add(Action (*make)(CommandLine&));
  Command add_command(const std::string& name, const std::string& description);
  std::vector<CommandText> commands() const;

  /// Reads the arguments and runs the command that they name; help and mistakes are printed. Returns the exit
  /// code; throws what the command throws.
  int run(int argc, char** argv);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace app
