"""Checks the direction of every #include of the source tree: app -> ui -> engine -> kernels, never back.

Usage: include_direction.py SOURCE_TREE. Prints one line a fault and exits 1 where there is any.
"""

import posixpath
import re
import sys
from pathlib import Path

import rooms

SUFFIXES = {".h", ".hpp", ".cuh", ".cpp", ".cc", ".cu"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def source_files(root):
    for top in ("app", "engine", "kernels", "ui", "tests"):
        yield from sorted(p for p in (root / top).rglob("*") if p.suffix in SUFFIXES and p.is_file())


def includes(text):
    """(line number, header) of every include; those in block comments do not count."""
    text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1) or match.group(2)


def resolve(root, file, header):
    """The included file relative to root, or None where it is no file of the tree."""
    for base in (posixpath.dirname(file), ""):
        path = posixpath.normpath(posixpath.join(base, header))
        if not path.startswith("..") and (root / path).is_file():
            return path
    return None


def check(root):
    """A list of "file:line: header: reason". Throws nothing but what reading the files throws."""
    root = Path(root).resolve()
    faults, count = [], 0
    for path in source_files(root):
        file = path.relative_to(root).as_posix()
        room = rooms.room_of(file)
        if room is None:
            faults.append(f"{file}:1: this file belongs to no room")
            continue
        for line, header in includes(path.read_text(encoding="utf-8")):
            count += 1
            target = resolve(root, file, header)
            if target is None:
                reason = rooms.external_fault(room, header)
                if reason is None and header.split("/")[0] in ("app", "engine", "kernels", "ui"):
                    reason = "there is no such file"
            elif target.startswith("tests/") and not file.startswith("tests/"):
                reason = "the product includes nothing from tests"
            else:
                reason = rooms.include_fault(room, rooms.room_of(target) or target, target)
            if reason:
                faults.append(f"{file}:{line}: {header}: {reason}")
    return faults, count


def main():
    faults, count = check(sys.argv[1])
    for fault in faults:
        print(fault)
    print(f"{count} includes, {len(faults)} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
