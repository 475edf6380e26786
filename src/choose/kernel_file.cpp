// SPDX-License-Identifier: MIT
#include "choose/kernel_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "devices/cuda.h"
#include "jit/code_cache.h"
#include "jit/system_compiler.h"
#include "logic/rule_mask.h"
#include "moorea/error.h"
#include "moorea/rule.h"
#include "moorea/support/life_like.h"
#include "moorea/support/nearest.h"

namespace moorea {
namespace {

using kernels::BlockShape;
using kernels::Layout;

// What a line "// @NAME VALUE" may be, in which of the languages.
struct KnownLine {
  std::string_view name;
  std::string_view languages;  // of ".cpp .cu .cl"
};
constexpr KnownLine known_lines[] = {
    {"summary", ".cpp .cu .cl"},
    {"layout", ".cpp .cu .cl"},
    {"rule", ".cpp .cu .cl"},
    {"steps", ".cpp .cl"},
    {"tile", ".cpp"},
    {"wraps", ".cpp .cu"},
    {"skips", ".cpp"},
    {"block", ".cu"},
    {"item", ".cu .cl"},
    {"group", ".cl"},
    {"word", ".cl"},
    {"lanes", ".cl"},
    {"flags", ".cl"},
    {"sides", ".cl"},
};

constexpr int max_steps = 64;
constexpr int max_threads_a_block = 1024;

// What a file says of itself, and where it says it.
class Lines {
 public:
  Lines(const std::string& path, const std::string& text, std::string_view language) : path_(path) {
    std::istringstream stream(text);
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      std::string_view rest = line;
      if (number == 1 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
      if (!is_said(rest)) continue;
      rest.remove_prefix(rest.find('@') + 1);
      while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.remove_suffix(1);
      const std::size_t space = rest.find(' ');
      const std::string name(rest.substr(0, space));
      const auto known = std::find_if(std::begin(known_lines), std::end(known_lines),
                                      [&](const KnownLine& each) { return each.name == name; });
      if (known == std::end(known_lines) && is_of_doxygen(name)) continue;
      if (known == std::end(known_lines) || !takes(*known, language)) {
        fail(number, fmt::format("there is no line \"// @{}\" in {} files, only {}", name, language,
                                 names(language)));
      }
      if (lines_.contains(name)) fail(number, fmt::format("\"// @{}\" is said twice", name));
      const std::size_t value = rest.find_first_not_of(' ', space);
      lines_[name] = {number,
                      value == std::string_view::npos ? std::string() : std::string(rest.substr(value))};
    }
  }

  bool has(const std::string& name) const { return lines_.contains(name); }

  std::string text(const std::string& name, const std::string& usual) const {
    const auto found = lines_.find(name);
    return found == lines_.end() ? usual : found->second.value;
  }

  // A line that says yes.
  bool is_set(const std::string& name) const {
    return has(name) && number(name, 0, 1, "1, or 0 as without this line") == 1;
  }

  int number(const std::string& name, int minimum, int maximum, const std::string& expected) const {
    const Line& line = lines_.at(name);
    int value = 0;
    if (!parse(line.value, value) || value < minimum || value > maximum)
      fail(line.number, fmt::format("@{} \"{}\": expected {}", name, line.value, expected));
    return value;
  }

  // Two numbers, the first a multiple of something.
  BlockShape shape(const std::string& name, int maximum, int multiple = 1) const {
    const Line& line = lines_.at(name);
    const std::size_t by = line.value.find('x');
    BlockShape shape;
    if (by == std::string::npos || !parse(std::string_view(line.value).substr(0, by), shape.width) ||
        !parse(std::string_view(line.value).substr(by + 1), shape.height) || shape.width < 1 ||
        shape.height < 1 || shape.width > maximum || shape.height > maximum || shape.width % multiple != 0) {
      fail(line.number,
           fmt::format("@{} \"{}\": expected columns x rows as in {}x4, each 1 to {}{}", name, line.value,
                       std::max(32, multiple), maximum,
                       multiple == 1 ? "" : fmt::format(", the columns a multiple of {}", multiple)));
    }
    return shape;
  }

  Layout layout(bool opencl, bool cuda) const {
    const std::string name = text("layout", "bytes");
    if (name == "bytes") return Layout::bytes;
    if (name == "bits") return Layout::bits;
    if (name == "ints" && cuda) return Layout::ints;
    if (name == "strided" && opencl) return Layout::strided;
    fail("layout", fmt::format("expected bytes{} bits{}", cuda || opencl ? "," : " or",
                               cuda     ? " or ints"
                               : opencl ? " or strided"
                                        : ""));
  }

  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    const Line& line = lines_.at(name);
    fail(line.number, fmt::format("@{} \"{}\": {}", name, line.value, what));
  }

