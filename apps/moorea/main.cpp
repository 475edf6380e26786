// SPDX-License-Identifier: MIT
#include <exception>
#include <new>

#include "app.h"
#include "moorea/error.h"

int main(int argc, char** argv) {
  app::prepare_process();
  app::CommandLine line;
  for (const auto& add :
       {app::add_run, app::add_info, app::add_convert, app::add_kernels, app::add_verify, app::add_bench,
        app::add_compare, app::add_plot, app::add_study, app::add_trace, app::add_reduce, app::add_tune,
        app::add_render, app::add_film, app::add_view, app::add_serve, app::add_completion}) {
    line.add(add);
  }
  try {
    return line.run(argc, argv);
  } catch (const moorea::Error& error) {
    app::say(error.what());
    return app::was_interrupted() ? app::interruption_exit() : app::exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    app::say("out of memory");
    return app::run_error;
  } catch (const std::exception& error) {  // of the standard library, of files mostly
    app::say(error.what());
    return app::run_error;
  }
}
