"""The stages in order: read, measure, check, compare, judge, build, render, write.

Clock, version and language come in as arguments; the same inputs and version give the same bytes.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import reportgen
from reportgen import comparability, compare, metrics, resources
from reportgen.accuracy import judge_accuracy
from reportgen.alike import alike_captures, asked, sampled
from reportgen.attached import gathered
from reportgen.attribution import Attribution, attribute
from reportgen.baselines import read_baselines
from reportgen.below_default import below_default, read_vendor_defaults
from reportgen.bottleneck import CITED, find_bottlenecks, limit_without_bound
from reportgen.catalogue import choices, read_catalogue
from reportgen.comparability import with_facts
from reportgen.comparability.facts import Check, rank_pairs
from reportgen.comparability.settings import Permissions
from reportgen.definitions import read_definitions
from reportgen.diagnoses import diagnose
from reportgen.digests import next_step, read_whole, real, sha256_bytes, why_unreadable, why_unwritable
from reportgen.elsewhere import Elsewhere, look_elsewhere
from reportgen.equivalence import with_equivalence
from reportgen.errors import CaptureError, ContractError, RenderError
from reportgen.frames import Capture
from reportgen.grades import Grades, read_grades
from reportgen.inflation import find_inflation
from reportgen.judge import Evidence, judge
from reportgen.known_spread import with_known
from reportgen.model import (
    AlikeCaptures,
    CaptureFacts,
    Case,
    Catalogue,
    Comparability,
    Comparison,
    Diagnosis,
    Evaluation,
    Exclusion,
    FileRecord,
    LoggedRun,
    LoneRun,
    Measurement,
    Metric,
    Note,
    OperatorMeasurement,
    PairStanding,
    Run,
    RunComparison,
    Side,
    Standing,
    Target,
    Verdict,
    Workload,
    WorkloadCheck,
)
from reportgen.operator_matches import OperatorMatch, match_operators
from reportgen.operator_types import compare_operators
from reportgen.plain import printable
from reportgen.precision import precision_signs
from reportgen.reading import harmonised, offered, read_capture
from reportgen.reading.exclusion import excluded
from reportgen.remedies import read_remedies
from reportgen.repeats import OF_A_PAIR, capture_names, joined, pooled
from reportgen.report.build import build
from reportgen.report.document import Report
from reportgen.report.serialize import to_json
from reportgen.run_comparisons import Ground, compare_figures, lone_runs, one_sided
from reportgen.run_conditions import compare_runs
from reportgen.run_inputs import given_logs, read_inputs, results_beside
from reportgen.status import with_status

if TYPE_CHECKING:
    from reportgen.report.formal import FormName

WAITS = ("none", "not searchable", "found")
"""What a capture says of events of waiting, worst last."""
NOTE_LIMIT = 1 << 20
"""Bytes of the largest note that is read."""
OUTPUTS = ("junit.xml", "report.html", "report.json", "report.pdf", "tables")
"""What a report directory may hold; anything else in it is not ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """One capture and everything measured on it."""

    facts: CaptureFacts
    """The capture."""
    measurements: tuple[Measurement, ...]
    """By rank, in the order of ``metrics.METRICS``."""
    operators: tuple[OperatorMeasurement, ...]
    """By rank, largest total first."""
    published: tuple[Measurement, ...]
    """What its own step_trace_time says; never compared."""
    ungraded: tuple[str, ...]
    """Keys of its settings files that are graded nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutput:
    """What ``check --json`` writes."""

    tool_version: str
    """Version."""
    comparability: Comparability
    """All of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsOutput:
    """What ``inspect --json`` writes of a log or result file."""

    tool_version: str
    """Version."""
    runs: tuple[Run, ...]
    """In the order of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOutput:
    """What ``compare --json`` writes."""

    tool_version: str
    """Version."""
    standing: PairStanding
    """Whether the pair may be compared."""
    metrics: tuple[Metric, ...]
    """What the ids mean."""
    comparisons: tuple[Comparison, ...]
    """Every metric side by side; ``blocked`` says why a row gets no verdict."""
    operators: tuple[object, ...]
    """Every operator type side by side."""
    attributions: tuple[Attribution, ...]
    """What the change of the step of each rank is made of; the slowest in AFTER first."""
    matches: tuple[OperatorMatch, ...]
    """Operator types that likely were renamed or fused."""
    elsewhere: Elsewhere
    """What is worse in AFTER."""
    runs: tuple[LoggedRun, ...] = ()
    """Runs of ``--log`` or of the target."""
    run_comparisons: tuple[RunComparison, ...] = ()
    """Every figure with a better direction that runs of both sides give."""
    lone_runs: tuple[LoneRun, ...] = ()
    """Runs of which no figure is among those, with the reason."""
    one_sided: tuple[tuple[str, str, str], ...] = ()
    """Case, metric and kind of what runs of one side alone give."""


# ------------------------------------------------------------------------------------------------ stages
def ungraded_keys(facts: CaptureFacts, grades: Grades) -> tuple[str, ...]:
    """``file: key`` of every settings key that is in no row, sorted."""
    return tuple(
        sorted(
            {
                f"{f.kind}: {key}"
                for f in facts.settings_files
                for key, _ in f.values
                if (f.kind, key) not in grades.by_spelling
            }
        )
    )


def inspect(path: Path, source: str = "") -> Inspection:
    """Read and measure one capture.

    Args:
        source: where the kernels are taken from, ``db`` or ``csv``; empty: the first that the capture offers.

    Raises:
        CaptureError: see ``reading.read_capture``.
    """
    capture = read_capture(path, Side.BEFORE, source)
    measured, operators = metrics.measure(capture)
    return Inspection(
        facts=capture.facts,
        measurements=measured,
        operators=operators,
        published=metrics.as_published(capture),
        ungraded=ungraded_keys(capture.facts, read_grades()),
    )


def read_sides(before: Sequence[Path], after: Sequence[Path]) -> tuple[tuple[Capture, ...], tuple[Capture, ...]]:
    """The captures of both sides, every table taken from the same source everywhere where there is one.

    Raises:
        CaptureError: a capture cannot be read.
    """
    offers = [offered(path) for path in (*before, *after)]
    common = next((source for source in offers[0] if all(source in offer for offer in offers)), "")
    read = [read_capture(path, Side.BEFORE, common) for path in before]
    read += [read_capture(path, Side.AFTER, common) for path in after]
    alike = harmonised(read)
    return alike[: len(before)], alike[len(before) :]


def _checks(capture: Capture, measured: Iterable[Measurement]) -> list[Check]:
    """The cross-checks of the kernel rows of every rank, once each."""
    rows = [m for m in measured if m.metric == "row_count"]
    return [(capture.facts.side, m.dimensions.rank, w) for m in rows for w in m.witnesses]


def _checkpoint_steps(target: Target | None) -> tuple[str, ...]:
    case = next((c for c in target.cases if c.profiled), None) if target is not None else None
    return case.workload.checkpoint_steps or () if case is not None else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """One capture with everything measured on it."""

    capture: Capture
    """Without the kernels that were left out by name."""
    exclusions: tuple[Exclusion, ...]
    """What was left out."""
    measurements: tuple[Measurement, ...]
    """As ``metrics.measure`` gives them."""
    operators: tuple[OperatorMeasurement, ...]
    """By rank."""

    def checks(self) -> list[Check]:
        """The cross-checks of its kernel rows."""
        return _checks(self.capture, self.measurements)


Measured = tuple[tuple[_Measured, ...], tuple[_Measured, ...]]
"""BEFORE and AFTER, each of one capture or of several repeats."""


def _paths(given: Path | Sequence[Path]) -> tuple[Path, ...]:
    return (given,) if isinstance(given, Path) else tuple(given)


def _measured(
    captures: Iterable[Capture], skipped: tuple[str, ...], exclude: Mapping[str, str]
) -> tuple[_Measured, ...]:
    found = []
    for capture in captures:
        kept, exclusions = excluded(capture, exclude)
        values, operators = metrics.measure(kept, skipped)
        found.append(_Measured(capture=kept, exclusions=exclusions, measurements=values, operators=operators))
    return tuple(found)


def _compared(
    one: _Measured, other: _Measured, permissions: Permissions, grades: Grades, target: Target | None
) -> Comparability:
    """Whether two captures were taken alike."""
    return comparability.compare(
        one.capture,
        other.capture,
        grades,
        permissions,
        target=target,
        checks=[*one.checks(), *other.checks()],
        exclusions=(
            *(replace(left_out, side=Side.BEFORE) for left_out in one.exclusions),
            *(replace(left_out, side=Side.AFTER) for left_out in other.exclusions),
        ),
    )


def _comparability(sides: Measured, target: Target | None, allowed: Mapping[str, str], grades: Grades) -> Comparability:
    """Between the sides, capture by capture, and between the repeats of each side."""
    granted = comparability.permissions(target, dict(allowed))
    unchanged = replace(target, changes=(), may_differ=()) if target is not None else None
    alike = comparability.permissions(unchanged, {})

    def compared(one: _Measured, other: _Measured, permissions: Permissions) -> Comparability:
        return _compared(one, other, permissions, grades, target)

    most = max(map(len, sides))
    before, after = sides
    between = [compared(before[n % len(before)], after[n % len(after)], granted) for n in range(most)]
    if most == 1:
        return between[0]
    within = [
        (f"{side[0].capture.facts.side.value.upper()} {name}", compared(side[0], other, alike))
        for side in sides
        for other, name in zip(side[1:], capture_names([one.capture.facts for one in side])[1:], strict=True)
    ]
    return joined(between, within, [one.capture for side in sides for one in side])


def _alike(
    paths: Sequence[Path],
    before: _Measured,
    skipped: tuple[str, ...],
    exclude: Mapping[str, str],
    target: Target | None,
    grades: Grades,
) -> AlikeCaptures:
    """What A/A captures show; their kernels are taken from where BEFORE's are, if they offer that."""
    source = before.capture.facts.ranks[0].kernel_file.path.rpartition(".")[2]
    read = [read_capture(path, Side.BEFORE, source if source in offered(path) else "") for path in paths]
    found = _measured(harmonised([before.capture, *read])[1:], skipped, exclude)
    unchanged = replace(target, changes=(), may_differ=()) if target is not None else None
    permitted = comparability.permissions(unchanged, {})
    pairs = [(found[0], other) for other in found[1:]] + [(before, one) for one in found]
    return alike_captures(
        [one.capture.facts for one in found],
        (_compared(one, other, permitted, grades, target) for one, other in pairs),
        [one.measurements for one in found],
        before.measurements,
        {metric.id: metric for metric in metrics.METRICS},
    )


