"""What the tests of the command line share: running it, and small data sets in IDX files."""

import gzip
import json
import os
import random
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

STRATA = os.environ["STRATA"]


def run(*arguments, env=None, cwd=None, timeout=120):
    return subprocess.run([STRATA, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          cwd=cwd, env={**os.environ, **(env or {})}, check=False)


def rest_of(process):
    """What a process that writes text says to its end, after lines of it were read, and its errors, which are few.

    Popen.communicate() reads past what the pipe's reader holds already, and loses it."""
    said = process.stdout.read()
    fault = process.stderr.read()
    process.wait(timeout=60)
    process.stdout.close()
    process.stderr.close()
    return said, fault


def events(output):
    return [json.loads(line) for line in output.splitlines()]


def idx(shape, data, kind=8):
    return bytes([0, 0, kind, len(shape)]) + b"".join(struct.pack(">I", n) for n in shape) + bytes(data)


def png(width, height, pixels):
    """A file of grey pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[width * y: width * (y + 1)] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def bars(count, seed):
    """Pictures 8 x 8 with one bright row; the label is the row. Learnt by any classifier."""
    numbers = random.Random(seed)
    pixels, labels = bytearray(), bytearray()
    for _ in range(count):
        row = numbers.randrange(8)
        labels.append(row)
        for y in range(8):
            pixels += bytes(numbers.randrange(200, 255) if y == row else numbers.randrange(60) for _ in range(8))
    return pixels, labels


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)
        self.write_data("train", 640, 1)
        self.write_data("test", 200, 2)
        self.project = self.dir / "bars.strata"
        self.write_project()

    def tearDown(self):
        self.folder.cleanup()

    def write_data(self, name, count, seed):
        pixels, labels = bars(count, seed)
        (self.dir / f"{name}-images.gz").write_bytes(gzip.compress(idx((count, 8, 8), pixels)))
        (self.dir / f"{name}-labels").write_bytes(idx((count,), labels))

    def source(self, name):
        return {"type": "idx", "images": f"{name}-images.gz", "labels": f"{name}-labels"}

    def content(self):
        return {
            "strata": 1, "name": "Bars",
            "model": {"layers": [
                {"name": "input", "type": "InputLayer", "config": {"shape": [8, 8, 1]}},
                {"name": "scale", "type": "Rescaling", "config": {"scale": 1 / 255}, "inputs": ["input"]},
                {"name": "flatten", "type": "Flatten", "inputs": ["scale"]},
                {"name": "hidden", "type": "Dense", "config": {"units": 32, "activation": "relu"}, "inputs": ["flatten"]},
                {"name": "drop", "type": "Dropout", "config": {"rate": 0.2}, "inputs": ["hidden"]},
                {"name": "out", "type": "Dense", "config": {"units": 8, "activation": "softmax"}, "inputs": ["drop"]}]},
            "data": {"source": self.source("train"), "test": self.source("test"), "validation_split": 0.1,
                     "pipeline": [{"stage": "shuffle"}, {"stage": "batch", "batch_size": 16}, {"stage": "prefetch"}]},
            "training": {"epochs": 3, "seed": 5, "loss": "sparse_categorical_crossentropy", "metrics": ["accuracy"],
                         "optimizer": {"type": "Adam", "config": {"learning_rate": 0.005}}}}

    def write_project(self, change=None):
        content = self.content()
        if change:
            change(content)
        self.project.write_text(json.dumps(content), encoding="utf-8")

    def refused(self, result, *words, code=1):
        """The run failed with `code`, and its message holds every one of `words`."""
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("terminate", result.stderr)
