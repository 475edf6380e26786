#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds that are divided among processes which srun starts: a Slurm cluster of two nodes, both on this machine, that the test starts itself
and ends. Without Slurm (Debian: slurm-wlm, munge) it is skipped."""
import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from command_case import ACORN, Case, ONE_CPU, moorea
from programs import MOOREA

PROGRAMS = ["munged", "munge", "slurmctld", "slurmd", "srun", "scancel", "squeue", "sinfo"]
MISSING = [name for name in PROGRAMS if not shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")]
if not json.loads(moorea("info", "--json").stdout)["mpi"]:
    MISSING.append("MPI in this build")
if ONE_CPU:
    MISSING.append("second CPU for the second node")
if MISSING:
    print(f"slurm_test: no {', '.join(MISSING)}", file=sys.stderr)
    sys.exit(77)
LIMIT = 60  # seconds: nothing hangs
SOUP = ["run", "--random", "0.4", "--size", "512x500", "-r", "B2/S", "--threads", "1"]  # never settles


def free_ports(number):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)


class Cluster:
    """munged, slurmctld and a slurmd for each node, of the user who runs the test."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="slurm")
        self.path = pathlib.Path(self.folder.name)
        self.log = open(self.path / "log", "wb")
        host, user = socket.gethostname(), getpass.getuser()
        control, *ports = free_ports(3)
        nodes = dict(zip(("one", "two"), ports, strict=True))
        for name in ("state", *nodes):
            (self.path / name).mkdir()
        key = self.path / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        self.socket = self.path / "munge.socket"
        lines = ["ClusterName=test", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmUser={user}", f"SlurmdUser={user}", "AuthType=auth/munge", "CredType=cred/munge",
                 f"AuthInfo=socket={self.socket}", f"SlurmctldPort={control}", f"StateSaveLocation={self.path}/state", f"SlurmdSpoolDir={self.path}/%n", f"TmpFS={self.path}/%n",
                 f"SlurmctldPidFile={self.path}/slurmctld.pid", f"SlurmdPidFile={self.path}/%n.pid", "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/affinity",
                 "JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none", "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
                 "SchedulerType=sched/builtin", "ReturnToService=2", "KillWait=2",
                 *(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={len(os.sched_getaffinity(0))}" for name, port in nodes.items()),
                 "PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:8"]
        (self.path / "slurm.conf").write_text("\n".join(lines) + "\n")
        self.environment = dict(os.environ, SLURM_CONF=str(self.path / "slurm.conf"), PATH=os.environ.get("PATH", "") + ":/usr/sbin", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                                OMPI_MCA_btl_vader_backing_directory=str(self.path))  # names of its files are those of other clusters on this machine
        self.daemons = []
        try:
            self.start("munged", "--foreground", "--force", f"--socket={self.socket}", f"--key-file={key}", f"--pid-file={self.path}/munged.pid", f"--log-file={self.path}/munged.log",
                       f"--seed-file={self.path}/seed")
            wait_until(self.socket.exists)
            self.start("slurmctld", "-D")
            for name in nodes:
                self.start("slurmd", "-D", "-N", name)
            wait_until(lambda: self.output("sinfo", "-h", "-o", "%T").split() == ["idle"])
        except AssertionError:
            self.stop()
            print(f"slurm_test: Slurm does not start here: {(self.path / 'log').read_text(errors='replace')[-1000:]}", file=sys.stderr)
            sys.exit(77)

    def start(self, *command):
        self.daemons.append(subprocess.Popen(command, env=self.environment, cwd=self.path, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log))

    def output(self, *command):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True, timeout=LIMIT).stdout

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.log.close()


def setUpModule():
    global cluster
    cluster = Cluster()


def tearDownModule():
    cluster.stop()
    cluster.folder.cleanup()