  [[noreturn]] void fail_missing(const std::string& line) const {
    throw Error(fmt::format("{}: there is no line that begins with \"// @{}\"", path_, line));
  }

 private:
  struct Line {
    int number = 0;
    std::string value;
  };

  static bool parse(std::string_view text, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }

  // Words that Doxygen has, with which programmers begin comments.
  static bool is_of_doxygen(std::string_view name) {
    constexpr std::string_view words[] = {"author",  "authors", "brief", "copyright", "date",
                                          "details", "file",    "note",  "param",     "return",
                                          "returns", "see",     "todo",  "version",   "warning"};
    return std::ranges::find(words, name) != std::end(words);
  }

  // "// @NAME ...", and what was meant to be: with other blanks or slashes, but only where the name is known,
  // for other tools have lines of the kind.
  static bool is_said(std::string_view line) {
    if (line.starts_with("// @")) return true;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("//")) return false;
    line.remove_prefix(std::min(line.find_first_not_of("/ \t"), line.size()));
    return line.starts_with('@') &&
           std::any_of(std::begin(known_lines), std::end(known_lines), [&](const KnownLine& each) {
             return line.substr(1).starts_with(each.name) &&
                    (line.size() == each.name.size() + 1 || line[each.name.size() + 1] == ' ');
           });
  }

  static bool takes(const KnownLine& line, std::string_view language) {
    const std::size_t at = line.languages.find(language);
    return at != std::string_view::npos &&
           (at + language.size() == line.languages.size() || line.languages[at + language.size()] == ' ');
  }

  static std::string names(std::string_view language) {
    std::string names;
    for (const KnownLine& line : known_lines) {
      if (takes(line, language)) names += fmt::format("{}@{}", names.empty() ? "" : ", ", line.name);
    }
    return names;
  }

  [[noreturn]] void fail(int number, const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_, number, what));
  }

  std::string path_;
  std::map<std::string, Line> lines_;
};

