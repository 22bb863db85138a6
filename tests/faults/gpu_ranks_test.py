"""Processes under mpirun whose GPUs exchange by NCCL, all emulated: that they train as one process does, and what
they do where one of them is lost, has come to no GPU, or dies while they join.

As ranks_support.py says. STRATA_CUDA_PLUGIN: the emulated backend.
"""

import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ranks_support import ENVIRONMENT, STRATA, TIMEOUT, TRIES, RanksTest, launch  # noqa: E402

GPU = ["--set", 'placement.devices=["cuda:0"]']
TWO_GPUS = ["--set", "placement.replicas=2", "--set", 'placement.devices=["cuda:0","cuda:1"]']


class GpuRanks(RanksTest):
    def setUp(self):
        super().setUp()
        meeting = self.dir / "nccl"
        meeting.mkdir()
        self.environment = {**ENVIRONMENT, "STRATA_EMULATED_GPUS": "8", "STRATA_EMULATED_PROCESSES": str(meeting)}

    def launch_two(self, first, second, prefix=()):
        """One rank with each of the settings; prefix: of the second's command line."""
        options = ["train", self.project, "--json", "--run-dir", self.dir / "run", "--timeout", TIMEOUT]
        other = [*prefix, STRATA, *map(str, options), *second]
        begin = time.monotonic()
        result = subprocess.run([*launch(1, *options, *first), ":", "-np", "1", *other], capture_output=True, text=True,
                                timeout=120, env=self.environment, check=False)
        self.assertNotEqual(result.returncode, 0, result.stdout[-500:])
        return time.monotonic() - begin, result.stderr

    def test_ranks_train_as_one_process(self):
        one = self.train(1, "one", *self.batch(24, 1), *GPU)
        self.assertGreaterEqual(len(self.losses(one)), 20)
        self.assert_alike(self.losses(self.train(1, "cpu", *self.batch(24, 1)))[:20], self.losses(one)[:20])
        for name, ranks, replicas, more in (("two", 2, 1, GPU), ("whole", 2, 1, [*GPU, "--set", "placement.sharded_optimizer=false"]),
                                            ("three", 3, 1, GPU), ("four", 2, 2, TWO_GPUS)):
            many = self.train(ranks, name, *self.batch(24, ranks * replicas), *more)
            self.assert_alike(self.losses(one)[:20], self.losses(many)[:20])
            used = next(e for e in many if e["event"] == "plan")["devices"]
            self.assertEqual(len({device["name"] for device in used}), ranks * replicas)
            self.assertTrue(all("cuda:" in device["name"] for device in used), used)
            for a, b in zip((e for e in one if e["event"] == "epoch"), (e for e in many if e["event"] == "epoch")):
                self.assertAlmostEqual(a["val_loss"], b["val_loss"], 5)

    def test_other_numbers_of_ranks_go_on(self):
        one = self.losses(self.train(1, "one", *self.batch(24, 1), *GPU))
        stop = ["--set", "training.checkpoint.save_freq=4", "--set", "training.checkpoint.keep_last=1", *GPU]
        joined = self.stopped_after(10, 2, "go-on", *self.batch(24, 2), *stop)
        joined += self.stopped_after(10, 3, "go-on", *self.batch(24, 3), *stop, "--resume")
        told = self.train(1, "go-on", *self.batch(24, 1), *GPU, "--resume")
        joined += [e for e in told if e["event"] == "step"]
        self.assert_alike(one, [step["loss"] for step in joined])

    # Its GPU comes to no exchange then, and NCCL would wait for it for ever.
    def test_a_rank_that_is_lost_is_named(self):
        for number in range(TRIES):
            rank = (2, 0, 1)[number % 3]
            for how, limit in ((signal.SIGKILL, TIMEOUT), (signal.SIGSTOP, 2 * TIMEOUT)):
                meeting = self.dir / f"nccl-{number}-{int(how)}"
                meeting.mkdir()
                self.environment["STRATA_EMULATED_PROCESSES"] = str(meeting)
                seconds, said = self.lose(how, rank, number, *GPU, ranks=3)
                self.assertTrue(any(meeting.iterdir()), "no GPU took part")
                self.assertLess(seconds, limit)
                for other in range(3):
                    if other != rank:
                        self.assertIn(f"rank {other}: rank {rank} (host", said, f"try {number}")

    # NCCL would wait for it for ever.
    def test_a_rank_that_dies_while_they_join_is_named(self):
        seconds, said = self.launch_two(GPU, GPU, prefix=["env", "STRATA_EMULATED_DIES_JOINING=1"])
        self.assertLess(seconds, 2 * TIMEOUT)
        self.assertIn("rank 0: rank 1 (host", said)
        self.assertIn("has ended without a word", said)

    def test_ranks_with_devices_of_other_kinds_are_refused(self):
        for first, second in ((GPU, []), ([], GPU)):
            seconds, said = self.launch_two(first, second)
            self.assertLess(seconds, 2 * TIMEOUT)
            kinds = ("'cpu:0'", "'cuda:") if first else ("'cuda:", "'cpu:0'")
            self.assertIn(f"rank 1 has on {kinds[0]}", said)
            self.assertIn(f"what rank 0 has on {kinds[1]}", said)
            self.assertIn("placement.devices", said)
            self.assertEqual(said.count("strata: "), 1, said)


if __name__ == "__main__":
    unittest.main()
