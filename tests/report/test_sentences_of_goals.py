"""The sentence of a goal against its data: every number in it is one of the data, and every bound is called rightly.

The four words, all subjects, both directions, every kind of interval. A number is read out of the sentence and compared
with the exact value at the digits that are printed; what has to be named is worked out here, from limit and interval.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import pytest

from report.sample_report import sample_report
from reportgen.model import Outcome, PairStanding, Quantity, Reason, VerdictWord
from reportgen.report import wording
from reportgen.report.document import IntervalRow, Number, Report

MS = 10**6
UNIT = {"after": "ns", "delta": "ns", "ratio": "1"}
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")
WORDS = {
    Outcome.MET: ("达标", ": met."),
    Outcome.NOT_MET: ("未达标", "not met."),
    Outcome.UNDECIDED: ("无法判定", "Undecided"),
}


def number(value: int | Fraction, unit: str, written: str = "") -> Number:
    return Number(quantity=Quantity(value=value, unit=unit, written=written), origins=("O1",))


@dataclass(frozen=True, kw_only=True)
class Data:
    """The data of one goal, exact: ns or a ratio."""

    subject: str
    direction: str
    value: Fraction
    low: Fraction | None
    high: Fraction | None
    limit: Fraction
    rule: str

    @property
    def upper(self) -> bool:
        return self.direction == "at_most"

    def inside(self, value: Fraction) -> bool:
        return value <= self.limit if self.upper else value >= self.limit

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The end nearest to not being met, and the other; of a point, or by the simple rule, the value."""
        if self.rule == "simple" or self.low is None or self.high is None:
            return self.value, self.value
        return (self.high, self.low) if self.upper else (self.low, self.high)

    @property
    def outcome(self) -> Outcome:
        worst, best = self.ends
        return Outcome.MET if self.inside(worst) else Outcome.UNDECIDED if self.inside(best) else Outcome.NOT_MET

    @property
    def margin(self) -> Fraction | None:
        """Distance of the end that decides, positive inside."""
        worst, best = self.ends
        if self.outcome is Outcome.UNDECIDED:
            return None
        gap = self.limit - (worst if self.outcome is Outcome.MET else best)
        return gap if self.upper else -gap


SCALES = {"after": (MS, Fraction("160.4"), Fraction("0.53")), "delta": (MS, Fraction("-69.7"), Fraction("0.6")),
          "ratio": (1, Fraction("0.697"), Fraction("0.0031"))}  # fmt: skip
"""Subject -> unit of the numbers here, value, half-width."""
GAPS = (Fraction(5), Fraction("0.5"), Fraction(0), Fraction("-0.5"), Fraction(-5))
"""Half-widths by which the limit lies above the value."""


def cases() -> list[Data]:
    found = []
    for subject, direction, gap, kind in product(
        SCALES, ("at_most", "at_least"), GAPS, ("interval", "point", "simple")
    ):
        scale, value, half = (Fraction(one) for one in SCALES[subject])
        with_ends = kind != "point"
        found.append(
            Data(
                subject=subject, direction=direction, value=value * scale,
                low=(value - half) * scale if with_ends else None,
                high=(value + half * Fraction(6, 5)) * scale if with_ends else None,
                limit=(value + gap * half) * scale, rule="guarded" if kind == "interval" else "simple",
            )
        )  # fmt: skip
    return found


def report_of(data: Data) -> Report:
    """The sample's first goal with these data; BEFORE 230.1 ms, AFTER 160.4 ms."""
    report, unit = sample_report(), UNIT[data.subject]
    scale = 1 if data.subject == "ratio" else MS
    written = f"{float(data.limit / scale):.6f}".rstrip("0").rstrip(".") + ("" if data.subject == "ratio" else " ms")
    spread = None
    if data.low is not None and data.high is not None:
        level = number(Fraction(19, 20), "1")
        spread = IntervalRow(
            low=number(data.low, unit), high=number(data.high, unit), level=level, method="corrected-t"
        )
    reason = {Outcome.MET: "within_limit", Outcome.NOT_MET: "beyond_limit", Outcome.UNDECIDED: "interval_crosses_limit"}
    args = {"side": "inside" if data.inside(data.value) else "beyond"} if data.outcome is Outcome.UNDECIDED else {}
    goal = replace(
        report.goals[0], subject=data.subject, direction=data.direction, value=number(data.value, unit),  # type: ignore[arg-type]
        interval=spread, limit=number(data.limit, unit, written), outcome=data.outcome,
        margin=None if data.margin is None else number(data.margin, unit),
        reason=Reason.of(reason[data.outcome], **args), values=9 if spread else 1,
    )  # fmt: skip
    assert report.contract is not None
    contract = replace(report.contract, decision_rule=data.rule, declared=())  # type: ignore[arg-type]
    return replace(report, goals=(goal,), contract=contract)


def read(sentence: str) -> list[Fraction]:
    """Every number in a sentence."""
    return [Fraction(text.replace(",", "").replace("−", "-")) for text in NUMBER.findall(sentence)]


