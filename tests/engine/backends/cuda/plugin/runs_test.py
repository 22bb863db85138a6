"""Whole runs of `strata train` on the emulated GPU as on the CPU: mixed precision, accumulation, clipping, early
stopping, checkpoints and resuming, in each precision."""

import json
import math
import os
import random
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

STRATA = os.environ["STRATA"]
PRECISIONS = ("float32", "mixed_bfloat16", "mixed_float16")
# Of an epoch's loss: float32 sums in another order, else results that round to the neighbour (2^-8, 2^-11).
TOLERANCE = {"float32": 1e-4, "mixed_bfloat16": 2e-2, "mixed_float16": 4e-3}


def write_idx(folder, name, count, draw):
    """Pictures 4 x 4 whose bright row is the label."""
    labels = [draw.randrange(4) for _ in range(count)]
    pixels = [min(255, max(0, int((200 if row == label else 30) + draw.gauss(0, 25))))
              for label in labels for row in range(4) for _ in range(4)]
    (folder / f"{name}-images").write_bytes(struct.pack(">IIII", 2051, count, 4, 4) + bytes(pixels))
    (folder / f"{name}-labels").write_bytes(struct.pack(">II", 2049, count) + bytes(labels))


def png(height, width, pixels):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + pixels[width * i: width * (i + 1)] for i in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def project(precision, device, **training):
    layers = [("input", "InputLayer", {"shape": [4, 4, 1]}), ("rescaling", "Rescaling", {}),
              ("conv", "Conv2D", {"filters": 4, "kernel_size": 3, "activation": "relu"}),
              ("norm", "BatchNormalization", {}), ("flatten", "Flatten", {}), ("drop", "Dropout", {"rate": 0.1}),
              ("output", "Dense", {"units": 4, "activation": "softmax"})]
    nodes, before = [], []
    for name, kind, config in layers:
        nodes.append({"name": name, "type": kind, "config": config, "inputs": before, "device": device})
        before = [name]
    del nodes[0]["inputs"]
    return {"strata": 1, "name": "small", "model": {"layers": nodes},
            "data": {"source": {"type": "idx", "images": "train-images", "labels": "train-labels"},
                     "test": {"type": "idx", "images": "test-images", "labels": "test-labels"},
                     "validation_split": 0.25,
                     "pipeline": [{"stage": "cache"}, {"stage": "shuffle"}, {"stage": "batch", "batch_size": 12},
                                  {"stage": "prefetch"}]},
            "training": {"epochs": 3, "seed": 1, "loss": "sparse_categorical_crossentropy", "metrics": ["accuracy"],
                         "optimizer": {"type": "Adam", "config": {"learning_rate": 0.01}}, "precision": precision,
                         "gradient_accumulation_steps": 2, "clipping": {"type": "global_clipnorm", "value": 1.0},
                         "checkpoint": {"monitor": "val_loss", "save_best_only": True}, **training}}


