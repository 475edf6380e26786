// SPDX-License-Identifier: MIT
#include "jit/system_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/core.h>
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

// A temporary folder, removed by the destructor.
class ScratchFolder {
 public:
  ScratchFolder() {
    const char* const place = std::getenv("TMPDIR");
    std::string name =
        (std::filesystem::path(place == nullptr || *place == '\0' ? "/tmp" : place) / "moorea-XXXXXX")
            .string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(fmt::format("cannot make a folder {}: {}; the variable TMPDIR names another place", name,
                              std::strerror(errno)));
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

// Writes the header where an #include finds it; returns the include folder.
std::filesystem::path header_in(const std::filesystem::path& folder) {
  const std::filesystem::path headers = folder / "include", path = headers / "moorea" / "kernel.h";
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream stream(path);
  stream << kernel_header;
  stream.close();
  if (error || !stream) throw Error(fmt::format("cannot write {}: is there space?", path.string()));
  return headers;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Runs a program with both outputs redirected to a file; returns the status of waitpid(), or throws.
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
  const std::filesystem::path headers = header_in(scratch.path()), library = scratch.path() / "kernel.so",
                              words = scratch.path() / "words";
  std::vector<std::string> command = words_of(std::getenv("CXX"));
  if (command.empty()) command = {"c++"};
  for (const char* option : {"-std=c++20", "-O3", "-march=native", "-Wall", "-fPIC", "-shared",
                             "-fvisibility=hidden", "-DMOOREA_KERNEL_FILE"})
    command.emplace_back(option);
  command.push_back("-I" + headers.string());
  for (std::string& word : words_of(std::getenv("CXXFLAGS"))) command.push_back(std::move(word));
  command.insert(command.end(), {"-o", library.string(), path.starts_with('-') ? "./" + path : path});
  const int status = run(command, words);
  if (WIFSIGNALED(status)) {
    throw Error(fmt::format("the C++ compiler {} was ended by signal {} ({}) while it compiled {}",
                            command[0], WTERMSIG(status), strsignal(WTERMSIG(status)), path));
  }
  if (status != 0) {
    const std::string said = text_of(words);
    throw Error(fmt::format(
        "the C++ compiler {} refuses {}{}", command[0], path,
        said.empty() ? fmt::format(" without a message; is there space in {}?", scratch.path().string())
                     : "\n" + said));
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
