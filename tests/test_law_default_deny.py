"""Law 1, default-deny: every key of every published settings file, changed, deleted and added on one side.

``check`` is never 0 unless the key's row in ``evidence/settings.toml`` says identity, bias or family. The pairs below
are comparable but for the edit, so that the edit alone decides.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from captures.generator import write_prof_capture, write_torch_capture
from corpus import ADD_TORCH, ADDCMUL, CORPUS, GELU, MATMUL, needs_corpus, prof, torch
from jobs import PROF, TORCH

from reportgen.comparability import Permissions, compare
from reportgen.comparability.settings import FilePair, compare_pair
from reportgen.frames import Capture
from reportgen.grades import read_grades
from reportgen.model import FileRecord, PairStanding, Reason, SettingsFile, Side, Standing
from reportgen.reading import read_capture
from reportgen.reading.settings import flatten, parse_json

GRADES = read_grades()
GOOD = (PairStanding.COMPARABLE, PairStanding.WITH_RESERVATIONS)
OPEN_GRADES = ("identity", "bias", "family")


def as_side(capture: Capture, side: Side) -> Capture:
    return replace(capture, facts=replace(capture.facts, side=side))


def other(file: SettingsFile) -> SettingsFile:
    """The same file as the other side would hold it: another start, so that it is not the same capture."""
    moved = tuple((k, f"{v}9" if "collectionTime" in k or "onotonic" in k else v) for k, v in file.values)
    return replace(file, values=moved)


def pair_of(path: Path) -> tuple[Capture, Capture]:
    """Two sides that differ in nothing but their clocks and the durations of their kernels."""
    before = read_capture(path, Side.BEFORE)
    facts = replace(
        before.facts,
        side=Side.AFTER,
        settings_files=tuple(other(f) for f in before.facts.settings_files),
        ranks=tuple(
            replace(r, kernel_file=replace(r.kernel_file, digest="0" * 64), durations="") for r in before.facts.ranks
        ),
    )
    return before, replace(before, facts=facts)


VOUCHED = Reason.of("declared_by", key="x", value="x", signer="x", role="x", date="2026-10-01")
DECLARED = Permissions(declared={"chip": VOUCHED, "workload": VOUCHED})
"""Chip and workload vouched for where no file shows them, so that a settings key alone decides."""


def standing(before: Capture, after: Capture) -> PairStanding:
    return compare(before, after, GRADES, DECLARED).standing


def with_file(capture: Capture, index: int, values: tuple[tuple[str, str], ...]) -> Capture:
    files = list(capture.facts.settings_files)
    files[index] = replace(files[index], values=values)
    return replace(capture, facts=replace(capture.facts, settings_files=tuple(files)))


def edits_of(file: SettingsFile) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """(what, key, values after the edit): each key changed and deleted, and one unknown key added."""
    found = []
    for index, (key, value) in enumerate(file.values):
        changed = (
            "another value"
            if value not in ("true", "false", "on", "off")
            else {"true": "false", "false": "true", "on": "off", "off": "on"}[value]
        )
        found.append(("changed", key, (*file.values[:index], (key, changed), *file.values[index + 1 :])))
        found.append(("deleted", key, (*file.values[:index], *file.values[index + 1 :])))
    found.append(("added", "nobodyKnowsThisKey", (*file.values, ("nobodyKnowsThisKey", "on"))))
    return found


def of_one_pair(before: SettingsFile, after: SettingsFile) -> PairStanding:
    """The standing that one pair of files alone gives, by the code that ``compare`` uses."""
    place = "device" if before.place.startswith("device") else before.place
    pair = FilePair(kind=before.kind, place=place, where="", before=before, after=after)
    seen = list(compare_pair(pair, GRADES, DECLARED))
    blocking = [one for one in seen if one.blocks_all]
    return PairStanding.NOT_COMPARABLE if blocking else PairStanding.WITH_RESERVATIONS


def check_all(before: Capture, after: Capture, *, whole: bool = False) -> int:
    """Hold every edit of every settings file against the law; ``whole``: through the check of the whole pair."""
    assert standing(before, after) in GOOD
    count = 0
    for index, file in enumerate(after.facts.settings_files):
        for what, key, values in edits_of(file):
            row = GRADES.by_spelling.get((file.kind, key))
            if whole:
                found = standing(before, with_file(after, index, values))
            else:
                found = of_one_pair(before.facts.settings_files[index], replace(file, values=values))
            allowed = row is not None and row.grade in OPEN_GRADES
            assert found not in GOOD or allowed, f"{file.kind} {file.place}: {key} {what} -> {found}"
            count += 1
    return count


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("stamp", [GELU[0], min(ADDCMUL), ADD_TORCH, MATMUL[0]])
def test_every_key_of_a_published_prof_directory(stamp: str) -> None:
    before, after = pair_of(prof(stamp))
    assert check_all(before, after, whole=stamp == GELU[0]) > 300


@needs_corpus
@pytest.mark.corpus
@pytest.mark.parametrize("kind", ["text", "db"])
@pytest.mark.parametrize("level", [0, 1])
def test_every_key_of_a_published_torch_capture(level: int, kind: str) -> None:
    before, after = pair_of(torch(level, 0, kind))
    assert check_all(before, after) > 60


@needs_corpus
@pytest.mark.corpus
def test_every_key_of_the_settings_of_2022_and_of_the_fragments(tmp_path: Path) -> None:
    """Files without a capture, put into a generated one in the place of its own."""
    plan = write_prof_capture(tmp_path, PROF)
    before, after = pair_of(plan.path)
    sources = [
        (CORPUS / "settings-2022/sample.json", "sample.json"),
        (CORPUS / "settings-2022/info.json", "info.json"),
        (CORPUS / "settings-2022/start_info", "start_info"),
        (CORPUS / "settings-2022/end_info", "end_info"),
    ]
    check_all(*(with_files(c, sources) for c in (before, after)))
    torch_plan = write_torch_capture(tmp_path / "torch", TORCH)[0]
    before, after = pair_of(torch_plan.path)
    sources = [
        (CORPUS / "fragments/test_rank_0/profiler_info_0.json", "profiler_info.json"),
        (CORPUS / "fragments/metadata/profiler_metadata.json", "profiler_metadata.json"),
    ]
    check_all(*(alone(with_files(c, sources)) for c in (before, after)))


def with_files(capture: Capture, sources: list[tuple[Path, str]]) -> Capture:
    """The capture with the configuration files of each kind replaced by a published one."""
    found = list(capture.facts.settings_files)
    for path, kind in sources:
        values = tuple((key, text) for key, text, _ in flatten(parse_json(path.read_bytes(), str(path))))
        record = FileRecord(path=path.name, size=path.stat().st_size, digest="1" * 64)
        for index, file in enumerate(found):
            if file.kind == kind:
                new = replace(file, values=values, record=record)
                found[index] = new if capture.facts.side is Side.BEFORE else other(new)
    return replace(capture, facts=replace(capture.facts, settings_files=tuple(found)))


def alone(capture: Capture) -> Capture:
    """Without the schedule's own count of steps and the world size, which speak of another job."""
    gone = ("schedule", "world_size", "parallel_group_info", "parallel_size", "distributed_args")
    files = tuple(
        replace(f, values=tuple((k, v) for k, v in f.values if not any(word in k for word in gone)))
        for f in capture.facts.settings_files
    )
    return replace(capture, facts=replace(capture.facts, settings_files=files))


