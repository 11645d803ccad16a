"""The documentation against the code: commands run, links and citations lead somewhere, error codes are explained."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.pofile import read_po
from command import reportgen

from reportgen import cli, vocabulary
from reportgen.applicability import NEEDS
from reportgen.catalogue import choices, read_catalogue
from reportgen.reading import csv_tables, kernels, layouts, ribs, statistic_tables
from reportgen.report import error_texts

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md"), ROOT / "examples/README.md", *ROOT.glob("templates/*/*.md")])
SOURCES = sorted((ROOT / "reportgen").rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# ------------------------------------------------------------------------------------------------ commands
COMMAND = re.compile(r"^(?:\.venv/bin/)?reportgen (?P<rest>.+?) +# exit (?P<codes>\d(?: or \d)*)$")


def shell_lines(page: Path) -> list[str]:
    """The lines of every fenced ``sh`` block."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


NAMED_COMMAND = re.compile(r"`reportgen ([a-z]+)")
"""A command where prose names it."""


def commands() -> set[str]:
    """The commands that there are."""
    named = {command.name or command.callback.__name__ for command in cli.app.registered_commands if command.callback}
    return named | {group.name for group in cli.app.registered_groups if group.name}


def test_no_text_promises_a_command_that_there_is_not() -> None:
    """The evidence names commands without marks; pages and messages put them in back-ticks."""
    texts = {
        path: re.findall(r"\breportgen ([a-z]+)", path.read_text("utf-8"))
        for path in (ROOT / "evidence").rglob("*.toml")
    }
    texts |= {path: NAMED_COMMAND.findall(path.read_text("utf-8")) for path in (*PAGES, *SOURCES)}
    assert sum(map(len, texts.values())) > 10
    assert {named(path): set(found) - commands() for path, found in texts.items() if set(found) - commands()} == {}


@pytest.mark.slow
def test_every_command_of_the_readmes_runs_with_the_exit_code_it_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out/demo").mkdir(parents=True)  # as after ./run demo
    (tmp_path / "out/demo/report.json").write_text("{}", encoding="utf-8")
    ran = []
    for line in (*shell_lines(ROOT / "README.md"), *shell_lines(ROOT / "examples/README.md")):
        if line.startswith("./run "):
            assert line.split()[1] in ("demo", "test"), line
            continue
        match = COMMAND.match(line)
        assert match is not None, f"states no exit code: {line}"
        arguments = shlex.split(match["rest"])
        result = reportgen(*arguments)
        assert str(result.code) in match["codes"].split(" or "), f"{line}\n{result.out[-500:]}{result.err}"
        ran.append(arguments[0])
    assert {"inspect", "check", "compare", "target", "report"} <= set(ran)
    assert (tmp_path / "out/mine/report.html").is_file()
    assert (tmp_path / "out/mine/report.json").is_file()
    assert (tmp_path / "out/example/report.html").is_file()


