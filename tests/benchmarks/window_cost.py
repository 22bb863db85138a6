"""What the window costs: the same training headless and in the studio, in turns, and how soon the studio is there.

Usage: window_cost.py --strata STRATA --studio STRATA_STUDIO [--project P.strata] [--rounds N]. Needs xvfb-run.
Prints the rate of each round, the median ratio, and the times of start.
"""

import argparse
import shutil
import statistics
import struct
import subprocess
import tempfile
import time
from pathlib import Path


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, value) of each field of a protobuf message; bytes for length-delimited ones."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if size is None:
                size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def loss_times(run):
    """{step: wall time in s} of the tag "loss" in a run's log."""
    times = {}
    for path in sorted(run.glob("events.out.tfevents.*")):
        data, at = path.read_bytes(), 0
        while at + 12 <= len(data):
            size = struct.unpack_from("<Q", data, at)[0]
            event = dict(fields(data[at + 12:at + 12 + size]))
            at += 16 + size
            if 5 not in event:
                continue
            value = dict(fields(dict(fields(event[5]))[1]))
            if value[1] == b"loss":
                times[event.get(2, 0)] = struct.unpack("<d", event[1])[0]
    return times


def rate(run):
    """Updates a second of wall time without the pauses between epochs: gaps far above the median do not count."""
    times = loss_times(run)
    steps = sorted(times)[20:]
    gaps = [times[b] - times[a] for a, b in zip(steps, steps[1:]) if b == a + 1]
    limit = 50 * statistics.median(gaps)
    return sum(gap < limit for gap in gaps) / sum(gap for gap in gaps if gap < limit)


def train(command, project, folder):
    work = Path(tempfile.mkdtemp(dir=folder))
    shutil.copy(project, work / "p.strata")
    subprocess.run([*command(work / "p.strata", work)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return rate(next((work / "runs").iterdir()))


def best_time(command, tries=5):
    times = []
    for _ in range(tries):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--studio", required=True)
    parser.add_argument("--project", default=str(Path(__file__).parents[2] / "resources/examples/fashion-mnist-classic.strata"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    display = ["xvfb-run", "-a", "-s", "-screen 0 1920x1080x24"]
    with tempfile.TemporaryDirectory() as folder:
        def headless(project, _):
            return [options.strata, "train", project]

        def window(project, work):
            return [*display, options.studio, project, "--size", "1280x800", "--train", "--screenshot", work / "end.png",
                    "--after-state", "finished"]

        ratios = []
        for number in range(options.rounds):
            pair = {}
            order = [("headless", headless), ("window", window)]
            for name, command in order if number % 2 == 0 else reversed(order):
                pair[name] = train(command, options.project, folder)
            ratios.append(pair["window"] / pair["headless"])
            print(f"round {number + 1}: headless {pair['headless']:.0f}, window {pair['window']:.0f} updates/s, "
                  f"ratio {ratios[-1]:.3f}", flush=True)
        print(f"median ratio {statistics.median(ratios):.3f}")
        picture = Path(folder) / "start.png"
        server = best_time([*display, "true"])
        shown = best_time([*display, options.studio, options.project, "--screenshot", picture, "--after-ms", "0"])
        print(f"studio's first picture {shown - server:.2f} s after its start")
        print(f"strata --version {1000 * best_time([options.strata, '--version']):.0f} ms")


if __name__ == "__main__":
    main()
