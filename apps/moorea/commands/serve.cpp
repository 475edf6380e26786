// SPDX-License-Identifier: MIT
// moorea serve: a world in the browser, on this machine or on another one through ssh.
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/app.h"
#include "cli/cell_output.h"
#include "cli/host.h"
#include "cli/input_files.h"
#include "cli/world.h"
#include "live/player.h"
#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/support/output_file.h"
#include "serve/session.h"
#include "serve/web_files.h"
#include "serve/web_server.h"

namespace app {
namespace {

constexpr const char* default_start = "gosper-glider-gun.rle";
constexpr double surface_density = 0.3;  // of the noise on a surface without a pattern

struct ServeOptions {
  WorldOptions world;
  EngineOptions engine;
  std::string step = "0";
  bool play = false;
  std::string address = "127.0.0.1";
  std::string port = "8080";
  std::string token_file;
  std::string hosts;
  std::string output;
};

struct ServedWorld {
  WorldFactory make;
  moorea::Pattern about;  // name, author and comments
};

ServedWorld start_of(WorldOptions options, const EngineOptions& engine_options) {
  if (!options.mesh.empty() && options.pattern.empty() && !options.random) options.random = surface_density;
  if (!options.seed.empty() && !options.random) usage("--seed is of the noise of --random: leave it out");
  const bool none = options.pattern.empty() && !options.random && options.rule.empty() &&
                    options.topology.empty() && options.size.empty();
  if (!none) {
    const auto world = std::make_shared<const World>(options.for_engine(engine_options));
    return {[world](const moorea::Options& engine) { return world->simulate(engine); }, world->about()};
  }
  const auto pattern = std::make_shared<const moorea::Pattern>(moorea::bundled_pattern(default_start));
  return {checkpoint_of(pattern).make, named(*pattern, {})};
}

// The tokens give control of the run: like a key of ssh, a file that others may read is refused.
void require_private(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & 077) == 0) return;
  throw moorea::Error(
      fmt::format("{}: other users may read or write the tokens, which control the run (mode {:04o}); "
                  "chmod 600 {} makes the file private",
                  path, status.st_mode & 07777u, path));
}

// Reads two tokens, a line each: the first one for control. A missing file is created, readable by its owner.
void read_tokens(const std::string& path, WebOptions& web) {
  web.control_token = random_token();
  web.audience_token = random_token();
  if (path.empty()) return;
  if (std::filesystem::exists(path)) {
    require_private(path);
    std::ifstream file(path);
    constexpr std::size_t minimum = 16;
    if (!(file >> web.control_token >> web.audience_token) || web.control_token.size() < minimum ||
        web.audience_token.size() < minimum || web.control_token == web.audience_token)
      throw moorea::Error(fmt::format(
          "{}: expected two different tokens of at least {} characters, one per line", path, minimum));
    for (const char c : web.control_token + web.audience_token) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0)
        throw moorea::Error(fmt::format("{}: a token may contain only letters and digits", path));
    }
    return;
  }
  const mode_t mask = umask(077);
  moorea::OutputFile file(path);
  umask(mask);
  file.write(web.control_token + "\n" + web.audience_token + "\n");
  file.finish();
}

// The named hosts, and this machine's own name: names below .local are not assigned by others.
std::vector<std::string> names_of(std::string_view named) {
  std::vector<std::string> names = {host_name(), host_name() + ".local"};
  while (!named.empty()) {
    const std::size_t comma = std::min(named.find(','), named.size());
    names.emplace_back(named.substr(0, comma));
    named.remove_prefix(std::min(comma + 1, named.size()));
  }
  for (std::string& name : names)
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return names;
}

void print_links(const WebOptions& web, std::uint16_t port) {
  const bool here = web.address.starts_with("127.") || web.address == "::1";
  std::string host = web.address == "0.0.0.0" || web.address == "::" ? host_name() : web.address;
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  const auto url = [&](const std::string& token) {
    return fmt::format("http://{}:{}/#{}", host, port, token);
  };
  print(fmt::format("{}\n", url(web.control_token)));
  say(fmt::format("to watch only: {}", url(web.audience_token)));
  if (here) {
    say(fmt::format("from another machine: ssh -N -L {0}:{2}:{0} {1}, then open the same link there", port,
                    host_name(), host));
  } else {
    say("all hosts that can reach this machine can reach this port; the connection is not encrypted");
  }
  say("Ctrl-C ends it");
}

