"""Why two captures may be compared, may not, or cannot be shown to be alike: generated pairs with one difference each.

Expected facts are read off the plan of the pair (its spec) or off the edit; grades follow evidence/settings.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from captures import edits
from captures.generator import Pace, TorchSpec, write_prof_capture, write_torch_capture
from jobs import ADD, AFTER, MATMUL, PROF, TORCH, write_pair

from judged.case import Give, Judged
from reportgen import comparability
from reportgen.contract import read_target
from reportgen.grades import read_grades
from reportgen.model import Comparability, Side, Target
from reportgen.pipeline import evaluate
from reportgen.reading import read_capture

Edit = Callable[[Path], object]
HEAD = """
schema = 1
decision_rule = "simple"
{more}
[contract]
reference = "T"
signed = "{signed}"
[[case]]
id = "C"
clause = "1"
[[case.goal]]
id = "G"
metric = "kernel_count"
statistic = "count"
direction = "at_most"
subject = "after"
limit = "1"
"""


def agreed(root: Path, more: str = "", signed: str = "2026-10-01", declared: str = "") -> Target:
    """A target of one goal."""
    path = root / "target.toml"
    path.write_text(HEAD.format(more=more, signed=signed) + declared, encoding="utf-8")
    return read_target(path)


def held(root: Path, target: Target | None = None, allowed: Mapping[str, str] | None = None) -> Comparability:
    """The captures ``before`` and ``after`` of a directory, compared."""
    before, after = (read_capture(root / side.value, side) for side in Side)
    granted = comparability.permissions(target, dict(allowed or {}))
    return comparability.compare(before, after, read_grades(), granted, target=target)


def pair(
    before: TorchSpec = TORCH,
    after: TorchSpec = AFTER,
    *,
    edit: Edit | None = None,
    both: bool = False,
    target: Mapping[str, str] | None = None,
) -> Give:
    """Two captures of torch_npu, compared; the edit is of AFTER, or of both sides."""

    def give(root: Path) -> object:
        sides = write_pair(root, before, after)
        for side in sides if both else sides[1:]:
            if edit is not None:
                edit(next(side.iterdir()))
        return held(root, None if target is None else agreed(root, **target))

    return give


def of_both_tools(root: Path) -> object:
    """BEFORE by torch_npu, AFTER by msprof."""
    write_torch_capture(root / "before", TORCH)
    (root / "after").mkdir()
    write_prof_capture(root / "after", PROF)
    return held(root)


def every(name: str, change: Edit) -> Edit:
    """An edit of each file whose name begins so."""

    def edit(capture: Path) -> None:
        for path in sorted(capture.rglob(f"{name}*")):
            change(path)

    return edit


def table(capture: Path) -> Path:
    """The kernel table."""
    return edits.find(capture, "kernel_details")


def steps_swapped(capture: Path) -> None:
    """The rows of step 12 are called 11, and those of 11 are called 12."""
    other = {"11": "12", "12": "11"}
    edits.set_column(table(capture), "Step Id", lambda row: other.get(row["Step Id"], row["Step Id"]))


def lost(capture: Path) -> None:
    """The collector says that it lost data."""
    data = next(capture.glob("PROF_*")) / "host" / "data"
    data.mkdir(parents=True, exist_ok=True)
    (data / "prof_collect.info").write_text('{"collect_status": "data_loss"}', encoding="utf-8")


def unknown_keys(path: Path) -> None:
    """A settings file of keys that nobody knows."""
    path.write_text('{"k1": "1"}', encoding="utf-8")


def kernels_left_out(root: Path) -> object:
    """Both sides without the kernels called aclnnAdd_*."""
    return evaluate(*write_pair(root), exclude={"aclnnAdd_*": "a probe of ours"}).comparability


OTHER = replace(MATMUL, shapes="16,4096;4096,4096")
SMALL = replace(ADD, mean_ns=500, calls=1)
"""One call of 0.5 us beside four of 240 us: 0.05 % of the time."""
CHANGED = replace(AFTER, ops=(replace(OTHER, type="MatMulV3"), SMALL))
"""The large type is another, the small one is the same."""


def _of(spec: TorchSpec, **changes: Any) -> TorchSpec:
    return replace(spec, **changes)


EVEN = replace(TORCH, pace=Pace(step_noise_ppm=0, kernel_noise_ppm=0))
EVEN_AFTER = replace(AFTER, pace=EVEN.pace)
FASTER = replace(MATMUL, mean_ns=200_000)
DECLARED = """
[[declared]]
key = "code_revision"
value = "1a2b3c"
signer = "W"
role = "lead"
date = "2026-10-01"
"""
SAME_WORK = DECLARED.replace("code_revision", "workload").replace("1a2b3c", "same job")
SIGNED = {"key": "workload", "value": "same job", "signer": "W", "role": "lead", "date": "2026-10-01"}
UNTYPED = _of(EVEN, level="Level0")
HALF_RENAMED = _of(EVEN_AFTER, level="Level0", ops=(FASTER, replace(ADD, name="other_add_{n}")))
RENAMED = _of(HALF_RENAMED, ops=(replace(FASTER, name="other_matmul_{n}"), replace(ADD, name="other_add_{n}")))


def _two_values(root: Path) -> object:
    for side, value in zip(write_pair(root), ("on", "off"), strict=True):
        every("sample.json", lambda p, value=value: edits.add_json_key(p, ("brandNewSwitch",), value))(side)
    return held(root)


def _allowed(root: Path) -> object:
    write_pair(root, TORCH, replace(AFTER, common={"with_stack": True}))
    return held(root, allowed={"profiler_info.with_stack": "a log switch"})


SPEC = {"why": "the plan of the pair, which a reader can see"}
EDIT = {"why": "the edit, which is all that was changed"}
GRADE = {"why": "the row of this key in evidence/settings.toml"}

CASES: tuple[Judged, ...] = (
    # --- settings
    Judged(
        title="the level, the same on both sides",
        give=pair(),
        code="setting_equal",
        args={"key": "profiler_info.profiler_level"},
        **SPEC,
    ),
    Judged(title="the process id of two runs", give=pair(), code="setting_identity", args={"key": "info.pid"}, **GRADE),
    Judged(
        title="with_stack on in AFTER alone",
        give=pair(after=_of(AFTER, common={"with_stack": True})),
        code="setting_differs",
        args={"key": "profiler_info.with_stack"},
        **SPEC,
    ),
    Judged(
        title="the AI Core metrics, taken out of AFTER",
        give=pair(edit=every("sample.json", lambda p: edits.delete_json_key(p, ("ai_core_metrics",)))),
        code="setting_unknown",
        args={"key": "sample.ai_core_metrics", "side": "after"},
        **EDIT,
    ),
    Judged(
        title="a key nobody knows, on both sides with two values",
        give=_two_values,
        code="setting_ungraded_differs",
        args={"key": "brandNewSwitch"},
        **EDIT,
    ),
    Judged(
        title="a setting that --allow lets differ",
        give=_allowed,
        code="allowed_by_option",
        args={"key": "profiler_info.with_stack", "why": "a log switch"},
        why="as given on the command line",
    ),
    Judged(
        title="a fact that no profiler records, declared",
        give=pair(target={"declared": DECLARED}),
        code="declared_by",
        args={"key": "code_revision", "value": "1a2b3c", "signer": "W", "role": "lead", "date": "2026-10-01"},
        why="the target says so",
    ),
    Judged(
        title="the AI Core metrics, taken out of both sides",
        give=pair(both=True, edit=every("sample.json", lambda p: edits.delete_json_key(p, ("ai_core_metrics",)))),
        code="setting_unknown_both",
        args={"key": "sample.ai_core_metrics"},
        **EDIT,
    ),
    Judged(
        title="a key nobody knows, in AFTER alone",
        give=pair(edit=every("sample.json", lambda p: edits.add_json_key(p, ("brandNewSwitch",), "on"))),
        code="setting_ungraded_one_side",
        args={"key": "brandNewSwitch", "side": "after"},
        **EDIT,
    ),
    Judged(
        title="a part of the schedule that its writer may leave out, in BEFORE alone",
        give=pair(
            edit=every(
                "profiler_info",
                lambda p: edits.delete_json_key(p, ("config", "common_config", "schedule", "skip_first")),
            )
        ),
        code="setting_optional_one_side",
        args={"key": "profiler_info.schedule_skip_first", "side": "before"},
        **EDIT,
    ),
    Judged(
        title="a setting that the target lets differ",
        give=pair(
            after=_of(AFTER, common={"with_stack": True}), target={"more": 'may_differ = ["profiler_info.with_stack"]'}
        ),
        code="allowed_by_target",
        args={"key": "profiler_info.with_stack"},
        why="the target names the key",
    ),
    Judged(
        title="the revision of the code, which no profiler records",
        give=pair(),
        code="fact_not_recorded",
        args={"fact": "code_revision"},
        **GRADE,
    ),
    Judged(
        title="profiler_info.json taken out of AFTER",
        give=pair(edit=lambda a: edits.drop_file(edits.find(a, "profiler_info"))),
        code="settings_file_missing",
        args={"file": "profiler_info.json", "side": "after"},
        **EDIT,
    ),
    Judged(
        title="sample.json of AFTER with nothing that is known",
        give=pair(edit=every("sample.json", unknown_keys)),
        code="settings_file_unrecognised",
        args={"file": "sample.json", "side": "after"},
        **EDIT,
    ),
    # --- ranks, chip, producers
    Judged(
        title="no rank recorded on either side",
        give=pair(_of(TORCH, ranks=(None,)), _of(AFTER, ranks=(None,))),
        code="ranks_not_recorded",
        **SPEC,
    ),
    Judged(
        title="rank 0 against rank 1",
        give=pair(after=_of(AFTER, ranks=(1,))),
        code="ranks_differ",
        args={"before": "0", "after": "1"},
        **SPEC,
    ),
    Judged(
        title="one rank of a job of two",
        give=pair(_of(TORCH, world_size=2), _of(AFTER, world_size=2)),
        code="ranks_incomplete",
        args={"side": "before", "seen": "1", "expected": "2"},
        **SPEC,
    ),
    Judged(
        title="no settings of the chip on either side",
        give=pair(_of(TORCH, inner=False), _of(AFTER, inner=False)),
        code="chip_not_recorded",
        **SPEC,
    ),
    Judged(
        title="torch_npu against msprof",
        give=of_both_tools,
        code="producers_differ",
        args={"before": "torch_npu text", "after": "msprof csv"},
        why="docs/formats.md 3: each exporter writes numbers of its own",
    ),
    # --- the workload
    Judged(title="the same kernels on both sides", give=pair(), code="workload_same", **SPEC),
    Judged(
        title="MatMulV2 in common, Add against Cast",
        give=pair(_of(EVEN, ops=(MATMUL, ADD)), _of(EVEN_AFTER, ops=(FASTER, replace(ADD, type="Cast")))),
        code="workload_partly",
        args={"before": "83.8%", "after": "81.1%"},
        why="4 x 240 of 4 x 240 + 6 x 31 us; 4 x 200 of 4 x 200 + 6 x 31 us",
    ),
    Judged(
        title="MatMulV2 with other shapes",
        give=pair(after=_of(AFTER, ops=(OTHER, ADD))),
        code="workload_types_changed",
        args={
            "types": "MatMulV2",
            "before": f"MatMulV2: {MATMUL.shapes} {MATMUL.dtypes}",
            "after": f"MatMulV2: {OTHER.shapes} {MATMUL.dtypes}",
        },
        **SPEC,
    ),
    Judged(
        title="one small type in common, with other shapes",
        give=pair(_of(TORCH, ops=(MATMUL, SMALL)), _of(CHANGED, ops=(CHANGED.ops[0], replace(SMALL, shapes="1;1")))),
        code="workload_no_common_triple",
        **SPEC,
    ),
    Judged(
        title="no type in common",
        give=pair(after=_of(AFTER, ops=(replace(MATMUL, type="MatMulV3"), replace(ADD, type="AddV2")))),
        code="workload_no_common_type",
        args={"before": "Add, MatMulV2", "after": "AddV2, MatMulV3"},
        **SPEC,
    ),
    Judged(
        title="level 0 on both sides",
        give=pair(_of(TORCH, level="Level0"), _of(AFTER, level="Level0")),
        code="workload_not_recorded",
        args={"side": "both"},
        why="docs/formats.md: no shapes at level 0",
    ),
    Judged(
        title="level 0 on both sides, no kernel name in common",
        give=pair(UNTYPED, RENAMED),
        code="workload_none_by_name",
        args={"side": "both", "before": "aclnnMatmul, aclnnAdd", "after": "other_matmul, other_add"},
        why="the names of the plan without their running numbers, 960 us and 186 us a step",
    ),
    Judged(
        title="level 0 on both sides, no kernel name in common, the workload declared",
        give=pair(UNTYPED, RENAMED, target={"declared": SAME_WORK}),
        code="declared_none_by_name",
        args={**SIGNED, "before": "aclnnMatmul, aclnnAdd", "after": "other_matmul, other_add"},
        why="as before, and the target's own words",
    ),
    Judged(
        title="level 0 on both sides, aclnnMatmul in common",
        give=pair(UNTYPED, HALF_RENAMED),
        code="workload_partly_by_name",
        args={"side": "both", "before": "83.8%", "after": "81.1%"},
        why="4 x 240 of 4 x 240 + 6 x 31 us; 4 x 200 of 4 x 200 + 6 x 31 us",
    ),
    Judged(
        title="level 0 on both sides, aclnnMatmul in common, the workload declared",
        give=pair(UNTYPED, HALF_RENAMED, target={"declared": SAME_WORK}),
        code="declared_partly_by_name",
        args={**SIGNED, "before": "83.8%", "after": "81.1%"},
        why="as before, and the target's own words",
    ),
    Judged(
        title="level 0 on both sides, every kernel name in common, the workload declared",
        give=pair(UNTYPED, _of(AFTER, level="Level0"), target={"declared": SAME_WORK}),
        code="declared_by",
        args=SIGNED,
        why="nothing that is recorded speaks against it",
    ),
    Judged(
        title="one small type is all that is the same",
        give=pair(_of(TORCH, ops=(MATMUL, SMALL)), CHANGED),
        code="workload_small_match",
        args={"before": "0.1%", "after": "0.1%", "limit": "20.0%"},
        why="0.5 of 960.5 us is 0.05 %; the limit is match_limit of evidence/choices.toml",
    ),
    # --- steps
    Judged(
        title="step 15 lost in AFTER",
        give=pair(edit=lambda a: edits.drop_step(a, 15)),
        code="step_missing",
        args={"side": "after", "step": "15"},
        **EDIT,
    ),
    Judged(
        title="step ids of AFTER out of order",
        give=pair(edit=steps_swapped),
        code="step_order",
        args={"side": "after", "step": "11"},
        **EDIT,
    ),
    Judged(
        title="one step of twenty that were scheduled",
        give=pair(after=_of(AFTER, steps=1, schedule={"active": 20})),
        code="steps_fewer_than_schedule",
        args={"side": "after", "seen": "1", "expected": "20"},
        **SPEC,
    ),
    Judged(
        title="ten steps against thirty",
        give=pair(after=_of(AFTER, steps=30)),
        code="step_counts_differ",
        args={"before": "10", "after": "30"},
        **SPEC,
    ),
    Judged(
        title="ten steps against none",
        give=pair(after=_of(AFTER, markers=False)),
        code="step_markers_one_side",
        args={"before": "10", "after": "0"},
        **SPEC,
    ),
    # --- the captures
    Judged(
        title="a pair of whose kernel tables no cross-check is given",
        give=pair(),
        code="completeness_not_witnessed",
        args={"side": "after"},
        **SPEC,
    ),
    Judged(
        title="lost data of AFTER as the pair has it",
        give=pair(edit=lost),
        code="capture_data_loss_side",
        args={"side": "after"},
        **EDIT,
    ),
    Judged(
        title="AFTER without the record of its end",
        give=pair(edit=every("end_info", edits.drop_file)),
        code="capture_aborted_side",
        args={"side": "after"},
        **EDIT,
    ),
    Judged(
        title="AFTER captured in October, BEFORE in November",
        give=pair(AFTER, TORCH),
        code="after_earlier_than_before",
        args={"before": "2026-11-02 08:40:07 UTC", "after": "2026-10-20 02:12:31 UTC"},
        why="the plan begins at 16:40:07.735 and 10:12:31.482, eight hours east of UTC",
    ),
    Judged(
        title="a target signed the day after the capture",
        give=pair(target={"signed": "2026-11-03"}),
        code="signed_after_capture",
        args={"signed": "2026-11-03", "captured": "2026-11-02"},
        why="the plan captures AFTER on 2026-11-02",
    ),
    Judged(
        title="kernels left out by name",
        give=kernels_left_out,
        code="excluded_by_option",
        args={"pattern": "aclnnAdd_*", "why": "a probe of ours"},
        why="as given on the command line",
    ),
)
