// SPDX-License-Identifier: MIT
#include "devices/system_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "moorea/error.h"

namespace moorea {
namespace {

// A folder of its own, gone at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "moorea-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(fmt::format("cannot make a folder {}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text == nullptr ? "" : text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Runs a program, both its outputs in a file, and returns what waitpid() tells, or throws.
int run(const std::vector<std::string>& command, const std::filesystem::path& output) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Error(fmt::format("cannot run the C++ compiler \"{}\": {}; the variable CXX names another one",
                            command[0], std::strerror(error)),
                ErrorKind::unavailable);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void* compile_and_find(const std::string& path, const std::string& function) {
  const ScratchFolder scratch;
  const std::filesystem::path headers = scratch.path() / "include", library = scratch.path() / "kernel.so",
                              words = scratch.path() / "words";
  std::filesystem::create_directories(headers / "moorea");
  std::ofstream(headers / "moorea/kernel.h") << kernel_header;
  std::vector<std::string> command = words_of(std::getenv("CXX"));
  if (command.empty()) command = {"c++"};
  for (const char* option : {"-std=c++20", "-O3", "-march=native", "-Wall", "-fPIC", "-shared"})
    command.emplace_back(option);
  command.push_back("-I" + headers.string());
  for (std::string& word : words_of(std::getenv("CXXFLAGS"))) command.push_back(std::move(word));
  command.insert(command.end(), {"-o", library.string(), path});
  const int status = run(command, words);
  if (status != 0 || !std::filesystem::exists(library)) {
    throw Error(fmt::format("the C++ compiler {} refuses {}\n{}", command[0], path, text_of(words)));
  }
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) throw Error(fmt::format("{} cannot be loaded: {}", path, dlerror()));
  void* found = dlsym(loaded, function.c_str());
  if (found == nullptr) {
    throw Error(fmt::format("{} has no function {}; it is declared extern \"C\" void {}(const Block& block)",
                            path, function, function));
  }
  return found;
}

}  // namespace moorea
