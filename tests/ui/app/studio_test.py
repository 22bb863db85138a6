"""The studio as a process: its options, a picture after a run, and how signals end it."""

import os
import signal
import subprocess
import time
import unittest

from support import CliTest

STUDIO = os.environ["STRATA_STUDIO"]
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


class StudioTest(CliTest):
    def environment(self, **more):
        """Settings of their own, so that nothing of the person's decides."""
        return {**{name: value for name, value in os.environ.items() if name not in DISPLAYS},
                "XDG_CONFIG_HOME": str(self.dir / "config"), "HOME": str(self.dir), "LC_ALL": "C.UTF-8", **more}

    def start(self, *arguments):
        return subprocess.Popen([STUDIO, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.environment(QT_QPA_PLATFORM="offscreen"))

    def run_studio(self, *arguments, timeout=60, **more):
        return subprocess.run([STUDIO, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                              env=self.environment(**more), check=False)

    def wait_for(self, condition, process, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := condition():
                return found
            self.assertIsNone(process.poll(), "the studio ended by itself")
            time.sleep(0.02)
        self.fail("nothing happened in time")


class Options(StudioTest):
    def test_version_and_help_need_no_display(self):
        version = self.run_studio("--version")
        self.assertEqual(version.returncode, 0, version.stderr)
        self.assertRegex(version.stdout, r"^strata-studio \d+\.\d+\.\d+\n$")
        for option in ("--help", "-h"):
            told = self.run_studio(option)
            self.assertEqual(told.returncode, 0, told.stderr)
            for word in ("project", "--train", "--theme", "--language", "--screenshot", "--after-state"):
                self.assertIn(word, told.stdout)

    def test_without_a_display_it_says_what_to_do(self):
        self.refused(self.run_studio(self.project), "display", "strata train")

    def test_wrong_options_are_refused(self):
        for wrong in (["--theme", "blue"], ["--language", "xx"], ["--size", "wide"], ["--after-state", "soon"],
                      [self.project, self.project]):
            self.refused(self.run_studio(*wrong, QT_QPA_PLATFORM="offscreen"), "--help", code=2)
        self.refused(self.run_studio("--no-such-option", QT_QPA_PLATFORM="offscreen"), "no-such-option", code=1)

    def test_a_picture_shows_the_finished_run(self):
        self.write_project(lambda content: content["training"].update(epochs=1))
        picture = self.dir / "window.png"
        done = self.run_studio(self.project, "--train", "--screenshot", picture, "--after-state", "finished",
                               "--after-ms", "50", "--size", "1280x800", QT_QPA_PLATFORM="offscreen")
        self.assertEqual(done.returncode, 0, done.stderr)
        png = picture.read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")), (1280, 800))
        self.assertTrue(list(self.dir.glob("runs/*/last.h5")))

    def test_a_picture_that_cannot_be_written_fails(self):
        self.refused(self.run_studio("--screenshot", self.dir / "none" / "window.png", "--after-ms", "0",
                                     QT_QPA_PLATFORM="offscreen"), "cannot write")

    def test_a_project_that_cannot_be_opened_leaves_the_window_up(self):
        bad = self.dir / "bad.strata"
        bad.write_text("{", encoding="utf-8")
        for project in (bad, self.dir / "absent.strata", self.dir):
            picture = self.dir / "window.png"
            shown = self.run_studio(project, "--train", "--screenshot", picture, "--after-ms", "50",
                                    QT_QPA_PLATFORM="offscreen")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertTrue(picture.is_file())
            self.assertFalse(list(self.dir.glob("runs/*")))


class Signals(StudioTest):
    def end(self, process, number):
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + number, errors)

    def grown(self):
        """An event file that holds more than its head."""
        return [file for file in self.dir.glob("runs/*/events.out.tfevents*") if file.stat().st_size > 4096]

    def test_a_signal_ends_the_run_with_a_checkpoint(self):
        self.write_project(lambda content: content["training"].update(epochs=100000))
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                before = set(self.dir.glob("runs/*"))
                process = self.start(self.project, "--train")
                self.addCleanup(process.kill)
                self.wait_for(lambda: [file for file in self.grown() if file.parent not in before], process)
                self.end(process, number)
                made, = set(self.dir.glob("runs/*")) - before
                self.assertTrue((made / "last.h5").is_file())
                self.assertFalse(list(made.glob("*.tmp")))

    def test_a_signal_at_rest_ends_the_studio(self):
        process = self.start(self.project)
        self.addCleanup(process.kill)
        caught = f"/proc/{process.pid}/status"

        def watching():
            with open(caught, encoding="utf-8") as status:
                mask = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
            return mask >> (signal.SIGTERM - 1) & 1

        self.wait_for(watching, process)
        self.end(process, signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
