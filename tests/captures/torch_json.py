"""profiler_info, profiler_metadata, communication.json and trace_view.json of a torch_npu text capture."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import formats
from .formats import lanes, write_text
from .plan import Collective, Row, parts_ns
from .torch_spec import ENVIRONMENT, Run


def write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, indent=4, ensure_ascii=False))


def profiler_info(run: Run) -> dict[str, Any]:
    spec = run.spec
    common: dict[str, Any] = {
        "activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"],
        "schedule": spec.plan if spec.markers else None,
        "record_shapes": True,
        "profile_memory": spec.memory is not None,
        "with_stack": False,
        "with_flops": False,
        "with_modules": False,
    }
    experimental: dict[str, Any] = {
        "_profiler_level": spec.level,
        "_aic_metrics": spec.metrics,
        "_l2_cache": False,
        "_msprof_tx": False,
        "_data_simplification": True,
        "record_op_args": False,
        "_export_type": "text",
        "_op_attr": False,
        "_gc_detect_threshold": None,
    }
    start = spec.boot_ns + run.index * 3_417_650
    info: dict[str, Any] = {
        "config": {
            "common_config": common | dict(spec.common),
            "experimental_config": experimental | dict(spec.experimental),
        },
        "start_info": {"syscnt_enable": True, "freq": 100, "start_cnt": start // 10 + 83_113, "start_monotonic": start},
        "end_info": {"collectionTimeEnd": run.end_ns, "MonotonicTimeEnd": start + run.end_ns - run.begin_ns},
        **spec.versions,
    }
    return info if run.rank is None else info | {"rank_id": run.rank}


def metadata(run: Run) -> dict[str, Any]:
    spec = run.spec
    found: dict[str, Any] = {}
    if spec.distributed_args is not None:
        found["distributed_args"] = dict(spec.distributed_args)
    found["ENV_VARIABLES"] = dict.fromkeys(ENVIRONMENT, "") | dict(spec.env)
    if spec.world_size is not None:
        moment = run.spec.pid * 7919 + 1_760_000_000_000_000
        found["parallel_group_info"] = {
            f"198.51.100.23%enp67s0f0_60000_0_{moment}": {
                "group_name": "default_group",
                "group_rank": run.rank,
                "global_ranks": list(range(spec.world_size)),
            }
        }
    return found


LINKS = ("RDMA", "HCCS", "PCIE", "SDMA", "SIO")


def _time_info(parts: Sequence[tuple[int, int, int]], durations: Sequence[int]) -> dict[str, Any]:
    wait, transit, idle = (sum(column) for column in zip(*parts, strict=True))
    synchronised = wait * 3 // 4
    return {
        "Elapse Time(ms)": sum(durations) / 10**6,
        "Transit Time(ms)": transit / 10**6,
        "Wait Time(ms)": wait / 10**6,
        "Synchronization Time(ms)": synchronised / 10**6,
        "Idle Time(ms)": idle / 10**6,
        "Wait Time Ratio": round(wait / (wait + transit), 4) if wait + transit else 0,
        "Synchronization Time Ratio": round(synchronised / (synchronised + transit), 4) if wait + transit else 0,
    }


def _link(size_bytes: int, transit_ns: int, packets: int) -> dict[str, Any]:
    megabytes, time = size_bytes / 10**6, transit_ns / 10**6
    return {
        "Transit Size(MB)": megabytes,
        "Transit Time(ms)": time,
        "Bandwidth(GB/s)": round(size_bytes / transit_ns, 4),
        "Large Packet Ratio": 0.0,
        "Size Distribution": {repr(megabytes / packets): [packets, time]},
    }


def _operation(row: Row) -> dict[str, Any]:
    assert isinstance(row.op, Collective)
    nothing = {
        "Transit Size(MB)": 0,
        "Transit Time(ms)": 0,
        "Bandwidth(GB/s)": 0,
        "Large Packet Ratio": 0,
        "Size Distribution": {},
    }
    used = _link(row.op.size_bytes, parts_ns(row)[1], 4)
    links = dict.fromkeys(LINKS, nothing)
    links |= {"HCCS": used, "SDMA": used | {"Large Packet Ratio": 0, "Size Distribution": {}}}
    time = _time_info([parts_ns(row)], [row.duration_ns])
    return {
        "Communication Time Info": {"Start Timestamp(us)": row.start_ns / 1000} | time,
        "Communication Bandwidth Info": links,
    }


def _total_operation(rows: Sequence[Row]) -> dict[str, Any]:
    size = sum(row.op.size_bytes for row in rows if isinstance(row.op, Collective))
    parts = [parts_ns(row) for row in rows]
    sizes: dict[str, list[float]] = {}
    for row in rows:
        for packet, (count, time) in _operation(row)["Communication Bandwidth Info"]["HCCS"][
            "Size Distribution"
        ].items():
            known = sizes.setdefault(packet, [0, 0])
            known[0] += count
            known[1] += time
    moved = sum(transit for _, transit, _ in parts) / 10**6

    def link(used: bool, spread: dict[str, list[float]]) -> dict[str, Any]:
        time, megabytes = (moved, size / 10**6) if used else (0, 0)
        return {"Transit Time(ms)": time, "Transit Size(MB)": megabytes, "Size Distribution": spread}

    return {
        "Communication Time Info": _time_info(parts, [row.duration_ns for row in rows]),
        "Communication Bandwidth Info": {
            name: link(name in ("HCCS", "SDMA"), sizes if name == "HCCS" else {}) for name in LINKS
        },
    }


def write_communication(run: Run) -> None:
    """communication.json: Level1 only, one entry for each step that has collectives."""
    table: dict[str, Any] = {}
    ids = [step for step, _, _ in run.host_steps]
    for step in ids if run.spec.markers else [None]:
        own = [row for row in run.rows if row.communicates and (step is None or row.step == step)]
        if own:
            found: dict[str, Any] = {f"{row.name}@{run.group}": _operation(row) for row in own}
            found["Total Op Info"] = _total_operation(own)
            table["step" if step is None else f"step{step}"] = {"p2p": {}, "collective": found}
    if table:
        write_text(run.output / "communication.json", json.dumps(table))


def _metadata_event(name: str, pid: int, tid: int, key: str, value: object) -> dict[str, Any]:
    return {"name": name, "pid": pid, "tid": tid, "args": {key: value}, "ph": "M"}


def _process(pid: int, name: str, sort_index: int, threads: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    """The names of one lane: process, threads, label, place."""
    found = [_metadata_event("process_name", pid, 0, "name", name)]
    for tid, thread in threads:
        found.append(_metadata_event("thread_name", pid, tid, "name", thread))
        found.append(_metadata_event("thread_sort_index", pid, tid, "sort_index", tid))
    found.append(_metadata_event("process_labels", pid, 0, "labels", "NPU"))
    found.append(_metadata_event("process_sort_index", pid, 0, "sort_index", sort_index))
    return found


def _host_events(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for step, start, end in run.host_steps if run.spec.markers else ():
        for name, begin, length in (
            (f"ProfilerStep#{step}", start, end - start),
            ("aten::empty", start + 41_230, 12_470),
            ("aten::mm", start + 96_810, 33_020),
        ):
            event = {
                "ph": "X",
                "name": name,
                "pid": run.pid,
                "tid": run.pid,
                "ts": formats.micro(formats.floor_to(begin, 10)),
            }
            event |= {"dur": formats.floor_to(length, 10) / 1000, "cat": "cpu_op"}
            found.append(event | {"args": {"Sequence number": -1, "Fwd thread id": 0}})
    first = {"ph": "M", "pid": run.pid, "tid": 0}
    found.append({**first, "name": "process_name", "args": {"name": "Python"}})
    found.append({**first, "name": "process_labels", "args": {"labels": "CPU"}})
    found.append({**first, "name": "process_sort_index", "args": {"sort_index": 0}})
    return found


def _task_events(run: Run, hardware: int, group: int) -> list[dict[str, Any]]:
    found = []
    for number, row in enumerate(run.rows, 1000):
        place = {
            "name": row.name,
            "pid": group if row.communicates else hardware,
            "tid": 0 if row.communicates else row.stream,
        }
        event: dict[str, Any] = {**place, "ts": formats.micro(row.start_ns), "dur": row.duration_ns / 1000}
        if isinstance(row.op, Collective):
            count = row.op.size_bytes // 2
            args: dict[str, Any] = {"connection_id": number, "model id": 4294967295, "data_type": "BFP16"}
            args |= {"alg_type": "MESH-RING", "count": count}
        else:
            args = {"Model Id": 4294967295, "Task Type": row.core, "Physic Stream Id": row.stream, "Task Id": row.task}
            args |= {"Batch Id": 0, "Subtask Id": 4294967295, "connection_id": number}
        found.append({**event, "args": args, "ph": "X"})
    return found


def write_trace(run: Run) -> None:
    """trace_view.json: one JSON array on one line."""
    base = (run.pid << 10) % 2**32
    hardware, clock, group, overlap = (base | index << 5 for index in (13, 14, 15, 23))
    found = _host_events(run)
    found += _process(hardware, "Ascend Hardware", 13, [(2, "Stream 2")])
    found += _process(
        group, "HCCL" if run.spec.communication_core == "HCCL" else "Communication", 15, [(0, "Group 0 Communication")]
    )
    found += _process(overlap, "Overlap Analysis", 23, list(enumerate(formats.LANES)))
    found += _process(clock, "AI Core Freq", 14, [])
    if run.spec.trace == "full":
        found += _task_events(run, hardware, group)
        for tid, (lane, spans) in enumerate(lanes(run.rows).items()):
            for start, end in spans:
                event = {
                    "name": lane,
                    "pid": overlap,
                    "tid": tid,
                    "ts": formats.micro(start),
                    "dur": (end - start) / 1000,
                }
                found.append(event | {"ph": "X"})
    for time in (run.begin_ns, run.end_ns):
        event = {"name": "AI Core Freq", "ts": formats.micro(time), "pid": clock, "tid": 0}
        found.append(event | {"args": {"MHz": run.spec.chip.aic_frequency}, "ph": "C"})
    write_text(run.output / "trace_view.json", json.dumps(found))
