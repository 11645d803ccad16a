"""The one place where a number becomes text.

Exact fractions go in; they are rounded here, for print only, half to even, after everything was judged. Decimals follow
the first two significant digits of the uncertainty U where there is one and it is not larger than the values, the same
for all figures of a row; without U a time shows four significant digits (never finer than the nanosecond it was
recorded in), a bandwidth too (GB/s of powers of ten), a share 0.1 %, a ratio 0.001, memory 0.01 GiB, a clock 0.1 MHz,
and a count is shown in full. A judged value has as many as tell it from its limit. A number and its unit are bound by
NBSP; percent closes up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from reportgen import units
from reportgen.model import Interval, Missing, Quantity
from reportgen.report.document import GoalRow, IntervalRow, MetricRow, Number, SideValue, Value
from reportgen.report.translations import NBSP, Language, mark, translator

MINUS = "\u2212"
"""Printed minus; the terminal gets the ASCII one."""
Kind = Literal["time", "memory", "count", "share", "ratio", "rate", "clock", "bandwidth"]

_KINDS: tuple[Kind, ...] = ("time", "memory", "count", "share", "ratio", "rate", "clock", "bandwidth")
_OF_UNIT: dict[str, Kind] = {"ns": "time", "B": "memory", "1": "count", "1/s": "rate", "B/s": "bandwidth"}
_OF_METRIC: dict[str, Kind] = {
    "memory_bound": "ratio",
    "cube_utilization_elapsed": "share",
    "cube_utilization_task": "share",
    "pmu_clock": "clock",
    "ai_core_frequency": "clock",
    "ai_core_frequency_drop": "share",
}
"""What neither a metric's unit nor the ending of its id tells: a quotient that may exceed 1 is no share."""
_WRITTEN = re.compile(r"\s*([+-]?)(\d+)(\.\d+)?\s*([^\d\s]\S*)?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A unit on paper."""

    unit: str
    """As printed; empty for counts and ratios."""
    factor: Fraction
    """How many of the exact unit make one of it."""
    finest: int
    """Decimals at which nothing of what can be recorded is left."""


NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS = (
    Scale(unit=name, factor=Fraction(10**power), finest=power)
    for name, power in (("ns", 0), ("µs", 3), ("ms", 6), ("s", 9))
)
BYTES, KIB, MIB, GIB = (
    Scale(unit=name, factor=Fraction(1024**power), finest=min(power * 10, 10))
    for power, name in enumerate(("B", "KiB", "MiB", "GiB"))
)
FINEST: dict[Kind, int] = {"ratio": 4, "clock": 1}
"""Decimals at most, whatever the interval: the columns that ratios are made of have no more, and a clock that kernels
keep to the cycle has an interval of hertz."""
MOST_DECIMALS = 16
"""Decimals that are added at most to tell a value from its limit: what a float holds."""
MOST_APART = 9
"""Decimals at most that show a ratio on its side of 1: what is nearer is the noise of floats."""
PLAIN = Scale(unit="", factor=Fraction(1), finest=6)
PERCENT = Scale(unit="%", factor=Fraction(1, 100), finest=4)
PER_SECOND = Scale(unit="1/s", factor=Fraction(1), finest=6)
MEGAHERTZ = Scale(unit="MHz", factor=Fraction(10**6), finest=3)
GIGABYTES_PER_SECOND = Scale(unit="GB/s", factor=Fraction(10**9), finest=9)
"""Powers of ten, as links are rated; memory is in powers of 1024."""
REQUESTS, SAMPLES, TOKENS = (
    Scale(unit=unit, factor=Fraction(1), finest=6) for unit in ("req/s", "samples/s", "tokens/s")
)
TERAFLOPS = Scale(unit="TFLOP/s", factor=Fraction(10**12), finest=9)
SCALES = {
    scale.unit: scale
    for scale in (NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, BYTES, KIB, MIB, GIB, PERCENT, PER_SECOND,
                  MEGAHERTZ, GIGABYTES_PER_SECOND, REQUESTS, SAMPLES, TOKENS, TERAFLOPS)
}  # fmt: skip
"""Printed unit -> scale; a hint may name one."""
SIZED = ("ns", "µs", "ms", "s", "B", "KiB", "MiB", "GiB")
"""Printed units of which a quantity has several; as a hint they decide the scale and nothing else."""
PAPER_UNITS = {
    "us": "µs",
    "μs": "µs",
    "KB": "KiB",
    "MB": "MiB",
    "GB": "GiB",
    "tok/s": "tokens/s",
    "token/s": "tokens/s",
}
"""Written unit -> printed unit."""
_SCALE_OF_KIND: dict[Kind, Scale] = {
    "share": PERCENT,
    "rate": PER_SECOND,
    "clock": MEGAHERTZ,
    "bandwidth": GIGABYTES_PER_SECOND,
}
POINTS = mark("pp")
"""Percentage points."""


def kind_of(hint: str, unit: str) -> Kind:
    """What kind of number it is.

    Args:
        hint: a kind, a metric id, or anything else (then the unit decides).
        unit: exact unit.
    """
    if hint in _KINDS:
        return hint
    if hint in _OF_METRIC and unit in ("1", "1/s"):
        return _OF_METRIC[hint]
    if unit == "1" and hint.endswith("_share"):
        return "share"
    if unit == "1" and hint.endswith("_ratio"):
        return "ratio"
    return _OF_UNIT[unit]


def hint_of(metric: str, kind: str) -> str:
    """The hint for a figure of a run: the printed unit of a rate by what it counts, else the metric."""
    if metric != "throughput":
        return metric
    counted = {"flops": TERAFLOPS, "token": TOKENS, "request": REQUESTS, "sample": SAMPLES}
    return next((scale.unit for word, scale in counted.items() if word in kind.partition("_per_")[0]), metric)


def scale_of(largest: Fraction, kind: Kind) -> Scale:
    """The unit in which the largest figure of a row reads best."""
    size = abs(largest)
    if kind == "time":
        return next((s for s in (SECONDS, MILLISECONDS) if size >= s.factor), MICROSECONDS)
    if kind == "memory":
        return next((s for s in (GIB, MIB, KIB) if size >= s.factor / 10), BYTES)
    return _SCALE_OF_KIND.get(kind, PLAIN)


def decimals_of(value: Fraction, scale: Scale, kind: Kind, u: Fraction | None = None) -> int:
    """How many decimals a value shows.

    Args:
        value: exact value.
        scale: the printed unit.
        kind: kind of number.
        u: half-width of its interval in the exact unit; None or 0 without one.
    """
    if u:
        finest = FINEST.get(kind, scale.finest)
        return min(max(0, 1 - _exponent(u / scale.factor)), finest)
    if kind in ("share", "ratio", "clock"):
        return 3 if kind == "ratio" else 1
    if kind == "memory":
        return 0 if scale is BYTES else 2
    if kind == "count":
        return next((d for d in (0, 1, 2) if round(value, d) == value), 3)
    return min(max(0, 3 - _exponent(value / scale.factor)), scale.finest)


def decimals_apart(value: Fraction, other: Fraction, start: int) -> int:
    """Decimals, ``start`` or more, at which two numbers that differ are printed differently."""
    found = (d for d in range(start, start + MOST_DECIMALS) if round(value, d) != round(other, d))
    return next(found, start)


def decimals_true(holds: Callable[[int], bool], row: RowTexts) -> int | None:
    """Decimals, those of a row or more, at which something holds of its figures as printed; None where none."""
    return next((d for d in range(row.decimals, row.decimals + MOST_DECIMALS) if holds(d)), None)


def decimals_unlike(values: Sequence[Quantity], row: RowTexts) -> int:
    """Decimals, those of a row or more, at which values that differ are printed differently."""
    exact = {Fraction(one.value) / row.scale.factor for one in values}
    found = decimals_true(lambda d: len({round(one, d) for one in exact}) == len(exact), row)
    return row.decimals if found is None else found


def decimals_beside(figures: Sequence[Fraction], limit: Fraction, start: int) -> int:
    """Decimals, ``start`` or more, at which each figure stands where it is: below its limit, at it, or above it.

    So it stands by the limit as it was agreed, and by the limit with as many decimals; and the distance of one that is
    not at it is not 0.
    """

    def stands(figure: Fraction, decimals: int) -> bool:
        printed = round(figure, decimals)
        if figure != limit and (printed == round(limit, decimals) or not round(figure - limit, decimals)):
            return False
        return (printed < limit) == (figure < limit) and (printed > limit) == (figure > limit)

    found = (d for d in range(start, start + MOST_DECIMALS) if all(stands(one, d) for one in figures))
    return next(found, start)


def _exponent(value: Fraction) -> int:
    """The power of ten of the first significant digit; 0 for 0."""
    size, power = abs(value), 0
    if size == 0:
        return 0
    while size >= 10:
        size, power = size / 10, power + 1
    while size < 1:
        size, power = size * 10, power - 1
    return power


def digits(value: Fraction, decimals: int, *, signed: bool = False, minus: str = MINUS, grouped: bool = True) -> str:
    """A number rounded half to even: comma for thousands, plus only when asked for, no sign on a zero."""
    shifted = round(abs(value) * 10**decimals)
    whole, rest = divmod(shifted, 10**decimals)
    text = f"{whole:,}" if grouped else str(whole)
    if decimals:
        text += f".{rest:0{decimals}d}"
    if shifted == 0:
        return text
    return (minus if value < 0 else "+" if signed else "") + text


def with_unit(text: str, unit: str) -> str:
    """A figure and its unit, bound by NBSP; percent closes up, a count has no unit."""
    if not unit or unit == "%":
        return f"{text}{unit}"
    return f"{text}{NBSP}{unit}"


def format_value(
    quantity: Quantity,
    *,
    metric_unit_hint: str = "",
    u: Fraction | None = None,
    language: Language,
    signed: bool = False,
) -> str:
    """One number with its unit.

    Args:
        quantity: the exact value.
        metric_unit_hint: metric id, kind (``share`` ...) or printed unit (``ms`` ...); empty: the unit decides.
        u: half-width of its interval in the exact unit; None without one.
        language: language; it decides the word for percentage points only.
        signed: True for a difference: plus is printed, and a share is in percentage points.
    """
    kind, value = kind_of(metric_unit_hint, quantity.unit), Fraction(quantity.value)
    scale = SCALES.get(metric_unit_hint) or scale_of(value, kind)
    text = digits(value / scale.factor, decimals_of(value, scale, kind, u), signed=signed)
    if kind == "share" and signed:
        return with_unit(text, translator(language).gettext(POINTS))
    return with_unit(text, printed_unit(scale, quantity))


def format_limit(quantity: Quantity, *, metric_unit_hint: str = "", language: Language) -> str:
    """A limit as it was agreed; a unit of memory that means powers of 1024 also by its IEC name: ``48 GB (= 48 GiB)``.

    A computed one as any other value.
    """
    match = _WRITTEN.fullmatch(quantity.written)
    if match is None or (match.group(4) or "") not in units.WRITTEN:
        return format_value(quantity, metric_unit_hint=metric_unit_hint, language=language)
    sign, whole, rest, unit = match.groups()
    text = (MINUS if sign == "-" else "") + f"{int(whole):,}{rest or ''}"
    printed = PAPER_UNITS.get(unit or "", unit or "")
    if SCALES.get(printed) in (KIB, MIB, GIB) and printed != unit:
        return f"{with_unit(text, unit or '')} (={NBSP}{with_unit(text, printed)})"
    return with_unit(text, printed)


def format_change(change: Quantity | Fraction, *, signed: bool = True, decimals: int = 1) -> str:
    """A relative change in percent, with one decimal unless more are asked for: −30.3%."""
    value = Fraction(change.value) if isinstance(change, Quantity) else change
    return digits(value * 100, decimals, signed=signed) + "%"


def format_ratio(ratio: Quantity | Fraction, *, decimals: int = 3) -> str:
    """AFTER / BEFORE, with three decimals unless more are asked for."""
    return digits(Fraction(ratio.value) if isinstance(ratio, Quantity) else ratio, decimals)


def decimals_from_one(ends: Iterable[Fraction], start: int, factor: int = 1) -> int:
    """Decimals that show the ends of an interval of AFTER / BEFORE, or one ratio, on their side of 1.

    Args:
        ends: all above 1, or all below it; an interval that holds 1 tells nothing apart, and gives ``start``.
        start: decimals to begin with.
        factor: 100 where changes are printed in percent.
    """
    apart = [(end - 1) * factor for end in ends]
    if not apart or min(apart) <= 0 <= max(apart):
        return start
    found = decimals_apart(min(apart, key=abs), Fraction(0), start)
    return found if found <= MOST_APART else start


def format_spread(spread: Quantity) -> str:
    """A relative spread as it was written, else with two significant digits: 0.8%, 0.83%."""
    written = _WRITTEN.fullmatch(spread.written)
    if written is not None and written.group(4) == "%":
        return spread.written.replace(" ", "")
    value = Fraction(spread.value) * 100
    return digits(value, max(0, 1 - _exponent(value))) + "%"


def format_level(level: Quantity | Fraction) -> str:
    """A confidence level in percent, two decimals at most: 95%, 99.38%."""
    value = Fraction(level.value) if isinstance(level, Quantity) else level
    return digits(value * 100, 2).rstrip("0").rstrip(".") + "%"


def format_repeats(runs: int, values: int) -> str:
    """Captures or runs and the values of each: ``3 × 60``; ``≈`` stands before a mean of unlike numbers.

    The first number alone where no values stand behind it; a dash where it is 0.
    """
    if not runs:
        return "–"
    if not values:
        return format_count(runs)
    about = "≈" if values % runs else ""
    return f"{format_count(runs)}{NBSP}×{NBSP}{about}{format_count(round(Fraction(values, runs)))}"


def format_interval(low: str, high: str, unit: str = "") -> str:
    """Two figures as an interval: [158.4, 162.4] ms."""
    return with_unit(f"[{low}, {high}]", "" if unit == "%" else unit)


def format_count(number: int) -> str:
    """A whole number in full."""
    return f"{number:,}"


def printed_unit(scale: Scale, quantity: Quantity) -> str:
    """The printed unit; a rate keeps the name under which it was written."""
    if scale is not PER_SECOND:
        return scale.unit
    match = _WRITTEN.fullmatch(quantity.written)
    written = (match.group(4) if match else "") or scale.unit
    return PAPER_UNITS.get(written, written)


# --------------------------------------------------------------------------------------------- the terminal
def plain_value(
    quantity: Quantity, *, metric_unit_hint: str = "", language: Language, signed: bool = False, places: int = 0
) -> str:
    """One number for the terminal, as finely as it was recorded, in ASCII: ``-80.190 us``.

    Times in microseconds with three decimals, memory in MiB with all its decimals, both without thousands separators so
    that they can be searched for in the csv; a share as ``13.2 %``, its difference in percentage points. All but times
    and memory have ``places`` decimals at least.
    """
    kind, value = kind_of(metric_unit_hint, quantity.unit), Fraction(quantity.value)
    if kind == "share":
        unit = translator(language).gettext(POINTS) if signed else "%"
        space = "" if language == "zh" and unit == "%" else " "
        return f"{_plain(value * 100, max(places, 1), signed=signed)}{space}{unit}"
    if kind == "time":
        return f"{_plain(value / 1000, 3, signed=signed)} us"
    if kind == "memory":
        size = value / 1024**2
        places = next((d for d in range(10) if round(size, d) == size), 10)
        return f"{_plain(size, places, signed=signed)} MiB"
    scale = scale_of(value, kind)
    text = _plain(value / scale.factor, max(places, decimals_of(value, scale, kind)), signed=signed)
    return f"{text} {printed_unit(scale, quantity)}" if scale.unit else text


def plain_change(change: Quantity, language: Language, *, told: bool = False) -> str:
    """A relative change for the terminal: ``-87.2 %``; one that is told apart is not printed as none."""
    value = Fraction(change.value)
    places = decimals_from_one((value + 1,), 1, 100) if told else 1
    return f"{_plain(value * 100, places, signed=True)}{'' if language == 'zh' else ' '}%"


def plain_ratio(estimate: Quantity, interval: Ends, *, level: bool = False, told: bool = False) -> str:
    """AFTER / BEFORE with its interval for the terminal: ``1.000 [0.990, 1.005]``, with its level behind if asked.

    One that is told apart is not printed as 1.
    """
    ends = _ends(interval)[:2] if interval is not None else ()
    places = decimals_from_one(ends, 3) if told else 3
    text = _plain(Fraction(estimate.value), places)
    if interval is None:
        return text
    shown = f"{text} [{', '.join(_plain(end, places) for end in ends)}]"
    if not level:
        return shown
    held = interval.level
    return f"{shown} {format_level(held.quantity if isinstance(held, Number) else held)}"


def _plain(value: Fraction, decimals: int, *, signed: bool = False) -> str:
    """A rounded number in ASCII without thousands separators."""
    return digits(value, decimals, signed=signed, minus="-", grouped=False)


# --------------------------------------------------------------------------------------------- rows
@dataclass(frozen=True, slots=True, kw_only=True)
class RowTexts:
    """The figures of one row, in one unit and with the same decimals; empty text where there is none."""

    unit: str
    """Printed unit of ``before``, ``after`` and ``interval``; empty for counts and ratios."""
    delta_unit: str
    """Printed unit of ``delta``: percentage points for shares."""
    before: str
    """BEFORE without unit."""
    after: str
    """AFTER without unit."""
    delta: str
    """AFTER - BEFORE with its sign, without unit."""
    interval: str
    """``[low, high]`` of AFTER alone, without unit."""
    change: str
    """Relative change in percent, with its sign."""
    change_interval: str
    """``[low, high]`` of the relative change in percent."""
    decimals: int
    """Decimals of the row."""
    scale: Scale
    """Printed unit and its factor."""

    def alone(self) -> RowTexts:
        """Both sides, and nothing that is formed of them."""
        return replace(self, delta="", change="", change_interval="")

    def value(self, exact: int | Fraction) -> str:
        """Another value of the row, with its unit, in the row's unit and decimals."""
        return with_unit(self.figure(exact), self.unit)

    def figure(self, exact: int | Fraction, *, signed: bool = False) -> str:
        """Another value of the row without unit."""
        return digits(Fraction(exact) / self.scale.factor, self.decimals, signed=signed)

    @property
    def before_full(self) -> str:
        """BEFORE with its unit."""
        return self.before and with_unit(self.before, self.unit)

    @property
    def after_full(self) -> str:
        """AFTER with its unit."""
        return self.after and with_unit(self.after, self.unit)

    @property
    def delta_full(self) -> str:
        """AFTER - BEFORE with its unit."""
        return self.delta and with_unit(self.delta, self.delta_unit)

    @property
    def interval_full(self) -> str:
        """The interval of AFTER with its unit behind the bracket."""
        return self.interval and with_unit(self.interval, self.unit)


Figure = Quantity | Number | Missing | None
Ends = Interval | IntervalRow | None


def row_format(
    before: Figure,
    after: Figure,
    delta: Figure,
    interval: Ends = None,
    *,
    metric_unit_hint: str = "",
    language: Language,
    change: Figure = None,
    change_interval: Ends = None,
    like: RowTexts | None = None,
    told: bool = True,
) -> RowTexts:
    """All figures of a row in one unit with the same decimals, so that the printed row adds up.

    One decimal is added when the rounded AFTER - BEFORE is not the rounded delta, at most three times.

    Args:
        before: BEFORE; Missing or None gives an empty text.
        after: AFTER.
        delta: AFTER - BEFORE, unrounded.
        interval: interval of AFTER alone; its half-width sets the decimals. One of AFTER / BEFORE, which has another
            unit than a time or memory, is taken as ``change_interval``.
        metric_unit_hint: metric id, kind or printed unit.
        language: language.
        change: AFTER / BEFORE - 1.
        change_interval: interval of AFTER / BEFORE.
        like: a row of the same metric, whose unit and decimals it takes at least.
        told: whether the change is one that is told apart, so that it may not be printed as none.
    """
    exact = [_exact(figure) for figure in (before, after, delta)]
    unit = next((q.unit for q in map(_quantity, (before, after, delta)) if q is not None), "1")
    if interval is not None and _ends(interval)[2] != unit:
        interval, change_interval = None, change_interval or interval
    kind = kind_of(metric_unit_hint, unit)
    if kind == "share":  # its change is a difference in points, to which a relative interval does not belong
        change_interval = None
    known = [value for value in exact if value is not None]
    scale = SCALES.get(metric_unit_hint) or scale_of(max(map(abs, known), default=Fraction(0)), kind)
    scale = like.scale if like is not None else scale
    decimals = max(_row_decimals(exact, scale, kind, _half(interval)), like.decimals if like is not None else 0)
    if kind == "share" and told and exact[2]:
        decimals = max(decimals, decimals_from_one((exact[2] + 1,), decimals, 100))
    texts = ["" if value is None else digits(value / scale.factor, decimals, signed=index == 2)
             for index, value in enumerate(exact)]  # fmt: skip
    named = next((q for q in map(_quantity, (after, before)) if q is not None), Quantity(value=0, unit=unit))
    printed = printed_unit(scale, named)
    share, relative = _exact(change), _ends(change_interval) if change_interval else None
    own = _ends(interval) if interval else None
    ratios = relative[:2] if relative else () if share is None else (share + 1,)
    places = decimals_from_one(ratios, 1, 100) if told else 1
    return RowTexts(
        unit=printed,
        delta_unit=translator(language).gettext(POINTS) if kind == "share" else printed,
        before=texts[0],
        after=texts[1],
        delta=texts[2],
        interval=format_interval(*(digits(end / scale.factor, decimals) for end in own[:2])) if own else "",
        change="" if share is None else format_change(share, decimals=places),
        change_interval=format_interval(*(format_change(end - 1, decimals=places) for end in relative[:2]))
        if relative
        else "",
        decimals=decimals,
        scale=scale,
    )


Sum = tuple[Sequence[Fraction], Fraction]
"""Figures that are printed, and the figure that they are printed to add up to; all exact."""


def decimals_that_add(sums: Iterable[Sum], scale: Scale, start: int, most: int = 6) -> int | None:
    """Decimals at which every sum adds up as it is printed; None when none does within ``most`` more decimals.

    Args:
        sums: figures with their sums.
        scale: the printed unit.
        start: decimals to begin with.
        most: further decimals that may be added; never more than the unit has.
    """
    found = [([term / scale.factor for term in terms], total / scale.factor) for terms, total in sums]
    for decimals in range(start, min(start + most, max(scale.finest, start)) + 1):
        if all(sum(round(term, decimals) for term in terms) == round(total, decimals) for terms, total in found):
            return decimals
    return None


def shared_texts(rows: Sequence[MetricRow], language: Language) -> RowTexts | None:
    """The unit and the decimals that rows of one metric share, as those of a row; None without a row with a value.

    The unit is the largest that one of them needs, the decimals the most.
    """
    found = [texts for row in rows if (texts := metric_texts(row, language)).before or texts.after]
    if not found:
        return None
    widest = max(found, key=lambda texts: texts.scale.factor)
    inside = [metric_texts(row, language, like=replace(widest, decimals=0)) for row in rows]
    return replace(widest, decimals=max(texts.decimals for texts in inside if texts.before or texts.after))


def metric_texts(
    row: MetricRow,
    language: Language,
    *,
    part: Literal["value", "mean"] = "value",
    like: RowTexts | None = None,
) -> RowTexts:
    """The figures of a metric row; with ``part`` = ``mean`` those of the means, which add up over parts of a step.

    ``like``: a row of the same metric whose unit and decimals it takes at least.
    """

    def figure(side: SideValue) -> Value:
        return side.value if part == "value" else side.mean

    delta: Figure = row.delta
    if part == "mean":
        before, after = _quantity(row.before.mean), _quantity(row.after.mean)
        delta = None
        if before is not None and after is not None:
            delta = Quantity(value=units.exact(Fraction(after.value) - Fraction(before.value)), unit=before.unit)
    return row_format(
        figure(row.before),
        figure(row.after),
        delta,
        row.after.interval,
        metric_unit_hint=row.metric,
        language=language,
        change=row.change,
        change_interval=row.interval if isinstance(row.change, Number) else None,  # a ratio has no change in percent
        like=like,
        told=row.distinguishable == "yes",
    )


def goal_texts(goal: GoalRow, language: Language) -> RowTexts:
    """The figures of a goal; the interval is of AFTER alone when the goal is on AFTER, else of the change."""

    def made(like: RowTexts | None = None) -> RowTexts:
        return row_format(
            goal.before,
            goal.after,
            goal.delta,
            goal.interval if goal.subject == "after" else None,
            metric_unit_hint=hint_of(goal.metric, goal.kind),
            language=language,
            change=goal.change,
            change_interval=goal.interval if goal.subject == "ratio" else None,
            like=like,
        )

    return made(told_from_limit(made(), goal))


def told_from_limit(texts: RowTexts, goal: GoalRow) -> RowTexts:
    """The unit and decimals of a row, more where AFTER, or an end of its interval, would not stand on its side."""
    if goal.subject != "after" or isinstance(goal.value, Missing):
        return texts
    ends = () if goal.interval is None else (goal.interval.low, goal.interval.high)
    limit, *judged = (Fraction(one.quantity.value) / texts.scale.factor for one in (goal.limit, goal.value, *ends))
    return replace(texts, decimals=decimals_beside(judged, limit, texts.decimals))


def points(value: Fraction, decimals: int, language: Language) -> str:
    """A difference of percentages, given in percent."""
    return with_unit(digits(value, decimals), translator(language).gettext(POINTS))


def _quantity(figure: Figure) -> Quantity | None:
    """The exact quantity of a figure; None when there is none."""
    if isinstance(figure, Number):
        return figure.quantity
    return figure if isinstance(figure, Quantity) else None


def _exact(figure: Figure) -> Fraction | None:
    """The exact value of a figure; None when there is none."""
    quantity = _quantity(figure)
    return None if quantity is None else Fraction(quantity.value)


def _ends(interval: Interval | IntervalRow) -> tuple[Fraction, Fraction, str]:
    """Both ends, exact, and their unit."""
    low, high = _quantity(interval.low), _quantity(interval.high)
    assert low is not None
    assert high is not None
    return Fraction(low.value), Fraction(high.value), low.unit


def _half(interval: Ends) -> Fraction | None:
    """Half the width of an interval."""
    if interval is None:
        return None
    low, high, _ = _ends(interval)
    return (high - low) / 2


def _row_decimals(exact: Sequence[Fraction | None], scale: Scale, kind: Kind, u: Fraction | None) -> int:
    """Decimals at which the printed row adds up."""
    values = [value for value in exact[:2] if value is not None] or [Fraction(0)]
    u = None if u and u > max(map(abs, values)) > 0 else u  # wider than the value it decides no digit of it
    start = max(decimals_of(value, scale, kind, u) for value in values)
    if not u and kind in ("time", "rate", "bandwidth"):
        start = decimals_of(max(values, key=abs), scale, kind)
    smallest = min((abs(value) for value in values if value), default=None)
    if smallest is not None:  # what is not 0 is not printed as 0
        start = min(max(start, -_exponent(smallest / scale.factor)), scale.finest)
    before, after, delta = exact
    if before is None or after is None or delta is None:
        return start
    for decimals in range(start, min(start + 3, scale.finest) + 1):
        printed = [round(value / scale.factor, decimals) for value in (before, after, delta)]
        if printed[1] - printed[0] == printed[2]:
            return decimals
    return start
