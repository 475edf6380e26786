// SPDX-License-Identifier: MIT
// moorea man: manual pages, made from the program's own options, so that they agree.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/app.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/support/nearest.h"
#include "moorea/support/output_file.h"

namespace app {
namespace {

// Text for troff: its own characters and dashes as they are.
std::string plain(std::string_view text) {
  std::string escaped;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && c == '.') escaped += "\\&";
    // What troff would print as other characters, too
    constexpr std::pair<char, const char*> others[] = {{'\\', "\\e"},  {'-', "\\-"},    {'^', "\\(ha"},
                                                       {'~', "\\(ti"}, {'\'', "\\(aq"}, {'`', "\\(ga"}};
    const auto* const other = std::ranges::find(others, c, &std::pair<char, const char*>::first);
    if (other == std::end(others))
      escaped += c;
    else
      escaped += other->second;
    begins_line = c == '\n';
  }
  return escaped;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string title(const std::string& name) {
  return fmt::format(".TH {} 1 \"\" \"Moorea {}\" \"Moorea\"\n", plain(upper(name)),
                     plain(moorea::version().substr(0, moorea::version().find(' '))));
}

// Lines as they are.
std::string verbatim(const std::string& heading, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n.nf\n{}\n.fi\n", heading, plain(text));
}

std::string option_entry(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", plain(name));
  if (option.names.empty()) {
    names = fmt::format("\\fI{}\\fR", plain(option.value));
  } else if (option.takes_value) {
    names += fmt::format(" \\fI{}\\fR", plain(option.value));
  }
  return fmt::format(".TP\n{}\n{}\n", names, plain(option.description));
}

std::string page_of(const CommandText& command) {
  std::string arguments;
  for (const OptionText& option : command.options)
    if (option.names.empty()) arguments += fmt::format(" [\\fI{}\\fR]", plain(option.value));
  std::string text =
      title("moorea-" + command.name) +
      fmt::format(".SH NAME\nmoorea\\-{} \\- {}\n", plain(command.name), plain(command.description)) +
      fmt::format(".SH SYNOPSIS\n\\fBmoorea {}\\fR [\\fIoptions\\fR]{}\n", plain(command.name), arguments) +
      ".SH OPTIONS\n";
  for (const OptionText& option : command.options) text += option_entry(option);
  return text + verbatim("NOTES AND EXAMPLES", command.footer) + ".SH SEE ALSO\n\\fBmoorea\\fR(1)\n";
}

std::string page_of_program(const CommandText& program, const std::vector<CommandText>& commands) {
  std::string text = title("moorea") + ".SH NAME\nmoorea \\- run cellular automata\n" +
                     ".SH SYNOPSIS\n\\fBmoorea\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n" +
                     fmt::format(".SH DESCRIPTION\n{}\n.SH COMMANDS\n", plain(program.description));
  for (const CommandText& each : commands)
    text += fmt::format(".TP\n\\fBmoorea\\-{}\\fR(1)\n{}\n", plain(each.name), plain(each.description));
  return text + verbatim("NOTES AND EXAMPLES", program.footer);
}

struct ManOptions {
  std::string command;
  std::string folder;
};

int man(const ManOptions& options, const CommandLine& line) {
  const std::vector<CommandText> commands = line.commands();
  if (!options.folder.empty()) {
    if (!options.command.empty()) usage("--all writes the pages of all commands: leave the command out");
    const auto write = [&](const std::string& name, const std::string& text) {
      moorea::OutputFile file((std::filesystem::path(options.folder) / (name + ".1")).string());
      file.write(text);
      file.finish();
    };
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error) throw moorea::Error(fmt::format("{}: cannot be made: {}", options.folder, error.message()));
    write("moorea", page_of_program(line.program(), commands));
    for (const CommandText& each : commands) write("moorea-" + each.name, page_of(each));
    return ok;
  }
  if (options.command.empty()) {
    print(page_of_program(line.program(), commands));
    return ok;
  }
  const auto found = std::ranges::find(commands, options.command, &CommandText::name);
  if (found == commands.end()) {
    std::vector<std::string> names;
    for (const CommandText& each : commands) names.push_back(each.name);
    usage(fmt::format("there is no command \"{}\"{}", options.command,
                      moorea::did_you_mean(options.command, names)));
  }
  print(page_of(*found));
  return ok;
}

}  // namespace

Action add_man(CommandLine& line) {
  Command command = line.add_command("man", "Print the manual page of a command", false);
  const auto options = std::make_shared<ManOptions>();
  command.add_option("command", options->command, "Command. Default: the program's own page");
  command.add_option("--all", options->folder, "Write the pages of all commands into this folder")
      .type_name("FOLDER");
  command.footer(
      "Examples:\n"
      "  moorea man run | man -l -\n"
      "  moorea man --all ~/.local/share/man/man1");
  return [options, &line] { return man(*options, line); };
}

}  // namespace app