def test_no_page_calls_a_bare_command_that_is_not_on_the_path() -> None:
    """``./run`` makes ``.venv/bin/reportgen``; lines set apart as code are to work as they stand."""
    assert [line for line in shell_lines(ROOT / "examples/README.md") if not line.startswith(".venv/bin/")] == []
    assert not re.search(r"^    reportgen ", (ROOT / "examples/README.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_readme_names_every_exit_code() -> None:
    rows = re.findall(r"^\| (\d) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == ["0", "1", "2", "3", "4", "6"]
    assert (cli.BAD_INPUT, cli.NO_PDF) == (2, 6)


# ------------------------------------------------------------------------------------------------ links
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", re.MULTILINE)


def plain(page: Path) -> str:
    """The text without its code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for target in LINK.findall(re.sub(r"`[^`]*`", "`", plain(page))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), f"{target} leads nowhere"
        if fragment:
            assert fragment in {anchor(text) for text in HEADING.findall(plain(file))}, f"{target} has no such heading"


# ------------------------------------------------------------------------------------------------ citations
NUMBER = r"\d{1,2}(?:\.\d{1,2})?"
PART = rf"{NUMBER}(?: ?- ?{NUMBER})?(?: \(\d+(?:, \d+)*\))?"
NUMBERED = re.compile(
    rf"(?:(?:docs/)?(?P<page>formats|statistics)\.md\)?|(?:\"|\b)(?P<short>formats)|(?P<long>format reference)) "
    rf"(?P<what>{PART}(?:(?:, | and ){PART})*)(?!\w|\.\d)"
)
TITLED = re.compile(
    r"(?:docs/)?(?P<page>definitions|statistics|applicability)\.md\)?"
    r"(?:,? \"(?P<title>[^\"]+)\"| \((?P<word>[a-z ]+)\))"
)


class Page:
    """The headings of a page of docs/, with the numbered items below them."""

    def __init__(self, name: str) -> None:
        self.titles: set[str] = set()
        self.numbers: set[str] = set()
        section = ""
        for line in plain(DOCS / f"{name}.md").splitlines():
            if heading := re.match(r"#{2,6} +(.*)", line):
                numbered = re.match(rf"({NUMBER})\.? +(.*)", heading[1])
                section = numbered[1] if numbered else ""
                self.titles.add((numbered[2] if numbered else heading[1]).strip().lower())
                self.numbers.add(section)
            elif section and (item := re.match(r"(\d+)\. ", line)):
                self.numbers |= {f"{section} ({item[1]})", *([f"{section}.{item[1]}"] if "." not in section else [])}

    def lacks(self, what: str) -> list[str]:
        """The numbers of a citation such as ``3.4-3.5, 11.1 (2, 8)`` that are not there."""
        wanted: list[str] = []
        for part in re.findall(PART, what):
            numbers = re.findall(rf"(?<![\d.(]){NUMBER}(?=[ ,\-]|$)", part.partition(" (")[0])
            wanted += numbers
            if "(" in part:
                wanted += [f"{numbers[-1]} ({item})" for item in re.findall(r"\d+", part.partition("(")[2])]
        assert wanted, what
        return [number for number in wanted if number not in self.numbers]


def citing() -> list[Path]:
    return [*SOURCES, *sorted((ROOT / "evidence").glob("*.toml")), *PAGES]


def joined(path: Path) -> str:
    """The text with line breaks and comment signs as single spaces, so that a citation over two lines is found."""
    return re.sub(r"\s*\n(?:#)?\s*", " ", path.read_text(encoding="utf-8"))


def test_every_section_that_is_cited_by_number_exists() -> None:
    pages = {name: Page(name) for name in ("formats", "statistics")}
    seen = 0
    for path in citing():
        for match in NUMBERED.finditer(joined(path)):
            seen += 1
            lacking = pages[match["page"] or "formats"].lacks(match["what"])
            assert not lacking, f"{named(path)} cites {match[0]!r}: no {', '.join(lacking)}"
    assert seen > 100


def test_every_section_that_is_cited_by_title_exists() -> None:
    pages = {name: Page(name) for name in ("definitions", "statistics", "applicability")}
    seen = set()
    for path in citing():
        for match in TITLED.finditer(joined(path)):
            title = (match["title"] or match["word"]).lower()
            assert title in pages[match["page"]].titles, f"{named(path)} cites {match[0]!r}"
            seen.add(title)
    assert {"capture", "step", "workload", "decision rule", "verdict algebra"} <= seen


def test_every_basis_of_a_graded_setting_is_a_section_or_its_name() -> None:
    page = Page("formats")
    rows = tomllib.loads((ROOT / "evidence/settings.toml").read_text(encoding="utf-8"))["setting"]
    for row in rows:
        if row["basis"] != "name and values":
            assert page.lacks(row["basis"].removeprefix("formats ")) == [], row["id"]


# ------------------------------------------------------------------------------------------------ error codes
ERRORS = ("CaptureError", "ContractError", "CatalogueError", "RenderError", "UsageError", "ReportgenError")
READ = ("columns", "empty", "header_only", "ragged", "unreadable")
"""What ``csv_tables.read`` raises for any table."""
TABLES = (
    "kernel_table",
    "task_table",
    "memory_table",
    "device_memory_table",
    "step_trace_table",
    "op_statistic_table",
    "modules_table",
    "operator_memory_table",
    "apis_table",
    "communication_statistic_table",
    "iterations_table",
)
WITH_DURATIONS = ("kernel_table", "op_statistic_table", "apis_table", "communication_statistic_table")
"""Tables with a column that is read by ``csv_tables.durations``."""


def raised() -> Iterator[tuple[Path, ast.expr]]:
    """The first argument of every call that makes an error, and the codes of the layout table."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in ERRORS and node.args:
                yield path, node.args[0]
            elif name == "Recognised":
                yield from ((path, word.value) for word in node.keywords if word.arg == "code")


def database_faults() -> set[str]:
    """The kinds of fault that ``Database.fault`` is called with."""
    return {
        str(node.args[0].value)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "fault"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


@cache
def codes() -> frozenset[str]:
    found = {"bad_usage"}
    families = set()
    for path, code in raised():
        if isinstance(code, ast.Constant):
            found.add(str(code.value))
        elif isinstance(code, ast.JoinedStr) and ast.unparse(code) == "f'db_table_{code}'":
            found |= {f"db_table_{kind}" for kind in database_faults()}
        elif isinstance(code, ast.JoinedStr):
            assert isinstance(code.values[0], ast.FormattedValue), named(path)
            assert ast.unparse(code.values[0].value) == "table", named(path)
            assert isinstance(code.values[1], ast.Constant), named(path)
            families.add(str(code.values[1].value).lstrip("_"))
        else:
            assert ast.unparse(code) == "row.code", f"{named(path)}: a code that no test can read"
    assert families == {*READ, "value", "negative"}
    found |= {f"{table}_{family}" for table in TABLES for family in (*READ, "value")}
    found |= {f"{table}_negative" for table in WITH_DURATIONS}
    return frozenset(found | {"pmu_value"})


def test_the_table_names_of_error_codes_are_those_of_the_readers() -> None:
    names, kinds = set(), set()
    for path in (ROOT / "reportgen/reading").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        names |= set(re.findall(r"\btable ?= ?\"(\w+)\"", text))
        kinds |= set(re.findall(r"_memory\(.*kind=\"(\w+)\"", text))
    written = {name for name in names if name.endswith("_table") or name == "pmu"}
    assert {*written, *(f"{kind}_table" for kind in kinds)} - {"memory_record"} == {*TABLES, "pmu"}


def test_every_error_code_has_a_paragraph_and_no_paragraph_is_stale() -> None:
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.+)\n(.*)", text, re.MULTILINE)
    explained = [code for heading, _ in headings for code in heading.split(", ")]
    assert len(explained) == len(set(explained)), "a code stands twice"
    assert all(first.strip() for _, first in headings), "a heading without a paragraph"
    assert codes() - set(explained) == set(), "not explained"
    assert set(explained) - codes() == set(), "stale"


def paragraphs() -> dict[str, str]:
    """The English paragraph of every code."""
    found = re.findall(r"^### (.+)\n((?:(?!#).*\n?)*)", (DOCS / "errors.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {code: paragraph for heading, paragraph in found for code in heading.split(", ")}


def explanations() -> dict[str, str]:
    """The Chinese text of every entry of error codes."""
    with (ROOT / "templates/locale/zh.po").open("rb") as file:
        return {str(entry.id): str(entry.string) for entry in read_po(file, locale="zh") if entry.context == "error"}


def test_every_error_code_is_explained_in_chinese_and_no_explanation_is_left_over() -> None:
    entries = {code: error_texts.explained_as(code, "zh") for code in codes()}
    assert [code for code, entry in entries.items() if not entry] == [], "without a Chinese text"
    assert {*explanations()} - {*entries.values()} == set(), "of no code"
    kinds = {
        entry: {code.partition("_table_")[2] for code in entries if entries[code] == entry}
        for entry in entries.values()
    }
    assert {entry: kind for entry, kind in kinds.items() if entry[0] == "*" and kind != {entry[8:]}} == {}
    assert {error_texts.explained_as(code, "en") for code in codes()} == {""}
    assert error_texts.explained_as("task_table_ragged", "zh") == "*_table_ragged"
    assert error_texts.explained_as("no_such_code", "zh") == ""


def test_a_chinese_explanation_is_chinese_and_names_nothing_that_the_english_one_does_not() -> None:
    """Options, files, keys and numbers: what is not Chinese stands in the English paragraph too."""
    english, chinese = paragraphs(), explanations()
    for code, paragraph in english.items():
        text = chinese[error_texts.explained_as(code, "zh")]
        assert re.fullmatch(r"[^\n]*[\u4e00-\u9fff][^\n]*。", text), code
        assert not re.search(r"[,;:!?] |合格|通过|优化|提升|劣化|显著|…|—", text), code
        assert text.count("`") % 2 == 0, code
        named = re.findall(r"[A-Za-z0-9_*./\[\]-]+(?:,\d+)*", text.replace("docs/", ""))
        assert [word for word in named if word.lower() not in paragraph.lower()] == [], code


def test_a_code_is_printed_as_the_page_says(tmp_path: Path) -> None:
    result = reportgen("inspect", tmp_path / "nothing")
    assert result.code == 2
    assert re.fullmatch(r"reportgen: .+: .+ \[path_missing\]\n  next: .+\n", result.err)
    assert "[bad_usage]" in reportgen("inspect", "--nonsense").err


# ------------------------------------------------------------------------------------------------ what is read
def columns() -> list[csv_tables.Column]:
    found = [*kernels.COLUMNS, *kernels.pmu_columns(), *kernels.TASK_COLUMNS, *ribs.STATISTIC_COLUMNS]
    found += [*ribs.MEMORY_COLUMNS, *ribs.DEVICE_MEMORY_COLUMNS, *ribs.MODULE_COLUMNS, *ribs.OPERATOR_MEMORY_COLUMNS]
    found += [*kernels.NUMBERS, *ribs.ITERATION_COLUMNS]
    return [*found, *statistic_tables.API_COLUMNS, *statistic_tables.COMMUNICATION_COLUMNS]


def section(page: str, number: str) -> str:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    start = re.search(rf"^#+ {re.escape(number)}\.? ", text, re.MULTILINE)
    assert start is not None
    depth = len(start[0].split()[0])
    end = re.search(rf"^#{{2,{depth}}} ", text[start.end() :], re.MULTILINE)
    return text[start.start() : start.end() + end.start() if end else None]


def test_the_format_page_names_every_layout_and_every_header_that_is_read() -> None:
    directories, tables = section("formats", "12.1"), section("formats", "12.3")
    for row in layouts.TABLE:
        assert row.layout is not None or f"`{row.code}`" in directories, row.code
    headers = {header for column in columns() for header in column.headers}
    headers |= {header for names in ribs.STEP_PARTS.values() for header in names}
    assert {header for header in headers if f"`{header}`" not in tables} == set()


# ------------------------------------------------------------------------------------------------ numbers and rules
CHOSEN = [
    ("definitions", "Workload", "workload_type_share_limit", "more than {percent} of the time"),
    ("definitions", "Workload", "workload_matched_share_limit", "under {percent} on a side"),
    ("statistics", "3", "warm_up_factor", "median(tail) + {plain} × 1.4826 × MAD(tail)"),
    ("statistics", "3", "warm_up_floor", "at least {percent} of median(tail)"),
    ("statistics", "2.3", "largest_rho", "clipped to 0 … {plain}"),
    ("statistics", "2.3", "high_rho", "Above r_c = {plain}"),
    ("statistics", "2.4", "fewest_independent_values", "worth fewer than {plain} independent ones"),
    ("statistics", "2", "assumed_rho", "lag-1 correlation taken as {plain}"),
    ("statistics", "1", "largest_side", "more than {plain} calls"),
    ("statistics", "5", "operator_test_share", "at least {percent} of kernel time"),
    ("formats", "1.4", "export_run_seconds", "within {plain} s of the newest"),
]


@pytest.mark.parametrize(("page", "place", "choice", "words"), CHOSEN, ids=[row[2] for row in CHOSEN])
def test_the_numbers_we_chose_stand_in_the_docs_as_in_the_evidence(
    page: str, place: str, choice: str, words: str
) -> None:
    value = choices(ROOT / "evidence")[choice]
    text = section(page, place) if place[0].isdigit() else plain(DOCS / f"{page}.md")
    wanted = words.format(percent=f"{float(value * 100):g} %", plain=f"{float(Fraction(value)):g}")
    assert wanted in re.sub(r"\s+", " ", text)


def rows(page: str, place: str) -> list[list[str]]:
    """The cells of every table row of a section."""
    lines = re.findall(r"^\| (.+) \|$", section(page, place), re.MULTILINE)
    return [line.split(" | ") for line in lines]


def ticked(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_applicability_page_names_every_rule_with_what_decides_it() -> None:
    rules = {rule.id: rule for rule in read_catalogue(ROOT / "evidence").thresholds}
    found: dict[str, list[str]] = {}
    for cells in rows("applicability", "3"):
        found |= {identity: cells for identity in ticked(cells[0]) if identity not in found}
    assert {*found} == {*rules}
    assert sum(len(ticked(cells[0])) for cells in rows("applicability", "3")) == len(rules), "a rule stands twice"
    for identity, (_, only, excluded, needs, shows) in found.items():
        rule = rules[identity]
        assert ticked(needs) == list(rule.needs), identity
        if rule.reading == "never":
            assert (only, shows) == ("nothing", f"not enforceable: {rule.because}")
            continue
        assert all(word.lower() in only.lower() for word in (*rule.frameworks, *rule.backends, *rule.phases)), identity
        assert all(word in only for word in (*rule.products, *(f"`{name}`" for name in rule.circumstances))), identity
        wanted = (*rule.excluded_phases, *(f"`{name}`" for name in rule.excluded_circumstances), rule.yields_to)
        assert all(word in excluded for word in wanted), identity
        limits = (rule.frameworks, rule.phases, rule.products, rule.circumstances, rule.rated_clock, rule.follows)
        assert (only == "any") == (not any(limits)), identity
        assert (f"`{rule.metric}`" in shows) == bool(rule.metric), identity
        assert shows.startswith({"bands": "band of", "text": "no number"}.get(rule.reading, "")), identity
        assert ("exactly at its limit" in shows) == bool(rule.undecided_at), identity


def test_the_applicability_page_has_every_fact_and_every_need() -> None:
    facts = [cells for cells in rows("applicability", "2") if re.fullmatch(r"F\d+", cells[0])]
    assert [cells[0] for cells in facts] == [f"F{number}" for number in range(1, 20)]
    needs = [cells[0].strip("`") for cells in rows("applicability", "2") if len(cells) == 4 and cells[0][0] == "`"]
    assert needs == sorted(NEEDS)
    assert {*NEEDS} == {*get_args(vocabulary.Need)} <= {*ticked(section("applicability", "2"))}
    named = {word for cells in facts for word in ticked(cells[3])}
    named |= {"db_capture", "gc_watched", "host_api", "link_matrix", "op_tool"}
    assert {*NEEDS} <= named
    # the fact that the function of a need names is the one of the table
    for word, function in NEEDS.items():
        for fact in re.findall(r"F\d+", (function.__doc__ or "").partition(":")[0]):
            (cells,) = [cells for cells in facts if cells[0] == fact]
            assert f"`{word}`" in cells[3], word


# ------------------------------------------------------------------------------------------------ decisions
def test_decisions_are_numbered_without_gaps_and_say_context_decision_and_consequence() -> None:
    records = sorted((DOCS / "decisions").glob("*.md"))
    assert [record.name[:4] for record in records] == [f"{n:04d}" for n in range(1, len(records) + 1)]
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert text.startswith(f"# {record.name[:4]} "), named(record)
        parts = re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequence"], named(record)
