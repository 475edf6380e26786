// SPDX-License-Identifier: MIT
// moorea plan: how a world would be run here, or how long its generations take on a cluster.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/app.h"
#include "cli/world.h"
#include "commands/table.h"
#include "moorea/plan.h"
#include "moorea/support/bytes.h"
#include "ranks/cluster.h"
#include "ranks/cluster_fit.h"

namespace app {
namespace {

constexpr int max_ranks = 4096;

struct PlanOptions {
  std::string rule, topology = "torus", size;
  std::string device = "auto";
  std::string generations;
  std::string ranks;
  std::string link = "auto";
  std::vector<std::string> measured;
  std::optional<double> speed, latency, bandwidth;
  bool json = false;
};

// The speed of a part of the world on this machine, as moorea tune measured it; empty if it did not.
std::optional<DeviceSpeed> tuned_speed(const moorea::WorldSpec& part) {
  moorea::Options options;
  const moorea::RunPlan plan = plan_run(part, options);
  const moorea::Estimate* const prediction = plan.prediction();
  if (prediction == nullptr || prediction->seconds <= prediction->start_seconds) return std::nullopt;
  const double seconds =
      (prediction->seconds - prediction->start_seconds) / static_cast<double>(plan.generations);
  return DeviceSpeed{part.box().area() / seconds, 0, measured_core().steps,
                     fmt::format("moorea tune on this machine, {}: {}", plan.measured, prediction->name)};
}

Cluster cluster_of(const PlanOptions& options, const moorea::WorldSpec& world, int ranks) {
  const bool has_gpus = options.device == "cuda";
  if (!has_gpus && options.device != "auto" && options.device != "cpu") {
    usage(
        fmt::format("--device {}: with --ranks expected auto, cpu or cuda; --speed gives the speed of others",
                    options.device));
  }
  Cluster cluster;
  moorea::WorldSpec part = world;
  part.height = std::max<std::int64_t>(1, world.height / ranks);
  std::optional<DeviceSpeed> tuned;
  if (options.device == "auto" && !options.speed && options.measured.empty()) tuned = tuned_speed(part);
  cluster.device = tuned ? *tuned : has_gpus ? measured_gpu() : measured_core();
  if (options.link != "auto" && options.link != "staged" && options.link != "nccl")
    usage(fmt::format("--link \"{}\": expected auto, staged or nccl", options.link));
  const bool is_nccl = options.link == "nccl" || (options.link == "auto" && has_gpus);
  cluster.link = is_nccl ? nccl_link() : staged_link(has_gpus);
  if (!options.measured.empty()) cluster = fit_cluster(cluster, options.measured);
  if (options.speed) {
    cluster.device.cells_per_second = *options.speed;
    cluster.device.source = "--speed";
  }
  if (options.latency) cluster.link.latency = *options.latency;
  if (options.bandwidth) cluster.link.bytes_per_second = *options.bandwidth;
  if (options.latency || options.bandwidth) cluster.link.source += "; changed by --latency or --bandwidth";
  return cluster;
}

Json cluster_json(const Cluster& cluster, const moorea::WorldSpec& world,
                  const std::vector<ClusterEstimate>& estimates) {
  Json json = {{"rule", world.rule.str()},
               {"width", world.width},
               {"height", world.height},
               {"device",
                {{"cells_per_second", cluster.device.cells_per_second},
                 {"seconds_per_generation", cluster.device.seconds},
                 {"source", cluster.device.source}}},
               {"link",
                {{"latency_seconds", cluster.link.latency},
                 {"bytes_per_second", cluster.link.bytes_per_second},
                 {"staging_bytes_per_second", cluster.link.staging},
                 {"source", cluster.link.source}}}};
  for (const ClusterEstimate& each : estimates) {
    json["estimates"].push_back({{"ranks", each.ranks},
                                 {"rows", each.rows},
                                 {"halo", each.halo},
                                 {"bytes_per_exchange", each.bytes},
                                 {"seconds_per_generation", each.seconds},
                                 {"seconds_per_generation_overlapped", each.overlapped},
                                 {"strong_efficiency", each.strong},
                                 {"weak_efficiency", each.weak}});
  }
  return json;
}

void print_cluster(const Cluster& cluster, const moorea::WorldSpec& world,
                   const std::vector<ClusterEstimate>& estimates) {
  std::string text = fmt::format(
      "{} x {} cells, busy all over, {} per packed copy\n"
      "  device  {} cells/s + {} per generation ({})\n"
      "  link    {} + bytes / {}/s ({})\n"
      "  halo    exchanged at once after as many generations as it has rows; computed twice; work and\n"
      "          messages do not overlap (the lower bound is with complete overlap)\n"
      "{:>6} {:>12} {:>5} {:>10} {:>11} {:>11} {:>17} {:>8} {:>8}\n",
      world.width, world.height, moorea::human_bytes(world.box().area() / 8),
      human_rate(cluster.device.cells_per_second), human_seconds(cluster.device.seconds),
      cluster.device.source, human_seconds(cluster.link.latency),
      moorea::human_bytes(cluster.link.bytes_per_second), cluster.link.source, "ranks", "rows each", "halo",
      "sent", "generation", "overlapped", "cells/s", "strong", "weak");
  for (const ClusterEstimate& each : estimates) {
    text += fmt::format("{:>6} {:>12} {:>5} {:>10} {:>11} {:>11} {:>17} {:>6.1f} % {:>6.1f} %\n", each.ranks,
                        each.rows, each.halo, moorea::human_bytes(each.bytes), human_seconds(each.seconds),
                        human_seconds(each.overlapped), human_rate(world.box().area() / each.seconds),
                        100 * each.strong, 100 * each.weak);
  }
  print(text);
}

int plan(const PlanOptions& options) {
  moorea::WorldSpec world = moorea::WorldSpec::parse(options.rule.empty() ? "B3/S23" : options.rule);
  if (options.size.empty()) usage("expected --size WxH, the world that is planned");
  const moorea::Size size = parse_size(options.size);
  world.topology = moorea::parse_topology(options.topology);
  world.width = size.width;
  world.height = size.height;
  if (world.is_unbounded()) usage("a plan needs a world with a size: choose --topology plane or torus");
  if (options.ranks.empty()) {
    if (options.speed || options.latency || options.bandwidth || !options.measured.empty())
      usage("--speed, --latency, --bandwidth and --measured are for --ranks");
    moorea::Options engine;
    engine.device = options.device;
    if (!options.generations.empty()) engine.generations = parse_count(options.generations, "generations");
    const moorea::RunPlan here = plan_run(world, engine);
    if (options.json) {
      print_json({{"kernel", here.kernel}, {"device", here.device}, {"reason", here.reason}});
    } else {
      print(here.explanation() + "\n");
    }
    return ok;
  }
  const int ranks = static_cast<int>(parse_from_one(options.ranks, "--ranks", max_ranks));
  const Cluster cluster = cluster_of(options, world, ranks);
  const std::vector<ClusterEstimate> estimates = estimate(cluster, size, ranks);
  if (options.json) {
    print_json(cluster_json(cluster, world, estimates));
  } else {
    print_cluster(cluster, world, estimates);
  }
  return ok;
}

}  // namespace

Action add_plan(CommandLine& line) {
  Command command = line.add_command(
      "plan", "Print how a world would be run here, or the time of its generations on a cluster", false);
  const auto options = std::make_shared<PlanOptions>();
  command.add_option("--size", options->size, "World size in cells").type_name("WxH");
  command.add_option("-r,--rule", options->rule, "Rule. Default: Life").type_name("RULE");
  command.add_option("--topology", options->topology, "plane or torus. Default: torus")
      .type_name("plane|torus");
  command
      .add_option(
          "--device", options->device,
          "Device; with --ranks auto (as moorea tune measured this machine), cpu (a core) or cuda (an "
          "H200). Default: auto")
      .type_name("NAME");
  command
      .add_option("-g,--generations", options->generations, "Expected number of generations, without --ranks")
      .type_name("N");
  command
      .add_option(
          "--ranks", options->ranks,
          "Model the world on 1, 2, 4, ... and this number of processes with a device each, up to 4096")
      .type_name("N");
  command
      .add_option("--link", options->link,
                  "With --ranks: nccl (from GPU to GPU) or staged (MPI through the machines' memories). "
                  "Default: auto, "
                  "nccl for GPUs, as moorea run does where NCCL is installed")
      .type_name("auto|staged|nccl");
  command
      .add_repeated(
          "--measured", options->measured,
          "With --ranks: fit speed, latency and bandwidth to this result of moorea run --json on two "
          "ranks or more; several for worlds of different widths")
      .type_name("FILE.json");
  command.add_option("--speed", options->speed, "With --ranks: cells per second of a rank's device")
      .type_name("N")
      .positive();
  command.add_option("--latency", options->latency, "With --ranks: seconds of a small message")
      .type_name("SECONDS")
      .positive();
  command.add_option("--bandwidth", options->bandwidth, "With --ranks: bytes per second of a rank's messages")
      .type_name("N")
      .positive();
  command.add_flag("--json", options->json, "Print the plan as JSON");
  command.footer(
      "Examples:\n"
      "  moorea plan --size 65536\n"
      "      kernel and device on this machine, and why\n"
      "  moorea plan --ranks 4096 --size 4194304x4194304 --device cuda\n"
      "      a world of 2 TiB on up to 4096 GPUs: time of a generation and efficiency");
  return [options] { return plan(*options); };
}

}  // namespace app
