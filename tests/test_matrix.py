"""Cases written as a matrix, values agreed in the place of BEFORE, and one metric over several cases."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from jobs import write_pair

from reportgen.contract import check_target, read_target
from reportgen.model import Evaluation, Judgement, Missing, Outcome, Quantity
from reportgen.pipeline import build_report, evaluate
from reportgen.report import html
from reportgen.report.document import Number, Report

HEAD = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "captured"
clause = "1"
profiled = true
"""
MATRIX = """
[[matrix]]
id = "serving"
clause = "3.3"
axis = [{ name = "length", values = ["256k", "512k", "768k", "1M"] }]
[[matrix.goal]]
id = "tpot"
metric = "latency"
kind = "tpot"
statistic = "mean"
direction = "at_most"
subject = "ratio"
limit = "100%"
"""
PUBLISHED = (("256k", "171", "55.6"), ("512k", "165", "125"), ("768k", "165", "191"), ("1M", "250", "256"))
"""Qwen3-480B in graph mode by length of context, TPOT in ms BEFORE and AFTER (vllm-ascend issue 7723)."""


def cell(at: str, before: str, after: str, more: str = "") -> str:
    """A cell with both values typed by hand."""
    typed = "".join(
        f'[[matrix.cell.external]]\nside = "{side}"\nmetric = "latency"\nkind = "tpot"\nstatistic = "mean"\n'
        f'value = "{value} ms"\nconditions = "none"\nfile = "log.txt"\nlocator = "line 1"\n'
        for side, value in (("before", before), ("after", after))
    )
    return f'[[matrix.cell]]\nat = ["{at}"]\n{more}{typed}'


def written(root: Path, *parts: str) -> Path:
    (root / "log.txt").write_text("figures", encoding="utf-8")
    (root / "target.toml").write_text("".join((HEAD, *parts)), encoding="utf-8")
    return root / "target.toml"


@cache
def pair() -> tuple[Path, Path]:
    """One small pair for all tests; it is only read."""
    return write_pair(Path(tempfile.mkdtemp()) / "pair")


def evaluated(root: Path, *parts: str) -> Evaluation:
    root.mkdir(exist_ok=True)
    return evaluate(*pair(), target=read_target(written(root, *parts)))


def judged(found: Evaluation) -> dict[str, Judgement]:
    assert found.verdict is not None
    return {one.goal.id: one for one in found.verdict.judgements}


def cells(*rows: Sequence[str]) -> str:
    return "".join(cell(*row) for row in rows)


# --------------------------------------------------------------------------------------------- a matrix is cases
def test_every_cell_is_a_case(tmp_path: Path) -> None:
    two = MATRIX.replace(
        '"1M"] }]', '"1M"] }, { name = "concurrency", values = [4, 16] }, { name = "dtype", values = ["int8"] }]'
    )
    target = read_target(written(tmp_path, two))
    ids = [case.id for case in target.cases]
    assert ids == ["captured", *(f"serving[{n},{c},int8]" for n in ("256k", "512k", "768k", "1M") for c in (4, 16))]
    case = target.cases[2]
    assert (case.clause, case.profiled) == ("3.3", False)
    assert (case.workload.load, case.workload.dtype) == ("length 256k, concurrency 16", "int8")
    (goal,) = case.goals
    assert (goal.id, goal.limit.written) == ("tpot[256k,16,int8]", "100%")
    assert goal.origin.locator == "matrix[0].goal[0].limit"


def test_a_cell_has_its_own_limit_clause_and_files(tmp_path: Path) -> None:
    own = cell("768k", "165", "191", 'clause = "3.4"\nlimits = [{ goal = "tpot", limit = "120%" }]\n')
    target = read_target(written(tmp_path, MATRIX, own))
    case = next(case for case in target.cases if case.id == "serving[768k]")
    assert (case.clause, case.goals[0].clause, case.goals[0].limit.written) == ("3.4", "3.4", "120%")
    assert case.goals[0].origin.locator == "matrix[0].cell[0].limits[0].limit"
    assert case.external[1].origin.locator == "matrix[0].cell[0].external[1].value"


def test_goals_of_a_cell_depend_on_those_of_the_same_cell(tmp_path: Path) -> None:
    more = MATRIX.replace('limit = "100%"', 'limit = "100%"\nsubject_to = ["ttft"]') + MATRIX[
        MATRIX.index("[[matrix.goal]]") :
    ].replace("tpot", "ttft")
    target = read_target(written(tmp_path, more))
    assert target.cases[1].goals[0].subject_to == ("ttft[256k]",)


