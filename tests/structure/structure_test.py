"""Shows that the checks of this folder find what they are there to find, on small trees made for it."""

import tempfile
import unittest
from pathlib import Path

import engine_messages
import file_rules
import include_direction

HEAD = "// A file.\n"


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def include(self, file, target, exists=True):
        """Faults of a tree in which `file` includes `target`."""
        if exists:
            self.write(target, HEAD + "#pragma once\n")
        self.write(file, f'{HEAD}#include "{target}"\n')
        return include_direction.check(self.root)[0]


class IncludeDirection(TreeTest):
    def test_allowed(self):
        for file, target in [
            ("app/cli/main.cpp", "engine/train/trainer.h"),
            ("app/studio/main.cpp", "ui/window/main_window.h"),
            ("ui/canvas/card.cpp", "engine/layers/layer.h"),
            ("ui/bridge/run.cpp", "engine/train/trainer.h"),
            ("engine/train/trainer.cpp", "engine/core/error.h"),
            ("engine/graph/plan.cpp", "engine/backends/cpu/backend.h"),
            ("engine/losses/mse.cpp", "engine/layers/spec.h"),
            ("engine/backends/cuda/matmul.cpp", "kernels/elementwise/elementwise.h"),
            ("tests/kernels/elementwise/elementwise_test.cpp", "kernels/elementwise/elementwise.h"),
        ]:
            with self.subTest(file=file, target=target):
                self.assertEqual(self.include(file, target), [])

    def test_wrong_direction(self):
        for file, target in [
            ("engine/core/a.h", "ui/canvas/b.h"),
            ("engine/core/a.h", "engine/io/b.h"),
            ("engine/io/a.h", "engine/device/b.h"),
            ("engine/ops/a.cpp", "engine/layers/b.h"),
            ("engine/layers/a.cpp", "engine/losses/b.h"),
            ("engine/layers/a.cpp", "engine/backends/cpu/b.h"),
            ("engine/backends/cpu/a.cpp", "engine/layers/b.h"),
            ("engine/backends/cpu/a.cpp", "engine/backends/cuda/b.h"),
            ("engine/graph/a.cpp", "engine/data/b.h"),
            ("engine/checkpoint/a.cpp", "engine/train/b.h"),
            ("engine/interop/a.cpp", "engine/train/b.h"),
            ("engine/train/a.cpp", "app/cli/b.h"),
            ("engine/train/a.cpp", "kernels/loss/b.h"),
            ("engine/layers/a.cpp", "kernels/loss/b.h"),
            ("engine/core/a.cpp", "tests/engine/b.h"),
            ("kernels/loss/a.cu", "engine/core/b.h"),
            ("ui/canvas/a.cpp", "engine/train/b.h"),
            ("ui/canvas/a.cpp", "app/studio/b.h"),
            ("ui/canvas/a.cpp", "kernels/loss/b.h"),
            ("app/studio/a.cpp", "engine/train/b.h"),
            ("app/cli/a.cpp", "ui/bridge/b.h"),
            ("tests/engine/core/a.cpp", "ui/bridge/b.h"),
        ]:
            with self.subTest(file=file, target=target):
                faults = self.include(file, target)
                self.assertEqual(len(faults), 1, faults)
                self.assertIn(f"{file}:2: {target}:", faults[0])
                (self.root / file).unlink()

    def test_relative_path(self):
        self.write("engine/train/b.h", HEAD + "#pragma once\n")
        self.write("engine/core/a.h", HEAD + '#include "../train/b.h"\n')
        self.assertEqual(len(include_direction.check(self.root)[0]), 1)

    def test_external_headers(self):
        for file, header, allowed in [
            ("engine/core/a.h", "QString", False),
            ("engine/train/a.h", "QtCore/QObject", False),
            ("kernels/loss/a.cu", "QString", False),
            ("app/cli/a.cpp", "QApplication", False),
            ("ui/charts/a.cpp", "QWidget", True),
            ("app/studio/a.cpp", "QApplication", True),
            ("engine/ops/a.h", "cuda_runtime.h", False),
            ("ui/devices/a.cpp", "cuda_runtime_api.h", False),
            ("kernels/loss/a.cu", "cuda_runtime.h", True),
            ("kernels/loss/a.cu", "cublasLt.h", False),
            ("engine/backends/cuda/a.cpp", "cublasLt.h", True),
            ("engine/backends/cpu/a.cpp", "cuda_fp16.h", False),
            ("engine/train/a.cpp", "nccl.h", False),
            ("engine/parallel/a.cpp", "nccl.h", True),
            ("engine/parallel/a.cpp", "mpi.h", True),
            ("engine/backends/cuda/a.cpp", "mpi.h", False),
            ("engine/graph/a.cpp", "oneapi/dnnl/dnnl.hpp", False),
            ("engine/backends/cpu/a.cpp", "dnnl.hpp", True),
            ("engine/core/a.cpp", "vector", True),
        ]:
            with self.subTest(file=file, header=header):
                self.write(file, f"{HEAD}#include <{header}>\n")
                self.assertEqual(len(include_direction.check(self.root)[0]), 0 if allowed else 1)
                (self.root / file).unlink()

    def test_unknown_room_and_missing_file(self):
        self.assertEqual(len(self.include("engine/extras/a.cpp", "engine/core/b.h")), 1)
        (self.root / "engine/extras/a.cpp").unlink()
        self.assertEqual(len(self.include("engine/core/a.cpp", "engine/core/gone.h", exists=False)), 1)

    def test_comments_do_not_count(self):
        self.write("engine/core/a.h", HEAD + '/*\n#include <QString>\n*/\n// #include <QString>\n')
        self.assertEqual(include_direction.check(self.root), ([], 0))


