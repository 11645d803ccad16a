"""A torch_npu text capture: `{host}_{pid}_{time}_ascend_pt/`, one directory for each rank under one parent."""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

from pathlib import Path

from . import formats
from .expected import Expected, expect
from .plan import Clock, Dice, Planner, utc_ns
from .settings import Site, write_settings
from .torch_json import metadata, profiler_info, write_communication, write_json, write_trace
from .torch_memory import write_memory
from .torch_spec import LEAD_NS, TAIL_NS, Run, TorchSpec
from .torch_tables import write_kernel_details, write_statistics, write_step_trace_time


def _run(parent: Path, spec: TorchSpec, index: int) -> Run:
    begin = utc_ns(spec.begin, spec.offset_hours) + index * 3_417_650
    clock = Clock(begin, spec.chip.clock_hz)
    planner = Planner(clock, spec.pace, spec.seed, index)
    planner.wait(LEAD_NS // 5)
    for number in range(spec.before_rows):
        planner.kernel(spec.ops[number % len(spec.ops)], None)
    planner.tick = max(planner.tick + clock.ticks(1_000_000), clock.ticks(LEAD_NS)) + clock.ticks(spec.preparing_ns)
    ids = spec.step_ids
    planner.steps(ids, spec.ops, spec.collectives)
    starts = [min(row.start_ns for row in planner.rows if row.step == step) - spec.preparing_ns for step in ids]
    last = max(row.end_ns for row in planner.rows)
    host = tuple(zip(ids, starts, [*starts[1:], last + 200_000], strict=True))
    planner.wait(1_000_000)
    for number in range(spec.after_rows):
        planner.kernel(spec.ops[number % len(spec.ops)], None)
    rows = tuple(sorted(planner.rows, key=lambda row: (row.start_ns, row.end_ns)))
    pid = spec.pid + 97 * index
    name = f"{spec.host}_{pid}_{formats.digits17(begin - 180_000_000, spec.offset_hours * 3600)}_ascend_pt"
    end = max(row.end_ns for row in rows) + TAIL_NS
    return Run(spec, spec.ranks[index], index, begin, end, rows, planner.group, parent / name, host)


def _write_inner(run: Run) -> None:
    """The PROF directory as data_simplification leaves it: settings only."""
    spec, dice = run.spec, Dice(run.spec.seed, 19, run.index)
    name = f"PROF_000001_{formats.digits17(run.begin_ns - 35_000_000, run.offset_s)}_{run.pid:08d}{dice.letters(8)}"
    level = int(spec.level[-1])
    sample: dict[str, object] = {"app": "", "taskMemory": "on" if spec.memory else "off"}
    if spec.memory:
        sample |= {
            "hardware_mem": "on",
            "msprof_llc_profiling": "on",
            "ddr_profiling": "on",
            "hbmProfiling": "on",
            "memProfiling": "on",
        }
    if spec.metrics == "ACL_AICORE_NONE":
        sample |= {"ai_core_profiling": "off", "ai_core_metrics": "", "ai_core_profiling_events": ""}
        sample |= {"aiv_profiling": "off", "aiv_metrics": "", "aiv_profiling_events": ""}
    site = Site(
        host=spec.host,
        pid=run.pid,
        device=run.device,
        chip=spec.chip,
        begin_ns=run.begin_ns,
        end_ns=run.end_ns,
        offset_s=run.offset_s,
        boot_ns=spec.boot_ns + run.index * 3_417_650,
        folder=f"/data/profiling/{run.root.name}/{name}",
        sample=sample | dict(spec.sample),
        info=spec.info,
        device_info=spec.device_info,
    )
    write_settings(run.root / name, site, "2026", level)


def _write_rank(run: Run) -> Expected:
    spec = run.spec
    suffix = "" if run.rank is None else f"_{run.rank}"
    write_json(run.root / f"profiler_info{suffix}.json", profiler_info(run))
    write_json(run.root / "profiler_metadata.json", metadata(run))
    write_kernel_details(run)
    write_step_trace_time(run)
    peaks = write_memory(run, spec.memory) if spec.memory else {}
    if spec.level != "Level0":
        write_statistics(run)
        write_communication(run)
    if spec.trace != "none":
        write_trace(run)
    if spec.inner:
        _write_inner(run)
    return expect(
        run.rows,
        path=run.root,
        rank=-1 if run.rank is None else run.rank,
        device=run.device,
        typed=spec.level != "Level0",
        markers=spec.markers,
        memory=peaks,
    )


def write_torch_capture(root: Path, spec: TorchSpec) -> tuple[Expected, ...]:
    """Write one `*_ascend_pt` directory for each rank under `root`.

    Args:
        root: Parent directory; made when missing.
        spec: What is captured.

    Returns:
        The right values of each rank, in the order of `spec.ranks`.
    """
    return tuple(_write_rank(_run(root, spec, index)) for index in range(len(spec.ranks)))
