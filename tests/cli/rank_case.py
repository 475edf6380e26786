# SPDX-License-Identifier: MIT
"""Runs that mpirun starts as several processes on this machine."""
import json
import os
import shutil
import subprocess
import time
import unittest

from command_case import Case, moorea
from programs import MOOREA

# More processes than CPUs; Open MPI refuses root unless told otherwise, its single copies need rights in containers, the search for networks takes
# longer than most runs, and after an error, which has been reported by then, it sleeps for a second
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,vader,tcp", OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_odls_base_sigkill_timeout="0")
LIMIT = 120  # seconds: nothing hangs


def launch(ranks, *arguments, seconds_to_end=1):
    """A run that goes on, with its ranks by number once they have started. After a signal the launcher sleeps for so many seconds, and kills."""
    environment = dict(ENVIRONMENT, OMPI_MCA_odls_base_sigkill_timeout=str(seconds_to_end))
    launcher = subprocess.Popen(["mpirun", "-n", str(ranks), MOOREA, *arguments], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    processes = {}
    end = time.monotonic() + LIMIT
    while len(processes) < ranks and launcher.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/stat", encoding="ascii") as stat:
                    parent = int(stat.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{process}/environ", encoding="utf-8") as environ:
                    values = dict(item.partition("=")[::2] for item in environ.read().split("\0"))
                executable = os.readlink(f"/proc/{process}/exe")
            except OSError:
                continue
            if parent == launcher.pid and os.path.samefile(executable, MOOREA) and "OMPI_COMM_WORLD_RANK" in values:
                processes[int(values["OMPI_COMM_WORLD_RANK"])] = int(process)
    return launcher, processes


@unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
@unittest.skipUnless(json.loads(moorea("info", "--json").stdout)["mpi"], "this build has no MPI")
class RankCase(Case):
    def mpirun(self, ranks, *arguments):
        return subprocess.run(["mpirun", "-n", str(ranks), MOOREA, *arguments], env=ENVIRONMENT, text=True, capture_output=True, timeout=LIMIT)

    def ranked(self, ranks, *arguments):
        result = self.mpirun(ranks, *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def fails(self, code, text, result):
        """One message of the program, whatever the launcher adds."""
        self.assertEqual(result.returncode, code, result.stderr)
        messages = [line for line in result.stderr.splitlines() if line.startswith("moorea: ")]
        self.assertEqual(len(messages), 1, result.stderr)
        self.assertIn(text, messages[0])
        self.assertEqual(result.stdout, "")

    def gone(self, ranks):
        end = time.monotonic() + 20
        while any(os.path.exists(f"/proc/{process}") for process in ranks.values()) and time.monotonic() < end:
            time.sleep(0.1)
        for rank, process in ranks.items():
            self.assertFalse(os.path.exists(f"/proc/{process}"), f"rank {rank} still runs")