def _workload_checks(case: Case | None, sides: Measured) -> tuple[WorkloadCheck, ...]:
    """The agreed workload held against every capture: each fact as the first capture that contradicts it has it."""
    found: dict[str, WorkloadCheck] = {}
    for n in range(max(map(len, sides))):
        pair = (side[n % len(side)].capture for side in sides)
        for check in comparability.workload_checks(case, *pair):
            held = found.setdefault(check.fact, check)
            if check.outcome == "contradicts" and held.outcome != "contradicts":
                found[check.fact] = check
    return tuple(found.values())


def _waits_of_all(side: tuple[_Measured, ...]) -> CaptureFacts:
    """The first capture of a side, each rank with the worst that any repeat says of events of waiting."""
    ranks = list(side[0].capture.facts.ranks)
    for one in side[1:]:
        others = {(rank.rank, rank.device): rank for rank in one.capture.facts.ranks}
        for i, rank in enumerate(ranks):
            other = others.get((rank.rank, rank.device))
            if other is not None and WAITS.index(other.wait_events) > WAITS.index(rank.wait_events):
                ranks[i] = replace(rank, wait_events=other.wait_events, wait_source=other.wait_source)
    return replace(side[0].capture.facts, ranks=tuple(ranks))


def _pooled(side: tuple[_Measured, ...]) -> tuple[Measurement, ...]:
    facts = [one.capture.facts for one in side]
    steps = {max((len(rank.steps) for rank in one.ranks), default=0) for one in facts}
    known = {metric.id: metric for metric in metrics.METRICS}
    return pooled(
        [one.measurements for one in side], capture_names(facts), known, compare.TOTALS if len(steps) > 1 else ()
    )


