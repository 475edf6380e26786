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

void write(const std::filesystem::path& path, const char* text) {
  std::ofstream stream(path);
  stream << text;
  stream.close();
  if (!stream) throw Error(fmt::format("cannot write {}: is there space?", path.string()));
}

// Writes the header where an #include finds it; returns the include folder.
std::filesystem::path header_in(const std::filesystem::path& folder) {
  const std::filesystem::path headers = folder / "include", path = headers / "moorea" / "kernel.h";
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  write(path, kernel_header);
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

// What calls a kernel. It is compiled into the kernel's library, because this program has a C++ library of
// its own inside, which cannot catch what another one throws.
constexpr const char* kernel_entry = R"(#include <moorea/kernel.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

using Step = void (*)(const moorea::kernels::Block& block);

static Step kernel = nullptr;

#ifdef __cpp_exceptions
static void end_with(const char* exception) {
  static bool is_said = false;
  while (__atomic_test_and_set(&is_said, __ATOMIC_RELAXED)) pause();  // another thread ends the process
  std::fprintf(stderr, "moorea: an exception leaves the kernel: %s\n", exception);
  std::abort();
}
#endif

static void call(const moorea::kernels::Block& block) {
#ifdef __cpp_exceptions
  try {
    kernel(block);
  } catch (const std::exception& error) {
    end_with(error.what());
  } catch (...) {
    end_with("it is no std::exception");
  }
#else
  kernel(block);
#endif
}

extern "C" __attribute__((visibility("default"))) Step moorea_entry(Step step);
extern "C" Step moorea_entry(Step step) {
  kernel = step;
  return call;
}
)";

// Compiles a file to a library, with a further source that is not null; returns the compiler's warnings.
std::string compile(const std::string& path, const char* further, const std::filesystem::path& library) {
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
  if (further != nullptr) {
    command.push_back(scratch.path() / "entry.cpp");
    write(command.back(), further);
  }
  const ProcessEnd end = run(command, output.get());
  if (end.signal != 0) {
    throw Error(fmt::format("the C++ compiler {} was ended by signal {} ({}) while it compiled {}",
                            command[0], end.signal, strsignal(end.signal), path));
  }
  std::string said = text_of(output.get());
  if (end.exit != 0) {
    throw Error(fmt::format(
        "the C++ compiler {} refuses {}{}", command[0], path,
        said.empty() ? fmt::format(" without a message; is there space in {}?", scratch.path().string())
                     : "\n" + said));
  }
  return said;
}

// A library that is loaded until the process ends.
class Library {
 public:
  Library(const std::string& path, const char* further) : path_(path) {
    const char* const kept = std::getenv("MOOREA_COMPILED_KERNEL");
    const ScratchFolder scratch;
    const std::filesystem::path library =
        kept != nullptr && *kept != '\0' ? std::filesystem::path(kept) : scratch.path() / "kernel.so";
    if (!std::filesystem::exists(library)) warnings_ = compile(path, further, library);
    loaded_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded_ == nullptr) throw Error(fmt::format("{} cannot be loaded: {}", path, dlerror()));
  }

  /// Null if there is none.
  void* look_up(const std::string& function) const { return dlsym(loaded_, function.c_str()); }
  void* find(const std::string& function) const {
    void* const found = look_up(function);
    if (found == nullptr) {
      throw Error(
          fmt::format("{} has no function {}; it is declared extern \"C\" void {}(const Block& block)", path_,
                      function, function));
    }
    return found;
  }

  const std::string& warnings() const { return warnings_; }

 private:
  const std::string& path_;
  std::string warnings_;
  void* loaded_ = nullptr;
};

}  // namespace

void* compile_and_find(const std::string& path, const std::string& function) {
  return Library(path, nullptr).find(function);
}

CompiledKernel compile_kernel(const std::string& path) {
  using Step = void (*)();
  const Library library(path, kernel_entry);
  const auto entry = reinterpret_cast<Step (*)(Step)>(library.look_up("moorea_entry"));
  if (entry == nullptr)
    throw Error(fmt::format("{} was compiled by another version of Moorea: remove its library", path));
  return {reinterpret_cast<void*>(entry(reinterpret_cast<Step>(library.find("advance")))),
          library.warnings()};
}

}  // namespace moorea
