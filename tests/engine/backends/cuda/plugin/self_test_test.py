"""`strata devices` and its self-test on the emulated GPU: what is right passes, and a wrong kernel is found."""

import json
import os
import re
import subprocess
import unittest

STRATA = os.environ["STRATA"]


def strata(*arguments, **environment):
    return subprocess.run([STRATA, *arguments], capture_output=True, text=True, timeout=500,
                          env={**os.environ, **environment})


def checks(result):
    told = [json.loads(line) for line in result.stdout.splitlines()]
    return [e for e in told if e["event"] == "check"], told[-1]


class Devices(unittest.TestCase):
    def test_the_list_has_what_the_driver_tells(self):
        result = strata("devices", STRATA_EMULATED_GPUS="2")
        self.assertEqual(result.returncode, 0, result.stderr)
        row = next(line for line in result.stdout.splitlines() if line.startswith("cuda:1"))
        self.assertRegex(row, r"4\.0 GiB +0 bytes +4\.0 GiB +37 % +41 °C +62 W$")
        self.assertRegex(result.stdout, r"(?m)^cpu:0.* GiB +[\d.]+ .iB +[\d.]+ .iB +– +– +–$")
        self.assertRegex(result.stdout, r"(?m)^cuda:1  CUDA emulator at PCI [\da-f:.]+, compute capability")
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)

    def test_json_leaves_out_what_is_not_told(self):
        result = strata("devices", "--json")
        cpu, gpu = json.loads(result.stdout)["devices"]
        self.assertEqual((cpu["id"], gpu["id"]), ("cpu:0", "cuda:0"))
        self.assertEqual((gpu["temperature"], gpu["power"], gpu["utilisation"]), (41.0, 61.5, 0.37))
        self.assertEqual(gpu["used_bytes"] + gpu["free_bytes"], gpu["memory_bytes"])
        self.assertNotIn("temperature", cpu)
        self.assertGreater(cpu["free_bytes"], 0)

    def test_self_test_options_alone_are_refused(self):
        for wrong in (["cuda:0"], ["--strict"], ["--only", "memory"]):
            result = strata("devices", *wrong)
            self.assertEqual(result.returncode, 1)
            self.assertIn("--self-test", result.stderr)


class SelfTest(unittest.TestCase):
    def test_what_is_right_passes(self):
        parts = ("losses", "training", "memory", "copies")
        result = strata("devices", "--self-test", "cuda:0", "--json", "--only", *parts)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        told, end = checks(result)
        self.assertEqual({e["part"] for e in told}, set(parts))
        self.assertTrue(all(e["ok"] for e in told))
        self.assertEqual((end["passed"], end["failed"], end["ok"]), (len(told), 0, True))
        for precision in ("float32", "mixed_bfloat16", "mixed_float16"):
            training = next(e for e in told if e["part"] == "training" and e["precision"] == precision)
            self.assertLess(training["figures"]["last_loss"], 0.5 * training["figures"]["first_loss"])
            self.assertLess(training["figures"]["error"], training["figures"]["allowed"])
        refused = next(e for e in told if e["what"] == "too much is refused in words")
        self.assertIn("8192 MiB wanted, 4096 MiB of 4096 MiB are free", refused["measured"])

    def test_the_table_has_a_verdict_on_each_line(self):
        result = strata("devices", "--self-test", "--only", "memory")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].startswith("cuda:0  CUDA emulator"))
        self.assertEqual(sum(bool(re.match(r"  pass  ", line)) for line in lines), 4)
        self.assertEqual(lines[-1], "4 checks passed.")

    def test_a_wrong_optimizer_fails_alone(self):
        result = strata("devices", "--self-test", "cuda:0", "--json", "--only", "optimizers",
                        STRATA_CUDA_PLUGIN=os.environ["STRATA_FAULTY_PLUGIN"], STRATA_FAULT="adam")
        self.assertEqual(result.returncode, 1, result.stderr)
        told, end = checks(result)
        self.assertFalse(end["ok"])
        self.assertEqual({e["what"] for e in told if not e["ok"]}, {"Adam", "AdamW"} & {e["what"] for e in told})
        self.assertIn("is not the CPU's", next(e for e in told if not e["ok"])["detail"])

    def test_a_wrong_layer_fails_in_every_precision_and_in_training(self):
        result = strata("devices", "--self-test", "cuda:0", "--only", "training",
                        STRATA_CUDA_PLUGIN=os.environ["STRATA_FAULTY_PLUGIN"], STRATA_FAULT="norm")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(re.findall(r"(?m)^  FAIL  a small convolutional network", result.stdout)), 3)
        self.assertTrue(result.stdout.endswith("0 checks passed, 3 FAILED.\n"))

    def test_a_kernel_that_does_not_start_is_told_and_the_rest_goes_on(self):
        result = strata("devices", "--self-test", "cuda:0", "--json", "--only", "training", "memory",
                        STRATA_CUDA_PLUGIN=os.environ["STRATA_FAULTY_PLUGIN"], STRATA_FAULT="dropout")
        self.assertEqual(result.returncode, 1, result.stderr)
        told, _ = checks(result)
        self.assertTrue(all(e["ok"] for e in told if e["part"] == "memory"))
        failed = [e for e in told if not e["ok"]]
        self.assertEqual(len(failed), 3)
        self.assertIn("the dropout kernel does not start", failed[0]["detail"])

    def test_two_devices_copy_to_each_other_and_add_up(self):
        result = strata("devices", "--self-test", "cuda:0", "cuda:1", "--json", "--only", "together",
                        STRATA_EMULATED_GPUS="2")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        told, _ = checks(result)
        self.assertEqual([e["what"] for e in told], ["copy from cuda:0 to cuda:1", "copy from cuda:1 to cuda:0",
                                                     "sum over all devices"])

    def test_slow_kernels_fail_only_where_that_is_asked(self):
        # Kernels are interpreted thread by thread here: far slower than a copy.
        for strict, code in (((), 0), (("--strict",), 1)):
            result = strata("devices", "--self-test", "cuda:0", "--json", "--only", "speed", *strict)
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
            told, end = checks(result)
            self.assertGreater(end["slow"], 0)
            self.assertIn("relu", {e["what"] for e in told if e["outcome"] == "slow"})
            plain = [e for e in told if e["what"] == "plain product"]
            self.assertEqual([e["precision"] for e in plain],
                             ["float32", "float32 as TF32", "mixed_bfloat16", "mixed_float16"])

    def test_what_is_not_there_is_refused(self):
        for arguments, words in ((["cuda:7"], "cuda:7"), (["cuda:0", "cuda:0"], "named twice"),
                                 (["--only", "colour"], "copies, speed")):
            result = strata("devices", "--self-test", *arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)

    def test_the_cpu_has_checks_of_its_own(self):
        result = strata("devices", "--self-test", "cpu:0", "--json", "--only", "layers", "training", "memory")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        told, end = checks(result)
        self.assertGreater(len(told), 60)
        self.assertEqual(end["failed"], 0)


if __name__ == "__main__":
    unittest.main()
