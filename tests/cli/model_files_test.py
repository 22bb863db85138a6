"""`strata evaluate`, `predict` and `import`: what is done with a model file."""

import json
import os
import struct
import unittest

from support import CliTest, bars, events, png, run


class ModelFiles(CliTest):
    def test_predict_writes_probabilities(self):
        run("train", self.project, "--run-dir", self.dir / "run")
        pixels, labels = bars(50, 3)
        header = "{'descr': '|u1', 'fortran_order': False, 'shape': (50, 8, 8), }"
        header = header.ljust(128 - 10 - 1) + "\n"
        (self.dir / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + pixels)
        result = run("predict", self.dir / "run" / "last.h5", "--input", self.dir / "x.npy", "--output", self.dir / "y.npy")
        self.assertEqual(result.returncode, 0, result.stderr)
        content = (self.dir / "y.npy").read_bytes()
        values = struct.unpack("<400f", content[-1600:])
        right = 0
        for i in range(50):
            row = values[8 * i: 8 * i + 8]
            self.assertAlmostEqual(sum(row), 1.0, places=5)
            right += row.index(max(row)) == labels[i]
        self.assertGreaterEqual(right, 47)

    def test_predict_never_overwrites_what_it_reads(self):
        model, samples = self.dir / "model.h5", self.dir / "x.npy"
        model.write_bytes(b"a model")
        samples.write_bytes(b"samples")
        (self.dir / "folder").mkdir()
        (self.dir / "soft.npy").symlink_to(samples)
        os.link(samples, self.dir / "hard.npy")
        for output in (samples, self.dir / "folder" / ".." / "x.npy", self.dir / "soft.npy", self.dir / "hard.npy"):
            with self.subTest(output=output):
                result = run("predict", model, "--input", samples, "--output", output)
                self.refused(result, "--output", str(output), "same file as --input", "--help", code=2)
        self.refused(run("predict", model, "--input", f"{self.dir}/./none.npy", "--output", f"{self.dir}/./none.npy"),
                     "same file as --input", code=2)
        self.refused(run("predict", model, "--input", samples, "--output", model), "same file as MODEL", code=2)
        self.assertEqual((model.read_bytes(), samples.read_bytes()), (b"a model", b"samples"))

    def write_images(self):
        pixels, labels = bars(200, 2)  # the test part
        for i, label in enumerate(labels):
            folder = self.dir / "images" / str(label)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{i}.png").write_bytes(png(8, 8, bytes(pixels[64 * i: 64 * i + 64])))
        return self.dir / "images"

    def test_evaluate_brings_images_to_the_models_input(self):
        folder = self.write_images()
        run("train", self.project, "--run-dir", self.dir / "run")
        model = self.dir / "run" / "last.h5"
        results = []
        for data in (f"{self.dir}/test-images.gz,{self.dir}/test-labels", folder):
            result = run("evaluate", model, "--data", data, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            results.append(json.loads(result.stdout))
        from_idx, from_folder = results
        self.assertEqual((from_folder["samples"], from_folder["accuracy"]), (200, from_idx["accuracy"]))
        self.assertAlmostEqual(from_folder["loss"], from_idx["loss"], places=5)
        given = json.dumps({"type": "images", "folder": str(folder), "size": [9, 9]})
        self.refused(run("evaluate", model, "--data", given), "(9, 9, 3)", "(8, 8, 1)")

    def test_evaluate_takes_height_width_and_colours_of_the_model(self):
        folder = self.write_images()
        source = {"type": "images", "folder": str(folder), "size": [6, 10]}

        def change(project):
            project["model"]["layers"][0]["config"]["shape"] = [6, 10, 3]
            project["data"].update(source=source, test=None)

        self.write_project(change)
        result = run("train", self.project, "--run-dir", self.dir / "run", "--set", "training.epochs=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        model = self.dir / "run" / "last.h5"
        short, whole = (run("evaluate", model, "--data", data, "--json") for data in (folder, json.dumps(source)))
        self.assertEqual(short.returncode, 0, short.stderr)
        self.assertEqual(json.loads(short.stdout), json.loads(whole.stdout))

    def test_import_starts_from_the_weights(self):
        run("train", self.project, "--run-dir", self.dir / "run")
        copy = self.dir / "copy.strata"
        result = run("import", self.dir / "run" / "last.h5", "-o", copy)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("train-images", copy.read_text())  # paths from a model file are not taken over
        self.assertIn("no data", result.stdout)
        source = json.dumps(self.source("train"))
        told = events(run("train", copy, "--json", "--set", "training.epochs=1", "--set", f"data.source={source}").stdout)
        first = next(e for e in told if e["event"] == "step")
        self.assertLess(first["loss"], 0.7)  # ln 8 = 2.08 from new weights


if __name__ == "__main__":
    unittest.main()
