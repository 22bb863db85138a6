"""Control of a run from outside: `strata control`, the file behind it, and signals."""

import json
import os
import signal
import subprocess
import threading
import time
import unittest

from support import STRATA, CliTest, run


class Running:
    """`strata train` in the background; its events as they come."""

    def __init__(self, project, directory, *arguments):
        self.events = []
        self.process = subprocess.Popen(
            [STRATA, "train", str(project), "--json", "--run-dir", str(directory), "--set", "training.epochs=1000000",
             "--set", "training.checkpoint=null", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.events.append(json.loads(line))

    def wait_for(self, wanted, start=0):
        """The first event from `start` on that `wanted` accepts, and the place after it."""
        deadline, at = time.monotonic() + 30, start
        while time.monotonic() < deadline:
            while at < len(self.events):
                at += 1
                if wanted(self.events[at - 1]):
                    return self.events[at - 1], at
            time.sleep(0.002)
        raise AssertionError("the event did not come")

    def state(self, name, start=0):
        return self.wait_for(lambda e: e["event"] == "state" and e["state"] == name, start)[1]

    def end(self):
        """The exit code."""
        if self.process.poll() is None:
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode


class Control(CliTest):
    def start(self, *arguments):
        self.directory = self.dir / "run"
        running = Running(self.project, self.directory, *arguments)
        self.addCleanup(lambda: (running.process.kill(), running.end()))
        running.wait_for(lambda e: e["event"] == "step")
        return running

    def control(self, *arguments):
        result = run("control", self.directory, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_pause_step_resume_save_and_stop(self):
        running = self.start()
        self.control("--pause")
        at = running.state("paused")
        steps = sum(e["event"] == "step" for e in running.events)
        self.control("--step")
        at = running.state("paused", at)
        self.assertEqual(sum(e["event"] == "step" for e in running.events), steps + 1)
        self.control("--save")
        saved, _ = running.wait_for(lambda e: e["event"] == "checkpoint")
        self.assertEqual(run("inspect", saved["path"]).returncode, 0)
        self.control("--resume")
        at = running.state("running", at)
        running.wait_for(lambda e: e["event"] == "step", at)
        self.control("--stop")
        self.assertEqual(running.end(), 0)
        self.assertEqual(running.events[-1]["status"], "stopped")
        self.assertFalse((self.directory / "control.json").exists())

    def test_settings_are_marked_and_used(self):
        running = self.start("--set", "training.clipping={\"global_clipnorm\": 1.0}")
        self.control("--learning-rate", "0.0625", "--clip-limit", "0.5", "--weight-decay", "0.125")
        for kind, value in (("learning_rate", 0.0625), ("clip_limit", 0.5), ("weight_decay", 0.125)):
            mark, at = running.wait_for(lambda e, kind=kind: e["event"] == "mark" and e["kind"] == kind)
            self.assertEqual(mark["value"], value)
        step, _ = running.wait_for(lambda e: e["event"] == "step", at)
        self.assertEqual(step["learning_rate"], 0.0625)
        self.control("--stop")
        self.assertEqual(running.end(), 0)

    def test_bad_files_are_warnings(self):
        running = self.start()
        at = 0
        for content in (b"{ not json", b"[]", b'{"pauze": true}', b'{"learning_rate": "fast"}', b"\x00\xff" * 100_000):
            (self.directory / "new").write_bytes(content)
            (self.directory / "new").rename(self.directory / "control.json")
            warning, at = running.wait_for(lambda e: e["event"] == "log" and e["level"] == "warning", at)
            self.assertIn("control.json", warning["text"])
        os.mkfifo(self.directory / "control.json")
        running.wait_for(lambda e: e["event"] == "log" and e["level"] == "warning", at)
        self.control("--stop")
        self.assertEqual(running.end(), 0)

    def test_refused_where_no_run_is_active(self):
        run("train", self.project, "--run-dir", self.dir / "done", "--set", "training.epochs=1")
        self.refused(run("control", self.dir / "done", "--pause"), "no run is active", "done")
        self.assertFalse((self.dir / "done" / "control.json").exists())
        self.refused(run("control", self.dir / "nowhere", "--pause"), "nowhere")

    def test_wrong_use_is_refused_before_a_run_is_looked_for(self):
        nowhere = self.dir / "nowhere"
        self.refused(run("control"), "RUN_DIR", "--help", code=2)
        self.refused(run("control", nowhere), "nothing is asked for", "--pause", "--help", code=2)
        self.refused(run("control", nowhere, "--pause", "--resume"), "pause", code=2)
        for other, words in (("--pause", "end and pause"), ("--step", "end and pause"), ("--resume", "end and go on")):
            with self.subTest(other=other):
                self.refused(run("control", nowhere, "--stop", other), words, "Ask for one", "--help", code=2)
        for option, values in (("--learning-rate", ("-1", "1e300", "nan", "inf", "fast")),
                               ("--clip-limit", ("0", "-1", "1e-300", "inf")), ("--weight-decay", ("-0.1", "nan", "1e9"))):
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused(run("control", nowhere, option, value), option, code=2)

    def test_a_limit_is_refused_where_the_run_does_not_clip(self):
        running = self.start()
        result = run("control", self.directory, "--clip-limit", "0.5")
        self.refused(result, "does not clip", "training.clipping")
        self.assertNotIn("taken", result.stdout)
        self.control("--learning-rate", "0")
        running.wait_for(lambda e: e["event"] == "mark" and e["kind"] == "learning_rate" and e["value"] == 0)
        self.control("--stop")
        self.assertEqual(running.end(), 0)

    def test_a_request_left_behind_is_not_of_the_next_run(self):
        self.directory = self.dir / "run"
        self.directory.mkdir()
        (self.directory / "control.json").write_text('{"stop": true}')
        running = Running(self.project, self.directory)
        self.addCleanup(lambda: (running.process.kill(), running.end()))
        running.wait_for(lambda e: e["event"] == "epoch")
        time.sleep(0.3)  # three looks of the watch
        self.assertIsNone(running.process.poll())
        self.control("--stop")
        self.assertEqual(running.end(), 0)

    def test_sigusr2_pauses_and_goes_on(self):
        running = self.start()
        running.process.send_signal(signal.SIGUSR2)
        at = running.state("paused")
        running.process.send_signal(signal.SIGUSR2)
        running.state("running", at)
        running.process.send_signal(signal.SIGUSR2)
        at = running.state("paused", at)
        running.process.send_signal(signal.SIGTERM)  # a paused run ends, too
        self.assertEqual(running.end(), 143)
        self.assertEqual(run("inspect", self.directory / "last.h5").returncode, 0)

    def test_sigusr1_twice_leaves_one_valid_checkpoint(self):
        running = self.start()
        begin = time.monotonic()
        running.process.send_signal(signal.SIGUSR1)
        running.process.send_signal(signal.SIGUSR1)
        self.assertEqual(running.end(), 143)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual([path.name for path in self.directory.glob("*.h5*")], ["last.h5"])
        self.assertEqual(run("inspect", self.directory / "last.h5").returncode, 0)
        result = run("train", self.project, "--resume", "--run-dir", self.directory, "--set", "training.epochs=1",
                     "--set", "training.checkpoint=null")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
