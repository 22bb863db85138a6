"""Processes that train together under mpirun: one is killed, stopped or has nothing left, and what the
others then do; and that 1, 2 and 4 of them train alike.

As ranks_support.py says.
"""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ranks_support import STRATA, TIMEOUT, TRIES, RanksTest, events, launch, run  # noqa: E402


class Ranks(RanksTest):
    def test_ranks_with_other_data_are_refused(self):
        folder = self.dir / "other"
        folder.mkdir()
        mine = self.dir
        for count in (640, 600):  # other samples, and fewer
            self.dir = folder
            self.write_data("train", count, 9)
            self.write_data("test", 200, 2)
            self.dir = mine
            (folder / self.project.name).write_bytes(self.project.read_bytes())
            first = launch(1, *self.options(self.dir / f"run-{count}"))
            second = [STRATA, *map(str, self.options(self.dir / f"run-{count}"))]
            second[2] = str(folder / self.project.name)
            result = subprocess.run([*first, ":", "-np", "1", *second], capture_output=True, text=True, timeout=120,
                                    env=self.environment, check=False)
            self.assertNotEqual(result.returncode, 0, result.stdout[-500:])
            self.assertIn("data.source", result.stderr)
            self.assertIn("same files", result.stderr)

    # ---- the same run

    def test_ranks_train_as_one_process(self):
        one = self.train(1, "one", *self.batch(24, 1))
        self.assertGreaterEqual(len(self.losses(one)), 20)
        for ranks in (2, 4):
            many = self.train(ranks, f"many-{ranks}", *self.batch(24, ranks))
            self.assert_alike(self.losses(one)[:20], self.losses(many)[:20])
            for a, b in zip((e for e in one if e["event"] == "epoch"), (e for e in many if e["event"] == "epoch")):
                self.assertEqual(a["val_accuracy"], b["val_accuracy"])
                self.assertAlmostEqual(a["val_loss"], b["val_loss"], 5)

    def synchronize(self):
        """The project gets a normalisation by the samples of all replicas."""
        content = self.content()
        layers = content["model"]["layers"]
        hidden = next(i for i, layer in enumerate(layers) if layer["name"] == "hidden")
        layers.insert(hidden + 1, {"name": "norm", "type": "BatchNormalization",
                                   "config": {"synchronized": True, "momentum": 0.9}, "inputs": ["hidden"]})
        layers[hidden + 2]["inputs"] = ["norm"]
        self.project.write_text(json.dumps(content), encoding="utf-8")

    def test_layers_that_normalise_by_all_ranks_do_as_on_one_device(self):
        self.synchronize()
        one = self.train(1, "one", *self.batch(24, 1))
        self.assertGreaterEqual(len(self.losses(one)), 20)
        for ranks, replicas in ((1, 2), (2, 1), (2, 2), (3, 1)):
            many = self.train(ranks, f"many-{ranks}-{replicas}", *self.batch(24, ranks * replicas),
                              "--set", f"placement.replicas={replicas}")
            self.assert_alike(self.losses(one)[:20], self.losses(many)[:20])
            for a, b in zip((e for e in one if e["event"] == "epoch"), (e for e in many if e["event"] == "epoch")):
                self.assertAlmostEqual(a["val_loss"], b["val_loss"], 5)  # by the moving averages
        # 576 samples, 575 at a time: the second batch of an epoch has one sample for five ranks.
        one = self.train(1, "short", *self.batch(575, 1))
        many = self.train(5, "short-many", *self.batch(575, 5))
        self.assertEqual(len(self.losses(one)), 6)
        self.assert_alike(self.losses(one), self.losses(many))

    def test_the_plan_is_what_each_process_holds(self):
        for ranks, more in ((2, ()), (3, ("--set", "placement.micro_batches=4", "--set", "model.layers.out.device=cpu:1"))):
            settings = ["--set", f"placement.ranks={ranks}", *self.batch(48, ranks), *more]
            command = launch(ranks, "train", self.project, "--json", "--run-dir", self.dir / f"held-{ranks}",
                             "--set", "training.epochs=1", *settings)
            result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=self.environment, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            held = next(e for e in events(result.stdout) if e["event"] == "plan")["devices"]
            plan = run("plan", self.project, "--json", *settings)
            self.assertEqual(plan.returncode, 0, plan.stderr)
            planned = json.loads(plan.stdout)["devices"]
            self.assertEqual([f"rank{r}/{d['device']}" for r in range(ranks) for d in planned], [d["name"] for d in held])
            for mine, its in zip(planned, held):  # the plan is of the first of them
                for category, value in its["memory_bytes"].items():
                    self.assertEqual(mine["memory"][category], value, (category, ranks))

    def test_a_rank_without_samples_takes_part(self):
        # 576 samples, 575 at a time: the second batch of an epoch has one sample for five ranks.
        one = self.train(1, "one", *self.batch(575, 1))
        many = self.train(5, "many", *self.batch(575, 5))
        self.assertEqual(len(self.losses(one)), 6)
        self.assert_alike(self.losses(one), self.losses(many))

    def test_other_numbers_of_ranks_go_on(self):
        one = self.losses(self.train(1, "one", *self.batch(24, 1)))
        stop = ["--set", "training.checkpoint.save_freq=4", "--set", "training.checkpoint.keep_last=1"]
        for others in (1, 2, 3):
            directory = f"go-on-{others}"
            joined = self.stopped_after(10, 4, directory, *self.batch(24, 4), *stop)
            joined += self.stopped_after(10, others, directory, *self.batch(24, others), *stop, "--resume")
            joined += [e for e in self.train(4, directory, *self.batch(24, 4), "--resume") if e["event"] == "step"]
            self.assert_alike(one, [step["loss"] for step in joined])
            self.assertEqual([step["step"] for step in joined], list(range(1, len(one) + 1)))

    # ---- faults

    def test_a_rank_that_is_killed_is_named(self):
        for number in range(TRIES):
            rank = (2, 0, 3, 1)[number % 4]
            seconds, said = self.lose(signal.SIGKILL, rank, number)
            self.assertLess(seconds, TIMEOUT)
            others = [r for r in range(4) if r != rank and f"rank {r}: rank {rank} (host" in said]
            self.assertEqual(len(others), 3, f"rank {rank}, try {number}: {said}")

    def test_a_rank_that_is_stopped_is_named(self):
        for number in range(TRIES):
            rank = (2, 0, 3, 1)[number % 4]
            seconds, said = self.lose(signal.SIGSTOP, rank, number)
            self.assertLess(seconds, 2 * TIMEOUT)
            for other in range(4):
                if other != rank:
                    self.assertIn(f"rank {other}: rank {rank} (host", said, f"try {number}")
            self.assertIn("has not answered for", said)
            # What it says itself when the launcher wakes it: no fault of the others, and none without a reason.
            own = [line for line in said.splitlines() if f"strata: rank {rank}:" in line]
            for line in own:
                self.assertIn("stood still for", line, f"rank {rank}, try {number}: {said}")

    def test_a_rank_that_is_lost_amid_the_sums_of_layers_is_named(self):
        self.synchronize()
        self.test_a_rank_that_is_killed_is_named()
        self.test_a_rank_that_is_stopped_is_named()

    def test_a_rank_that_wakes_says_that_it_stood_still(self):
        for rank in (2, 0):
            process = self.start(4, f"woken-{rank}", "--set", "training.epochs=100000", "--set",
                                 "training.checkpoint=null")
            for line in process.stdout:
                if json.loads(line)["event"] == "step":
                    break
            pids = self.pids(process, 4)
            os.kill(process.pid, signal.SIGSTOP)  # the launcher, which would kill it at once
            os.kill(pids[rank], signal.SIGSTOP)
            for other in range(4):
                if other != rank:
                    self.wait_for_end(pids[other], 3 * TIMEOUT)
            os.kill(pids[rank], signal.SIGCONT)
            self.wait_for_end(pids[rank])
            os.kill(process.pid, signal.SIGCONT)
            _, said = process.communicate(timeout=60)
            (own,) = [line for line in said.splitlines() if f"rank {rank}: " in line and f"rank {rank} (" not in line]
            self.assertIn("stood still for", own)
            self.assertIn("the others gave it up", own)

    # mpirun gives its processes a terminal, whatever its own output goes to.
    def test_a_file_gets_lines_and_no_bar(self):
        arguments = [each for each in self.options(self.dir / "run") if each != "--json"]
        result = subprocess.run(launch(2, *arguments), capture_output=True, text=True, timeout=120, env=self.environment,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Epoch 3/3", result.stdout)
        self.assertNotIn("\x1b", result.stdout)

    def test_a_wrong_project_is_told_once(self):
        result = subprocess.run(launch(4, *self.options(self.dir / "wrong", "--set", "training.epochs=0")),
                                capture_output=True, text=True, timeout=60, env=self.environment, check=False)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stderr.count("training.epochs: must be at least 1"), 1, result.stderr)

    def test_memory_that_is_too_small_is_told_as_that(self):
        for ranks in (1, 3):
            end = self.train(ranks, f"small-{ranks}", "--set", "placement.memory_limit=4096", code=1)[-1]
            self.assertEqual((end["event"], end["status"]), ("end", "failed"))
            self.assertEqual(end["error"]["code"], "out_of_memory")

    def test_ranks_pause_and_go_on(self):
        process = self.start(3, "paused", "--set", "training.epochs=100000", "--set", "training.checkpoint=null")
        def wait_for(wanted):
            for line in process.stdout:
                event = json.loads(line)
                if wanted(event):
                    return event
            raise AssertionError(process.stderr.read())

        wait_for(lambda e: e["event"] == "step")
        os.kill(self.pids(process, 3)[0], signal.SIGUSR2)
        wait_for(lambda e: e["event"] == "state" and e["state"] == "paused")
        time.sleep(TIMEOUT + 1)  # nobody takes that for a stall
        os.kill(self.pids(process, 3)[0], signal.SIGUSR2)
        wait_for(lambda e: e["event"] == "state" and e["state"] == "running")
        wait_for(lambda e: e["event"] == "step")
        os.kill(self.pids(process, 3)[1], signal.SIGUSR1)
        end = wait_for(lambda e: e["event"] == "end")
        self.assertEqual(end["status"], "stopped")
        self.assertEqual(process.wait(30), 143)


if __name__ == "__main__":
    unittest.main()
