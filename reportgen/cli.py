"""The verbs: parse, call, print, exit code. Nothing is decided here.

Exit codes: 0 met, comparable; 1 not met (or regressed, when asked); 2 bad usage or unreadable input; 3 not comparable;
4 undecided, or cannot be shown; 6 met, but the PDF cannot be made on this machine.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from reportgen.digests import WRITING, why_unreadable, why_unwritable
from reportgen.errors import ReportgenError
from reportgen.plain import printable

if TYPE_CHECKING:
    from reportgen.model import Evaluation
    from reportgen.report.document import Report

BAD_INPUT, NO_PDF = 2, 6
SPELLED = 8
"""Characters that a message names."""

app = typer.Typer(
    name="reportgen",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Turn a BEFORE and an AFTER Ascend NPU profiling directory and an agreed target into audited evidence.",
)
target_app = typer.Typer(rich_markup_mode=None, help="Write or check a target file (what was agreed).")
app.add_typer(target_app, name="target")

CapturePath = Annotated[
    Path,
    typer.Argument(
        help="PROF_* or *_ascend_pt directory, or a parent of the ranks of one capture.", show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON: base units s, B, 1, with the exact value beside.")]


def _note_language(context: typer.Context, language: str) -> str:
    """Keep the language asked for where ``main`` finds it, should the command end in an error."""
    if language and isinstance(context.obj, list):
        context.obj.append(language)
    return language


Language = Annotated[
    str,
    typer.Option(
        "--language",
        help="zh or en; default by LANG (report: zh).",
        show_default=False,
        callback=_note_language,
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="KEY=REASON", help="Let one setting differ, with the reason; may be repeated."),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="NAME=REASON",
        help="Leave kernels out by name (* and ? allowed) on both sides, with the reason; may be repeated.",
    ),
]
SidePath = Annotated[Path | None, typer.Argument(help="Capture; its repeats by the option.", show_default=False)]
BeforeOption = Annotated[
    list[Path] | None,
    typer.Option("--before", help="BEFORE capture; may be repeated for repeats of one build.", show_default=False),
]
AfterOption = Annotated[
    list[Path] | None,
    typer.Option("--after", help="AFTER capture; may be repeated for repeats of one build.", show_default=False),
]
AlikeOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--aa",
        help="Capture of one unchanged build, like BEFORE; two and more show how much captures vary.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    Path | None, typer.Option("--target", help="Target file: what may differ and what is declared.", show_default=False)
]


Logs = Annotated[
    list[str] | None,
    typer.Option(
        "--log",
        metavar="SIDE[:CASE]=FILE",
        help="Log or result file of a run outside the profile; before=FILE or after=FILE; may be repeated.",
    ),
]


class UsageError(ReportgenError):
    """The command line cannot be understood."""


def _locale() -> Literal["zh", "en"]:
    """The language by LC_ALL, LC_MESSAGES or LANG."""
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def _language(text: str, default: str = "") -> Literal["zh", "en"]:
    """The language asked for, else the default, else by LC_ALL, LC_MESSAGES or LANG."""
    chosen = text or default or _locale()
    if chosen not in ("zh", "en"):
        raise UsageError("language_unknown", f"--language {chosen!r} is not known", hint="use zh or en")
    return "zh" if chosen == "zh" else "en"


def _allowed(options: list[str] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options or []:
        key, sign, reason = option.partition("=")
        if not sign or not key.strip() or not reason.strip():
            raise UsageError(
                "allow_without_reason", f"--allow {option!r} names no key and reason", hint="write --allow KEY=REASON"
            )
        found[key.strip()] = reason.strip()
    return found


def _excluded(options: list[str] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in options or []:
        name, sign, reason = option.partition("=")
        if not sign or not name.strip() or not reason.strip():
            raise UsageError(
                "exclude_without_reason",
                f"--exclude {option!r} names no kernel and reason",
                hint="write --exclude NAME=REASON",
            )
        found[name.strip()] = reason.strip()
    return found


def _alike(options: list[Path] | None) -> tuple[Path, ...]:
    """The A/A captures; one alone shows no spread."""
    given = tuple(options or ())
    if len(given) == 1:
        raise UsageError(
            "aa_once",
            f"--aa is given once, {printable(str(given[0]))}: one capture shows no spread",
            hint="write --aa before each of two or more captures of one unchanged build; BEFORE may be one of them",
        )
    return given


def _name_refused(evaluation: Evaluation, language: Literal["zh", "en"]) -> None:
    """Say why A/A captures are used for nothing."""
    if evaluation.alike is not None and evaluation.alike.refused is not None:
        from reportgen.report import wording

        _say(f"reportgen: --aa: {wording.say(evaluation.alike.refused, language)}")


def _name_empty(excluded: dict[str, str], evaluation: Evaluation) -> None:
    """Say which ``--exclude`` left nothing out on either side."""
    for difference in evaluation.comparability.differences:
        name = difference.reason.arg("pattern")
        sides = (difference.before.value or "", difference.after.value or "")
        if name in excluded and all(side.startswith("0 ") for side in sides):
            _say(f"reportgen: --exclude {name} left nothing out: no kernel is called so")


def _name_unused(allowed: dict[str, str], evaluation: Evaluation) -> None:
    """Say which ``--allow`` let nothing through: a mistyped key must not look like a permission."""
    differences = evaluation.comparability.differences
    used = {d.reason.arg("key") for d in differences if d.reason.code == "allowed_by_option"}
    for key in allowed:
        if key not in used:
            _say(f"reportgen: --allow {key} let nothing through: no differing setting is called so")


def _print(text: str) -> None:
    if sys.stdout is not None:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _tell(error: str, code: str, asked: str) -> None:
    """Print an error and, where messages are read in another language than English, what its code means.

    Args:
        error: the error as printed.
        code: its code.
        asked: what ``--language`` says; where it names no language, or nothing, the environment decides.
    """
    _say(error)
    spoken = asked if asked in ("zh", "en") else _locale()
    if spoken == "en":
        return
    from reportgen.report import error_texts

    with contextlib.suppress(OSError):  # of an installation without its languages the error itself has to be told
        said = error_texts.explanation(code, spoken)
        if said:
            _say(f"  {said}")


@app.command(short_help="What one capture holds, every metric that can be had, and how to get the rest.")
def inspect(
    path: Annotated[
        Path,
        typer.Argument(
            help="PROF_* or *_ascend_pt directory, a parent of the ranks of one capture, or a log, result file or "
            "folder of results.",
            show_default=False,
        ),
    ],
    as_json: AsJson = False,
    language: Language = "",
    ungraded: Annotated[
        bool, typer.Option("--ungraded", help="List only the settings keys that are graded nowhere.")
    ] = False,
    source: Annotated[
        str,
        typer.Option("--source", help="Where the kernels are taken from: db, csv or json.", show_default=False),
    ] = "",
) -> None:
    """What one capture holds: settings, steps, ranks, tables, every metric that can be had, how to get the rest.

    Of a log or result file: its runs, what they state, their figures, and whether these agree with each other.
    """
    spoken = _language(language)
    from reportgen import run_logs

    if path.is_file() or run_logs.holds_results(path):
        _inspect_log(path, spoken, as_json=as_json, for_captures=ungraded or bool(source))
        return
    from reportgen import pipeline
    from reportgen.report import text
    from reportgen.report.serialize import to_json

    found = pipeline.inspect(path, source)
    if ungraded:
        _print("".join(f"{key}\n" for key in found.ungraded) or "\n")
    elif as_json:
        _print(to_json(found))
    else:
        _print(
            text.inspect_text(found.facts, found.measurements, found.operators, spoken, found.ungraded, found.published)
        )


def _inspect_log(path: Path, language: Literal["zh", "en"], *, as_json: bool, for_captures: bool) -> None:
    """Print the runs that a log or result file tells of."""
    if for_captures:
        raise UsageError(
            "option_of_captures",
            "--ungraded and --source are of captures, and this is a file",
            where=printable(str(path)),
            hint="leave them out, or give a capture's directory",
        )
    import reportgen
    from reportgen import pipeline
    from reportgen.report import text_runs
    from reportgen.report.serialize import to_json
    from reportgen.run_logs import read_runs

    runs = read_runs(path)
    if as_json:
        _print(to_json(pipeline.RunsOutput(tool_version=reportgen.__version__, runs=runs)))
    else:
        _print(text_runs.runs_text(runs, language))


@app.command(short_help="Were two captures taken alike? Exit 0 yes, 3 no, 4 cannot be shown.")
def check(
    before: SidePath = None,
    after: SidePath = None,
    before_option: BeforeOption = None,
    after_option: AfterOption = None,
    target: TargetOption = None,
    allow: Allow = None,
    exclude: Exclude = None,
    as_json: AsJson = False,
    language: Language = "",
) -> None:
    """Were two captures taken alike? Exit 0 comparable, 3 not comparable, 4 cannot be shown."""
    spoken, allowed, left_out = _language(language), _allowed(allow), _excluded(exclude)
    import reportgen
    from reportgen import contract, pipeline
    from reportgen.report import text
    from reportgen.report.serialize import to_json

    agreed = contract.read_target(target) if target is not None else None
    sides = _side("BEFORE", before, before_option), _side("AFTER", after, after_option)
    found = pipeline.evaluate(*sides, target=agreed, allowed=allowed, exclude=left_out)
    _name_unused(allowed, found)
    _name_empty(left_out, found)
    if as_json:
        _print(to_json(pipeline.CheckOutput(tool_version=reportgen.__version__, comparability=found.comparability)))
    else:
        _print(text.check_text(found, spoken))
    raise typer.Exit({"not_comparable": 3, "cannot_be_shown": 4}.get(found.comparability.standing.value, 0))


@app.command(short_help="All metrics side by side, unjudged; marked when not comparable.")
def compare(
    before: SidePath = None,
    after: SidePath = None,
    before_option: BeforeOption = None,
    after_option: AfterOption = None,
    target: TargetOption = None,
    allow: Allow = None,
    exclude: Exclude = None,
    log: Logs = None,
    aa: AlikeOption = None,
    as_json: AsJson = False,
    language: Language = "",
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            help="'regressed': exit 1 when a metric can be told to be worse; 3 or 4 when that cannot be known of some.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """All metrics side by side, unjudged; written also when the pair is not comparable, and marked so."""
    spoken, allowed, left_out = _language(language), _allowed(allow), _excluded(exclude)
    if fail_on not in ("", "regressed"):
        raise UsageError("fail_on_unknown", f"--fail-on {fail_on!r} is not known", hint="use --fail-on regressed")
    from reportgen import contract, metrics, pipeline, run_comparisons, status
    from reportgen.report import text
    from reportgen.report.serialize import to_json

    agreed = contract.read_target(target) if target is not None else None
    sides = _side("BEFORE", before, before_option), _side("AFTER", after, after_option)
    found = pipeline.evaluate(*sides, target=agreed, allowed=allowed, exclude=left_out, logs=log or (), aa=_alike(aa))
    _name_unused(allowed, found)
    _name_empty(left_out, found)
    _name_refused(found, spoken)
    if as_json:
        _print(to_json(pipeline.compare_output(found)))
    else:
        _print(text.compare_text(found, spoken))
    worse = status.regressed(found.comparisons) if fail_on else ()
    barred = status.barred(found.comparisons) if fail_on else ()
    known = {metric.id: metric for metric in metrics.METRICS}
    untold = status.untold(found.comparisons, known, found.operators) if fail_on else ()
    untold = tuple(row for row in untold if row not in barred)
    for word, rows in (("regressed", worse), ("not compared", barred), ("cannot be known", untold)):
        for row in rows:
            rank = "" if row.dimensions.rank is None else f" rank {row.dimensions.rank}"
            _say(f"{word}: {row.metric}{' ' + row.dimensions.part if row.dimensions.part else ''}{rank}")
    of_runs = found.run_comparisons if fail_on else ()
    worse_runs, barred_runs = run_comparisons.regressed(of_runs), run_comparisons.barred(of_runs)
    untold_runs = run_comparisons.untold(of_runs)
    for word, figures in (("regressed", worse_runs), ("not compared", barred_runs), ("cannot be known", untold_runs)):
        for one in figures:
            names = (one.comparison.metric, one.comparison.dimensions.part, one.statistic, one.case and f"@{one.case}")
            _say(f"{word}: {' '.join(filter(None, names))}")
    lone = found.one_sided if fail_on else ()
    for case, metric, kind in lone:
        _say(f"cannot be known: {' '.join(filter(None, (metric, kind, case and f'@{case}')))}")
    unknown = barred or untold or barred_runs or untold_runs or lone
    closed = {"not_comparable": 3, "cannot_be_shown": 4}.get(found.comparability.standing.value, 4 if unknown else 0)
    raise typer.Exit(1 if worse or worse_runs else closed if fail_on else 0)


@app.command(short_help="The acceptance report: HTML, PDF and JSON.")
def report(
    before: SidePath = None,
    after: SidePath = None,
    target: Annotated[Path | None, typer.Option("--target", help="Target file (required).", show_default=False)] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Directory for report.html, report.pdf and report.json (required).", show_default=False
        ),
    ] = None,
    before_option: BeforeOption = None,
    after_option: AfterOption = None,
    note: Annotated[
        Path | None, typer.Option("--note", help="The contractor's note, Markdown.", show_default=False)
    ] = None,
    thresholds: Annotated[
        Path | None,
        typer.Option("--thresholds", help="File of own thresholds, read beside the official ones.", show_default=False),
    ] = None,
    attach: Annotated[
        list[Path] | None,
        typer.Option(
            "--attach",
            metavar="FILE",
            help="File to hand in beside the evidence: hashed and listed, never read for numbers. Repeatable.",
            show_default=False,
        ),
    ] = None,
    embed_fonts: Annotated[
        bool, typer.Option("--embed-fonts", help="Carry the fonts in report.html, for readers without a CJK font.")
    ] = False,
    junit: Annotated[
        bool, typer.Option("--junit", help="Also write junit.xml: a test for each goal and one for the verdict.")
    ] = False,
    form: Annotated[
        str,
        typer.Option("--form", help="brief, or formal: the pages of an acceptance file.", show_default=False),
    ] = "brief",
    redact: Annotated[
        bool,
        typer.Option(
            "--redact", help="Put labels for hosts, users, addresses, paths and serial numbers in all outputs."
        ),
    ] = False,
    redact_map: Annotated[
        Path | None,
        typer.Option(
            "--redact-map",
            metavar="FILE",
            help="Keep which label is what in FILE, apart from --out; the same FILE gives the same labels again.",
            show_default=False,
        ),
    ] = None,
    allow: Allow = None,
    exclude: Exclude = None,
    log: Logs = None,
    aa: AlikeOption = None,
    language: Language = "",
) -> None:
    """The acceptance report. Exit 0 met, 1 not met, 3 not comparable, 4 undecided, 6 met but no PDF here."""
    spoken, allowed, left_out = _language(language, "zh"), _allowed(allow), _excluded(exclude)
    sides = (
        _side("BEFORE", before, before_option, may_lack=True),
        _side("AFTER", after, after_option),
    )
    alike = _alike(aa)
    if target is None or out is None:
        raise UsageError(
            "option_missing",
            f"{'--target' if target is None else '--out'} is missing",
            hint="reportgen report BEFORE AFTER --target TARGET.toml --out DIR; `reportgen target new` writes a target",
        )
    shape = _form(form, redact=redact, redact_map=redact_map)
    from reportgen import contract, pipeline
    from reportgen.report import text

    agreed = contract.read_target(target)
    _side("BEFORE", before, before_option, may_lack=agreed.alone)
    named = (Path(name) for _head, _sign, name in (one.partition("=") for one in log or ()) if name)
    extra = (*(path for path in (note, thresholds) if path is not None), *(attach or ()), *named)
    inputs = [*sides[0], *sides[1], *alike, target, *extra]
    pipeline.refuse_output(out, inputs)
    if redact_map is not None:
        from reportgen.report import redaction_map

        redaction_map.refuse_map(redact_map, out, inputs)
    words = pipeline.read_note(note) if note is not None else None
    evaluation = pipeline.evaluate(
        *sides,
        target=agreed,
        allowed=allowed,
        note=words,
        exclude=left_out,
        thresholds=thresholds,
        logs=log or (),
        aa=alike,
        attach=attach or (),
    )
    _name_unused(allowed, evaluation)
    _name_empty(left_out, evaluation)
    _name_refused(evaluation, spoken)
    found = pipeline.build_report(evaluation)
    commands: tuple[tuple[str, ...], ...] = (("reportgen", *sys.argv[1:]),) if shape == "formal" else ()
    if redact:
        found, commands = _redacted(found, commands, redact_map)
    lines = [shlex.join(one) for one in commands]
    files, without_pdf = pipeline.render(
        found, spoken, embed_fonts=embed_fonts, with_junit=junit, form=shape, commands=lines
    )
    replaced = out.is_dir() and any(out.iterdir())
    pipeline.write(out, files)
    if replaced:
        _say(f"reportgen: the earlier report in {printable(str(out))} was replaced")
    _print(text.report_text(found, spoken))
    if without_pdf is not None:
        _tell(str(without_pdf), without_pdf.code, language)
    else:
        _name_spelled(files["report.html"].decode("utf-8"))
    if spoken == "zh" and not embed_fonts:
        _warn_of_boxes()
    assert found.verdict is not None
    code = {"met": 0, "not_met": 1, "not_comparable": 3, "undecided": 4}[found.verdict.word.value]
    raise typer.Exit(NO_PDF if code == 0 and without_pdf is not None else code)


def _form(form: str, *, redact: bool, redact_map: Path | None) -> Literal["brief", "formal"]:
    """The form asked for; a map without a redaction would stay empty."""
    if form not in ("brief", "formal"):
        raise UsageError("form_unknown", f"--form {form!r} is not known", hint="use brief or formal")
    if redact_map is not None and not redact:
        raise UsageError("map_without_redact", "--redact-map is given without --redact", hint="add --redact")
    return "formal" if form == "formal" else "brief"


def _redacted(
    report: Report, commands: tuple[tuple[str, ...], ...], path: Path | None
) -> tuple[Report, tuple[tuple[str, ...], ...]]:
    """The report and the commands with labels; the map is written where one was asked for."""
    from reportgen.report import redaction, redaction_map

    key = redaction.new_key() if path is None else redaction_map.read_map(path)
    done = redaction.redact(report, key, commands)
    if path is not None:
        redaction_map.write_map(path, done.key)
    block = done.report.redaction
    assert block is not None
    kinds = ", ".join(f"{kind} {count}" for kind, count in block.counts)
    _say(f"reportgen: replaced by labels: {kinds}")
    if block.spared:
        _say(
            f"reportgen: {block.spared} of the names are also words of the report: they were replaced in paths and "
            "where they stand alone; look for them before the report is handed on"
        )
    return done.report, done.commands


def _warn_of_boxes() -> None:
    """One line where this machine is known to have no font that draws the page."""
    from reportgen.report import doctor as examine

    if examine.cjk_fonts() == ():
        _say(
            "reportgen: no CJK font was found on this machine: report.html shows boxes here; --embed-fonts carries them"
        )


def _name_spelled(page: str) -> None:
    """Characters of the report that the PDF spells as code points, since its fonts lack them."""
    from reportgen.report import fonts

    lacking = [fonts.code_point(character) for character in fonts.missing(page)]
    if lacking:
        more = f" and {len(lacking) - SPELLED} more" if len(lacking) > SPELLED else ""
        _say(
            f"reportgen: the fonts of report.pdf lack {', '.join(lacking[:SPELLED])}{more}: it shows these code "
            "points, report.html the characters, where the system has a font for them"
        )


def _side(name: str, argument: Path | None, options: list[Path] | None, *, may_lack: bool = False) -> tuple[Path, ...]:
    """The captures of a side: the argument, then the options; several are repeats; none where it may lack."""
    given = (*([argument] if argument is not None else []), *(options or []))
    if argument is not None and options:
        raise UsageError(
            "side_given_twice",
            f"{name} is given as an argument, {printable(str(argument))}, and by --{name.lower()}",
            hint=f"an option takes one path: write --{name.lower()} before each capture, and no path without an option",
        )
    if not given and not may_lack:
        raise UsageError(
            "side_missing",
            f"no {name} capture is given",
            hint=f"give it as an argument (BEFORE AFTER) or by --{name.lower()} PATH; where BEFORE was never captured, "
            "see 'A log as the baseline' in docs/target.md",
        )
    return given


@target_app.command("new", short_help="An annotated target file to fill in.")
def target_new(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write; must not exist. Default: stdout.", show_default=False)
    ] = None,
    language: Language = "",
) -> None:
    """An annotated target file to fill in; the decision rule is explained and left blank."""
    spoken = _language(language)
    from reportgen import contract

    text = contract.new_target(spoken)
    if out is None:
        _print(text)
        return
    try:
        with open(out, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise UsageError(
            "output_unwritable",
            f"cannot be written: {why_unwritable(fault)}",
            where=printable(str(out)),
            hint="choose a file that does not exist",
        ) from fault


@target_app.command("check", short_help="All faults of a target file at once.")
def target_check(
    path: Annotated[Path, typer.Argument(help="Target file.", show_default=False)], language: Language = ""
) -> None:
    """All faults of a target file at once; exit 2 when there is one."""
    spoken = _language(language)
    from reportgen import contract
    from reportgen.report import messages, translations

    agreed = contract.read_target(path)
    cases, goals = str(len(agreed.cases)), str(sum(len(case.goals) for case in agreed.cases))
    found = {"path": str(path), "cases": cases, "goals": goals, "rule": agreed.decision_rule}
    _print(translations.message(messages.NO_FAULT, spoken, **found))


@app.command(short_help="One number of a report: rows, arithmetic, rule and documents.")
def explain(
    path: Annotated[
        Path, typer.Argument(help="report.json, or the directory that `report` wrote.", show_default=False)
    ],
    identity: Annotated[
        str,
        typer.Argument(
            metavar="[ID]",
            help="M3, step_time@rank0:after, goal:ID, rule:ID, O12 ...; without it all are listed.",
            show_default=False,
        ),
    ] = "",
    as_json: AsJson = False,
    language: Language = "",
) -> None:
    """One number of a report: its rows, its arithmetic, the rule that decided on it, and the documents."""
    spoken = _language(language)
    from reportgen import explain as explaining

    if as_json:
        _print(explaining.explain_json(path, identity) if identity else explaining.list_json(path))
    else:
        shown = explaining.explain_text(path, identity, spoken) if identity else explaining.list_text(path, spoken)
        _print(shown)


@app.command(short_help="Thresholds, formulas and gates with their sources.")
def sources(
    identity: Annotated[
        str,
        typer.Argument(
            metavar="[ID]", help="One entry: everything known of it; without it entries are listed.", show_default=False
        ),
    ] = "",
    metric: Annotated[
        str, typer.Option("--metric", help="Only on this metric: its id, or words of the quantity.", show_default=False)
    ] = "",
    scenario: Annotated[
        str,
        typer.Option("--scenario", help="Only with these words in product, framework or scenario.", show_default=False),
    ] = "",
    document: Annotated[
        str, typer.Option("--document", help="Only with these words in title, version or address.", show_default=False)
    ] = "",
    use: Annotated[
        str, typer.Option("--use", help="Only of this use: verdict, reference, gate ...", show_default=False)
    ] = "",
    prove: Annotated[
        bool, typer.Option("--check", help="Prove the catalogue: a table of checks; exit 0 or 2.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON; numbers as the source prints them.")] = False,
    language: Language = "",
) -> None:
    """Thresholds, formulas and gates with their sources, what no source specifies, and where sources contradict."""
    spoken = _language(language)
    filters = {"metric": metric, "scenario": scenario, "document": document, "use": use}
    if sum((bool(identity), any(filters.values()), prove)) > 1:
        raise UsageError(
            "sources_options",
            "an ID, filters and --check exclude each other",
            hint="reportgen sources ID, or reportgen sources --metric M, or reportgen sources --check",
        )
    from reportgen import sources as catalogue

    if prove:
        shown, holds = catalogue.proof(language=spoken, as_json=as_json)
        _print(shown)
        raise typer.Exit(0 if holds else BAD_INPUT)
    if identity:
        _print(catalogue.explanation(identity, language=spoken, as_json=as_json))
    else:
        _print(catalogue.listing(**filters, language=spoken, as_json=as_json))


@app.command(short_help="Can this machine make the PDF? Exit 0 yes, 6 no.")
def doctor(language: Language = "") -> None:
    """Can this machine make the PDF? Exit 0 yes, 6 no, with what to install."""
    spoken = _language(language)
    from reportgen.report import doctor as examine

    lines, able = examine.examine(spoken)
    _print("\n".join(lines))
    raise typer.Exit(0 if able else NO_PDF)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Print the version when asked; the help when nothing is asked."""
    if version:
        import reportgen

        _print(reportgen.__version__)
        raise typer.Exit(0)
    _help_alone(context)