class FileRules(TreeTest):
    def faults(self, file, text):
        self.write(file, text)
        return file_rules.check(self.root)[0]

    def test_good_files(self):
        self.write("engine/core/a.h", HEAD + "#pragma once\n")
        text = HEAD + '#include "engine/core/a.h"\n' + "// a call of exit() is named here\n" * 398
        self.assertEqual(self.faults("engine/core/a.cpp", text), [])

    def test_bad_files(self):
        self.write("engine/core/a.h", HEAD + "#pragma once\n")
        for file, text in [
            ("engine/core/b.cpp", HEAD + "\n" * 400),
            ("installer/b.sh", "#\n" * 401),
            ("engine/core/b.cpp", "#include <vector>\n"),
            ("engine/core/b.h", HEAD + "int f();\n"),
            ("engine/core/b.h", HEAD + "#pragma once\nusing namespace std;\n"),
            ("engine/core/a.cpp", HEAD + '#include <vector>\n#include "engine/core/a.h"\n'),
            ("engine/core/b.cpp", HEAD + "void f() { std::exit(1); }\n"),
            ("engine/core/b.cpp", HEAD + "// TO" "DO: the rest\n"),
        ]:
            with self.subTest(file=file, text=text[:60]):
                faults = self.faults(file, text)
                self.assertEqual(len(faults), 1, faults)
                self.assertTrue(faults[0].startswith(file), faults)
                (self.root / file).unlink()


class EngineMessages(TreeTest):
    CATALOGUE = """
        QT_TRANSLATE_NOOP("Engine", "%1 devices for "
                                    "%2 replicas"),
        QT_TRANSLATE_NOOP("Engine", "Name %1 device"), QT_TRANSLATE_NOOP("Engine", "Name %1 devices")
    """

    def faults(self, text, more=""):
        for file in engine_messages.CATALOGUE:
            self.write(file, HEAD + self.CATALOGUE + more)
        self.write(f"{engine_messages.ROOMS[0]}/a.cpp", HEAD + text)
        (self.root / engine_messages.ROOMS[2]).parent.mkdir(parents=True, exist_ok=True)
        (self.root / engine_messages.ROOMS[2]).touch()
        return engine_messages.check(self.root)[0]

    def test_known(self):
        self.assertEqual(
            self.faults(
                "throw Error(ErrorCode::io, std::to_string(n) + \" devices for \" // how many, in all\n"
                '+ std::to_string(m) + " replicas", "it,too", "Name " + f(n, m) + (n == 1 ? " device" : " devices"));'
            ),
            [],
        )

    def test_unknown(self):
        for text, said in [
            ('throw Error(ErrorCode::io, "no room", "where");', "no room"),
            ('throw Error(ErrorCode::io, f(1) + " devices for 2 replicas", "", "Name " + n + " rank");', "Name 7 rank"),
            ('std::string what = "too " + f(n); refuse(what, where);', "too 7"),
            ('warning.text = "waits; " + percent(x);', "waits; 7"),
            ('throw Error(ErrorCode::io, n == 1 ? "5 devices for 2 replicas" : "none");', "none"),
            ('fail("lost " + name);', "lost 7"),
            ('report.say(first ? "Name 1 device" : "went on");', "went on"),
            ('run.warnings.push_back("no " + what);', "no 7"),
            ('emit(LogEvent{level, "it waits"});', "it waits"),
            ('std::string f(int n) { return "f " + g(n); } void h() { warn("of " + f(1)); }', "of f 7"),
            ('std::string Watch::given_up(int n) const { return "gave up " + g(n); }', "gave up 7"),
            ('warn(counted(n, "epoch", "epochs of it"));', None),
            ('std::string text = " left of it "; text += name;', "... left of it ..."),
        ]:
            with self.subTest(text=text):
                found = [said] if said else ["7 epoch", "7 epochs of it"]
                self.assertEqual(self.faults(text), [f"{engine_messages.ROOMS[0]}/a.cpp: {each}" for each in found])

    def test_hidden(self):
        for text in [
            'throw Error(ErrorCode::internal, "a fault of the program");',
            'mark(kind, update, value, "went on from there");',
            'param.doc = "What it is good for " "in words";',
            'throw io::system_error("shorten the log", path, errno);',
        ]:
            with self.subTest(text=text):
                self.assertEqual(self.faults(text), [])

    def test_terminal(self):
        hint = '{"Go on by --resume", QT_TRANSLATE_NOOP("Engine", "Choose Go on")},'
        self.assertEqual(self.faults('refuse("7 devices for 2 replicas", where, "Go on by --resume");', hint), [])
        for sentence in ("Go on by --resume", "Make one with `strata new`"):
            found = self.faults("", f'QT_TRANSLATE_NOOP("Engine", "{sentence}"),')
            self.assertEqual(found, [f"{engine_messages.REPLACED} lacks: {sentence}"])


if __name__ == "__main__":
    unittest.main()
