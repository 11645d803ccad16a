"""The report as HTML: one file that fetches nothing and runs nothing, and the paper edition the PDF is set from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reportgen.model import Side
from reportgen.report import (
    compact,
    figures,
    fonts,
    formal,
    page_one,
    places,
    section_accuracy,
    section_bottleneck,
    section_captures,
    section_change,
    section_collectives,
    section_conformity,
    section_evidence,
    section_gates,
    section_measured,
    section_memory,
    section_operators,
    section_redaction,
    section_rules,
    section_runs,
    section_target,
    section_units,
    wording,
)
from reportgen.report.document import Report
from reportgen.report.translations import NBSP, bind, mark, translator
from reportgen.report.view import Context, Edition
from reportgen.resources import templates_dir

TITLES: dict[str, str] = {
    "verdict": mark("Verdict"),
    "target": mark("Target"),
    "conformity": mark("Conformity by contract clause"),
    "runs": mark("Measured outside the profile"),
    "accuracy": mark("Accuracy"),
    "captures": mark("Captures and comparability"),
    "gates": mark("Gates before any comparison"),
    "measurements": mark("Measurements"),
    "elsewhere": mark("Worse elsewhere"),
    "breakdown": mark("Where the step time went"),
    "bottleneck": mark("Main bottleneck"),
    "operators": mark("Operators"),
    "units": mark("Busy units"),
    "collectives": mark("Collectives"),
    "memory": mark("Memory by component"),
    "clock": mark("Clock"),
    "host": mark("Host API"),
    "thresholds": mark("Official thresholds"),
    "gaps": mark("Not given, not recorded, not measured, not shown"),
    "note": mark("What was changed"),
    "method": mark("Method, formulas and origins"),
    "manifest": mark("Evidence manifest"),
    "glossary": mark("Glossary"),
    "signoff": mark("Sign-off"),
}
"""Section id -> title, in the order of the report; numbers are given to those that are there."""
BANNERS = 2
"""Differences let through that page one names."""
TAGS = {"zh": "zh-CN"}
"""Language -> tag, where they differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section in the contents."""

    id: str
    """Id."""
    number: int
    """Number."""
    title: str
    """Title."""


CSP = "img-src data:"
"""What a page may load: pictures it holds itself; with embedded fonts these too."""


def render(
    report: Report,
    *,
    language: str,
    digest: str,
    embed_fonts: bool = False,
    form: formal.FormName = "brief",
    commands: Sequence[str] = (),
) -> str:
    """The report as one HTML file.

    Args:
        report: the data.
        language: ``zh`` or ``en``.
        digest: SHA-256 of report.json, printed at the foot.
        embed_fonts: carry the fonts, cut to the characters used, for readers without a CJK font.
        form: ``brief``, or ``formal`` for the pages of an acceptance file.
        commands: command lines that made the report; the formal form prints them.
    """
    page = document(report, language=language, digest=digest, edition="screen", form=form, commands=commands)
    if not embed_fonts:
        return page
    rules = fonts.embedded(page)
    return page.replace(CSP, f"{CSP}; font-src data:", 1).replace("<style>", f"<style>{rules}", 1)


def document(
    report: Report,
    *,
    language: str,
    digest: str,
    edition: Edition,
    created: datetime | None = None,
    unprintable: Sequence[str] = (),
    tight: int = 0,
    form: formal.FormName = "brief",
    commands: Sequence[str] = (),
    only_page_one: bool = False,
) -> str:
    """Either edition of the report.

    Args:
        report: the data.
        language: ``zh`` or ``en``.
        digest: SHA-256 of report.json.
        edition: ``screen``, or ``paper`` with cut tables and the vendored fonts.
        created: date of the document; None writes none.
        unprintable: characters that the paper edition lists as spelled out.
        tight: how often page one came out too high.
        form: ``brief`` or ``formal``; a report without a target has no formal form and is brief.
        commands: command lines that made the report.
        only_page_one: nothing before page one, and of what follows an empty block with the id and the break that it
            begins with.
    """
    ids = _section_ids(report)
    formally = form == "formal" and report.form is not None
    if formally:
        ids = formal.ordered(ids)
    context = Context(
        report=report,
        language=language,
        edition=edition,
        sections={identity: number for number, identity in enumerate(ids, 1)},
        origins={row.id: row.origin for row in report.origins},
        anchors={row.digest: f"f{number}" for number, row in reversed(list(enumerate(report.manifest, 1)))},
    )
    one, moved = page_one.page_one(context, tight=tight)
    values = {**_frame(context, digest, created), "only_page_one": only_page_one}
    values |= {"one": one, "banners": _banners(context)}
    if not only_page_one:
        values |= _views(context, unprintable, moved)
    if formally:
        page = formal.render(_environment(language), context, values, commands)
    else:
        page = _environment(language).get_template("report.html.j2").render(values)
    return fonts.visible(compact.printed(page) if context.paper else compact.compact(page))


def _section_ids(report: Report) -> tuple[str, ...]:
    """The sections that this report has."""
    without = set()
    if report.contract is None:
        without |= {"target", "signoff"}
    if report.conformity is None or not report.conformity.goals:
        without.add("conformity")
    if not report.thresholds:
        without.add("thresholds")
    if report.bottleneck is None:
        without.add("bottleneck")
    if not any(capture.side is Side.BEFORE for capture in report.captures):
        without.add("elsewhere")
    if not report.runs:
        without.add("runs")
    if not (report.accuracy or report.precision):
        without.add("accuracy")
    if not report.gates:
        without.add("gates")
    if not report.note.strip():
        without.add("note")
    return tuple(identity for identity in TITLES if identity not in without)


def _frame(context: Context, digest: str, created: datetime | None) -> dict[str, Any]:
    """What stands around the sections."""
    report, contract = context.report, context.report.contract
    title = context.text("Performance tuning acceptance report") if contract else context.text("Performance comparison")
    if report.verdict is None:
        titles = {**TITLES, "verdict": mark("Side by side")}
    elif context.alone:
        titles = {**TITLES, "captures": mark("Captures")}
    else:
        titles = TITLES
    if "overview" in context.sections:
        titles = {**titles, **formal.TITLES}
    shown = [
        Section(id=identity, number=number, title=context.text(titles[identity]))
        for identity, number in context.sections.items()
    ]
    number = contract.report_number if contract else ""
    return {
        "html_lang": TAGS.get(context.language, context.language),
        "title": title,
        "document_title": " ".join(filter(None, (title, number))),
        "description": wording.verdict_sentence(report, context.language),
        "author": contract.contractor if contract else "",
        "running": number,
        "tool": f"{report.tool} {report.tool_version}",
        "digest": digest,
        "created": created.strftime("%Y-%m-%dT%H:%M:%SZ") if created else "",
        "css": _styles(paper=context.paper),
        "sections": shown,
        "numbers": context.sections,
        "titles": {section.id: section.title for section in shown},
        "page_end": " 页" if context.language == "zh" else "",
        "gap": "" if context.language == "zh" else " ",
        "paper": context.paper,
        "signers": _signers(context),
    }


def _signers(context: Context) -> tuple[tuple[str, str], ...]:
    """The parties that sign; a witness where the contract names one or not."""
    contract = context.report.contract
    if contract is None:
        return ()
    return (
        (context.text("customer"), contract.customer),
        (context.text("contractor"), contract.contractor),
        (context.text("witness"), contract.witness),
    )


def _views(context: Context, unprintable: Sequence[str], moved: figures.Figure) -> dict[str, Any]:
    """What each section behind page one prints, with the figure that page one had no room for."""
    report = context.report
    shown = {row.metric for row in report.metrics}
    collectives, memory = section_collectives.collectives(context), section_memory.memory(context)
    host, busy, clock = section_units.host(context), section_units.busy(context), section_units.clock(context)
    measured = section_measured.measurements(context, page_one.SIGNS)
    steps, rules = section_measured.steps(context, moved), section_rules.thresholds(context)
    operators = section_operators.operators(context)
    bottleneck, gates = section_bottleneck.bottleneck(context), section_gates.gates(context)
    attribution, matches = section_change.attribution(context), section_change.matches(context)
    elsewhere = section_change.elsewhere(context)
    named = [quotient.line.id for quotient in (*busy.lines, *collectives.ratios, *clock.lines)]
    named += [row.id for part in steps.parts for row in part.rows]
    named += [identity for rule in rules.applied for identity in rule.rests] if rules is not None else []
    named += [identity for result in measured.results for identity in result.rests]
    named += section_bottleneck.named(bottleneck)
    named += section_gates.named(gates)
    changed = (*(one.rests for one in attribution.lines), *(one.rests for one in matches.lines))
    named += [identity for rests in (*changed, *(one.rests for one in elsewhere.lines)) for identity in rests]
    runs = (((line.id,), line.texts.name, line.where) for line in elsewhere.lines if line.where)
    accuracy = section_accuracy.accuracy(context)
    assured = (*section_accuracy.shown(context, accuracy), *section_gates.shown(context, gates))
    listed = (*_lines_of_many(collectives, memory, host), *_types(context, operators), *runs, *assured)
    conformity, logs = section_conformity.conformity(context, page_one.SIGNS), section_runs.runs(context)
    told = section_runs.figures(context)
    named += [row for line in conformity.lines if line.linked for row in line.rests] if conformity is not None else []
    cited = [(result.title, result.origins) for result in measured.results]
    cited += [one for run in logs for one in run.cited]
    cited += [(sign.text, sign.origins) for sign in accuracy.signs]
    listed = (*listed, *(((line.id,), line.texts.name, line.where) for line in told.lines))
    method = section_evidence.method(context, listed, named, cited)
    return {
        "alone": context.alone,
        "target": section_target.target(context),
        "conformity": conformity,
        "runs": logs,
        "run_figures": told,
        "accuracy": accuracy,
        "gates": gates,
        "attachments": section_gates.attachments(context),
        "captures": section_captures.captures(context),
        "measured": measured,
        "breakdown": steps,
        "attribution": attribution,
        "matches": matches,
        "elsewhere": elsewhere,
        "bottleneck": bottleneck,
        "operators": operators,
        "units": busy,
        "collectives": collectives,
        "memory": memory,
        "clock": clock,
        "host": host,
        "thresholds": rules,
        "gaps": section_rules.gaps(context),
        "note": section_evidence.note(context),
        "method": method,
        "redaction": section_redaction.redaction(context),
        "manifest": section_evidence.manifest(context, unprintable, method.cited),
        "glossary": [
            term._replace(formula=places.formula_text(term.formula, context.language))
            for term in wording.glossary(context.language)
            if not term.formula or term.id in shown
        ],
    }


def _lines_of_many(
    collectives: section_collectives.CollectiveSection,
    memory: section_memory.MemorySection,
    host: section_units.HostSection,
) -> Iterator[section_evidence.Shown]:
    """The lines of several figures, with the metric rows they hold."""
    for table in (*collectives.kinds, *collectives.links):
        for row in table.rows:
            if not row.strong:
                name = f"{row.name}, {table.rank}" if table.rank else row.name
                yield tuple(filter(None, row.ids)), name, row.where
    for line in (*collectives.groups, *memory.modules):
        yield (line.id,), line.name, line.where
    for level in host.lines:
        yield tuple(filter(None, level.ids)), level.name, level.where


def _types(context: Context, section: section_operators.OperatorSection) -> Iterator[section_evidence.Shown]:
    """The operator types of each table: one place and one rule for all of them."""
    for group in section.groups:
        name = context.text("operator types")
        if group.rank:
            name = context.text("%(name)s, %(rank)s", name=name, rank=group.rank)
        yield tuple(line.id for line in group.lines), name, group.where


def _banners(context: Context) -> list[str]:
    """Differences that the command line let through: in a frame on page one, cut to three."""
    rows = [row for row in context.report.comparability.rows if row.reason.code == "allowed_by_option"]
    lines = [fonts.cut(wording.say(row.reason, context.language), 480 * 2, 8.4) for row in rows[:BANNERS]]
    if len(rows) > BANNERS:
        lines.append(context.text("%(rest)s more were allowed on the command line.", rest=len(rows) - BANNERS))
    return lines


# ------------------------------------------------------------------------------------------- templates
@cache
def _environment(language: str) -> Environment:
    """The templates in a language: everything is escaped, and a name that is not there is an error."""

    def finalize(value: Any) -> Any:
        if isinstance(value, Markup):
            return Markup(_unparted(bind(str(value), language)))  # noqa: S704
        return _unparted(value) if isinstance(value, str) else value

    environment = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        finalize=finalize,
    )
    environment.filters["labels"] = _labels
    texts = translator(language)
    environment.install_gettext_callables(texts.gettext, texts.ngettext, newstyle=True)  # type: ignore[attr-defined]
    return environment


_RANK = re.compile(r"\b([Rr]ank|[Dd]evice) (?=\d)")


def _unparted(text: str) -> str:
    """The text with ``rank 0`` kept on one line."""
    return _RANK.sub(rf"\1{NBSP}", text)


def _labels(heads: Sequence[str]) -> Markup:
    """The titles of a table's columns from the second on."""
    return compact.labels(dict(enumerate(heads, 2)))


def _styles(*, paper: bool) -> dict[str, Markup]:
    """The style sheets; on paper with the addresses of the two font files, and values in the place of the tokens."""
    read = {
        name: compact.style((templates_dir() / f"{name}.css").read_text(encoding="utf-8"))
        for name in ("tokens", "screen", "print", "formal", "formal_print")
    }
    faces = ""
    if paper:
        tokens = compact.tokens(read["tokens"]) | {"--font": f'"{fonts.FAMILY}"'}
        read = {name: compact.resolved(sheet, tokens) for name, sheet in read.items() if name != "screen"}
        faces = "".join(
            f'@font-face{{font-family:"{fonts.FAMILY}";font-weight:{weight};src:url("{fonts.path(weight).as_uri()}")}}'
            for weight in fonts.FILES
        )
    return {"fonts": Markup(faces), **{name: Markup(text) for name, text in read.items()}}  # noqa: S704 - our own files