def _catalogue(thresholds: Path | None, files: Iterable[FileRecord]) -> Catalogue:
    """The evidence with own thresholds behind it, and every evidence file that a run reads."""
    catalogue = read_catalogue(resources.evidence_dir())
    more = tuple(files)
    if thresholds is None:
        return replace(catalogue, files=(*catalogue.files, *more))
    own, file = read_baselines(thresholds, catalogue.thresholds)
    return replace(catalogue, thresholds=(*catalogue.thresholds, *own), files=(*catalogue.files, *more, file))


def _after_alone(before: Path | Sequence[Path], target: Target | None) -> bool:
    """Whether AFTER alone is judged: the target says so, and no BEFORE is given.

    Raises:
        ContractError: ``before_missing`` where it does not say so; ``before_not_agreed`` where it does, and one is
            given.
    """
    given, lone = bool(_paths(before)), target is not None and target.alone
    if lone and given:
        raise ContractError(
            "before_not_agreed",
            'the target says that no BEFORE was agreed (baseline = "none"), and one is given',
            hint="leave BEFORE out: reportgen report --after PATH --target TARGET.toml --out DIR",
        )
    if not lone and not given:
        raise ContractError(
            "before_missing",
            "no BEFORE is given, and no target says that none was agreed",
            hint='give BEFORE; only a target with baseline = "none" has AFTER judged alone',
        )
    return lone