class Slurm(Case):
    def launch(self, *command, options=("--mpi=pmix", "-N2", "-n3")):
        launcher = subprocess.Popen(["srun", *options, *command], env=cluster.environment, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(launcher.communicate)
        self.addCleanup(launcher.kill)
        return launcher

    def ends(self, launcher, code):
        """What the program printed, and its own messages."""
        printed, errors = launcher.communicate(timeout=LIMIT)
        self.assertEqual(launcher.returncode, code, errors)
        return printed, [line for line in errors.splitlines() if line.startswith("moorea: ")]

    def endless(self, file):
        """A run that has written a checkpoint, so that all ranks have started MPI: Slurm does not notice the end of one before."""
        launcher = self.launch(MOOREA, *SOUP, "-g", "1e9", "--checkpoint", file, "--resume", "--json", "--rank-timeout", "20")
        step = []

        def catches():
            step[:] = cluster.output("squeue", "-h", "-s", "-o", "%i").split()
            return len(step) == 1 and len(self.ranks(file, catching=True)) == 3

        wait_until(lambda: catches() or launcher.poll() is not None)
        cluster.output("scancel", "--signal=USR1", step[0])
        wait_until(lambda: os.path.exists(file) or launcher.poll() is not None)
        return launcher, step[0]

    def ranks(self, file, catching=False):
        """Processes of the run of a checkpoint, of those which catch SIGUSR1."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
                status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines() if ":\t" in line)
            except OSError:
                continue
            caught = int(status["SigCgt"], 16) >> (signal.SIGUSR1 - 1) & 1
            if command[0] == MOOREA and file in command and (caught or not catching):
                found.append(int(process))
        return found

    def test_the_cells_are_those_of_one_process(self):
        printed, messages = self.ends(self.launch(MOOREA, *SOUP, "-g", "300", "--json"), 0)
        result, one = json.loads(printed), self.json(*SOUP, "-g", "300")
        self.assertEqual((result["hash"], len(result["ranks"]), messages), (one["hash"], 3, []))

    def test_ranks_have_cpus_of_their_own(self):
        """Those to which srun binds them; without binding Moorea divides them."""
        cores = len(os.sched_getaffinity(0))
        for options in ((), ("--cpu-bind=none",)):
            printed, _ = self.ends(self.launch(MOOREA, *SOUP[:-2], "-g", "10", "--json", options=("--mpi=pmix", "-N1", "-n2", f"--cpus-per-task={cores // 2}", *options)), 0)
            self.assertEqual([rank["threads"] for rank in json.loads(printed)["ranks"]], 2 * [cores // 2], options)

    def test_an_error_ends_all_with_one_message(self):
        _, messages = self.ends(self.launch(MOOREA, "run", "--random", "0.4", "--size", "100x2", "-g", "10"), 2)
        self.assertEqual(len(messages), 1, messages)
        self.assertRegex(messages[0], "^moorea: .*a world of 2 rows cannot be divided among 3 ranks: start at most 2$")
        script = f'test $PMIX_RANK = 2 && set -- run gone.rle --size 300 -g 1M; exec {MOOREA} "$@"'
        _, messages = self.ends(self.launch("sh", "-c", script, "sh", "run", ACORN, "--size", "300", "-g", "1M"), 1)
        self.assertEqual(len(messages), 1, messages)
        self.assertRegex(messages[0], "^moorea: rank 2 on .*gone.rle: cannot open")

    def test_signals_save_and_the_run_continues(self):
        file = self.file("a.checkpoint")
        launcher, step = self.endless(file)
        cluster.output("scancel", "--signal=TERM", step)
        printed, messages = self.ends(launcher, 0)
        self.assertRegex("\n".join(messages), "^moorea: SIGUSR1: a checkpoint of generation .*\nmoorea: interrupted at generation .* --resume continues from it$")
        goal = json.loads(printed)["generation"] + 50
        printed, _ = self.ends(self.launch(MOOREA, "run", file, "--resume", "-g", str(goal), "--json"), 0)
        self.assertEqual(json.loads(printed)["hash"], self.json(*SOUP, "-g", str(goal))["hash"])

    def test_a_rank_that_is_killed_ends_all(self):
        """By PMIx, or if Slurm ends the step of the rank's node before that has told the others, by their time limit."""
        file = self.file("killed.checkpoint")
        launcher, _ = self.endless(file)
        os.kill(self.ranks(file)[1], signal.SIGKILL)
        self.ends(launcher, 137)
        wait_until(lambda: not self.ranks(file))

    def test_tasks_that_nothing_connects_are_named(self):
        _, messages = self.ends(self.launch(MOOREA, *SOUP, "-g", "10", options=("--mpi=none", "-N1", "-n2", "--overcommit")), 0)
        self.assertEqual(messages, ["moorea: srun started 2 processes without --mpi=pmix: each of them runs the whole world"])


if __name__ == "__main__":
    unittest.main()