def digits_of(sentence: str, value: Fraction) -> list[str]:
    """The numbers of a sentence that are a value at the digits printed."""
    found = []
    for text in NUMBER.findall(sentence):
        shown = Fraction(text.replace(",", "").replace("−", "-"))
        decimals = len(text.partition(".")[2])
        if abs(shown - value) <= Fraction(1, 2 * 10**decimals):
            found.append(text)
    return found


def title(data: Data) -> str:
    kind = "point" if data.low is None else data.rule
    return f"{data.subject} {data.direction} limit {float(data.limit - data.value):+g} {kind}"


CASES = cases()


def test_the_table_holds_every_word_subject_and_direction() -> None:
    held = {(case.outcome, case.subject, case.direction) for case in CASES}
    assert held == set(product(WORDS, SCALES, ("at_most", "at_least")))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("data", CASES, ids=map(title, CASES))
def test_every_number_of_the_sentence_is_of_the_data(data: Data, language: str) -> None:
    report = report_of(data)
    sentence = wording.goal_sentence(report, report.goals[0], language).replace("\u00a0", " ").replace("**", "")
    scale = 1 if data.subject == "ratio" else MS
    in_unit = {
        "value": data.value / scale,
        "limit": data.limit / scale,
        **({} if data.margin is None else {"margin": abs(data.margin) / scale}),
        **({} if data.low is None or data.high is None else {"low": data.low / scale, "high": data.high / scale}),
    }
    if data.outcome is Outcome.UNDECIDED and data.low is not None and data.high is not None:
        far = data.high if data.inside(data.value) is data.upper else data.low
        in_unit |= {"near": abs(data.value - data.limit) / scale, "far": abs(far - data.limit) / scale}
    if data.margin == 0:
        del in_unit["margin"]  # said in words: not above, not below
    if in_unit.get("near") == 0:
        del in_unit["near"]  # said in words: it lies at the limit
        assert ("估计值正在限值上" if language == "zh" else "the estimate lies at it") in sentence
    for name, exact in in_unit.items():
        assert digits_of(sentence, exact), f"{name} = {float(exact)} is not in {sentence!r}"
    known = [*in_unit.values(), Fraction(95), Fraction("3.2"), Fraction(9), Fraction(1)]
    known += [Fraction("230.1"), Fraction(697 * 100, 2301)] if data.subject == "after" else []
    others = [text for text in NUMBER.findall(sentence) if not any(digits_of(text, one) for one in known)]
    assert others == [], sentence


BOUNDS = {"zh": ("区间上限", "区间下限", "低", "高"), "en": ("upper bound", "lower bound", "below", "above")}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("data", CASES, ids=map(title, CASES))
def test_the_word_and_the_bound_that_decides_are_called_rightly(data: Data, language: str) -> None:
    report = report_of(data)
    sentence = wording.goal_sentence(report, report.goals[0], language).replace("\u00a0", " ").replace("**", "")
    upper, lower, below, above = BOUNDS[language]
    place = 0 if language == "zh" else 1
    assert WORDS[data.outcome][place] in sentence
    for other, words in WORDS.items():
        if other is not data.outcome and not (other is Outcome.MET and data.outcome is Outcome.NOT_MET):
            assert words[place] not in sentence.replace("既不能作为达标、也不能作为未达标的依据", "").replace(
                "as not met.", ""
            )
    if data.rule == "simple" or data.low is None or data.high is None:
        assert upper not in sentence
        assert lower not in sentence
        if data.margin:
            assert (below if data.value < data.limit else above) in sentence
        return
    if data.margin == 0:
        return
    # met: the end nearest to the limit; not met: the other end; undecided: the end on the other side of the estimate
    worst, best = data.ends
    end = {Outcome.MET: worst, Outcome.NOT_MET: best}.get(
        data.outcome, data.high if data.inside(data.value) is data.upper else data.low
    )
    assert (upper if end == data.high else lower) in sentence
    assert (lower if end == data.high else upper) not in sentence
    side = below if end < data.limit else above
    text = digits_of(sentence, abs(end - data.limit) / (1 if data.subject == "ratio" else MS))[-1]
    near = re.search(
        rf"{side} {re.escape(text)}" if language == "zh" else rf"{re.escape(text)}(?: ms)? {side}", sentence
    )
    assert near, f"{side} {text} is not in {sentence!r}"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("word", list(VerdictWord))
def test_the_verdict_names_its_own_word_alone(word: VerdictWord, language: str) -> None:
    """Of a pair that is not comparable nothing is met or not met, and no figure of a goal stands in the sentence."""
    names = {
        VerdictWord.MET: ("达标", "met"),
        VerdictWord.NOT_MET: ("未达标", "not met"),
        VerdictWord.UNDECIDED: ("无法判定", "undecided"),
        VerdictWord.NOT_COMPARABLE: ("不可比", "not comparable"),
    }
    place = 0 if language == "zh" else 1
    assert wording.verdict_word(word, language) == names[word][place]
    if word is VerdictWord.NOT_COMPARABLE:
        report = sample_report("not_comparable")
        assert report.comparability.standing is PairStanding.NOT_COMPARABLE
        sentence = wording.verdict_sentence(report, language)
        assert not re.search(r"达标|: met|not met", sentence)
        assert not digits_of(sentence, Fraction("160.4"))