def _alone(
    side: tuple[_Measured, ...], target: Target | None, allowed: Mapping[str, str], grades: Grades
) -> Comparability:
    """AFTER without a BEFORE: what each capture says against itself, and what differs between its repeats."""
    granted = comparability.permissions(target, dict(allowed))
    found = [
        difference
        for one in side
        for difference in comparability.alone.alone(
            one.capture, grades, granted, target=target, checks=one.checks(), exclusions=one.exclusions
        )
    ]
    if len(side) > 1:
        unchanged = replace(target, changes=(), may_differ=()) if target is not None else None
        among = _comparability((side[:1], side[1:]), unchanged, {}, grades)
        apart = [d for d in among.differences if d.standing not in (Standing.SAME, Standing.IDENTITY)]
        found += [d for d in apart if d.key.split(".")[0] not in OF_A_PAIR or d.key == "same_capture"]
    return comparability.alone.comparability(sorted(found, key=comparability.weight))


def _once(signs: Iterable[Diagnosis]) -> tuple[Diagnosis, ...]:
    """Each sign of a side once, as the first capture that shows it has it."""
    return tuple({(one.sign, one.side): one for one in reversed(tuple(signs))}.values())[::-1]


def _cases_of(runs: Sequence[LoggedRun]) -> tuple[Case, ...]:
    """The case of logs that the command line gives without a target: nothing of it is agreed."""
    names = dict.fromkeys(run.case for run in runs)
    return tuple(
        Case(id=name, clause="", profiled=True, workload=Workload(), goals=(), external=()) for name in names
    )  # fmt: skip