FAULTS = (
    ('values = ["256k", "512k", "768k", "1M"]', 'values = ["256k", "256k"]',
     "matrix[0].axis[0].values[1]: '256k' is given twice"),
    ('values = ["256k", "512k", "768k", "1M"]', "values = []", "matrix[0].axis[0].values: 1 to 64 values; found 0"),
    ('values = ["256k", "512k", "768k", "1M"]', 'values = ["256k", "a]b"]',
     "matrix[0].axis[0].values[1]: must be letters, digits or one of '-_.+/:', at most 32; found 'a]b'"),
    ('axis = [{ name = "length", values = ["256k", "512k", "768k", "1M"] }]', "",
     "matrix[0].axis: a matrix needs an axis: write [[matrix.axis]] with name and values"),
    ('at = ["256k"]', 'at = ["8k"]',
     "matrix[0].cell[0].at: no cell '8k': one value of each axis, in the order of the axes"),
    ('at = ["256k"]', 'at = ["256k"]\nlimits = [{ goal = "ttft", limit = "1 ms" }]',
     'matrix[0].cell[0].limits[0].goal: no goal \'ttft\' in this matrix; known: tpot'),
    ('at = ["256k"]', 'at = ["256k"]\nlimits = [{ goal = "tpot", limit = "1 ms" }]',
     "matrix[0].cell[0].limits[0].limit: a ratio AFTER / BEFORE has no unit"),
    ('limit = "100%"', 'limit = "1 ms"',
     "matrix[0].goal[0].limit: a ratio AFTER / BEFORE has no unit: write such as \"0.85\" or \"85%\"; found '1 ms'"),
    ('file = "log.txt"', 'file = "none.txt"', "matrix[0].cell[0].external[0].file: 'none.txt' "),
    ('clause = "3.3"', "", "matrix[0].clause: must name the contract clause, here or in every goal"),
    ('id = "serving"', 'id = "captured[]"', "matrix[0].id: must be letters"),
    ('at = ["256k"]', 'at = ["256k"]\nprofiled = true',
     "matrix[0].cell[0].profiled: the captures were taken of one case; case[0] says so too"),
    ('name = "length"', 'name = "ranks"', "matrix[0].axis[0].values[0]: ranks are counted"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS, ids=[fault[2][:60] for fault in FAULTS])
def test_a_fault_is_told_where_the_file_has_it(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = MATRIX + cell(*PUBLISHED[0])
    assert old in text
    found = check_target(written(tmp_path, text.replace(old, new, 1)))
    assert any(line.startswith(fault) for line in found), found


def test_a_matrix_of_thousands_of_cells_is_refused_at_once(tmp_path: Path) -> None:
    axis = ", ".join(f'{{ name = "a{n}", values = {list(range(64))} }}' for n in range(4))
    text = MATRIX.replace('{ name = "length", values = ["256k", "512k", "768k", "1M"] }', axis)
    assert check_target(written(tmp_path, text)) == (
        "matrix[0].axis: at most 256 cells in a matrix; these axes make 16777216",
    )


# --------------------------------------------------------------------------------------------- accuracy of cells
QUANTISED = '[[change]]\nwhat = "W8A8 量化"\n'


def accuracy(table: str, name: str, after: str) -> str:
    """A score of 71.2 that may fall by 0.5: at least 70.7."""
    return (
        f'[[{table}.accuracy]]\nname = "{name}"\nkind = "score"\nbefore = "71.2"\nafter = "{after}"\n'
        'tolerance = "0.5"\n'
        + "".join(f'{side}_file = "log.txt"\n{side}_locator = "{side}"\n' for side in ("before", "after"))
    )


OF_ALL = accuracy("matrix", "MMLU", "71.0")
TWO = cells(*PUBLISHED[:2])
WANTING, OPEN = "accuracy_missing", "accuracy_not_shown_met"
ACCURACY = (
    # title, tables, reason codes of the goals of the cells 256k (0.325 of BEFORE) and 512k (0.758)
    ("none agreed", TWO, (WANTING, WANTING)),
    ("one for all cells", OF_ALL + TWO, ("within_limit", "within_limit")),
    ("one for all cells, below 70.7", accuracy("matrix", "MMLU", "70.6") + TWO, (OPEN, OPEN)),
    ("one for the second cell", TWO + accuracy("matrix.cell", "MMLU", "71.0"), (WANTING, "within_limit")),
    ("the second cell has a further one, below 70.7", OF_ALL + TWO + accuracy("matrix.cell", "at 512k", "70.6"),
     ("within_limit", OPEN)),
)  # fmt: skip


@pytest.mark.parametrize(("title", "tables", "codes"), ACCURACY, ids=[row[0] for row in ACCURACY])
def test_accuracy_of_a_quantised_matrix(tmp_path: Path, title: str, tables: str, codes: tuple[str, str]) -> None:
    found = evaluated(tmp_path, QUANTISED, MATRIX, tables)
    goals = judged(found)
    assert tuple(goals[f"tpot[{at}]"].reason.code for at, *_ in PUBLISHED[:2]) == codes, title


def test_a_criterion_of_a_matrix_is_judged_in_every_cell(tmp_path: Path) -> None:
    found = evaluated(tmp_path, MATRIX, OF_ALL, TWO + accuracy("matrix.cell", "at 512k", "71.0"))
    assert found.verdict is not None
    of_cells = [(one.case, one.agreed.name) for one in found.verdict.accuracy]
    assert of_cells == [
        ("serving[256k]", "MMLU"), ("serving[512k]", "MMLU"), ("serving[512k]", "at 512k"), ("serving[768k]", "MMLU"),
        ("serving[1M]", "MMLU"),
    ]  # fmt: skip
    places = {origin.locator for one in found.verdict.accuracy[1:3] for origin in one.origins[1]}
    assert {"matrix[0].accuracy[0].after", "matrix[0].cell[1].accuracy[0].after"} <= places


@pytest.mark.parametrize(
    ("tables", "fault"),
    [
        (OF_ALL.replace('tolerance = "0.5"', "") + TWO, "matrix[0].accuracy[0]: a score needs one tolerance"),
        (OF_ALL + TWO + accuracy("matrix.cell", "b", "71").replace('"0.5"', '"-1"'),
         "matrix[0].cell[1].accuracy[0].tolerance: "),
        (OF_ALL + TWO + accuracy("matrix.cell", "MMLU", "71"),
         "matrix[0].cell[1].accuracy[0].name: 'MMLU' is the name of another criterion of this case"),
    ],
)  # fmt: skip
def test_a_fault_of_a_criterion_is_told_in_its_own_table(tmp_path: Path, tables: str, fault: str) -> None:
    found = check_target(written(tmp_path, MATRIX, tables))
    assert [line[: len(fault)] for line in found] == [fault], found


# --------------------------------------------------------------------------------------------- one metric over cases
def over_cases(found: Evaluation) -> Report:
    return build_report(found)


def test_the_published_matrix_has_two_losers_and_a_geometric_mean(tmp_path: Path) -> None:
    found = evaluated(tmp_path, MATRIX, cells(*PUBLISHED))
    outcomes = [one.outcome for one in judged(found).values()]
    # 55.6/171 = 0.325 and 125/165 = 0.758 are at most 100%; 191/165 = 1.158 and 256/250 = 1.024 are not.
    assert outcomes == [Outcome.MET, Outcome.MET, Outcome.NOT_MET, Outcome.NOT_MET]
    block = over_cases(found).conformity
    assert block is not None
    (row,) = block.ratios
    assert [case.case for case in row.cases] == [f"serving[{at}]" for at, *_ in PUBLISHED]
    ratios = [case.ratio.quantity.value for case in row.cases if isinstance(case.ratio, Number)]
    assert ratios == [Fraction(139, 1710) * 4, Fraction(25, 33), Fraction(191, 165), Fraction(128, 125)]
    assert row.losers == ("serving[768k]", "serving[1M]")
    assert row.worst == "serving[768k]"
    # (55.6 x 125 x 191 x 256) / (171 x 165 x 165 x 250) = 339827200 / 1163868750 = 0.29198..., whose square root is
    # 0.54035 and the square root of that 0.73509; the arithmetic mean of the ratios would be 0.81607.
    assert isinstance(row.mean, Number)
    assert float(row.mean.quantity.value) == pytest.approx((339827200 / 1163868750) ** 0.25, rel=1e-12)
    assert f"{float(row.mean.quantity.value):.5f}" == "0.73509"
    assert row.mean.origins


def test_a_mean_is_not_formed_over_fewer_cases_than_agreed(tmp_path: Path) -> None:
    found = evaluated(tmp_path, MATRIX, cells(*PUBLISHED[:2], PUBLISHED[3]))
    block = over_cases(found).conformity
    assert block is not None
    (row,) = block.ratios
    assert len(row.cases) == 4
    lacking = row.cases[2]
    assert (lacking.case, isinstance(lacking.ratio, Missing)) == ("serving[768k]", True)
    assert isinstance(row.mean, Missing)
    assert dict(row.mean.reason.args) == {"n": "3", "of": "4", "lacking": "serving[768k]"}
    assert row.losers == ("serving[1M]",)
    page = html.render(over_cases(found), language="en", digest="0" * 64)
    assert "only 3 of 4 agreed cases have a ratio; lacking: serving[768k]" in page


def test_two_matrices_are_held_apart(tmp_path: Path) -> None:
    """Four cells of 171 -> 55.6 and the like, and two of another matrix that got slower: 100 -> 200 and 100 -> 50.

    The mean of the second is the square root of 2 x 0.5 = 1; that of the first stays 0.73509.
    """
    other = MATRIX[MATRIX.index("[[matrix]]") :].replace('"serving"', '"chat"').replace('id = "tpot"', 'id = "chat"')
    other = other.replace('"256k", "512k", "768k", "1M"', '"1k", "2k"') + cells(
        ("1k", "100", "200"), ("2k", "100", "50")
    )
    block = over_cases(evaluated(tmp_path, MATRIX, cells(*PUBLISHED), other)).conformity
    assert block is not None
    assert [(row.matrix, len(row.cases), row.losers) for row in block.ratios] == [
        ("serving", 4, ("serving[768k]", "serving[1M]")), ("chat", 2, ("chat[1k]",))]  # fmt: skip
    means = [float(row.mean.quantity.value) for row in block.ratios if isinstance(row.mean, Number)]
    assert means == [pytest.approx((339827200 / 1163868750) ** 0.25, rel=1e-12), 1.0]


ORDER = {Outcome.NOT_MET: 0, Outcome.UNDECIDED: 0, Outcome.MET: 1}


def test_a_dropped_cell_improves_nothing(tmp_path: Path) -> None:
    # Law 2: every cell is agreed by its axis; without its values its goal is undecided, and the word is no better.
    held = judged(evaluated(tmp_path / "whole", MATRIX, cells(*PUBLISHED)))
    for gone in range(len(PUBLISHED)):
        left = evaluated(tmp_path / f"without{gone}", MATRIX, cells(*PUBLISHED[:gone], *PUBLISHED[gone + 1 :]))
        assert left.verdict is not None
        assert left.verdict.word != "met"
        for identity, one in judged(left).items():
            assert ORDER[one.outcome] <= ORDER[held[identity].outcome]


def test_the_table_of_conformity_goes_by_clause(tmp_path: Path) -> None:
    # Clauses in the order in which the target first names them: 3.3 of the first cells, then 3.4, then 3.3 again.
    third = cell("512k", "165", "125", 'clause = "3.4"\n')
    found = evaluated(tmp_path, MATRIX, cell(*PUBLISHED[0]), third)
    report = over_cases(found)
    assert report.conformity is not None
    assert report.conformity.goals == ("tpot[256k]", "tpot[768k]", "tpot[1M]", "tpot[512k]")
    page = html.render(report, language="zh", digest="0" * 64)
    assert "手工填写" in page
    assert 'href="#goal:tpot[256k]"' in page


# --------------------------------------------------------------------------------------------- a fixed value
FIXED = """
[[case.goal]]
id = "G"
metric = "latency"
kind = "tpot"
statistic = "mean"
direction = "at_most"
subject = "{subject}"
limit = "{limit}"
[[case.baseline]]
metric = "latency"
kind = "tpot"
statistic = "mean"
value = "50 ms"
source = "annex 2 of the contract, table 4"
file = "log.txt"
locator = "line 1"
[[case.external]]
side = "after"
metric = "latency"
kind = "tpot"
statistic = "mean"
value = "{after} ms"
conditions = "none"
file = "log.txt"
locator = "line 2"
"""


@pytest.mark.parametrize(
    ("subject", "limit", "after", "value", "margin", "outcome"),
    [
        # 40 / 50 = 0.8 against 85%: 5 points inside.
        ("ratio", "85%", "40", Quantity(value=Fraction(4, 5), unit="1"), Fraction(1, 20), Outcome.MET),
        # 45 / 50 = 0.9: 5 points beyond.
        ("ratio", "85%", "45", Quantity(value=Fraction(9, 10), unit="1"), Fraction(-1, 20), Outcome.NOT_MET),
        # 40 - 50 = -10 ms against -8 ms: 2 ms inside.
        ("delta", "-8 ms", "40", Quantity(value=-10_000_000, unit="ns"), Fraction(2_000_000), Outcome.MET),
        ("delta", "-12 ms", "40", Quantity(value=-10_000_000, unit="ns"), Fraction(-2_000_000), Outcome.NOT_MET),
    ],
)
def test_a_goal_rests_on_a_fixed_value(
    tmp_path: Path, subject: str, limit: str, after: str, value: Quantity, margin: Fraction, outcome: Outcome
) -> None:
    found = evaluated(tmp_path, FIXED.format(subject=subject, limit=limit, after=after))
    one = judged(found)["G"]
    assert (one.value, one.outcome, one.baseline, one.tag) == (value, outcome, "fixed", "hand-typed")
    assert one.margin is not None
    assert one.margin.value == margin
    assert one.goal.subject == subject
    said = next(r for r in one.reservations if r.code == "baseline_fixed")
    assert dict(said.args) == {"value": "50 ms", "source": "annex 2 of the contract, table 4"}
    assert {"target:target.toml", "log.txt"} <= {origin.file for origin in one.origins}
    (row,) = build_report(found).goals
    assert isinstance(row.before, Number)
    assert row.before.quantity.value == 50_000_000


def test_without_a_value_of_after_a_fixed_value_decides_nothing(tmp_path: Path) -> None:
    alone = FIXED.format(subject="ratio", limit="85%", after="40").split("[[case.external]]", 1)[0]
    # a latency is measured outside; the share of memory-bound kernels is not in these captures
    for metric, statistic, value in (("latency", "mean", "50 ms"), ("memory_bound_share", "share", "50%")):
        kind = 'kind = "tpot"\n' if metric == "latency" else ""
        text = alone.replace('"latency"', f'"{metric}"').replace('kind = "tpot"\n', kind)
        text = text.replace('"50 ms"', f'"{value}"')
        one = judged(evaluated(tmp_path / metric, text.replace('"mean"', f'"{statistic}"')))["G"]
        assert (one.outcome, one.baseline, isinstance(one.value, Missing)) == (Outcome.UNDECIDED, "fixed", True)
        if one.comparison is not None:
            assert isinstance(one.comparison.delta, Missing)


def test_the_interval_of_after_divides_through(tmp_path: Path) -> None:
    # Step time of the captures: the interval of AFTER alone, each end over the fixed value; BEFORE has no part in it.
    goal = FIXED.format(subject="ratio", limit="85%", after="40").split("[[case.external]]", 1)[0]
    goal = goal.replace('"latency"', '"step_time"').replace('kind = "tpot"\n', "").replace('"mean"', '"median"')
    alone = goal.split("[[case.baseline]]", 1)[0].replace('"ratio"', '"after"').replace('"85%"', '"85 ms"')
    fixed, after = (judged(evaluated(tmp_path / name, text))["G"] for name, text in (("f", goal), ("a", alone)))
    assert fixed.interval is not None
    assert after.interval is not None
    assert isinstance(fixed.value, Quantity)
    assert isinstance(after.value, Quantity)
    assert fixed.value.value == Fraction(after.value.value) / 50_000_000
    assert fixed.interval.high.value == Fraction(after.interval.high.value) / 50_000_000
    assert fixed.tag == "profiled"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('subject = "ratio"', 'subject = "after"', "case[0].baseline[0]: no goal of this case on delta or ratio"),
        ('value = "50 ms"', 'value = "0 ms"', "case[0].baseline[0].value: a ratio to 0 does not exist"),
        ('value = "50 ms"', 'value = "50 GB"', "case[0].baseline[0].value: latency is measured in"),
        ('locator = "line 1"\n', "", "case[0].baseline[0].locator: must say where in the file the value stands"),
        ('file = "log.txt"\nlocator = "line 1"', 'locator = "line 1"', "case[0].baseline[0].locator: is of a file"),
        ('source = "annex 2 of the contract, table 4"', 'source = ""', "case[0].baseline[0].source: must not be empty"),
        ('value = "50 ms"', 'value = "50 ms"\nsides = 1', "case[0].baseline[0].sides: unknown key"),
        ('locator = "line 1"', f'locator = "line 1"\nsha256 = "{"0" * 64}"', "case[0].baseline[0].sha256: is not that"),
    ],
)
def test_a_fault_of_a_fixed_value(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = FIXED.format(subject="ratio", limit="85%", after="40")
    if old.startswith("subject"):
        text = text.replace('"85%"', '"85 ms"')
    assert old in text
    found = check_target(written(tmp_path, text.replace(old, new, 1)))
    assert any(line.startswith(fault) for line in found), found
