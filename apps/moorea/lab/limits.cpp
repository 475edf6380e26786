// SPDX-License-Identifier: MIT
#include "lab/limits.h"

#include "cli/cpu_watch.h"
#include "moorea/lab/ceilings.h"

namespace app {

const moorea::Ceilings& Limits::of(const std::string& device, int threads) {
  const auto key = std::make_pair(device, threads);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  CpuWatch watch(device == "cpu" ? threads : 0);
  watch.begin();
  const moorea::Ceilings& measured = known_[key] = moorea::measure_ceilings(device, threads);
  Json json = {{"device", device},
               {"threads", threads},
               {"copy_bytes_per_second", measured.copy_bytes_per_second},
               {"logic_words_per_second", measured.logic_words_per_second},
               {"logic_instruction", measured.logic_instruction}};
  if (devices_.uses_cpus(device) && watch.end() > max_part_taken) json["busy"] = true;
  json_.push_back(std::move(json));
  return measured;
}

void Limits::adopt(const Json& ceilings) {
  for (const Json& limit : ceilings) {
    known_[{limit.at("device").get<std::string>(), limit.at("threads").get<int>()}] = {
        limit.at("copy_bytes_per_second").get<double>(), limit.at("logic_words_per_second").get<double>(),
        limit.at("logic_instruction").get<std::string>()};
    json_.push_back(limit);
  }
}

}  // namespace app