def evaluate(
    before: Path | Sequence[Path],
    after: Path | Sequence[Path],
    *,
    target: Target | None = None,
    allowed: Mapping[str, str] | None = None,
    note: Note | None = None,
    exclude: Mapping[str, str] | None = None,
    thresholds: Path | None = None,
    logs: Sequence[str] = (),
    aa: Sequence[Path] = (),
    attach: Sequence[Path] = (),
) -> Evaluation:
    """Everything that is known of a pair: comparability, comparisons, verdict.

    Args:
        before, after: the captures' paths; several of a side are repeats and the unit of inference. BEFORE is empty
            where the target says that none was agreed, and only there.
        target: what was agreed; without it nothing is judged.
        allowed: setting key -> reason (``--allow``).
        note: the contractor's words.
        exclude: shell pattern of kernel names -> reason; left out of every capture (``--exclude``).
        thresholds: a file of own thresholds (``--thresholds``); they are read after the official ones.
        logs: logs of the command line, ``SIDE[:CASE]=FILE``.
        aa: captures of one unchanged build (``--aa``), at least two, that show how much captures vary; empty: none.
        attach: files handed in beside the evidence (``--attach``).

    Raises:
        CaptureError: a side cannot be read. CatalogueError: the evidence beside the code is wrong. ContractError: the
            file of own thresholds is wrong, or BEFORE is given or missing against the target.
    """
    lone = _after_alone(before, target)
    guide, grades, defaults = read_remedies(), read_grades(), read_vendor_defaults()
    given = given_logs(logs, target)
    runs = read_inputs(target, given)
    accuracy = judge_accuracy(target)
    attachments = gathered(target.attachments if target is not None else (), attach)
    besides = results_beside(target, given, runs)
    catalogue = _catalogue(thresholds, (grades.file, read_definitions().file, guide.file, defaults.file))
    skipped = _checkpoint_steps(target)
    read = read_sides(_paths(before), _paths(after))
    sides: Measured = (_measured(read[0], skipped, exclude or {}), _measured(read[1], skipped, exclude or {}))
    granted = comparability.permissions(target, dict(allowed or {}))
    cases = target.cases if target is not None else _cases_of(runs)
    told = compare_runs(cases, runs, besides, granted)
    first = (sides[1][0] if lone else sides[0][0], sides[1][0])
    facts = (first[0].capture.facts, first[1].capture.facts)
    every = tuple(one.capture.facts for side in sides for one in side)
    slow = below_default(every, runs, defaults.defaults)
    more = [*(one.difference for one in told), *([slow] if slow is not None else [])]
    if lone:
        shown = _alone(sides[1], target, allowed or {}, grades)
    else:
        shown = _comparability(sides, target, allowed or {}, grades)
    shown = with_facts(shown, more)
    pairs = rank_pairs(*facts)
    pooled_sides = [() if lone else _pooled(sides[0]), _pooled(sides[1])]
    alike = _alike(aa, first[0], skipped, exclude or {}, target, grades) if aa else None
    if min(len(side) for side in sides if side) == 1:  # of several captures the spread is seen
        known = asked(target.known_spreads if target is not None else (), alike)
        pooled_sides = [
            with_known(pooled, known, sampled(metrics.METRICS)) if len(side) == 1 else pooled
            for side, pooled in zip(sides, pooled_sides, strict=True)
        ]
    rows = compare.compare(metrics.METRICS, pooled_sides[0], pooled_sides[1], facts, pairs, shown)
    types = () if lone else first[0].operators
    operators = compare_operators(types, first[1].operators, facts, pairs, shown)
    rows = with_equivalence(rows, target.equivalence if target is not None else ())
    rows = with_status(rows, {metric.id: metric for metric in metrics.METRICS}, operators)
    case = next((c for c in target.cases if c.profiled), None) if target is not None else None
    verdict: Verdict | None = None
    inflation = find_inflation(case, rows, runs, every)
    checks = _workload_checks(case, (sides[1], sides[1]) if lone else sides) if target is not None else ()
    if target is not None:
        verdict = judge(
            Evidence(
                target=target,
                facts=every,
                comparability=shown,
                metrics={m.id: m for m in metrics.METRICS},
                comparisons=rows,
                operators=operators,
                workload_checks=checks,
                runs=runs,
                alike=alike,
                accuracy=accuracy,
                precision=precision_signs(
                    target,
                    ([one.capture for one in sides[0]], [one.capture for one in sides[1]]),
                    runs,
                    shown,
                ),
                inflation=inflation,
                run_facts=told,
            ),
            catalogue.thresholds,
        )
    least = choices(resources.evidence_dir())["one_block_share"]
    captures = [one.capture for side in sides for one in side]
    return Evaluation(
        before=tuple(one.capture.facts for one in sides[0]),
        after=tuple(one.capture.facts for one in sides[1]),
        comparability=shown,
        metrics=metrics.METRICS,
        comparisons=rows,
        operators=operators,
        target=target,
        verdict=verdict,
        catalogue=catalogue,
        series=tuple(one for side in first[lone:] for one in metrics.series(side.capture)),
        note=note,
        runs=runs,
        logs=tuple(one.log for one in given),
        besides=tuple(one.file for one in besides),
        bottlenecks=None
        if lone
        else find_bottlenecks(
            phase=case.workload.phase if case is not None else "",
            thresholds=verdict.thresholds if verdict is not None else (),
            comparisons=rows,
            facts=(_waits_of_all(sides[0]), _waits_of_all(sides[1])),
            comparability=shown,
            limit=limit_without_bound(catalogue),
        ),
        remedies=guide.remedies,
        diagnoses=_once(one for capture in captures for one in diagnose(capture, target, guide.signs, least)),
        cited=tuple(rule for rule in catalogue.rules if rule.id in {*CITED, *guide.cited()}),
        alike=alike,
        inflation=inflation,
        attachments=attachments,
        run_comparisons=compare_figures(
            Ground(
                cases=cases,
                target=target,
                runs=runs,
                run_facts=told,
                facts=every,
                comparability=shown,
                workload_checks=checks,
            )
        ),
        lone_runs=lone_runs(cases, runs),
        one_sided=one_sided(cases, runs),
    )


