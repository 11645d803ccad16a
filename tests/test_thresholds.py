"""The two FSDP2 rules: where they apply, where they do not, and where nobody can say.

Expected rows follow docs/applicability.md; the bands are those printed in the vendor's guide: free below 3 %, unhidden
communication up to 10 %, above 20 %, and no statement between.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from captures import edits
from captures.generator import TorchSpec
from jobs import AFTER, TORCH, write_pair

from reportgen import resources
from reportgen.catalogue import read_catalogue
from reportgen.contract import read_target
from reportgen.model import Applicability
from reportgen.pipeline import evaluate

FSDP2 = ("fsdp2-free-time", "fsdp2-unhidden-communication")
"""The rules of these cases; docs/applicability.md, section 3, has the others."""
WORKLOAD = {"framework": "MindSpeed LLM", "backend": "FSDP2", "phase": "training", "checkpoint_steps": "none"}
ROWS = [
    ("FSDP2 training", {}, Applicability.APPLIES, "scope_matches"),
    ("Megatron training", {"backend": "mcore"}, Applicability.DOES_NOT_APPLY, "backend_outside"),
    ("MindSpore", {"framework": "MindSpore"}, Applicability.DOES_NOT_APPLY, "framework_outside"),
    ("online inference", {"phase": "online inference"}, Applicability.DOES_NOT_APPLY, "phase_excluded"),
    ("serving", {"phase": "serving"}, Applicability.DOES_NOT_APPLY, "phase_excluded"),
    (
        "an excluded phase of an unknown framework",
        {"framework": "", "phase": "serving"},
        Applicability.DOES_NOT_APPLY,
        "phase_excluded",
    ),
    ("an unknown framework", {"framework": ""}, Applicability.CANNOT_DECIDE, "framework_unknown"),
    ("an unknown backend", {"backend": ""}, Applicability.CANNOT_DECIDE, "backend_unknown"),
    ("an unknown phase", {"phase": ""}, Applicability.CANNOT_DECIDE, "phase_unknown"),
    (
        "checkpoint steps not stated",
        {"checkpoint_steps": ""},
        Applicability.CANNOT_DECIDE,
        "checkpoint_steps_not_stated",
    ),
]


GOAL = """
[[case.goal]]
id = "G"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "1 s"
"""
HEAD = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
"""


def decided(root: Path, workload: dict[str, str], after: TorchSpec = AFTER, edit: object = None) -> dict[str, object]:
    lines = "".join(f'{key} = "{value}"\n' for key, value in {**WORKLOAD, **workload}.items() if value)
    target = root / "target.toml"
    target.write_text(HEAD + lines + GOAL)
    pair = write_pair(root / "pair", TORCH, after)
    if edit is not None:
        edit(next(pair[1].iterdir()))  # type: ignore[operator]
    found = evaluate(*pair, target=read_target(target)).verdict
    assert found is not None
    return {rule.threshold.id: rule for rule in found.thresholds if rule.threshold.id in FSDP2}


@pytest.mark.parametrize(("workload", "answer", "code"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_scope(tmp_path: Path, workload: dict[str, str], answer: Applicability, code: str) -> None:
    for rule in decided(tmp_path, workload).values():
        assert rule.applicability is answer  # type: ignore[attr-defined]
        assert code in {reason.code for reason in rule.reasons}  # type: ignore[attr-defined]
        if answer is not Applicability.APPLIES:
            assert rule.before is None  # type: ignore[attr-defined]
            assert rule.band_after == ""  # type: ignore[attr-defined]


def test_one_step_has_no_boundaries(tmp_path: Path) -> None:
    for rule in decided(tmp_path, {}, replace(AFTER, steps=1)).values():
        assert rule.applicability is Applicability.CANNOT_DECIDE  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda c: edits.drop_file(edits.find(c, "trace_view")), "wait_events_not_searchable"),
        (
            lambda c: edits.find(c, "trace_view").write_bytes(edits.find(c, "trace_view").read_bytes()[:-9]),
            "wait_events_not_searchable",
        ),
        (
            lambda c: edits.find(c, "trace_view").write_bytes(
                edits.find(c, "trace_view").read_bytes().replace(b"ProfilerStep#", b"MEM_WAIT_VALUE#")
            ),
            "wait_events_found",
        ),
    ],
)
def test_wait_events_leave_free_undecided_and_communication_alone(tmp_path: Path, edit: object, code: str) -> None:
    found = decided(tmp_path, {}, AFTER, edit)
    free, unhidden = found["fsdp2-free-time"], found["fsdp2-unhidden-communication"]
    assert free.applicability is Applicability.CANNOT_DECIDE  # type: ignore[attr-defined]
    assert code in {reason.code for reason in free.reasons}  # type: ignore[attr-defined]
    assert unhidden.applicability is Applicability.APPLIES  # type: ignore[attr-defined]


BANDS = [
    ("fsdp2-free-time", "0.0299999", "within_reference"),
    ("fsdp2-free-time", "0.03", "needs_attention"),
    ("fsdp2-unhidden-communication", "0.10", "within_reference"),
    ("fsdp2-unhidden-communication", "0.1000001", "no_statement"),
    ("fsdp2-unhidden-communication", "0.20", "no_statement"),
    ("fsdp2-unhidden-communication", "0.2000001", "needs_attention"),
]


@pytest.mark.parametrize(("rule", "value", "band"), BANDS)
def test_bands_at_their_ends(rule: str, value: str, band: str) -> None:
    threshold = next(t for t in read_catalogue(resources.evidence_dir()).thresholds if t.id == rule)
    assert [b.id for b in threshold.bands if b.holds(Fraction(value))] == [band]
