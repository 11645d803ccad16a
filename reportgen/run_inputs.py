"""The logs of runs that a target names or the command line gives, read: one run of each.

A log of the command line is a repeat where the target names none for its case and side. It never stands beside logs
that were agreed: whoever runs the tool could outvote them. Source: docs/logs.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reportgen.contract.checks import Files
from reportgen.digests import next_step
from reportgen.errors import CaptureError
from reportgen.model import Case, LoggedRun, LogInput, Origin, Side, Target
from reportgen.plain import printable
from reportgen.run_logs import holds_results, read_runs
from reportgen.run_logs.beside import Beside, NamedLog, look

FORM = "write --log before=FILE or --log after=FILE, with a case of the target as --log after:CASE=FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenLog:
    """A log of the command line."""

    case: str
    """Case id; empty without a target."""
    log: LogInput
    """The log."""


def given_logs(options: Sequence[str], target: Target | None) -> tuple[GivenLog, ...]:
    """The logs of ``--log SIDE[:CASE]=FILE``.

    Args:
        options: as written.
        target: whose case is meant; without CASE the only one, or the one that was captured.

    Raises:
        CaptureError: ``log_option`` for one that cannot be understood or read; ``log_not_found``; ``log_is_folder``;
            ``log_named_in_target`` where the target names a log of that case and side; ``log_side_not_agreed`` for
            BEFORE where none was agreed.
    """
    return tuple(_given(option, target) for option in options)


def _given(option: str, target: Target | None) -> GivenLog:
    head, equals, name = option.partition("=")
    side, _colon, wanted = head.strip().partition(":")
    if not equals or side not in ("before", "after") or not name.strip():
        raise CaptureError("log_option", f"--log {option!r} names no side and file", hint=FORM)
    case = _case(wanted.strip(), target)
    if case is not None and side == "before" and case.alone:
        raise CaptureError(
            "log_side_not_agreed",
            f"no BEFORE was agreed for case {case.id!r}, and --log gives one",
            where=printable(name),
            hint="leave it out, or agree on a BEFORE in the target",
        )
    named = [log for log in case.logs if log.side == side] if case is not None else []
    if case is not None and named:
        raise CaptureError(
            "log_named_in_target",
            f"the target names {printable(named[0].file.path)!r} for {side.upper()} of case {case.id!r}",
            where=printable(name),
            hint="what was agreed is not added to on the command line: leave --log out, or have the target changed",
        )
    path = Path(name.strip())
    _is_file(path)
    record = Files(path.parent).record(path.name)
    if isinstance(record, str):
        raise CaptureError("log_option", record, where=printable(str(path)), hint=next_step(path, FORM))
    origin = Origin(file=f"log:{side}/{record.path}", digest=record.digest, locator="--log", formula="as given")
    log = LogInput(
        side=Side(side), path=str(path), file=record, profiled=None, segment=None, origin=origin, agreed=False
    )
    return GivenLog(case=case.id if case is not None else "", log=log)


def _is_file(path: Path) -> None:
    """Refuse a path at which no file stands, or a folder.

    Raises:
        CaptureError: ``log_not_found``; ``log_is_folder``.
    """
    where = printable(str(path))
    try:
        there, folder = path.exists(), path.is_dir()
    except (OSError, ValueError):  # may not be looked at, or is no path: reading it says why
        return
    if not there:
        raise CaptureError("log_not_found", "does not exist", where=where, hint="check the path")
    if folder and holds_results(path):
        hint = "name a file in it; `reportgen inspect FOLDER` prints which is read"
        raise CaptureError("log_is_folder", "is a folder of results, and --log names a file", where=where, hint=hint)
    if folder:
        hint = "name the log or the result file in it; a capture is given as BEFORE or AFTER, without --log"
        raise CaptureError("log_is_folder", "is a folder and holds no result that is known", where=where, hint=hint)


def _case(wanted: str, target: Target | None) -> Case | None:
    if target is None:
        if wanted:
            raise CaptureError("log_option", f"--log names case {wanted!r}, and there is no target", hint=FORM)
        return None
    if not wanted:
        return target.cases[0] if len(target.cases) == 1 else next(case for case in target.cases if case.profiled)
    found = next((case for case in target.cases if case.id == wanted), None)
    if found is None:
        known = ", ".join(case.id for case in target.cases[:20])
        raise CaptureError("log_option", f"--log names case {wanted!r}, which the target lacks", hint=f"known: {known}")
    return found


def read_inputs(target: Target | None, given: Iterable[GivenLog] = ()) -> tuple[LoggedRun, ...]:
    """The runs of every log, by case, BEFORE first; those of the target before those of the command line.

    Raises:
        CaptureError: a log cannot be read, or holds several runs and none is named.
    """
    return tuple(_read(case, log) for case, log in _inputs(target, given))


def results_beside(target: Target | None, given: Iterable[GivenLog], runs: Iterable[LoggedRun]) -> tuple[Beside, ...]:
    """The results of the same tools that lie beside the logs and that nobody named.

    Args:
        target, given: as ``read_inputs`` took them.
        runs: what it gave.
    """
    inputs = _inputs(target, given)
    return look(
        [
            NamedLog(case=case, side=log.side, path=Path(log.path), run=one.run)
            for (case, log), one in zip(inputs, runs, strict=True)
        ]
    )


def _inputs(target: Target | None, given: Iterable[GivenLog]) -> list[tuple[str, LogInput]]:
    """(case, log) by case, BEFORE first; those of the target before those of the command line."""
    given = tuple(given)
    names = [case.id for case in target.cases] if target is not None else [""]
    named = {case.id: case.logs for case in target.cases} if target is not None else {}
    found: list[tuple[str, LogInput]] = []
    for name in names:
        logs = [*named.get(name, ()), *(one.log for one in given if one.case == name)]
        found += [(name, log) for log in sorted(logs, key=lambda log: list(Side).index(log.side))]
    return found


def _read(case: str, log: LogInput) -> LoggedRun:
    runs = read_runs(Path(log.path))
    shown = printable(log.file.path)
    if log.segment is None and len(runs) > 1:
        key = log.origin.locator.replace(".file", ".segment") if log.agreed else "[[case.log]] of a target, as segment"
        raise CaptureError(
            "log_several_runs", f"holds {len(runs)} runs", where=shown, hint=f"name one in {key}, 0 to {len(runs) - 1}"
        )
    if log.segment is not None and log.segment >= len(runs):
        raise CaptureError(
            "log_segment_missing",
            f"holds {len(runs)} runs, none with number {log.segment}",
            where=shown,
            hint="count from 0",
        )
    run = runs[log.segment or 0]
    name = printable(Path(log.file.path).name)
    if run.file.digest != log.file.digest and Path(run.file.path).name == name:
        raise CaptureError(
            "file_changed", "changed while it was read", where=shown, hint="wait until it is written, then run again"
        )
    named = replace(run, file=replace(run.file, path=shown))
    return LoggedRun(case=case, side=log.side, run=named, profiled=log.profiled, agreed=log.agreed)
