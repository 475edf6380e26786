// SPDX-License-Identifier: MIT
// moorea completion: scripts that complete commands, options and names in a shell, made from the program's
// own options, so that they agree.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/app.h"
#include "cli/trees.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/reduction.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"

namespace app {
namespace {

// An option, or an argument without a name, and what completes its value: a list of words, "file", or
// nothing.
struct Completed {
  OptionText option;
  std::string values;
};

struct CompletedCommand {
  std::string name;
  std::string description;
  std::vector<Completed> options;
  bool takes_files = false;
  std::string words;  // its operands, if these are words
};

// The values of a command's option, by its longest name.
std::string values_of(const std::string& command, const std::string& name) {
  std::vector<std::string> words;
  if (command == "reduce" && name == "--kernel") {
    for (const moorea::ReductionInfo& reduction : moorea::list_reductions()) words.push_back(reduction.name);
  } else if (name == "--kernel" || name == "--against") {
    for (const moorea::KernelInfo& kernel : moorea::list_kernels()) words.push_back(kernel.name);
    const auto runs_trees = {"run", "verify", "view", "serve", "render", "film"};
    if (name == "--kernel" && std::ranges::find(runs_trees, command) != runs_trees.end())
      words.emplace_back(tree_kernel_name);
  } else if (name == "--device") {
    words.push_back("auto");
    for (const moorea::DeviceInfo& device : moorea::list_devices()) words.push_back(device.name);
  } else if (name == "--rule") {
    for (const moorea::NamedRule& named : moorea::named_rules()) {
      // Names with blanks and signs would need quotes that differ by shell; any spelling is understood
      std::string word(named.name);
      word.erase(std::remove_if(word.begin(), word.end(), [](unsigned char c) { return !std::isalnum(c); }),
                 word.end());
      words.push_back(word);
    }
  } else if (name == "--topology") {
    words = {"plane", "torus"};
    if (command != "bench" && command != "study") words.emplace_back("unbounded");
  } else if (name == "--until") {
    words = {"settled", "period", "population=0"};
  } else if (name == "--schedule") {
    words = {"static", "dynamic", "guided"};
  } else if (name == "--placement") {
    words = {"none", "close", "spread"};
  } else if (command == "plot" && name == "--format") {
    words = {"svg", "html", "json"};
  } else if (command == "plot" && name == "--kind") {
    words = {"auto", "line", "speedup", "bars", "heatmap", "roofline"};
  } else if (name == "--csv-columns") {
    words = {"moorea", "easypap"};
  } else if (name == "--format") {
    for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
      if (format.writable) words.emplace_back(format.name);
    }
  } else if (name == "--output" || name == "--csv" || name == "--results" || name == "--populations" ||
             name == "--checkpoint" || name == "--receipt") {
    return "file";
  }
  return joined(words, " ");
}

CompletedCommand completed(const CommandText& command, const std::string& commands) {
  CompletedCommand made{command.name, command.description, {}, false, ""};
  if (command.name == "completion") made.words = "bash zsh fish";
  if (command.name == "man") made.words = commands;
  for (const OptionText& option : command.options) {
    if (option.names.empty()) {
      made.takes_files = made.words.empty();
      continue;
    }
    Completed entry{option, ""};
    for (const std::string& name : option.names) {
      if (option.takes_value && entry.values.empty()) entry.values = values_of(command.name, name);
    }
    made.options.push_back(entry);
  }
  return made;
}

std::string bash(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const CompletedCommand& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> options;
    for (const auto& [option, values] : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (!option.takes_value) continue;
      const std::string action =
          values == "file" ? "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
                           : fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))", values);
      for (const std::string& name : option.names)
        cases += fmt::format("    {}:{}) {}; return ;;\n", command.name, name, action);
    }
    if (!command.words.empty()) options.push_back(command.words);
    cases += fmt::format("    {}:*) words=\"{}\"; files={} ;;\n", command.name, joined(options, " "),
                         command.takes_files ? 1 : 0);
  }
  return fmt::format(R"(# bash completion for moorea; made by "moorea completion bash"
_moorea() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words= files=0
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}}:$previous" in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; [ "$files" -eq 1 ] && compgen -f -- "$current")
}}
complete -o filenames -F _moorea moorea
)",
                     joined(names, " "), cases);
}