def compare_output(found: Evaluation) -> CompareOutput:
    """What ``compare --json`` writes of an evaluated pair."""
    return CompareOutput(
        tool_version=reportgen.__version__,
        standing=found.comparability.standing,
        metrics=found.metrics,
        comparisons=found.comparisons,
        operators=found.operators,
        attributions=attribute(found.comparisons),
        matches=match_operators(found.operators),
        elsewhere=look_elsewhere(
            found.metrics,
            found.comparisons,
            found.runs,
            found.target,
            (*found.before, *found.after),
            found.comparability,
            found.run_comparisons,
        ),
        runs=found.runs,
        run_comparisons=found.run_comparisons,
        lone_runs=found.lone_runs,
        one_sided=found.one_sided,
    )


def read_note(path: Path) -> Note:
    """The contractor's note.

    Raises:
        CaptureError: ``note_unreadable`` when it is missing, too large or not UTF-8.
    """
    where, hint = printable(str(path)), next_step(path, "save it as UTF-8 text of at most 1 MB")
    try:
        data, digest = read_whole(path, path.resolve().parent, limit=NOTE_LIMIT)
        text = data.decode("utf-8-sig")
    except CaptureError as fault:
        raise CaptureError("note_unreadable", fault.message, where=where, hint=hint) from fault
    except (OSError, RuntimeError, UnicodeDecodeError) as fault:
        raise CaptureError(
            "note_unreadable", f"cannot be read: {why_unreadable(fault)}", where=where, hint=hint
        ) from fault
    return Note(text=text, file=FileRecord(path=printable(path.name), size=len(data), digest=digest))


def build_report(evaluation: Evaluation) -> Report:
    """The report on an evaluated pair as data."""
    return build(evaluation, tool_version=reportgen.__version__)


def run(
    before: Path | Sequence[Path],
    after: Path | Sequence[Path],
    *,
    target: Target,
    allowed: Mapping[str, str] | None = None,
    note: Note | None = None,
    exclude: Mapping[str, str] | None = None,
    thresholds: Path | None = None,
    aa: Sequence[Path] = (),
    attach: Sequence[Path] = (),
) -> Report:
    """The report on a pair as data.

    Raises:
        CaptureError: a side cannot be read. CatalogueError: the evidence beside the code is wrong.
    """
    found = evaluate(
        before,
        after,
        target=target,
        allowed=allowed,
        note=note,
        exclude=exclude,
        thresholds=thresholds,
        aa=aa,
        attach=attach,
    )
    return build(found, tool_version=reportgen.__version__)


