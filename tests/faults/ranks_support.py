"""What the tests of processes under mpirun share: starting them, their ends and their losses.

STRATA: the program. MPIRUN: the launcher. STRATA_TRIES: how often a rank is killed and stopped (default 2).
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from support import STRATA, CliTest, events, run  # noqa: E402, F401

MPIRUN = os.environ["MPIRUN"]
TRIES = int(os.environ.get("STRATA_TRIES", "2"))
TIMEOUT = 6  # of the ranks, in seconds: a machine that is busy must not look like one that hangs
# Root runs the tests in a container, whose ranks may not read each other's memory. One thread a rank, and none
# that spins.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_WAIT_POLICY": "passive"}


def launch(ranks, *arguments):
    return [MPIRUN, "--oversubscribe", "--bind-to", "none", "-np", str(ranks), STRATA, *map(str, arguments)]


def rank_of(pid):
    """The rank of a process, or None where it is none."""
    try:
        for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                return int(entry.split(b"=")[1])
    except OSError:
        pass
    return None


def children_of(pid):
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in text.split()]


class RanksTest(CliTest):
    environment = ENVIRONMENT

    def options(self, directory, *more):
        return ["train", self.project, "--json", "--run-dir", directory, "--timeout", TIMEOUT,
                "--set", "placement.threads=1", *more]

    def train(self, ranks, directory, *more, code=0):
        """The events of a run of so many ranks."""
        arguments = self.options(self.dir / directory, *more)
        command = launch(ranks, *arguments) if ranks > 1 else [STRATA, *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=self.environment, check=False)
        self.assertEqual(result.returncode, code, result.stdout[-2000:] + result.stderr)
        return events(result.stdout)

    def losses(self, told):
        return [event["loss"] for event in told if event["event"] == "step"]

    def assert_alike(self, one, many):
        self.assertEqual(len(one), len(many))
        for step, (a, b) in enumerate(zip(one, many)):
            self.assertLess(abs(a - b), 1e-5 * abs(a), f"step {step}")

    def batch(self, together, ranks):
        return ["--set", f"data.pipeline.batch.batch_size={together // ranks}"]

    def start(self, ranks, directory, *more):
        arguments = self.options(self.dir / directory, *more)
        command = launch(ranks, *arguments) if ranks > 1 else [STRATA, *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)

        def end():
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()

        self.addCleanup(end)
        return process

    def pids(self, process, ranks):
        """By rank."""
        if ranks == 1:
            return [process.pid]
        by_rank = {rank_of(pid): pid for pid in children_of(process.pid)}
        return [by_rank[rank] for rank in range(ranks)]

    def wait_for_end(self, pid, seconds=5):
        """Of a rank whose launcher may have gone before it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] in "ZX":
                    return
            except OSError:
                return
            time.sleep(0.05)
        self.fail("a rank is left")

    def lose(self, how, rank, number, *more, ranks=4):
        """Sends a signal to a rank in training; the seconds until all have ended, and what was said."""
        process = self.start(ranks, f"lost-{how}-{number}", "--set", "training.epochs=100000", "--set",
                             "training.checkpoint=null", *more)
        for line in process.stdout:
            if json.loads(line)["event"] == "step":
                break
        pids = self.pids(process, ranks)
        time.sleep(0.003 * (number % 10))
        begin = time.monotonic()
        os.kill(pids[rank], how)
        out, err = process.communicate(timeout=60)
        seconds = time.monotonic() - begin
        self.assertNotEqual(process.returncode, 0, out[-500:] + err)
        for pid in pids:
            self.wait_for_end(pid)
        return seconds, err

    def stopped_after(self, steps, ranks, directory, *more):
        """The steps of a run that SIGTERM to its last rank ends: all stop after the same step."""
        process = self.start(ranks, directory, *more)
        told = []
        for line in process.stdout:
            told.append(json.loads(line))
            if sum(e["event"] == "step" for e in told) == steps:
                os.kill(self.pids(process, ranks)[ranks - 1], signal.SIGTERM)
                steps = -1
        self.assertEqual(process.wait(30), 143, process.stderr.read())
        self.assertEqual(told[-1]["status"], "stopped")
        return [event for event in told if event["event"] == "step"]
