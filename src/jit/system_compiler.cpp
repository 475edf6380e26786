// SPDX-License-Identifier: MIT
#include "jit/system_compiler.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>
#include <vector>

#include "moorea/error.h"
#include "moorea/support/process.h"
#include "moorea/support/scratch_folder.h"

namespace moorea {
namespace {

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

std::string text_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char part[4096];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
  return text;
}

// Runs the compiler with both outputs redirected to a file.
ProcessEnd run(const std::vector<std::string>& command, std::FILE* output) {
  const int file = fileno(output);
  try {
    return Process({.words = command, .descriptors = {{file, STDOUT_FILENO}, {file, STDERR_FILENO}}}).wait();
  } catch (const std::system_error& error) {
    throw Error(fmt::format("cannot run the C++ compiler \"{}\": {}; the variable CXX names another one",
                            command[0], error.code().message()),
                ErrorKind::unavailable);
  }
}

// Compiles a file to a library.
void compile(const std::string& path, const std::filesystem::path& library) {
  const ScratchFolder scratch;
  const std::filesystem::path headers = header_in(scratch.path()), messages = scratch.path() / "messages";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(std::fopen(messages.c_str(), "w+e"),
                                                               std::fclose);
  if (!output) throw Error(fmt::format("cannot write {}: {}", messages.string(), std::strerror(errno)));
  std::vector<std::string> command = words_of(std::getenv("CXX"));
  if (command.empty()) command = {"c++"};
  for (const char* option : {"-std=c++20", "-O3", "-march=native", "-Wall", "-fPIC", "-shared",
                             "-fvisibility=hidden", "-DMOOREA_KERNEL_FILE"})
    command.emplace_back(option);
  command.push_back("-I" + headers.string());
  for (std::string& word : words_of(std::getenv("CXXFLAGS"))) command.push_back(std::move(word));
  command.insert(command.end(), {"-o", library.string(), path.starts_with('-') ? "./" + path : path});
  const ProcessEnd end = run(command, output.get());
  if (end.signal != 0) {
    throw Error(fmt::format("the C++ compiler {} was ended by signal {} ({}) while it compiled {}",
                            command[0], end.signal, strsignal(end.signal), path));
  }
  if (end.exit != 0) {
    const std::string said = text_of(output.get());
    throw Error(fmt::format(
        "the C++ compiler {} refuses {}{}", command[0], path,
        said.empty() ? fmt::format(" without a message; is there space in {}?", scratch.path().string())
                     : "\n" + said));
  }
}

}  // namespace

void* compile_and_find(const std::string& path, const std::string& function) {
  const char* const kept = std::getenv("MOOREA_COMPILED_KERNEL");
  const ScratchFolder scratch;
  const std::filesystem::path library =
      kept != nullptr && *kept != '\0' ? std::filesystem::path(kept) : scratch.path() / "kernel.so";
  if (!std::filesystem::exists(library)) compile(path, library);
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
