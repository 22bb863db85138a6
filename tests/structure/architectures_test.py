"""For which CUDA architectures the installer builds on a machine with these GPUs, told by a made-up nvidia-smi.

Usage: architectures_test.py SOURCE_TREE.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()


class Architectures(unittest.TestCase):
    def of(self, capabilities, works=True):
        """capabilities: as nvidia-smi prints them; None: a driver that does not know the question."""
        with tempfile.TemporaryDirectory() as folder:
            tool = Path(folder) / "nvidia-smi"
            answer = "exit 2" if capabilities is None else f"printf '{capabilities}'"
            tool.write_text(f"#!/bin/sh\n[ \"$1\" != -L ] || exit {0 if works else 9}\n{answer}\n", encoding="utf-8")
            tool.chmod(0o755)
            script = f"set -euo pipefail; . '{ROOT}/installer/dependencies.sh'; strata_cuda_architectures"
            path = f"{folder}:{os.environ['PATH']}"
            result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True,
                                    env={**os.environ, "PATH": path})
            return result.stdout.strip()

    def test_the_gpus_of_the_machine(self):
        self.assertEqual(self.of("9.0\\n"), "90")
        self.assertEqual(self.of("8.6\\n7.5\\n8.6\\n"), "75;86")
        self.assertEqual(self.of("10.0\\n9.0\\n"), "90;100")

    def test_older_gpus_are_left_out(self):
        self.assertEqual(self.of("6.1\\n8.9\\n"), "89")
        self.assertEqual(self.of("6.1\\n"), "80")

    def test_without_an_answer(self):
        self.assertEqual(self.of(None), "native")
        self.assertEqual(self.of("[N/A]\\n"), "native")
        self.assertEqual(self.of("9.0\\n", works=False), "80")

    def test_the_build_resolves_words(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "-P", str(ROOT / "tests/structure/architectures.cmake")], check=True, cwd=folder)


if __name__ == "__main__":
    unittest.main()
