"""What the target file's shape cannot say: units that fit, references that lead somewhere, files that are there.

Everything here looks at the raw tables and passes over what has the wrong shape, so that these faults are told together
with those of the shape.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from reportgen import strict, units, vocabulary
from reportgen.contract.accuracy import check_accuracy
from reportgen.digests import HashingFile
from reportgen.errors import CaptureError
from reportgen.model import FileRecord
from reportgen.strict import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reportgen.contract.matrix import Placed

_ID = re.compile(r"\w[\w.\-]{0,63}")
_OF_CELL = re.compile(r"\[[^\]]*\]$")
DIGEST = re.compile(r"[0-9a-fA-F]{64}")
"""A digest as it may be written."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")


# --------------------------------------------------------------------------------------------- across the file
def check_file(raw: Mapping[str, Any], placed: Sequence[Placed]) -> Iterator[Fault]:
    """Faults that reach over several tables: dates, keys, ids, references, which case was captured."""
    contract = raw.get("contract")
    if isinstance(contract, dict):
        for key in ("signed", "issued"):
            yield from strict.date_faults(f"contract.{key}", strict.text(contract, key))
    yield from _check_form(raw)
    yield from _check_keys("may_differ", strict.texts(raw, "may_differ"))
    for place, change in strict.tables(raw, "change"):
        yield from _check_keys(f"{place}.keys", strict.texts(change, "keys"))
    stated: dict[str, str] = {}
    for place, declared in strict.tables(raw, "declared"):
        yield from strict.date_faults(f"{place}.date", strict.text(declared, "date"))
        key, value = strict.text(declared, "key"), strict.text(declared, "value")
        if key and stated.setdefault(key, value) != value:
            yield Fault(f"{place}.value", f"contradicts another declaration of {key!r}: {stated[key]!r}")
    cases = [(one.place, one.case) for one in placed]
    yield from _check_ids([(f"{place}.id", strict.text(case, "id")) for place, case in cases])
    goals = [goal for place, case in cases for goal in strict.tables(case, "goal", place)]
    yield from _check_ids([(f"{place}.id", strict.text(goal, "id")) for place, goal in goals])
    yield from _check_order(goals)
    if not raw.get("case", []) and not raw.get("matrix", []):
        yield Fault("case", "at least one [[case]] or [[matrix]] is needed")
    marked = [
        one.where(f"{one.place}.profiled").rpartition(".")[0] for one in placed if one.case.get("profiled") is True
    ]
    if len(cases) == 1 and not marked and cases[0][1].get("profiled") is False:
        yield Fault(f"{cases[0][0]}.profiled", "the captures were taken of no case: leave the key out, or true")
    elif len(cases) > 1 and not marked:
        yield Fault("case", "the captures were taken of one of several cases: write profiled = true in that one")
    for place in marked[1:]:
        yield Fault(f"{place}.profiled", f"the captures were taken of one case; {marked[0]} says so too")


def _check_form(raw: Mapping[str, Any]) -> Iterator[Fault]:
    """Dates of the formal form, their order, and numbers of deviations given twice."""
    form = raw.get("form")
    if isinstance(form, dict):
        for key in ("started", "ended"):
            yield from strict.date_faults(f"form.{key}", strict.text(form, key))
        started, ended = strict.text(form, "started"), strict.text(form, "ended")
        if started and ended and ended < started:
            yield Fault("form.ended", f"is before form.started: {ended} < {started}")
    for place, revision in strict.tables(raw, "revision"):
        yield from strict.date_faults(f"{place}.date", strict.text(revision, "date"))
    seen: dict[str, str] = {}
    for place, deviation in strict.tables(raw, "deviation"):
        number = strict.text(deviation, "no")
        if number and seen.setdefault(number, place) != place:
            yield Fault(f"{place}.no", f"{number!r} is taken by {seen[number]}")


def _check_keys(path: str, keys: tuple[str, ...]) -> Iterator[Fault]:
    for index, key in enumerate(keys):
        if not key.strip() or key != key.strip() or "*" in key:
            yield Fault(f"{path}[{index}]", f"must be one whole setting key, there are no patterns; found {key!r}")


