"""The command line as a user meets it: training, resuming, evaluating, and every kind of bad input."""

import gzip
import json
import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

from support import STRATA, CliTest, events, idx, rest_of, run


class Training(CliTest):
    def test_a_run_learns_and_says_where_everything_is(self):
        result = run("train", self.project, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = events(result.stdout)
        steps = [e for e in told if e["event"] == "step"]
        self.assertEqual([e["step"] for e in steps], list(range(1, 3 * 36 + 1)))  # 576 of 640, batches of 16
        epochs = [e for e in told if e["event"] == "epoch"]
        self.assertEqual(len(epochs), 3)
        for key in ("loss", "accuracy", "val_loss", "val_accuracy"):
            self.assertIn(key, epochs[0])
        self.assertLess(epochs[2]["val_loss"], epochs[0]["val_loss"])
        end = told[-1]
        self.assertEqual((end["event"], end["status"]), ("end", "finished"))
        self.assertGreater(end["test_accuracy"], 0.95)
        self.assertTrue(Path(end["checkpoint"]).is_file())
        ElementTree.parse(end["picture"])
        self.assertTrue(list(Path(end["run_directory"]).glob("events.out.tfevents.*")))

    def test_plain_output_and_evaluate_agree(self):
        result = run("train", self.project, "--run-dir", self.dir / "run")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Epoch 3/3", result.stdout)
        line = next(text for text in result.stdout.splitlines() if text.startswith("Test accuracy"))
        accuracy = float(line.split()[2].rstrip(","))
        data = f"{self.dir}/test-images.gz,{self.dir}/test-labels"
        result = run("evaluate", self.dir / "run" / "last.h5", "--data", data, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["accuracy"], accuracy, places=4)

    def test_set_reaches_every_part(self):
        result = run("train", self.project, "--json", "--set", "training.epochs=1",
                     "--set", "model.layers.hidden.config.units=4", "--set", "data.pipeline.batch.batch_size=64",
                     "--set", "training.optimizer=SGD", "--set", "training.optimizer.config={\"learning_rate\":0.5}")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = events(result.stdout)
        plan = next(e for e in told if e["event"] == "plan")
        self.assertEqual(plan["parameters"], 64 * 4 + 4 + 4 * 8 + 8)
        self.assertEqual(plan["steps_per_epoch"], 9)
        self.assertEqual(next(e for e in told if e["event"] == "step")["learning_rate"], 0.5)

    def test_same_seed_same_run(self):
        losses = []
        for seed in (5, 5, 6):
            result = run("train", self.project, "--json", "--set", "training.epochs=1", "--set", f"training.seed={seed}")
            losses.append([e["loss"] for e in events(result.stdout) if e["event"] == "step"])
        self.assertEqual(losses[0], losses[1])
        self.assertNotEqual(losses[0], losses[2])

    def test_ctrl_c_and_resume_equal_one_run(self):
        # However late the signal comes, it comes before the end: how long the run is, the cut one says.
        def arguments(epochs):
            return ("--json", "--set", "placement.threads=1", "--set", f"training.epochs={epochs}")

        def losses_of(told):
            return [e["loss"] for e in told if e["event"] == "step"]

        process = subprocess.Popen([STRATA, "train", str(self.project), *arguments(100000), "--run-dir",
                                    str(self.dir / "cut")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        told = [process.stdout.readline()]
        while '"event":"epoch"' not in told[-1]:
            self.assertTrue(told[-1], "the run ended before its first epoch did")
            told.append(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        rest, _ = rest_of(process)
        self.assertEqual(process.returncode, 130)
        first = events("".join(told) + rest)
        self.assertEqual(first[-1]["status"], "stopped")
        losses = losses_of(first)
        epochs = len(losses) // 36 + 2
        second = run("train", self.project, *arguments(epochs), "--run-dir", self.dir / "cut", "--resume")
        self.assertEqual(second.returncode, 0, second.stderr)
        whole = events(run("train", self.project, *arguments(epochs), "--run-dir", self.dir / "whole").stdout)
        self.assertEqual(losses + losses_of(events(second.stdout)), losses_of(whole))
        self.assertEqual(len(losses_of(whole)), 36 * epochs)
        self.assertEqual(events(second.stdout)[-1]["test_loss"], whole[-1]["test_loss"])

    def test_terminated_by_sigterm(self):
        process = subprocess.Popen([STRATA, "train", str(self.project), "--json", "--set", "training.epochs=100000",
                                    "--run-dir", str(self.dir / "run")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while b'"step"' not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(run("inspect", self.dir / "run" / "last.h5").returncode, 0)

    def test_resume_takes_the_older_checkpoint_where_the_newest_is_damaged(self):
        directory = self.dir / "run"
        run("train", self.project, "--run-dir", directory, "--set", "training.epochs=2")
        last = directory / "last.h5"
        content = bytearray(last.read_bytes())
        content[-2000:] = bytes(2000)
        last.write_bytes(content[: len(content) // 2])
        result = run("train", self.project, "--run-dir", directory, "--resume", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(any(e["event"] == "log" and "last.h5 is damaged" in e["text"] for e in events(result.stdout)))

    def test_a_nan_stops_and_names_the_layer(self):
        result = run("train", self.project, "--set", "training.optimizer=SGD",
                     "--set", "training.optimizer.config={\"learning_rate\":1e6}", "--set", "model.layers.scale.config.scale=1e10", "--set", "training.epochs=50",
                     "--set", "training.loss=mean_squared_error", "--set", "model.layers.out.config.activation=linear")
        self.refused(result, "no longer a finite number", "layer '", "learning rate")

    def test_a_file_cut_in_the_run_leaves_a_checkpoint_to_go_on_from(self):
        images = self.dir / "images"
        whole = gzip.decompress((self.dir / "train-images.gz").read_bytes())
        images.write_bytes(whole)
        arguments = (self.project, "--run-dir", self.dir / "run", "--set", "data.source.images=images",
                     "--set", "data.pipeline=[{\"stage\": \"shuffle\"}, {\"stage\": \"batch\", \"batch_size\": 16}]",
                     "--set", "placement.threads=1")
        process = subprocess.Popen([STRATA, "train", *map(str, arguments), "--set", "training.epochs=100000", "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        told = [process.stdout.readline()]
        while '"event":"epoch"' not in told[-1]:
            self.assertTrue(told[-1], "the run ended before its first epoch did")
            told.append(process.stdout.readline())
        os.truncate(images, len(whole) // 2)
        rest, fault = rest_of(process)
        self.assertEqual(process.returncode, 1)
        self.assertIn("images", fault)
        told = events("".join(told) + rest)
        self.assertEqual((told[-1]["status"], told[-1]["checkpoint"]), ("failed", str(self.dir / "run" / "last.h5")))
        done = [e["step"] for e in told if e["event"] == "step"][-1]
        images.write_bytes(whole)
        result = run("train", *arguments, "--resume", "--json", "--set", f"training.epochs={done // 36 + 2}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(next(e for e in events(result.stdout) if e["event"] == "step")["step"], done + 1)

    def test_a_project_with_a_bengali_path(self):
        folder = self.dir / "পরীক্ষা ও ছবি 🎨"
        folder.mkdir()
        for name in ("train-images.gz", "train-labels", "test-images.gz", "test-labels"):
            (folder / name).write_bytes((self.dir / name).read_bytes())
        project = folder / "প্রকল্প.strata"
        project.write_text(self.project.read_text())
        result = run("train", project, "--json", "--set", "training.epochs=1", "--set", "name=\"কাপড়\"")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("কাপড়", events(result.stdout)[-1]["checkpoint"])
        self.assertTrue(Path(events(result.stdout)[-1]["checkpoint"]).is_file())


    def test_a_reader_that_goes_away_ends_the_run_with_a_checkpoint(self):
        process = subprocess.Popen([STRATA, "train", str(self.project), "--json", "--set", "training.epochs=100000",
                                    "--run-dir", str(self.dir / "run")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        process.wait(timeout=30)
        process.stderr.close()
        self.assertEqual(process.returncode, 1)
        self.assertTrue((self.dir / "run" / "last.h5").is_file())

    def test_a_closed_terminal_ends_the_run_with_a_checkpoint(self):
        process = subprocess.Popen([STRATA, "train", str(self.project), "--json", "--set", "training.epochs=100000",
                                    "--run-dir", str(self.dir / "run")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while b'"step"' not in process.stdout.readline():
            pass
        # A second run into the same directory is refused while the first one writes.
        self.refused(run("train", self.project, "--run-dir", self.dir / "run", "--resume"), "another run")
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 129)
        self.assertTrue((self.dir / "run" / "last.h5").is_file())

    def test_a_used_directory_is_no_place_for_a_new_run(self):
        run("train", self.project, "--run-dir", self.dir / "run", "--set", "training.epochs=1")
        content = (self.dir / "run" / "last.h5").read_bytes()
        self.refused(run("train", self.project, "--run-dir", self.dir / "run"), "holds a run", "--resume")
        self.assertEqual((self.dir / "run" / "last.h5").read_bytes(), content)
        self.refused(run("train", self.project, "--run-dir", self.dir / "run", "--resume", "--set", "training.seed=6"),
                     "training.seed")


class Commands(CliTest):
    def test_version_help_and_usage(self):
        self.assertRegex(run("--version").stdout, r"^strata \d+\.\d+\.\d+\n$")
        self.assertEqual(run().returncode, 2)
        self.refused(run("trian"), "trian", "train", code=2)
        self.assertEqual(run("train", self.project, "--run-dir", "").returncode, 2)
        self.assertEqual(run("train").returncode, 2)
        self.assertEqual(run("train", self.project, "--nonsense").returncode, 2)
        for command in ("new", "train", "control", "evaluate", "predict", "inspect", "plan", "devices", "layers",
                        "import"):
            result = run(command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example", result.stdout)

    def test_new_makes_projects_that_inspect_reads(self):
        listed = run("new", "--list").stdout
        for template, parameters in (("classic", "101,770"), ("cnn", "50,186")):
            self.assertIn(template, listed)
            path = self.dir / f"{template}.strata"
            self.assertEqual(run("new", template, "-o", path).returncode, 0)
            result = run("inspect", path)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(parameters, result.stdout)
            self.refused(run("new", template, "-o", path), str(path), "exists")
        self.refused(run("new", "clasic", "-o", self.dir / "x"), "clasic", "classic")

    def test_output_is_never_a_device(self):
        run("train", self.project, "--run-dir", self.dir / "run", "--set", "training.epochs=1")
        os.mkfifo(self.dir / "pipe")
        self.refused(run("new", "classic", "-o", self.dir / "pipe", "--force"), "pipe", "regular file")
        self.refused(run("new", "classic", "-o", self.dir / "run", "--force"), "run", "directory")
        (self.dir / "link").symlink_to(self.dir / "target.strata")
        self.assertEqual(run("new", "classic", "-o", self.dir / "link").returncode, 0)
        self.assertTrue((self.dir / "link").is_symlink())
        self.assertTrue((self.dir / "target.strata").is_file())

    def test_output_that_cannot_be_written_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full here")
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([STRATA, "layers"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 1)

    def test_devices_and_layers(self):
        result = run("devices")
        cores = len(os.sched_getaffinity(0))
        self.assertIn(f"cpu:0 to cpu:{cores - 1} " if cores > 1 else "cpu:0 ", result.stdout)
        self.assertIn("divide the 1 core evenly" if cores == 1 else f"divide the {cores} cores evenly", result.stdout)
        # What it says that a project may name is what a project may name.
        last = int(re.search(r"may name cpu:0 to cpu:(\d+)", result.stdout).group(1))
        for device, code in ((f"cpu:{last}", 0), (f"cpu:{last + 1}", 1)):
            planned = run("plan", self.project, "--set", "placement.threads=1", "--set",
                          f'placement.devices=["{device}"]')
            self.assertEqual(planned.returncode, code, planned.stderr)
        self.assertIn("cuda", result.stdout)
        self.assertIn("Conv2D", run("layers").stdout)
        self.assertIn("kernel_size", run("layers", "Conv2D").stdout)
        self.refused(run("layers", "Conv2d"), "Conv2d", "Conv2D")


class BadInput(CliTest):
    def train(self, *arguments, **options):
        return run("train", self.project, *arguments, **options)

    def test_no_data_set_installed(self):
        self.write_project(lambda p: p["data"].update(
            source={"type": "idx", "dataset": "fashion-mnist", "split": "train"}))
        self.refused(self.train(env={"STRATA_DATASETS": str(self.dir / "none")}), "dataset-fashion-mnist", "apt")

    def test_truncated_and_foreign_files(self):
        images = self.dir / "train-images.gz"
        whole = images.read_bytes()
        images.write_bytes(whole[: len(whole) // 2])
        self.refused(self.train(), "train-images.gz")
        images.write_bytes(gzip.compress(b"not an IDX file at all"))
        self.refused(self.train(), "train-images.gz")
        images.write_bytes(gzip.compress(idx((640, 8, 8), bytes(100))))
        self.refused(self.train(), "train-images.gz")
        images.unlink()
        self.refused(self.train(), "train-images.gz")

    def test_counts_and_labels(self):
        labels = self.dir / "train-labels"
        labels.write_bytes(idx((100,), bytes(100)))
        self.refused(self.train(), "640", "100")
        labels.write_bytes(idx((640,), bytes(639) + b"\x0b"))
        self.refused(self.train(), "11", "8 classes")

    def test_projects(self):
        self.project.write_text("{ not json")
        self.refused(self.train(), "bars.strata", "line 1")
        self.refused(run("train", self.dir / "none.strata"), "none.strata")
        cases = [
            (lambda p: p.update(strata=2), ("newer", "version 2")),
            (lambda p: p.pop("strata"), ("bars.strata",)),
            (lambda p: p.update(strata="1"), ("bars.strata", "version")),
            (lambda p: p["model"]["layers"][3].update(type="Dens"), ("hidden", "Dens", "Dense")),
            (lambda p: p["model"]["layers"][3].update(type="Lambda"), ("hidden", "Lambda")),
            (lambda p: p["model"]["layers"][3]["config"].update(unit=3), ("hidden", "unit", "units")),
            (lambda p: p["model"]["layers"][3]["config"].update(units=0), ("hidden", "units")),
            (lambda p: p["training"].update(epoch=3), ("training", "epoch", "epochs")),
            (lambda p: p["training"].update(epochs=-3), ("training.epochs",)),
            (lambda p: p["training"].update(loss="cross"), ("cross",)),
            (lambda p: p["training"]["optimizer"].update(type="Adma"), ("Adma", "Adam")),
            (lambda p: p["training"].update(checkpoint={"monitor": "val_f1"}), ("val_f1", "val_loss", "val_accuracy")),
            (lambda p: p["data"].update(validation_split=1.5), ("validation_split",)),
            (lambda p: p["data"]["pipeline"].append({"stage": "shufle"}), ("shufle", "shuffle")),
            (lambda p: p["data"]["pipeline"].pop(1), ("batch",)),
            (lambda p: p["model"]["layers"][0]["config"].update(shape=[28, 28, 1]), ("(8, 8, 1)", "(28, 28, 1)")),
            (lambda p: p["model"]["layers"][5].update(inputs=["nobody"]), ("out", "nobody")),
            (lambda p: p["model"]["layers"][5]["config"].update(units=3), ("7", "3 classes")),
        ]
        for change, words in cases:
            with self.subTest(words=words):
                self.write_project(change)
                self.refused(self.train(), *words)
        self.assertFalse([d for d in self.dir.glob("runs/*") if list(d.glob("*.h5"))])

    def test_projects_that_lose_something(self):
        text = self.project.read_text()
        self.project.write_text(text.replace('"epochs": 3', '"epochs": 3, "epochs": 5'))
        self.refused(self.train(), "epochs", "twice")
        self.project.write_text("[]")
        self.refused(self.train("--set", "training.epochs=1"), "no Strata project")

    def test_overrides(self):
        self.refused(self.train("--set", "training.epoch=3"), "epoch", "epochs")
        self.refused(self.train("--set", "model.layers.hiden.config.units=3"), "hiden", "hidden")
        self.refused(self.train("--set", "nonsense"), "--set", "key=value", "--help", code=2)
        self.refused(self.train("--set", "=3"), "key=value", code=2)
        for malformed in ("training..epochs=3", ".epochs=3", "training.=3"):
            self.refused(self.train("--set", malformed), "--set", "empty part", "--help", code=2)
        for broken in ("{type:clipnorm}", "[1, 2", "\"text"):
            self.refused(self.train("--set", "training.clipping=" + broken), "--set", "training.clipping",
                         "not valid JSON", "single ones", "--help", code=2)
        self.refused(run("train", self.dir / "none.strata", "--set", "nonsense"), "key=value", code=2)
        self.refused(self.train("--set", "training.precision=bfloat16"), "mixed_bfloat16")
        self.refused(self.train("--set", "name=\"a\\nb\""), "name", "U+000A")
        self.refused(self.train("--set", "training.checkpoint.filename=\"a\\u0000.h5\""), "filename", "U+0000")

    def test_a_limit_of_one_byte_is_told_in_words(self):
        self.refused(self.train("--set", 'training.recomputation={"memory_limit": 1}'), "the limit is 1 byte.")

    def test_unknown_data_are_told_with_those_there_are(self):
        run("train", self.project, "--run-dir", self.dir / "run", "--set", "training.epochs=1")
        model = self.dir / "run" / "last.h5"
        self.refused(run("evaluate", model, "--data", "spirls"), "spirls", "Did you mean 'spirals'")
        self.refused(run("evaluate", model, "--data", "nothing"), "fashion-mnist", "spirals", "moons", "circles",
                     "noisy_sine")

    def test_control_help_names_all_that_can_be_asked(self):
        text = run("control", "--help").stdout
        for option in ("--pause", "--resume", "--step", "--stop", "--save", "--learning-rate", "--clip-limit",
                       "--weight-decay"):
            self.assertIn(option, text)

    def test_unwritable_run_directory_before_step_1(self):
        blocked = self.dir / "file"
        blocked.write_text("no directory")
        result = self.train("--json", "--run-dir", blocked / "run")
        self.refused(result, "file")
        self.assertFalse([e for e in events(result.stdout) if e["event"] == "step"])

    def test_resume_without_a_checkpoint(self):
        self.refused(self.train("--resume"), "no run")
        (self.dir / "empty").mkdir()
        self.refused(self.train("--resume", "--run-dir", self.dir / "empty"), "no checkpoint")

    def test_full_disk_at_a_checkpoint(self):
        directory = self.dir / "small"
        directory.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(directory)],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a tmpfs cannot be mounted here")
        try:
            result = self.train("--json", "--run-dir", directory, "--set", "model.layers.hidden.config.units=1000")
            told = events(result.stdout)
            failed = [e for e in told if e["event"] == "checkpoint" and "error" in e]
            self.assertTrue(failed)
            self.assertIn("free", failed[0]["error"]["message"] + failed[0]["error"]["hint"])
            self.assertEqual((result.returncode, told[-1]["status"]), (1, "failed"))
        finally:
            subprocess.run(["umount", str(directory)], check=True)

    def test_model_files(self):
        foreign = self.dir / "foreign.h5"
        foreign.write_bytes(b"this is not HDF5")
        for command in (("inspect", foreign), ("import", foreign, "-o", self.dir / "x.strata"),
                        ("evaluate", foreign, "--data", "fashion-mnist")):
            self.refused(run(*command), "foreign.h5" if command[0] != "evaluate" else "strata:")
        self.refused(run("inspect", self.dir / "none.h5"), "none.h5")


if __name__ == "__main__":
    if os.name != "posix":
        raise SystemExit("needs POSIX signals")
    unittest.main()