@target_app.callback(invoke_without_command=True)
def target_root(context: typer.Context) -> None:
    """Write or check a target file (what was agreed)."""
    _help_alone(context)


def _help_alone(context: typer.Context) -> None:
    """Print the help where no command was given; that is no fault to be told, but nothing was done."""
    if context.invoked_subcommand is None:
        _print(context.get_help())
        raise typer.Exit(BAD_INPUT)


def _help_of(fault: typer.TyperException) -> str:
    """The help of the command that was called wrongly."""
    context = getattr(fault, "ctx", None)
    names: list[str] = []
    while context is not None and context.parent is not None:
        names.insert(0, context.info_name or "")
        context = context.parent
    return " ".join(("reportgen", *filter(None, names), "--help"))


def _leave_quietly() -> None:
    """Keep the interpreter from complaining once more about a stdout that is gone."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - lives until the process ends


def main() -> NoReturn:
    """Run the command line; a fault of the input is one message and exit 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    asked: list[str] = []
    try:
        code = app(standalone_mode=False, obj=asked)
    except ReportgenError as fault:
        _tell(f"reportgen: {fault}", fault.code, "".join(asked))
        sys.exit(BAD_INPUT)
    except typer.Abort:
        sys.exit(130)
    except typer.TyperException as fault:
        said = f"reportgen: {printable(fault.format_message().rstrip('.'))} [bad_usage]\n  next: {_help_of(fault)}"
        _tell(said, "bad_usage", "".join(asked))
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        _leave_quietly()
        sys.exit(141)
    except OSError as fault:
        _leave_quietly()
        writing = fault.filename is None and fault.errno in WRITING
        code = "output_unwritable" if writing else "file_unreadable"
        why = f"cannot be written: {why_unwritable(fault)}" if writing else f"cannot be read: {why_unreadable(fault)}"
        where = f"{printable(str(fault.filename))}: " if fault.filename is not None else ""
        _tell(f"reportgen: {where}{why} [{code}]", code, "".join(asked))
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