def _check_ids(ids: list[tuple[str, str]]) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for path, name in ids:
        own = _OF_CELL.sub("", name) if path.startswith("matrix[") else name
        if name and not _ID.fullmatch(own):
            yield Fault(path, f"must be letters, digits, '-', '_' or '.', at most 64; found {own!r}")
        elif name and seen.setdefault(name, path) != path:
            yield Fault(path, f"{name!r} is taken by {seen[name]}")


def _check_order(goals: list[tuple[str, Mapping[str, Any]]]) -> Iterator[Fault]:
    """``subject_to`` names goals that exist and never leads back."""
    leads = {strict.text(goal, "id"): strict.texts(goal, "subject_to") for _, goal in goals}
    for place, goal in goals:
        own = strict.text(goal, "id")
        for index, name in enumerate(strict.texts(goal, "subject_to")):
            if name not in leads:
                known = strict.near(name, filter(None, leads))
                yield Fault(f"{place}.subject_to[{index}]", f"no goal {name!r}; {known}")
            elif own and own in _reached(name, leads):
                yield Fault(f"{place}.subject_to[{index}]", f"leads back to {own!r}: goals cannot depend on each other")


def _reached(start: str, leads: Mapping[str, tuple[str, ...]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += leads.get(name, ())
    return reached


# --------------------------------------------------------------------------------------------- one case
def _check_failures(path: str, workload: Mapping[str, Any]) -> Iterator[Fault]:
    """A share between none and all."""
    written = strict.text(workload, "failed_requests_at_most").strip()
    if not written:
        return
    try:
        value, unit = units.parse(written)
    except ValueError as fault:
        yield Fault(path, str(fault))
        return
    if unit != "1" or not 0 <= value <= 1:
        yield Fault(path, f'must be a share between 0 and 100%, such as "1%"; found {written!r}')


def check_case(path: str, case: Mapping[str, Any], files: Files, *, profiled: bool) -> Iterator[Fault]:
    """Faults of one case: its workload, goals and values from outside."""
    workload = case.get("workload")
    if isinstance(workload, dict):
        for key in ("batch_size", "sequence_length", "ranks"):
            number = workload.get(key)
            if isinstance(number, int) and not isinstance(number, bool) and number < 1:  # true is an int to Python
                yield Fault(f"{path}.workload.{key}", f"must be at least 1; found {number}")
        yield from _check_failures(f"{path}.workload.failed_requests_at_most", workload)
    for place, goal in strict.tables(case, "goal", path):
        yield from _check_goal(place, goal)
        if not (strict.text(goal, "clause") or strict.text(case, "clause")):
            yield Fault(f"{path}.clause", "must name the contract clause, here or in every goal")
        metric = strict.text(goal, "metric")
        if not profiled and metric in vocabulary.GOAL_METRICS and metric not in vocabulary.OUTSIDE:
            yield Fault(f"{place}.metric", f"{metric} needs a capture, and this case is not the profiled one")
    for place, log in strict.tables(case, "log", path):
        yield from _check_log(place, log, files)
    yield from check_accuracy(path, case, files)
    seen: dict[tuple[str, ...], str] = {}
    for place, external in strict.tables(case, "external", path):
        yield from _check_external(place, external, files)
        side, metric, kind, statistic = (strict.text(external, key) for key in ("side", "metric", "kind", "statistic"))
        if side and metric and statistic and seen.setdefault((side, metric, kind, statistic), place) != place:
            first = seen[side, metric, kind, statistic]
            yield Fault(place, f"{' '.join(filter(None, (side, metric, kind, statistic)))} is given in {first} already")


def _check_log(path: str, log: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    agreed = strict.text(log, "sha256")
    segment = log.get("segment")
    if isinstance(segment, int) and segment < 0:
        yield Fault(f"{path}.segment", f"counts from 0; found {segment}")
    if agreed and not DIGEST.fullmatch(agreed):
        yield Fault(f"{path}.sha256", f"must be 64 hexadecimal digits; found {agreed[:70]!r}")
    if strict.text(log, "file"):
        record = files.record(strict.text(log, "file"))
        if isinstance(record, str):
            yield Fault(f"{path}.file", record)
        elif agreed and DIGEST.fullmatch(agreed) and record.digest != agreed.lower():
            yield Fault(f"{path}.sha256", f"the file's digest is {record.digest}")


def _check_goal(path: str, goal: Mapping[str, Any]) -> Iterator[Fault]:
    name = strict.text(goal, "metric")
    metric = vocabulary.GOAL_METRICS.get(name)
    if metric is None:
        if name:
            yield Fault(f"{path}.metric", f"unknown metric {name!r}; {strict.near(name, vocabulary.GOAL_METRICS)}")
        yield from check_statistic(path, goal, name, vocabulary.STATISTICS)
        return
    yield from check_statistic(path, goal, name, metric.statistics)
    yield from check_kind(path, goal, name, metric)
    part = strict.text(goal, "part")
    if metric.part == "must" and not part:
        yield Fault(f"{path}.part", f"{name} is a component's: APP, PTA, GE, PTA+GE, WORKSPACE, device ...")
    if metric.part == "none" and part:
        yield Fault(f"{path}.part", f"{name} has no parts; found {part!r}")
    wrong = {"lower": "at_least", "higher": "at_most"}.get(metric.better)
    if wrong and goal.get("direction") == wrong:
        yield Fault(f"{path}.direction", _wrong_direction(name, metric, strict.text(goal, "subject")))
    yield from check_amount(path, goal, "limit", strict.text(goal, "subject"))


def _wrong_direction(name: str, metric: vocabulary.GoalMetric, subject: str) -> str:
    lower = metric.better == "lower"
    example = {
        "delta": f"; a delta is AFTER - BEFORE, {'negative' if lower else 'positive'} when it got better",
        "ratio": f"; a ratio is AFTER / BEFORE, {'below' if lower else 'above'} 1 when it got better",
    }.get(subject, "")
    right = "at_most" if lower else "at_least"
    return f'{name} is the better the {metric.better} it is: write "{right}"{example}'


def check_statistic(path: str, table: Mapping[str, Any], name: str, fitting: tuple[str, ...]) -> Iterator[Fault]:
    """The statistic of a goal or value is one of the metric's."""
    statistic = strict.text(table, "statistic")
    if statistic and statistic not in fitting:
        if statistic in vocabulary.STATISTICS:
            yield Fault(f"{path}.statistic", f"{statistic!r} does not fit {name}: {strict.quoted(fitting)}")
        else:
            yield Fault(f"{path}.statistic", f"unknown statistic {statistic!r}; {strict.near(statistic, fitting)}")


def check_kind(path: str, table: Mapping[str, Any], name: str, metric: vocabulary.GoalMetric) -> Iterator[Fault]:
    """The kind of a goal or value is one of the metric's, and is there where it has kinds."""
    kind = strict.text(table, "kind")
    if metric.kinds and not kind:
        yield Fault(f"{path}.kind", f"{name} has kinds, name one: {', '.join(metric.kinds)}")
    elif metric.kinds and kind not in metric.kinds:
        yield Fault(f"{path}.kind", f"unknown kind of {name} {kind!r}; {strict.near(kind, metric.kinds)}")
    elif kind and not metric.kinds:
        yield Fault(f"{path}.kind", f"{name} has no kinds; found {kind!r}")


def check_amount(path: str, table: Mapping[str, Any], key: str, subject: str) -> Iterator[Fault]:
    """The unit of a limit or value fits metric, kind and subject, and the number is possible."""
    name, written = strict.text(table, "metric"), strict.text(table, key)
    metric = vocabulary.GOAL_METRICS[name]
    if not written:
        return
    try:
        value, unit = units.parse(written)
    except ValueError as fault:
        yield Fault(f"{path}.{key}", str(fault))
        return
    wrong = _wrong_ratio(value, unit) if subject == "ratio" else _wrong_amount(table, metric, subject, written)
    if wrong:
        yield Fault(f"{path}.{key}", f"{wrong}; found {written!r}")


def _wrong_ratio(value: units.Exact, unit: str) -> str:
    if unit != "1":
        return 'a ratio AFTER / BEFORE has no unit: write such as "0.85" or "85%"'
    return "" if value > 0 else "a ratio AFTER / BEFORE is above 0"


def _wrong_amount(table: Mapping[str, Any], metric: vocabulary.GoalMetric, subject: str, written: str) -> str:
    name, kind = strict.text(table, "metric"), strict.text(table, "kind")
    value, unit = units.parse(written)
    if unit != metric.unit:
        relative = '; a relative change is subject = "ratio", limit = "85%"' if "%" in written else ""
        return f"{name} is measured in {_unit_names(metric)}{relative}"
    if "%" in written and not metric.share:
        return f'{name} is a number, not a share; a relative change is subject = "ratio", limit = "85%"'
    fitting = vocabulary.RATE_UNITS.get(kind)
    if metric.unit == "1/s" and fitting and _NUMBER.sub("", written, count=1).strip() not in fitting:
        return f"{kind or name} is measured in {', '.join(fitting)}"
    if subject != "delta" and value < 0:
        return f"{name} is never negative"
    if metric.share and not -1 <= value <= 1:
        return f"{name} lies between 0 and 100%, and this is {units.number_text(value * 100)}%"
    return ""


def _unit_names(metric: vocabulary.GoalMetric) -> str:
    if metric.unit == "1":
        return "% or as a plain number" if metric.share else "plain numbers"
    return ", ".join(written for written, (exact, _) in units.WRITTEN.items() if exact == metric.unit)


# --------------------------------------------------------------------------------------------- values from outside
class Files:
    """The files a target names, each read and hashed once.

    Args:
        directory: the target's; a relative path starts here and must not lead out of it.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._found: dict[str, FileRecord | str] = {}

    def record(self, name: str) -> FileRecord | str:
        """The file's record, or what is wrong with it."""
        if name not in self._found:
            self._found[name] = self._read(name)
        return self._found[name]

    def path(self, name: str) -> Path:
        """Where a file is read from."""
        return Path(name) if Path(name).is_absolute() else self._directory / name

    def _read(self, name: str) -> FileRecord | str:
        if "\0" in name:
            return "holds a NUL character"
        if ".." in PurePosixPath(name).parts:
            return f"'..' leads out of the target's directory: copy the file beside the target; found {name!r}"
        path = self.path(name)
        try:
            with HashingFile(path, path.parent if Path(name).is_absolute() else self._directory) as file:
                digest = file.finish()
                size = file.size
        except CaptureError as fault:
            if fault.code == "file_outside":
                return f"is a link out of the target's directory: copy the file itself there; found {name!r}"
            return f"{name!r} {fault.message}"
        return FileRecord(path=name, size=size, digest=digest) if size else f"{name!r} is empty"


def _check_external(path: str, external: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    name = strict.text(external, "metric")
    metric = vocabulary.GOAL_METRICS.get(name)
    if metric is not None and metric.outside:
        yield from check_statistic(path, external, name, metric.statistics)
        yield from check_kind(path, external, name, metric)
        yield from check_amount(path, external, "value", "after")
    yield from check_attached(path, external, files)


def check_attached(path: str, table: Mapping[str, Any], files: Files) -> Iterator[Fault]:
    """Faults of the file that a table names: not there, or not of the digest given."""
    agreed = strict.text(table, "sha256")
    if agreed and not DIGEST.fullmatch(agreed):
        yield Fault(f"{path}.sha256", f"must be 64 hexadecimal digits; found {agreed[:70]!r}")
    if strict.text(table, "file"):
        record = files.record(strict.text(table, "file"))
        if isinstance(record, str):
            yield Fault(f"{path}.file", record)
        elif DIGEST.fullmatch(agreed) and agreed.casefold() != record.digest:
            yield Fault(f"{path}.sha256", f"is not that of {record.path!r}, which is {record.digest}")