int serve(const ServeOptions& options) {
  WebOptions web;
  web.address = options.address;
  web.port = static_cast<std::uint16_t>(parse_whole(options.port, "--port", 65535));
  const std::uint64_t exponent = parse_whole(options.step, "--step", Player::fastest);
  if (!options.output.empty()) moorea::check_writable(options.output);
  require_separate_files({{"-o", options.output}}, inputs_beside_pattern(options.world, options.engine));
  read_tokens(options.token_file, web);
  web.hosts = names_of(options.hosts);
  const ServedWorld start = start_of(options.world, options.engine);
  Session session({{start.make, start.about, options.engine.options()},
                   static_cast<int>(exponent),
                   options.play,
                   web.audience_token});
  options.engine.say_plan(session.simulation().plan());
  catch_interruption();
  {
    WebServer server(web, web_files(),
                     {[&](ClientId client, Access access) { return session.open(client, access); },
                      [&](ClientId client, const std::string& message, bool binary) {
                        return session.receive(client, message, binary);
                      },
                      [&](ClientId client) { session.close(client); }});
    print_links(web, server.port());
    session.run(server);
  }
  const moorea::Simulation& simulation = session.simulation();
  say(fmt::format("generation {}, population {}", simulation.generation(),
                  simulation.far_population().str()));
  const int end = was_signalled() ? int{ok} : interruption_exit();  // Ctrl-C is the ordinary one
  if (options.output.empty()) return end;
  say(fmt::format("writing {}; Ctrl-C cancels", options.output));
  try {
    Json report;
    CellOutput{options.output, "", std::nullopt, false, session.about()}.write(simulation, report);
  } catch (const moorea::Error& error) {
    say_error(error.what());
    return exit_code(error.kind());
  }
  return end;
}

}  // namespace

Action add_serve(CommandLine& line) {
  Command command = line.add_command("serve", "Watch and change a world in the browser");
  const auto options = std::make_shared<ServeOptions>();
  add_world_options(command, options->world);
  command
      .add_option("--step", options->step,
                  "Generations per step (frame), as a power of two: 10 is 1024, 40 the most. Default: 0")
      .type_name("K");
  command.add_flag("--play", options->play, "Start playing at once; otherwise the page does");
  command
      .add_option(
          "--address", options->address,
          "Address of this machine to listen on, 0.0.0.0 for all. Default: 127.0.0.1, which only this "
          "machine can reach")
      .type_name("IP");
  command.add_option("--port", options->port, "Port to listen on; 0 is any free port. Default: 8080")
      .type_name("N");
  command
      .add_option(
          "--host", options->hosts,
          "Host names under which browsers reach it, such as a proxy's, separated by commas. Accepted "
          "in any case: localhost, IP addresses and this machine's own name")
      .type_name("NAMES");
  command
      .add_option(
          "--token-file", options->token_file,
          "File with the tokens of the links, which then stay the same; created if it does not exist, "
          "refused if other users may read it. Default: new tokens each time")
      .type_name("FILE");
  command
      .add_option("-o,--output", options->output,
                  "Write the world to a pattern file at the end, as moorea run does")
      .type_name("FILE");
  add_kernel_option(command, options->engine);
  add_engine_options(command, options->engine);
  command.footer(
      "It prints a link for clients that control the run and one for clients that only watch.\n"
      "Examples:\n"
      "  moorea serve\n"
      "  moorea serve --mesh torus:256x128\n"
      "  moorea serve --random 0.5 --size 16384 --device cuda --step 6 --play\n"
      "  moorea serve patterns/acorn.rle --address 0.0.0.0 --port 9000");
  return [options] { return serve(*options); };
}

}  // namespace app
