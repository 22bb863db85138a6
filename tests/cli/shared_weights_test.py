"""Layers that share weights, as a user of the command line meets them: inspected, planned, trained on one device and
on two, resumed on the other, and refused where they cannot be."""

import json
import unittest

from support import CliTest, events, run

TWO = ("--set", "model.layers.again.device=cpu:1", "--set", "model.layers.out.device=cpu:1",
       "--set", "placement.micro_batches=2")


def add_shared(project):
    layers = project["model"]["layers"]
    layers[4:5] = [
        {"name": "middle", "type": "Dense", "config": {"units": 32, "activation": "tanh"}, "inputs": ["hidden"]},
        {"name": "again", "type": "Dense", "shares": "middle", "inputs": ["middle"]}]
    layers[-1]["inputs"] = ["again"]


class SharedWeights(CliTest):
    def setUp(self):
        super().setUp()
        self.write_project(add_shared)

    def trained(self, *arguments):
        result = run("train", self.project, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [e for e in events(result.stdout) if e["event"] == "epoch"]

    def test_they_are_counted_once(self):
        result = run("inspect", self.project)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.split()}
        self.assertIn("1,056", lines["middle"])
        self.assertIn("of middle", lines["again"])
        self.assertIn("3,400", lines["Parameters"])  # 64 x 32 + 32, 32 x 32 + 32, 32 x 8 + 8

    def test_two_devices_train_as_one_and_go_on_from_each_other(self):
        one = self.trained("--run-dir", self.dir / "one")
        two = self.trained("--run-dir", self.dir / "two", *TWO)
        self.assertEqual(len(one), 3)
        for a, b in zip(one, two):
            self.assertAlmostEqual(a["loss"], b["loss"], delta=2e-4 * a["loss"])
        results = []
        for folder, placement in (("one", TWO), ("two", ())):
            result = run("train", self.project, "--json", "--resume", "--run-dir", self.dir / folder,
                         "--set", "training.epochs=4", *placement)
            self.assertEqual(result.returncode, 0, result.stderr)
            results.append([e for e in events(result.stdout) if e["event"] == "epoch"][-1]["loss"])
        self.assertAlmostEqual(results[0], results[1], delta=1e-3 * results[0])

    def test_the_plan_sums_their_gradients(self):
        result = run("plan", self.project, "--json", "--set", "placement.threads=1", *TWO)
        self.assertEqual(result.returncode, 0, result.stderr)
        sums = [link for link in json.loads(result.stdout)["links"] if link["sums"]]
        self.assertEqual([link["bytes"] for link in sums], [1056 * 4] * 2)

    def test_what_cannot_be_shared_is_refused_by_name(self):
        for setting, words in (("shares=hidden", ("layer 'again', shares", "its input")),
                               ("shares=nobody", ("layer 'again', shares", "'nobody'")),
                               ("shares=flatten", ("layer 'again', shares", "is a Dense", "Flatten"))):
            with self.subTest(setting=setting):
                self.refused(run("train", self.project, "--set", f"model.layers.again.{setting}"), *words)


if __name__ == "__main__":
    unittest.main()