// In single quotes of zsh and fish, with what their descriptions give a meaning to taken out.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text.substr(0, text.find(". "))) {
    if (c == '\'') {
      safe += "'\\''";
    } else if (c == '[' || c == ']' || c == ':') {
      safe += ' ';
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string zsh(const std::vector<CompletedCommand>& commands) {
  std::string list, cases;
  for (const CompletedCommand& command : commands) {
    list += fmt::format("    '{}:{}'\n", command.name, quoted(command.description));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const auto& [option, words] : command.options) {
      const std::string values = !option.takes_value ? ""
                                 : words == "file"   ? ":file:_files"
                                 : words.empty()     ? ":value: "
                                                     : fmt::format(":value:({})", words);
      for (const std::string& name : option.names)
        cases += fmt::format(" \\\n      '{}[{}]{}'", name, quoted(option.description), values);
    }
    if (command.takes_files) cases += " \\\n      '*:file:_files'";
    if (!command.words.empty()) cases += fmt::format(" \\\n      '1:word:({})'", command.words);
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef moorea
# zsh completion for moorea; made by "moorea completion zsh"
_moorea() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}  esac
}}
if [ "$funcstack[1]" = "_moorea" ]; then _moorea "$@"; else compdef _moorea moorea; fi
)",
                     list, cases);
}

std::string fish(const std::vector<CompletedCommand>& commands) {
  std::string text = "# fish completion for moorea; made by \"moorea completion fish\"\n";
  for (const CompletedCommand& command : commands) {
    text += fmt::format("complete -c moorea -f -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        quoted(command.description));
    const std::string when =
        fmt::format("complete -c moorea -n '__fish_seen_subcommand_from {}'", command.name);
    for (const auto& [option, values] : command.options) {
      text += when;
      for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      text += fmt::format(" -d '{}'", quoted(option.description));
      if (option.takes_value) text += values == "file" ? " -r -F" : fmt::format(" -x -a '{}'", values);
      text += "\n";
    }
    if (command.takes_files) text += when + " -F\n";
    if (!command.words.empty()) text += fmt::format("{} -f -a '{}'\n", when, command.words);
  }
  return text;
}

}  // namespace

Action add_completion(CommandLine& line) {
  Command command = line.add_command("completion", "Print a completion script for bash, zsh or fish", false);
  const auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash, zsh or fish").required();
  command.footer(
      "Examples:\n"
      "  moorea completion bash > ~/.local/share/bash-completion/completions/moorea\n"
      "  moorea completion zsh > ~/.zfunc/_moorea        (with ~/.zfunc in fpath)\n"
      "  moorea completion fish > ~/.config/fish/completions/moorea.fish");
  return [shell, &line] {
    std::vector<CompletedCommand> commands;
    std::vector<std::string> names;
    for (const CommandText& each : line.commands()) names.push_back(each.name);
    const std::string words = joined(names, " ");
    for (const CommandText& each : line.commands()) commands.push_back(completed(each, words));
    commands.push_back({"help", "Print what a command can do, or a list of all", {}, false, words});
    commands.push_back({"version", "Print the version", {}, false, ""});
    if (*shell == "bash") {
      print(bash(commands));
    } else if (*shell == "zsh") {
      print(zsh(commands));
    } else if (*shell == "fish") {
      print(fish(commands));
    } else {
      throw moorea::Error(fmt::format("shell \"{}\": expected bash, zsh or fish", *shell),
                          moorea::ErrorKind::usage);
    }
    return int{ok};
  };
}

}  // namespace app
