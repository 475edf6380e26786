// SPDX-License-Identifier: MIT
#include <exception>
#include <new>

#include "cli/app.h"
#include "commands/table.h"
#include "moorea/error.h"

int main(int argc, char** argv) {
  app::prepare_process();
  app::CommandLine line;
  for (const app::AddCommand& add : app::command_table()) line.add(add);
  try {
    return line.run(argc, argv);
  } catch (const moorea::Error& error) {
    app::say(error.what());
    return app::leave(app::was_interrupted() ? app::interruption_exit() : app::exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    app::say("out of memory");
    return app::leave(app::run_error);
  } catch (const std::exception& error) {  // of the standard library, of files mostly
    app::say(error.what());
    return app::leave(app::run_error);
  }
}
