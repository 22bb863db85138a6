"""What a training run takes of memory beside its plan and its data.

Usage: process_peak.py --strata STRATA [--limit PERCENT]. Trains each template for an epoch in each precision and
prints the peak of the process, the plan, the data in memory with the batches in the queues, and the rest. The process's
own share (program, libraries, threads, buffers of the log) is taken off: the peak of a run that trains six weights on 64
points. Exits 1 where the rest is more than PERCENT (15) of plan, data and queues.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

MIB = 1 << 20
SAMPLE = 28 * 28 + 1
# Training, validation and test each have a queue of 4 batches (the templates' prefetch), one that is being filled and one
# that is being used.
QUEUED_BATCHES = 3 * (4 + 2)
SMALL = {
    "strata": 1,
    "name": "small",
    "model": {"layers": [{"name": "in", "type": "InputLayer", "config": {"shape": [2]}},
                         {"name": "out", "type": "Dense", "config": {"units": 2, "activation": "softmax"}}]},
    "data": {"source": {"type": "moons", "count": 64}},
    "training": {"epochs": 1},
}


def train(strata, project, directory, *settings):
    command = [strata, "train", project, "--json", "--run-dir", directory]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr or done.stdout[-500:]}")
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {event["event"]: event for event in events}


def plan_bytes(events):
    return sum(events["plan"]["memory_bytes"].values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strata", required=True)
    parser.add_argument("--limit", type=float, default=15.0)
    options = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.strata"
        small.write_text(json.dumps(SMALL))
        events = train(options.strata, small, f"{folder}/small")
        own = events["end"]["peak_process_bytes"] - plan_bytes(events)
        print(f"the process's own: {own / MIB:.1f} MiB")
        print(f"{'template':9}{'precision':16}{'batch':>6}{'peak':>9}{'plan':>9}{'data':>9}{'rest':>8}{'%':>8}")
        for name in ("classic", "cnn"):
            project = Path(folder) / f"{name}.strata"
            subprocess.run([options.strata, "new", name, "-o", project], check=True, capture_output=True)
            for precision in ("float32", "mixed_bfloat16", "mixed_float16"):
                for batch in (64, 512):
                    run = f"{folder}/{name}-{precision}-{batch}"
                    events = train(options.strata, project, run, "training.epochs=1", f"training.precision={precision}",
                                   f"data.pipeline.batch.batch_size={batch}")
                    plan = plan_bytes(events)
                    counts = events["plan"]
                    samples = sum(counts.get(f"{part}_samples", 0) for part in ("train", "validation", "test"))
                    data = (samples + QUEUED_BATCHES * batch) * SAMPLE
                    peak = events["end"]["peak_process_bytes"]
                    rest = peak - own - plan - data
                    share = 100.0 * rest / (plan + data)
                    worst = max(worst, share)
                    print(f"{name:9}{precision:16}{batch:6}{peak / MIB:9.1f}{plan / MIB:9.1f}{data / MIB:9.1f}"
                          f"{rest / MIB:8.1f}{share:8.1f}")
    print(f"worst: {worst:.1f} %, allowed: {options.limit:.1f} %")
    return 0 if worst <= options.limit else 1


if __name__ == "__main__":
    sys.exit(main())