std::string_view language_of(std::string_view name) {
  for (const std::string_view ending : {".cpp", ".cu", ".cl"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

std::string read(const std::string& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (!stream) {
    const int error = errno;
    throw Error(fmt::format("{}: cannot be read: {}{}", path, std::strerror(error),
                            error == ENOENT ? nearest_file(path) : ""),
                error);
  }
  if (!(text << stream.rdbuf())) {
    const int error = errno;
    throw Error(
        fmt::format("{}: {}", path,
                    error != 0 ? fmt::format("cannot be read: {}", std::strerror(error)) : "is empty"),
        error);
  }
  return text.str();
}

// As a C string literal has it.
std::string literal(const std::string& path) {
  std::string text = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

// A file with all that the kernel's description points to.
class KernelFile {
 public:
  explicit KernelFile(const std::string& path) : path_(path) {
    const std::string_view language = language_of(path);
    const std::string text = read(path);
    fingerprint_ = fingerprint(text);
    const Lines lines(path, text, language);
    summary_ = lines.text("summary", "a kernel of your own");
    kernel_.summary = summary_.c_str();
    kernel_.layout = lines.layout(language == ".cl", language == ".cu");
    kernel_.max_steps =
        lines.has("steps") ? lines.number("steps", 1, max_steps, fmt::format("1 to {}", max_steps)) : 1;
    kernel_.file = &file_;
    file_.path = path_.c_str();
    if (lines.has("rule")) one_rule(lines);
    if (language == ".cpp") {
      describe_cpp(lines);
    } else if (language == ".cu") {
      describe_cuda(lines, text);
    } else {
      describe_opencl(lines, text);
    }
  }
  KernelFile(const KernelFile&) = delete;
  KernelFile& operator=(const KernelFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t text_fingerprint() const { return fingerprint_; }
  const std::string& warnings() const { return warnings_; }
  const kernels::TableEntry& entry() const { return entry_; }

 private:
  void one_rule(const Lines& lines) {
    try {
      const Rule rule = Rule::parse(lines.text("rule", ""));
      require_life_like(rule, "a kernel of a file");
      file_.only_rule = mask_of(rule);
      other_rules_ = fmt::format("its line @rule says that it is for {}", rule.str());
    } catch (const Error& error) {
      lines.fail("rule", error.what());
    }
    file_.other_rules = other_rules_.c_str();
  }

  void describe_cpp(const Lines& lines) {
    constexpr int largest_tile = 1 << 30;
    kernels::BlockContract contract;
    contract.wraps = lines.is_set("wraps");
    if (lines.has("tile")) {
      const BlockShape tile = lines.shape("tile", largest_tile, kernel_.layout == Layout::bits ? 64 : 1);
      contract.tile = {tile.width, tile.height};
    }
    if (lines.is_set("skips")) {
      if (contract.tile.width == 0) lines.fail("skips", "a kernel that leaves tiles out has a line @tile");
      if (kernel_.max_steps != 1) lines.fail("skips", "a kernel that leaves tiles out has one step");
      contract.activity = kernels::Activity::skipped;
    }
    kernel_.contract = contract;
    CompiledKernel compiled = compile_kernel(path_);
    warnings_ = std::move(compiled.warnings);
    file_.binding = kernels::BlockBinding{.step = reinterpret_cast<kernels::Step>(compiled.advance)};
  }

  void describe_cuda(const Lines& lines, const std::string& text) {
    kernels::CudaContract contract;
    contract.wraps = lines.is_set("wraps");
    contract.block = {32, 4};
    if (lines.has("block")) contract.block = lines.shape("block", max_threads_a_block);
    if (contract.block.width * contract.block.height > max_threads_a_block)
      lines.fail("block", fmt::format("a block has at most {} threads", max_threads_a_block));
    kernel_.contract = contract;
    kernels::CudaBinding binding;
    constexpr int largest_item = 1 << 16;
    if (lines.has("item")) binding.item = lines.shape("item", largest_item);
    binding.launch = gpu_launch_from_file();
    binding.device_function = gpu_function_from_file();
    text_ = fmt::format("#line 1 {}\n{}", literal(path_), text);
    cuda_source_.text = text_.c_str();
    cuda_source_.functions[0] = "advance";
    cuda_source_.path = path_.c_str();
    binding.file_source = &cuda_source_;
    file_.binding = binding;
  }

  void describe_opencl(const Lines& lines, const std::string& text) {
    kernels::OpenClBinding binding;
    kernels::OpenClContract contract;
    if (!lines.has("group")) lines.fail_missing("group");
    if (!lines.has("item")) lines.fail_missing("item");
    constexpr int largest_item = 1 << 16;
    binding.steps = kernel_.max_steps;
    if (binding.steps > 1 && kernel_.layout != Layout::strided)
      lines.fail("steps", "only kernels of the strided layout have a halo for several");
    binding.group = lines.shape("group", max_threads_a_block);
    binding.item = lines.shape("item", largest_item);
    // One work-item stays one; other groups are what suits, and may be chosen
    if (binding.group.width * binding.group.height != 1) contract.block = binding.group;
    const auto word = [&](const char* name) {
      const int bits = lines.number(name, 32, 512, "32 or 512");
      if (bits != 32 && bits != 512) lines.fail(name, "expected 32 or 512");
      return bits;
    };
    if (lines.has("word")) binding.word_bits = word("word");
    if (lines.has("lanes")) binding.word_bits = contract.lanes = word("lanes");
    if (kernel_.layout == Layout::strided && contract.lanes == 0) lines.fail_missing("lanes");
    if (lines.is_set("flags")) contract.activity = kernels::Activity::skipped;
    kernel_.contract = contract;
    binding.fills_halo_columns = lines.is_set("sides");
    text_ = fmt::format("#line 1 {}\n{}", literal(path_), text);
    binding.text = text_.c_str();
    file_.binding = binding;
  }

  std::string path_, text_, summary_, other_rules_, warnings_;
  std::uint64_t fingerprint_ = 0;
  kernels::RuntimeSource cuda_source_;
  kernels::FromFile file_;
  kernels::Kernel kernel_ = {};
  kernels::TableEntry entry_ = {path_.c_str(), &kernel_};
};

}  // namespace

bool is_kernel_file(std::string_view name) { return !language_of(name).empty(); }

namespace {

const KernelFile& read_once(const std::string& path) {
  static std::mutex guard;
  static std::deque<KernelFile>& known = *new std::deque<KernelFile>;  // to the process's end, as its code
  const std::lock_guard lock(guard);
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const KernelFile& each) { return each.path() == path; });
  return found != known.end() ? *found : known.emplace_back(path);
}

}  // namespace

const kernels::TableEntry& kernel_from_file(const std::string& path) { return read_once(path).entry(); }
std::uint64_t fingerprint_of_file(const std::string& path) { return read_once(path).text_fingerprint(); }
const std::string& warnings_of_file(const std::string& path) { return read_once(path).warnings(); }

}  // namespace moorea
