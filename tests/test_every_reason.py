"""Every reason that the report can give, each from an input that deserves it, through the function that gives it.

The tables stand in ``judged``, by room. A reason that other tests reach is named with their module in
``judged/elsewhere.py``. Each reason is then said in both languages: whole, and with every argument it is to name.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from judged.case import Judged, reasons_in
from judged.comparing import LATER, TIMES
from judged.elsewhere import ELSEWHERE
from judged.tables import CASES
from scipy import stats

from reportgen.report.messages import REASONS

TESTS = Path(__file__).parent
ROOMS = TESTS.parent / "reportgen"
MADE = ("framework", "backend", "phase")
"""Facts of a target whose codes ``applicability`` makes of their names."""


@pytest.mark.parametrize("case", CASES, ids=[f"{case.code}: {case.title}" for case in CASES])
def test_the_input_gives_its_reason(case: Judged, tmp_path: Path) -> None:
    found = [reason for reason in reasons_in(case.give(tmp_path)) if reason.code == case.code]
    assert found, f"{case.code} was not given"
    assert dict(case.args) in [dict(reason.args) for reason in found], case.why


# ---------------------------------------------------------------------------------------- the guard
@pytest.mark.parametrize("code", list(REASONS))
def test_every_reason_has_a_case(code: str) -> None:
    here = {case.code for case in CASES}
    named = {other: module for module, codes in ELSEWHERE.items() for other in codes}
    assert code in here or code in named, (
        f"nothing shows when {code} is given: add a case to a table of tests/judged (input, code, arguments, where "
        f"they come from), or name the test module that reaches it in tests/judged/elsewhere.py"
    )
    if code in named:
        text = (TESTS / named[code]).read_text(encoding="utf-8")
        assert f'"{code}"' in text, f"{named[code]} does not name {code}: correct tests/judged/elsewhere.py"


def test_no_case_is_of_a_reason_that_is_gone() -> None:
    named = {code for codes in ELSEWHERE.values() for code in codes}
    assert {case.code for case in CASES} | named <= set(REASONS)
    assert not named & {case.code for case in CASES}
    assert len({(case.code, case.title) for case in CASES}) == len(CASES)


@cache
def _sources() -> str:
    """Everything but the sentences."""
    paths = (path for path in sorted(ROOMS.rglob("*.py")) if not path.name.startswith("messages"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize("code", list(REASONS))
def test_every_reason_is_given_by_some_room(code: str) -> None:
    """A sentence that nothing gives is dead, or its code is written otherwise where it is given."""
    made = {f"{fact}_{end}" for fact in MADE for end in ("unknown", "outside")}
    made |= {"capture_aborted_side", "capture_data_loss_side", "operator_added", "operator_removed"}
    assert code in made or f'"{code}"' in _sources(), (
        f"no room gives {code}: remove it from messages.py and zh.po, or give it"
    )


def test_every_code_that_is_given_has_a_sentence() -> None:
    given = set(re.findall(r'Reason\.of\(\s*"(\w+)"', _sources()))
    assert given <= set(REASONS)


# ---------------------------------------------------------------------------------------- where a case has an oracle
def test_the_case_of_many_types_lies_between_both_levels() -> None:
    p = stats.mannwhitneyu(TIMES, LATER).pvalue
    assert 0.05 / 20 < p < 0.05