# ------------------------------------------------------------------------------------------------ writing
def document_date(report: Report) -> datetime:
    """The date a document carries: as issued in the target, else the end of the latest capture; never the clock."""
    issued = report.contract.issued if report.contract is not None else ""
    texts = (
        [issued]
        if issued
        else sorted(rank.ended or rank.started for capture in report.captures for rank in capture.ranks)[-1:]
    )
    for text in texts:
        if text:
            moment = datetime.fromisoformat(text)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return datetime(2000, 1, 1, tzinfo=UTC)


def render(
    report: Report,
    language: str,
    *,
    embed_fonts: bool = False,
    with_junit: bool = False,
    form: FormName = "brief",
    commands: Sequence[str] = (),
) -> tuple[dict[str, bytes], RenderError | None]:
    """The bytes of every output, and why the PDF is not among them (this machine cannot make it).

    Args:
        report: the report.
        language: ``zh`` or ``en``.
        embed_fonts: carry the fonts in the HTML.
        with_junit: add ``junit.xml``, the verdict for a server that runs builds.
        form: ``brief``, or ``formal`` for the pages of an acceptance file.
        commands: command lines that made the report, which the formal form prints.

    Raises:
        RenderError: for any fault but a missing pango.
    """
    from reportgen.report import html, junit, pdf, tables

    text = to_json(report).encode("utf-8")
    digest = sha256_bytes(text)
    files = {
        "report.json": text,
        "report.html": html.render(
            report, language=language, digest=digest, embed_fonts=embed_fonts, form=form, commands=commands
        ).encode("utf-8"),
        **tables.render(report, language),
    }
    if with_junit:
        files["junit.xml"] = junit.render(report, language)
    try:
        files["report.pdf"] = pdf.render(
            report,
            language=language,
            digest=digest,
            created=document_date(report),
            form=form,
            commands=commands,
            carried=text,
        )
    except RenderError as fault:
        if fault.code != "pango_missing":
            raise
        return files, fault
    return files, None


def refuse_output(out: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output directory that would touch an input or hide what is not ours.

    Raises:
        RenderError: ``output_inside_input``, ``output_not_ours``, ``output_is_file``.
    """
    target = real(out)
    for path in inputs:
        source = real(path)
        if target == source or source in target.parents or target in source.parents:
            raise RenderError(
                "output_inside_input",
                "would touch an input",
                where=printable(str(out)),
                hint="choose a directory apart from the captures",
            )
    if out.exists() and not out.is_dir():
        raise RenderError("output_is_file", "is a file", where=printable(str(out)), hint="choose another directory")
    if out.is_dir():
        foreign = _foreign(out)
        if foreign:
            raise RenderError(
                "output_not_ours",
                f"holds {printable(foreign[0])!r}, which no report writes, and is not replaced",
                where=printable(str(out)),
                hint="choose another directory, or empty this one",
            )


def _foreign(out: Path) -> list[str]:
    """What an output directory holds beside outputs of ours, sorted."""
    from reportgen.report.tables import FOLDER, NAMES

    tables = out / FOLDER
    found = [path.name for path in out.iterdir() if path.name not in OUTPUTS or path.is_dir() != (path == tables)]
    if tables.is_dir():
        found += [f"{FOLDER}/{path.name}" for path in tables.iterdir() if path.name not in NAMES or path.is_dir()]
    return sorted(found)


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write the outputs whole or not at all: under a temporary sibling name, then renamed.

    Raises:
        RenderError: ``output_unwritable``.
    """
    out = real(out)
    token = secrets.token_hex(6)
    fresh, old = out.parent / f".{out.name}.{token}.new", out.parent / f".{out.name}.{token}.old"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh.mkdir()
        for name, data in files.items():
            (fresh / name).parent.mkdir(exist_ok=True)
            (fresh / name).write_bytes(data)
        if out.exists():
            out.rename(old)
        fresh.rename(out)
    except OSError as fault:
        if old.exists() and not out.exists():
            old.rename(out)
        raise RenderError(
            "output_unwritable",
            f"cannot be written: {why_unwritable(fault)}",
            where=printable(str(out)),
            hint="choose a directory you may write",
        ) from fault
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
