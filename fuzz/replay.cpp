// SPDX-License-Identifier: MIT
// Runs a fuzz target over the files of a folder and over mutations of them with a fixed seed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int default_mutations = 400;  // per input

void run(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::string mutated(std::string bytes, const std::string& other, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
    const std::size_t at = below(bytes.size());
    switch (random() % 6) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random());
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
        break;
      case 2:
        bytes.insert(at, 1, "0123456789bo$!#,=-.*O \n:TP/"[random() % 27]);
        break;
      case 3:
        bytes.erase(at, 1 + below(8));
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(20)));
        break;
      default:
        bytes = bytes.substr(0, at) + other.substr(below(other.size()));
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) return 2;
  const int mutations_of_each = argc == 3 ? std::atoi(argv[2]) : default_mutations;
  std::vector<std::string> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "%s: no inputs\n", argv[1]);
    return 1;
  }
  std::mt19937 random(1);
  run("");
  for (const std::string& input : inputs) {
    run(input);
    for (int i = 0; i < mutations_of_each; ++i) run(mutated(input, inputs[random() % inputs.size()], random));
  }
  std::printf("%zu inputs, %zu mutations\n", inputs.size(), inputs.size() * mutations_of_each);
}