class RunsOnTheGpu(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)
        draw = random.Random(1)
        write_idx(self.dir, "train", 96, draw)
        write_idx(self.dir, "test", 24, draw)

    def tearDown(self):
        self.folder.cleanup()

    def train(self, made, *options, status=0, **environment):
        path = self.dir / "small.strata"
        path.write_text(json.dumps(made))
        result = subprocess.run([STRATA, "train", str(path), "--json", *options], capture_output=True, text=True,
                                timeout=300, cwd=self.dir, env={**os.environ, **environment})
        self.assertEqual(result.returncode, status, result.stderr)
        return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]

    def assert_same_course(self, gpu, cpu, precision):
        epochs = [[e for e in told if e["event"] == "epoch"] for told in (gpu, cpu)]
        self.assertEqual(len(epochs[0]), len(epochs[1]))
        self.assertTrue(epochs[0])
        for ours, theirs in zip(*epochs):
            for key in ("loss", "val_loss"):
                self.assertTrue(math.isclose(ours[key], theirs[key], rel_tol=TOLERANCE[precision]),
                                f"{precision} {key}: {ours[key]} on the GPU, {theirs[key]} on the CPU")
        skipped = [[e["step"] for e in told if e["event"] == "step" and not e.get("applied", True)]
                   for told in (gpu, cpu)]
        self.assertEqual(*skipped)

    def test_each_precision_trains_as_on_the_cpu(self):
        for precision in PRECISIONS:
            gpu, cpu = (self.train(project(precision, device)) for device in ("cuda:0", "cpu:0"))
            self.assert_same_course(gpu, cpu, precision)
            self.assertEqual((gpu[-1]["event"], gpu[-1]["status"]), ("end", "finished"))
            self.assertTrue(Path(gpu[-1]["checkpoint"]).is_file())

    def test_graphs_and_batches_that_come_ahead_change_no_bit(self):
        def losses(made, **environment):
            return [e["loss"] for e in self.train(made, **environment) if e["event"] == "step"]
        made = project("mixed_float16", "cuda:0", epochs=2)
        with_graphs = losses(made)
        self.assertGreater(len(with_graphs), 5)
        self.assertEqual(losses(made, STRATA_CUDA_GRAPHS="0"), with_graphs)
        made["data"]["pipeline"] = made["data"]["pipeline"][:-1]
        self.assertEqual(losses(made), with_graphs)

    def test_a_run_that_diverges_ends_as_on_the_cpu(self):
        for steps in (1, 2):
            ends = []
            for device in ("cpu:0", "cuda:0"):
                made = project("float32", device, optimizer={"type": "SGD", "config": {"learning_rate": 1e6}},
                               gradient_accumulation_steps=steps, clipping=None, loss="mean_squared_error", epochs=20)
                made["model"]["layers"][-1]["config"]["activation"] = "linear"
                told = self.train(made, status=1)
                ends.append([e for e in told if e["event"] == "end"][-1])
                steps_told = sum(e["event"] == "step" for e in told)
                ends[-1] = (ends[-1]["status"], ends[-1].get("error"), steps_told)
            self.assertEqual(ends[0][0], "failed")
            self.assertIn("no longer a finite number", str(ends[0][1]))
            self.assertEqual(*ends)

    # The batch that cannot be read is asked for while the GPU works on the one before.
    def test_a_fault_of_the_data_ends_the_run_at_the_same_step(self):
        images = self.dir / "images"
        for name, count in (("a", 60), ("b", 1)):
            (images / name).mkdir(parents=True)
            for i in range(count):
                (images / name / f"{i}.png").write_bytes(png(4, 4, bytes(range(i, i + 16))))
        damaged = bytearray((images / "b" / "0.png").read_bytes())
        damaged[45] ^= 0xFF
        (images / "b" / "0.png").write_bytes(damaged)
        ends = []
        for device in ("cpu:0", "cuda:0"):
            made = project("float32", device, gradient_accumulation_steps=1, checkpoint={"monitor": "loss"})
            del made["data"]["test"]
            made["data"].update(validation_split=0, source={"type": "images", "folder": "images", "size": [4, 4],
                                                            "color_mode": "grayscale"})
            made["data"]["pipeline"] = [{"stage": "shuffle"}, {"stage": "batch", "batch_size": 4}, {"stage": "prefetch"}]
            told = self.train(made, status=1)
            end = [e for e in told if e["event"] == "end"][-1]
            ends.append((end["status"], str(end.get("error")).replace(str(self.dir), ""),
                         [e["step"] for e in told if e["event"] == "step"]))
        self.assertEqual(ends[0][0], "failed")
        self.assertIn("0.png", ends[0][1])
        self.assertEqual(*ends)

    def test_early_stopping_ends_after_the_same_epoch(self):
        stops = {"monitor": "accuracy", "patience": 0, "min_delta": 0.5}
        gpu, cpu = (self.train(project("float32", device, epochs=6, early_stopping=stops))
                    for device in ("cuda:0", "cpu:0"))
        self.assert_same_course(gpu, cpu, "float32")
        self.assertLess(sum(e["event"] == "epoch" for e in gpu), 6)

    def test_a_checkpoint_of_the_gpu_goes_on_there_and_on_the_cpu(self):
        whole = self.train(project("mixed_bfloat16", "cuda:0", epochs=3))
        for device in ("cuda:0", "cpu:0"):
            run = self.dir / ("run-" + device[:3])
            self.train(project("mixed_bfloat16", "cuda:0", epochs=2), "--run-dir", str(run))
            rest = self.train(project("mixed_bfloat16", device, epochs=3), "--run-dir", str(run), "--resume")
            last = [[e for e in told if e["event"] == "epoch"][-1] for told in (rest, whole)]
            self.assertEqual(last[0]["epoch"], 3)
            self.assertTrue(math.isclose(last[0]["val_loss"], last[1]["val_loss"],
                                         rel_tol=1e-12 if device == "cuda:0" else TOLERANCE["mixed_bfloat16"]),
                            f"{device}: {last}")


if __name__ == "__main__":
    unittest.main()
