"""compare_gpu without a GPU: its arguments, its exit codes, and the report of canned figures."""

import contextlib
import io
import json
import os
import pathlib
import stat
import tempfile
import unittest

import compare_gpu

LIMITS = {"product_flops_per_s": {"float32": 50e12, "mixed_bfloat16": 600e12},
          "copy_shares": {"relu, float32": 0.97, "Adam, float32": 0.9}}
WORKER = """#!/usr/bin/env python3
import json, sys
print("ready", flush=True)
for line in sys.stdin:
    print(json.dumps({"samples_per_s": %s, "loss": 1.0, "peak_kb": 1}), flush=True)
"""


def canned(wide=(400e3, 300e3), model="wide", precision="float32"):
    return {"device": "cuda:0", "description": "a GPU", **LIMITS,
            "trainings": [{"model": model, "precision": precision,
                           "samples_per_s": {"strata": [wide[0]] * 3, "eager": [wide[1] / 2] * 3,
                                             "compile": [wide[1]] * 3}}]}


def called(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = compare_gpu.main(list(words))
        except SystemExit as end:
            code = end.code
    return code, out.getvalue()


class Report(unittest.TestCase):
    def test_the_better_way_counts_and_the_aims_are_told(self):
        lines, met = compare_gpu.report(canned())
        row = next(line for line in lines if line.startswith("| wide"))
        # 2 (3 (4.19 + 16.78 + 0.04) - 4.19) M = 117.7 MFLOP a sample: 400,000 of them are 47.1 of 50 TFLOP/s.
        self.assertEqual(row, "| wide | float32 | 400,000 | 300,000 | compile | 1.33 | 94 % | met |")
        self.assertTrue(met)
        self.assertIn("All met: yes.", lines[-1])

    def test_each_missed_aim_is_missed(self):
        for result in (canned((300e3, 299e3)), canned((250e3, 100e3)),
                       {**canned(), "copy_shares": {"relu, float32": 0.84}}):
            lines, met = compare_gpu.report(result)
            self.assertFalse(met)
            self.assertEqual(sum("MISSED" in line for line in lines), 1)

    def test_without_pytorch_our_rates_stand_alone(self):
        result = canned(model="cnn")
        result["trainings"][0]["samples_per_s"] = {"strata": [1000.0]}
        lines, met = compare_gpu.report(result)
        self.assertIn("| cnn | float32 | 1,000 | – | – | – | – | – |", lines)
        self.assertTrue(met)


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = pathlib.Path(self.folder.name)
        (self.build / "bin").mkdir()

    def program(self, name, text):
        path = self.build / "bin" / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def strata(self, devices, failed=None):
        checks = [{"what": "plain product", "precision": p, "figures": {"flops_per_s": r}}
                  for p, r in LIMITS["product_flops_per_s"].items()]
        checks.append({"what": "relu", "precision": "float32", "figures": {"share": 0.9, "copy_bytes_per_s": 1e12}})
        if failed:
            checks[1] = {"what": "plain product", "precision": "mixed_bfloat16", "ok": False, "detail": failed}
        checks.append({"event": "self_test", "ok": not failed})
        self.program("strata", f"#!/usr/bin/env python3\nimport json, sys\nchecks, devices = {checks!r}, {devices!r}\n"
                               "for each in (checks if '--self-test' in sys.argv else [{'devices': devices}]):\n"
                               "    print(json.dumps(each))\n"
                               f"sys.exit({1 if failed else 0} if '--self-test' in sys.argv else 0)\n")

    def test_a_run_is_measured_saved_and_reported_again(self):
        self.strata([{"id": "cuda:0", "available": True, "description": "a GPU"}])
        self.program("training_speed", WORKER % "9e6")
        torch = self.program("python", WORKER % "(8e6 if 'compile' in sys.argv else 2e6)")
        saved = str(self.build / "figures.json")
        words = ("--rounds", "2", "--seconds", "0", "--json", saved)
        code, text = called("--build", str(self.build), "--python", torch, *words)
        self.assertEqual(code, 0, text)
        self.assertIn("| residual | mixed_bfloat16 | 9,000,000 | 8,000,000 | compile | 1.12 | – | met |", text)
        self.assertEqual(len(json.loads(pathlib.Path(saved).read_text())["trainings"]), 6)
        self.assertEqual(called("--report", saved), (0, text))

    def test_what_fails_in_the_self_test_is_told_and_missed(self):
        self.strata([{"id": "cuda:0", "available": True, "description": "a GPU"}], failed="bfloat16 is refused")
        self.program("training_speed", WORKER % "9e6")
        code, text = called("--build", str(self.build), "--rounds", "1", "--seconds", "0", "--models", "wide")
        self.assertEqual(code, 1, text)
        self.assertIn("failed: plain product, mixed_bfloat16: bfloat16 is refused", text)
        self.assertIn("| wide | mixed_bfloat16 | 9,000,000 | – | – | – | not known | MISSED |", text)

    def test_no_gpu_is_said_with_a_code_of_its_own(self):
        self.strata([{"id": "cpu:0", "available": True, "description": "a CPU"},
                     {"id": "cuda", "available": False, "reason": "no NVIDIA driver"}])
        self.assertEqual(called("--build", str(self.build)),
                         (77, "There is no GPU to measure: no NVIDIA driver\n"))
        self.strata([{"id": "cuda:0", "available": True, "description": "a GPU"}])
        self.assertEqual(called("--build", str(self.build), "--device", "cuda:3"),
                         (77, "There is no GPU to measure: there is no cuda:3\n"))

    def test_bad_arguments_are_refused(self):
        for words in ((), ("--build", "x", "--report", "y"), ("--build", "x", "--models", "huge")):
            self.assertEqual(called(*words)[0], 2)

    @unittest.skipUnless("STRATA" in os.environ, "needs the built program")
    def test_the_built_program_answers_what_is_asked(self):
        (self.build / "bin" / "strata").symlink_to(os.environ["STRATA"])
        os.environ["STRATA_CUDA_PLUGIN"] = "/nowhere"
        self.addCleanup(os.environ.pop, "STRATA_CUDA_PLUGIN")
        code, text = called("--build", str(self.build))
        self.assertEqual(code, 77, text)
        self.assertIn("There is no GPU to measure: this build has no CUDA plug-in", text)
        rates = compare_gpu.measured_limits(os.environ["STRATA"], "cpu:0")
        self.assertIn("float32", rates["product_flops_per_s"])
        self.assertIn("relu, float32", rates["copy_shares"])


if __name__ == "__main__":
    unittest.main()
