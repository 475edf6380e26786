// SPDX-License-Identifier: MIT
#include "lab/studies.h"

namespace app {
namespace {

constexpr Study study_list[] = {
    {"ladder", "The ladder",
     "How fast is each technique, from a byte per cell to bits several generations deep, on this machine?",
     study_ladder},
    {"threads", "Threads", "How much faster do more threads make it, and what limits the gain?",
     study_threads},
    {"tiles", "Tiles", "Which width and height of tiles suits the caches and the loops?", study_tiles},
    {"schedule", "Schedule, chunk and starting pattern",
     "How should threads share tiles, if all of them cost the same and if few cost anything?",
     study_schedule},
    {"vectors", "Vector width",
     "What do wider vectors gain, and what do the borders of worlds cost that are no multiple of them?",
     study_vectors},
    {"frequency", "Clock frequency by vector width",
     "Does the clock slow down while all cores use wide vectors, and does a mixture of widths avoid it?",
     study_frequency},
    {"blocks", "Threads per block and bytes per thread",
     "How many threads should a GPU's block have, in which shape, and how much should each do?",
     study_blocks},
    {"groups", "Kernels in the same thread block",
     "Which technique is faster on a GPU, if all kernels have the same thread blocks?", study_groups},
    {"lazy", "Lazy against eager", "When does it pay to detect inactive tiles and to skip them?", study_lazy},
    {"lazy-gpu", "Lazy kernels on GPUs, by starting pattern",
     "From which starts do kernels that skip inactive tiles gain on a GPU, and when is a CPU's faster?",
     study_lazy_gpu},
    {"registers", "Rules compiled with the program and rules compiled at run time",
     "What does it cost to generate a rule's code at run time, and what do the registers of cases that do "
     "not run?",
     study_registers},
    {"timeline", "Timeline of tiles by thread",
     "Which thread computes which tile when, and which threads wait?", study_timeline, false},
    {"hybrid", "One world on the CPU and a GPU",
     "How fast is a world that is divided between two devices, by their shares of the rows?", study_hybrid},
    {"reduction", "Algorithms for the sum of an array on a GPU",
     "Which algorithms reach the bandwidth of a GPU's memory, and what does each step gain?", study_reduction,
     false},
    {"anneal", "The evolution of Anneal", "What becomes of noise under the rule Anneal?", study_anneal,
     false},
};

}  // namespace

std::span<const Study> studies() { return study_list; }

}  // namespace app
