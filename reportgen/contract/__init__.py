"""What was agreed: the target file, read strictly, with every fault at once.

A target is signed before anything is measured, so the file is refused rather than guessed at: unknown keys, units that
do not fit their metric, a decision rule left blank, goals that refer to nothing. ``docs/target.md`` explains the file,
``docs/target.schema.json`` is published from ``shapes``.
"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from reportgen import strict, units, vocabulary
from reportgen.contract import matrix
from reportgen.contract.accuracy import accuracy, attachment, check_attachments
from reportgen.contract.baseline import check_baseline, without_before
from reportgen.contract.checks import Files, check_case, check_file
from reportgen.contract.shapes import (
    BaselineTable,
    CaseTable,
    ExternalTable,
    GoalTable,
    LogTable,
    TargetFile,
    WorkloadTable,
)
from reportgen.contract.spreads import check_spreads, equivalence_band, known_spread
from reportgen.digests import read_whole
from reportgen.errors import CaptureError, ContractError
from reportgen.model import (
    Case,
    Change,
    Contract,
    Declared,
    Deviation,
    ExternalValue,
    FileRecord,
    FixedValue,
    Form,
    Goal,
    LogInput,
    Origin,
    Parties,
    Quantity,
    Revision,
    Side,
    Target,
    Workload,
)
from reportgen.plain import printable
from reportgen.resources import templates_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["check_target", "new_target", "read_target", "target_schema"]

LARGEST = 1 << 20
"""Bytes of the largest target file that is read."""

_EXPLAIN = {
    "decision_rule": 'must be "simple" or "guarded": both parties choose, there is no default; '
    "`reportgen target new` explains both",
    "schema": "must be 1: this version reads target files of schema 1 only",
    "case.goal.limit": 'must be text in double quotes with its unit, such as "170 ms" or "85%"',
    "between_captures.relative_sd": 'must be text in double quotes with %, such as "0.8%"',
    "equivalence.band": 'must be text in double quotes with %, such as "2%"',
    "case.external.value": 'must be text in double quotes with its unit, such as "120.5 ms"',
    "case.baseline.value": 'must be text in double quotes with its unit, such as "120.5 ms"',
}


# --------------------------------------------------------------------------------------------- reading
def read_target(path: Path) -> Target:
    """What was agreed.

    Args:
        path: the target file; files it names are looked for beside it.

    Raises:
        ContractError: ``target_unreadable``; ``target_syntax`` with line and column; ``target_invalid`` with every
            fault, each behind its key path.
    """
    try:
        real = path.resolve()
    except (OSError, RuntimeError):
        real = path  # a ring of links; reading it says so
    try:
        data, digest = read_whole(real, real.parent, limit=LARGEST)
    except CaptureError as fault:
        raise ContractError(
            "target_unreadable",
            f"the target file {fault.message}",
            where=printable(str(path)),
            hint="check the path; `reportgen target new` writes one to fill in",
        ) from fault
    try:
        raw = strict.parse(data)
    except strict.TomlError as fault:
        raise ContractError(
            "target_syntax", fault.message, where=f"{printable(str(path))}:{fault.line}:{fault.column}", hint=fault.hint
        ) from fault
    files = Files(path.parent)
    cases = matrix.placed(raw)
    value, faults = _checked(raw, cases, files)
    if faults or value is None:
        lines = strict.lines(faults)
        counted = "1 fault" if len(lines) == 1 else f"{len(lines)} faults"
        raise ContractError(
            "target_invalid",
            f"{counted} in the target file",
            where=printable(str(path)),
            hint="`reportgen target new` explains every key",
            faults=lines,
        )
    record = FileRecord(path=path.name, size=len(data), digest=digest)
    return _target(value, cases, record, files, path.name)


def _checked(
    raw: Mapping[str, Any], cases: tuple[matrix.Placed, ...], files: Files
) -> tuple[TargetFile | None, list[strict.Fault]]:
    """The file with every cell as a case, None when there is a fault; and the faults, with their places in the file."""
    value, faults = strict.read_shape(TargetFile, raw, _EXPLAIN)
    faults += check_file(raw, cases)
    faults += check_attachments(raw, files)
    faults += matrix.faults(raw)
    faults += check_spreads(raw, files)
    marked = any(one.case.get("profiled") is True for one in cases)
    for one in cases:
        profiled = one.case.get("profiled", not marked) is not False
        found = [
            *check_case(one.place, one.case, files, profiled=profiled),
            *check_baseline(one, files, alone=without_before(raw, one.case)),
        ]
        faults += [fault._replace(path=one.where(fault.path)) for fault in found]
    if faults or value is None or not raw.get("matrix"):
        return value, faults
    whole = {**raw, "case": [one.case for one in cases], "matrix": []}
    return strict.read_shape(TargetFile, whole, _EXPLAIN)


def check_target(path: Path) -> tuple[str, ...]:
    """Every fault of a target file, one line each; empty when there is none."""
    try:
        read_target(path)
    except ContractError as fault:
        return fault.faults or (f"{fault.where}: {fault.message}",)
    return ()


def new_target(language: str) -> str:
    """An annotated target file to fill in, in Chinese (``zh``) or English (``en``).

    Raises:
        ContractError: ``target_language`` for any other language.
    """
    if language not in ("zh", "en"):
        raise ContractError("target_language", f"no target template in {language!r}", hint="known: zh, en")
    return (templates_dir() / f"target.{language}.toml").read_text(encoding="utf-8")


def target_schema() -> dict[str, Any]:
    """JSON Schema of the target file; what reaches over several keys is checked by ``check_target`` alone."""
    schema = strict.json_schema(TargetFile, title="reportgen target file, schema 1")
    shapes = (GoalTable, BaselineTable, ExternalTable)
    goal, fixed, external = (schema["$defs"][shape.__name__]["properties"] for shape in shapes)
    for table in (goal, fixed):
        table["metric"]["enum"] = list(vocabulary.GOAL_METRICS)
    for table in (goal, fixed, external):
        table["statistic"]["enum"] = list(vocabulary.STATISTICS)
        table["kind"]["enum"] = ["", *vocabulary.LATENCY_KINDS, *vocabulary.THROUGHPUT_KINDS]
    return schema


# --------------------------------------------------------------------------------------------- to the nouns
def _target(file: TargetFile, placed: tuple[matrix.Placed, ...], record: FileRecord, files: Files, name: str) -> Target:
    def origin(place: matrix.Placed, path: str, written: str) -> Origin:
        where = place.where(f"{place.place}.{path}")
        return Origin(file=f"target:{name}", digest=record.digest, locator=where, formula=f'= "{written}"')

    def of_file(path: str, written: str) -> Origin:
        return Origin(file=f"target:{name}", digest=record.digest, locator=path, formula=f'= "{written}"')

    cases = tuple(
        _case(case, place, files, origin, alone=without_before({"baseline": file.baseline}, place.case),
              only=len(file.case) == 1)
        for case, place in zip(file.case, placed, strict=True)
    )  # fmt: skip
    return Target(
        file=record,
        parties=Parties(
            customer=file.parties.customer, contractor=file.parties.contractor, witness=file.parties.witness
        ),
        contract=Contract(
            reference=file.contract.reference,
            signed=file.contract.signed,
            title=file.contract.title,
            report_number=file.contract.report_number,
            issued=file.contract.issued,
        ),
        decision_rule=file.decision_rule,
        cases=cases,
        alone=any(case.alone for case in cases if case.profiled),
        changes=tuple(Change(what=change.what, keys=change.keys) for change in file.change),
        may_differ=file.may_differ,
        declared=tuple(
            Declared(key=row.key, value=row.value, signer=row.signer, role=row.role, date=row.date)
            for row in file.declared
        ),
        known_spreads=tuple(
            known_spread(table, files, of_file, f"between_captures[{number}]")
            for number, table in enumerate(file.between_captures)
        ),
        equivalence=tuple(
            equivalence_band(table, of_file(f"equivalence[{number}].band", table.band))
            for number, table in enumerate(file.equivalence)
        ),
        attachments=tuple(attachment(table, files) for table in file.attachment),
        form=_form(file),
    )


def _form(file: TargetFile) -> Form:
    """What only the formal form prints."""
    return Form(
        **{one.name: getattr(file.form, one.name) for one in fields(file.form)},
        revisions=tuple(Revision(version=r.version, date=r.date, what=r.what, by=r.by) for r in file.revision),
        deviations=tuple(
            Deviation(no=d.no, what=d.what, effect=d.effect, remedy=d.remedy, retest=d.retest) for d in file.deviation
        ),
    )


def _case(
    case: CaseTable,
    place: matrix.Placed,
    files: Files,
    origin: Callable[[matrix.Placed, str, str], Origin],
    *,
    alone: bool,
    only: bool,
) -> Case:
    return Case(
        id=case.id,
        clause=case.clause,
        profiled=case.profiled if case.profiled is not None else only,
        alone=alone,
        matrix=place.matrix,
        axes=place.axes,
        workload=_workload(case.workload),
        goals=tuple(
            _goal(goal, case.clause, origin(place, f"goal[{index}].limit", goal.limit))
            for index, goal in enumerate(case.goal)
        ),
        fixed=tuple(
            _fixed(value, files, origin(place, f"baseline[{index}].value", value.value))
            for index, value in enumerate(case.baseline if case.baseline != "none" else ())
        ),
        external=tuple(
            _external(value, files, origin(place, f"external[{index}].value", value.value))
            for index, value in enumerate(case.external)
        ),
        logs=tuple(
            _log(table, files, origin(place, f"log[{index}].file", table.file)) for index, table in enumerate(case.log)
        ),
        accuracy=tuple(
            accuracy(table, files, origin(place, f"accuracy[{index}]", "")) for index, table in enumerate(case.accuracy)
        ),
    )


def _fixed(table: BaselineTable, files: Files, origin: Origin) -> FixedValue:
    record = files.record(table.file.strip()) if table.file.strip() else None
    assert not isinstance(record, str), "a file that cannot be read is a fault"
    return FixedValue(
        metric=table.metric,
        part=table.part,
        kind=table.kind,
        statistic=table.statistic,
        value=_quantity(table.value),
        source=table.source,
        file=record,
        locator=table.locator,
        origin=origin,
    )


def _log(table: LogTable, files: Files, origin: Origin) -> LogInput:
    record = files.record(table.file.strip())
    assert isinstance(record, FileRecord), "checked before"
    return LogInput(
        side=Side(table.side),
        path=str(files.path(table.file.strip())),
        file=record,
        profiled=table.profiled,
        segment=table.segment,
        origin=origin,
    )


def _workload(table: WorkloadTable) -> Workload:
    steps = () if table.checkpoint_steps == "none" else table.checkpoint_steps
    return Workload(
        framework=table.framework,
        backend=table.backend,
        phase=table.phase,
        model=table.model,
        batch_size=str(table.batch_size),
        dtype=table.dtype,
        sequence_length=str(table.sequence_length),
        ranks=table.ranks,
        load=table.load,
        failed_requests_at_most=table.failed_requests_at_most.strip(),
        cpu=table.cpu,
        checkpoint_steps=None if steps is None else tuple(map(str, steps)),
        product=table.product,
        circumstances=tuple(
            (one.name, value)
            for one in fields(table.circumstances)
            if (value := getattr(table.circumstances, one.name)) is not None
        ),
    )


def _quantity(written: str) -> Quantity:
    value, unit = units.parse(written)
    return Quantity(value=units.exact(Fraction(value)), unit=unit, written=written.strip())


def _goal(table: GoalTable, clause: str, origin: Origin) -> Goal:
    return Goal(
        id=table.id,
        clause=table.clause or clause,
        metric=table.metric,
        part=table.part,
        statistic=table.statistic,
        kind=table.kind,
        direction=table.direction,
        subject=table.subject,
        limit=_quantity(table.limit),
        side_condition=table.side_condition,
        subject_to=table.subject_to,
        origin=origin,
    )


def _external(table: ExternalTable, files: Files, origin: Origin) -> ExternalValue:
    record = files.record(table.file.strip())
    assert isinstance(record, FileRecord), "a file that cannot be read is a fault"
    return ExternalValue(
        side=Side(table.side),
        metric=table.metric,
        kind=table.kind,
        statistic=table.statistic,
        value=_quantity(table.value),
        conditions=table.conditions,
        file=record,
        locator=table.locator,
        origin=origin,
    )