def test_a_key_in_no_row_that_is_equal_on_both_sides_is_the_same(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    before, after = (
        with_file(c, 0, (*c.facts.settings_files[0].values, ("nobodyKnowsThisKey", "on"))) for c in pair_of(plan.path)
    )
    found = compare(before, after, GRADES, DECLARED)
    assert found.standing in GOOD
    (row,) = [d for d in found.differences if d.key == "nobodyKnowsThisKey"]
    assert row.standing is Standing.SAME


def test_a_declaration_is_never_taken_over_a_chip_that_a_file_could_have_shown(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    before, after = pair_of(plan.path)
    index = next(i for i, f in enumerate(after.facts.settings_files) if f.kind == "info.json" and f.place == "host")
    values = tuple(pair for pair in after.facts.settings_files[index].values if pair[0] != "platform_version")
    assert standing(before, with_file(after, index, values)) is PairStanding.CANNOT_BE_SHOWN


# ------------------------------------------------------------------------------------------------ ways around the law
def rewritten(capture: Capture, kind: str, change: object) -> Capture:
    """The capture with every file of a kind re-read from changed JSON values."""
    files = tuple(
        replace(f, values=tuple((k, t) for k, t, _ in rows), types=tuple(t for _, _, t in rows))
        if f.kind == kind
        else f
        for f in capture.facts.settings_files
        for rows in [change(f) if f.kind == kind else []]  # type: ignore[operator]
    )
    return replace(capture, facts=replace(capture.facts, settings_files=files))


def rows_of(file: SettingsFile) -> list[tuple[str, str, str]]:
    types = file.types or ("s",) * len(file.values)
    return [(k, v, t) for (k, v), t in zip(file.values, types, strict=True)]


@pytest.mark.parametrize("kind", ["sample.json", "info.json"])
def test_settings_emptied_on_both_sides_show_nothing(tmp_path: Path, kind: str) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    empty = [rewritten(c, kind, lambda _: flatten({"foo": 1})) for c in pair_of(plan.path)]
    assert standing(*empty) is PairStanding.CANNOT_BE_SHOWN


@pytest.mark.parametrize("text", ["", "null", "N/A", "unknown"])
def test_a_chip_that_says_nothing_is_unknown_and_never_the_same(tmp_path: Path, text: str) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    silent = [
        rewritten(c, "info.json", lambda f: [(k, text if k == "platform_version" else v, t) for k, v, t in rows_of(f)])
        for c in pair_of(plan.path)
    ]
    assert standing(*silent) is PairStanding.CANNOT_BE_SHOWN


def test_a_second_spelling_in_one_file_is_compared_on_its_own(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    before, after = pair_of(plan.path)
    both = rewritten(after, "sample.json", lambda f: [*rows_of(f), ("profLevel", "l0", "s")])
    assert standing(before, both) is PairStanding.NOT_COMPARABLE


FLATTENED_APART = [
    ({"a": [{"id": 0, "x": 1}, {"id": 1}]}, {"a": [{"id": 0}, {"id": 1, "x": 1}]}),
    ({"a": [{"b": "1;2"}]}, {"a": [{"b": "1"}, {"b": "2"}]}),
    ({"a": "true"}, {"a": True}),
    ({"a": "1"}, {"a": 1}),
    ({"a": None}, {"a": "null"}),
    ({"a": [{}]}, {"a": "[{}]"}),
    ({"a.b": 1}, {"a": {"b": 1}}),
]


@pytest.mark.parametrize(("one", "other"), FLATTENED_APART)
def test_different_structures_never_flatten_alike(one: object, other: object) -> None:
    assert flatten(one) != flatten(other)
