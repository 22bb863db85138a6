"""The rooms of the source tree and what each may include; the one copy of the rules of direction.

Read by include_direction.py. A room is a folder such as "engine/graph"; its rank says how high it stands.
"""

import re

# Inside engine, lower ranks first. A room may include rooms of a lower rank. A checkpoint is a Keras file,
# so checkpoint stands on interop.
# backends stand beside layers ... schedules: neither side knows the other.
ENGINE_RANKS = {
    "core": 0, "io": 1, "device": 2, "ops": 3,
    "backends/cpu": 4, "backends/cuda": 4,
    "layers": 4, "losses": 5, "optimizers": 6, "metrics": 7, "schedules": 8,
    "graph": 9, "data": 10, "parallel": 11, "selftest": 12, "interop": 12, "checkpoint": 13, "train": 14,
}
# Plain data of the run: what the window shows and edits. The trainer itself is the bridge's alone.
TRAIN_DATA = ("engine/train/run_config.h", "engine/train/events.h")
DESCRIPTIONS = {"layers", "losses", "optimizers", "metrics", "schedules"}

# Top-level rooms that each may include, itself aside.
TOP_LEVEL = {
    "kernels": set(),
    "engine": {"kernels"},
    "ui": {"engine"},
    "app/cli": {"engine"},
    "app/studio": {"ui", "engine", "resources"},
    "tests/kernels": {"kernels", "engine", "tests"},
    "tests/engine": {"kernels", "engine", "tests"},
    "tests/support": {"tests"},
    "tests/cli": {"app", "engine", "tests"},
}

CUDA_LIBRARIES = re.compile(r"^(cublas|cudnn|nvml|nccl|cusparse|curand|cufft|cutlass|nvrtc)", re.I)
CUDA_RUNTIME = re.compile(r"^(cuda[_.]|cuda/|cooperative_groups|cub/|thrust/|device_launch|mma\.h|vector_types)")
# External headers by name: (what it is, pattern, rooms that may include it).
EXTERNAL = [
    ("Qt", re.compile(r"^(Q[A-Z]\w*$|Qt[A-Z]\w*/|Qt[A-Z]\w*$|qcustomplot)"), ("ui", "app/studio", "tests/ui", "tests/benchmarks")),
    ("NCCL", re.compile(r"^nccl", re.I), ("engine/backends/cuda", "engine/parallel", "tests/engine", "tests/kernels")),
    ("a CUDA library", CUDA_LIBRARIES, ("engine/backends/cuda", "engine/parallel", "tests/engine", "tests/kernels")),
    ("CUDA", CUDA_RUNTIME, ("engine/backends/cuda", "engine/parallel", "kernels", "tests/engine", "tests/kernels")),
    ("MPI", re.compile(r"^mpi(\.h|/)"), ("engine/parallel", "tests/engine/parallel")),
    ("oneDNN", re.compile(r"^(oneapi/)?dnnl"), ("engine/backends/cpu", "tests/engine", "tests/benchmarks")),
]


def room_of(path):
    """"engine/backends/cpu/conv2d.cpp" -> "engine/backends/cpu"; None for a file outside the rooms."""
    parts = path.split("/")
    if len(parts) < 2:
        return None
    if parts[0] in ("kernels", "resources"):
        return parts[0]
    if parts[0] == "engine":
        depth = 3 if parts[1] == "backends" else 2
        return "/".join(parts[:depth]) if len(parts) > depth else None
    if parts[0] in ("ui", "app", "tests"):
        return "/".join(parts[:2]) if len(parts) > 2 else None
    return None


def engine_fault(room, other):
    """Why engine room `room` may not include engine room `other`, or None. Rooms are as in room_of()."""
    here, there = room.removeprefix("engine/"), other.removeprefix("engine/")
    if here == there:
        return None
    for name in (here, there):
        if name not in ENGINE_RANKS:
            return f"engine/{name} has no place in the order of rooms (tests/structure/rooms.py)"
    backend_here, backend_there = here.startswith("backends/"), there.startswith("backends/")
    if backend_here and backend_there:
        return "one backend does not know another"
    if (backend_here and there in DESCRIPTIONS) or (backend_there and here in DESCRIPTIONS):
        return "backends and layers, losses, optimizers, metrics, schedules do not know each other"
    if ENGINE_RANKS[here] <= ENGINE_RANKS[there]:
        return f"{there} stands above {here}"
    return None


def include_fault(room, other, file=""):
    """Why a file of `room` may not include `file` of the room `other`, or None."""
    top, other_top = room.split("/")[0], other.split("/")[0]
    if other == "kernels" and room not in ("kernels", "engine/backends/cuda", "tests/kernels"):
        return "only engine/backends/cuda includes kernels"
    if top == "engine" and other_top == "engine":
        return engine_fault(room, other)
    outside_bridge = top == "ui" and room != "ui/bridge" or room == "app/studio"
    if other == "engine/train" and outside_bridge and file not in TRAIN_DATA:
        return "only ui/bridge knows the trainer"
    key = room if room in TOP_LEVEL else top
    if key in TOP_LEVEL and other_top != top and other_top not in TOP_LEVEL[key]:
        return f"{key} does not include {other_top}"
    return None


def external_fault(room, header):
    """Why a file of `room` may not include the header `header` from outside the tree, or None."""
    for what, pattern, allowed in EXTERNAL:
        if pattern.search(header):
            if any(room == a or room.startswith(a + "/") for a in allowed):
                return None
            return f"{what} is seen only by {', '.join(a for a in allowed if not a.startswith('tests'))}"
    return None
