"""Each `--set` that the README and the commands' help show is one that a project takes."""

import json
import re
import shlex
import unittest
from pathlib import Path

from support import CliTest, run

ROOT = Path(__file__).resolve().parents[2]
SET = r"--set\s+(?:'[^']*'|[^\s'`)]+)"


def shown(text):
    """The groups of settings that stand together, each as arguments: ["--set", "KEY=VALUE", ...]."""
    return [shlex.split(group.group(0)) for group in re.finditer(SET + r"(?:\s+" + SET + r")*", text)]


class Readme(CliTest):
    def refuses(self, settings, template="classic"):
        """What is said against them; "" where they are taken, or only want a GPU that is not here."""
        project = self.dir / (template + ".strata")
        if not project.exists():
            made = run("new", template, "-o", project)
            self.assertEqual(made.returncode, 0, made.stderr)
        result = run("plan", project, *settings, "--json")
        no_gpu = "cuda:" in " ".join(settings) and "no device 'cuda:" in result.stderr
        if result.returncode == 0:
            self.assertTrue(json.loads(result.stdout)["devices"])
        return "" if result.returncode == 0 or no_gpu else result.stderr

    def test_settings_of_the_readme(self):
        groups = shown((ROOT / "README.md").read_text(encoding="utf-8"))
        self.assertGreater(len(groups), 6)
        for settings in groups:
            if settings[1] == "KEY=VALUE":
                continue
            with self.subTest(settings=settings):
                self.assertEqual(self.refuses(settings), "")

    def test_settings_of_the_help(self):
        for command in ("train", "plan"):
            for settings in shown(run(command, "--help").stdout):
                if settings[1] == "KEY=VALUE":
                    continue
                with self.subTest(command=command, settings=settings):
                    self.assertEqual(self.refuses(settings), "")

    def test_a_setting_that_is_none_is_found(self):
        first, *_ = shown("For example `strata train --set model.layers.nobody.device=cpu:1`.")
        self.assertIn("nobody", self.refuses(first))


if __name__ == "__main__":
    unittest.main()
