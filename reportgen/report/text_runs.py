"""What ``inspect`` prints of a log or result file: each run with what it states, its figures, and whether they agree.

Figures stand in the unit of their kind, as finely as they were written. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from reportgen import units
from reportgen.model import Identity, LoggedSeries, LoggedValue, Quantity, Run, Stated
from reportgen.report import messages, numbers, places, text, wording
from reportgen.report.translations import Language
from reportgen.report.translations import message as _

MOST_STATED = 40
"""Statements shown; all of them are in the JSON output."""
MOST_IDENTITIES = 20
"""Relations that hold and are shown; those that do not hold are all shown."""
FINEST = 6
"""Decimals of the finest figure shown."""
_FIRST_ARGUMENTS = (
    "world_size", "tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size",
    "expert_model_parallel_size", "data_parallel_size", "micro_batch_size", "global_batch_size", "seq_length", "bf16",
    "fp16", "recompute_granularity", "recompute_method", "log_interval", "num_layers", "hidden_size", "model", "dtype",
    "quantization", "max_num_seqs", "max_num_batched_tokens", "max_model_len", "load_format",
)  # fmt: skip
_SHARES = ("mfu", "core_attn_ratio", "kv_cache_usage", "prefix_cache_hit_rate", "acceptance_rate")


def runs_text(runs: tuple[Run, ...], language: Language) -> str:
    """The runs of one file, one after another."""
    blocks: list[tuple[str, ...]] = []
    for number, run in enumerate(runs, 1):
        blocks += _run(run, number, len(runs), language)
    return text.finish(blocks)


def _run(run: Run, number: int, count: int, language: Language) -> Iterable[tuple[str, ...]]:
    title = _(
        messages.RUN_LINE if run.version else messages.RUN_LINE_NO_VERSION,
        language,
        number=str(number),
        of=str(count),
        producer=run.producer,
        version=run.version,
        definitions=run.definitions,
    )
    file = _(messages.RUN_FILE, language, file=run.file.path, size=str(run.file.size), digest=run.file.digest)
    yield (title, f"  {file}")
    yield _block("doubts", (wording.say(reason, language) for reason in run.warnings), language)
    yield _block("context", _stated(run.context, language), language)
    yield _block("values", _values(run.values, language), language)
    yield _block("series", _series(run.series, language), language)
    yield _block("identities", _identities(run.identities, language), language)
    yield _block("left_out", (wording.say(reason, language) for reason in run.left_out), language)


def _block(name: str, lines: Iterable[str], language: Language) -> tuple[str, ...]:
    body = tuple(f"  {line}" for line in lines)
    return (_(messages.RUN_SECTIONS[name], language), *body) if body else ()


def _heads(names: Sequence[str], language: Language) -> list[str]:
    return [_(messages.RUN_HEADS[name], language) for name in names]


def _more(count: int, language: Language) -> list[str]:
    return [_(messages.RUN_MORE, language, n=str(count))] if count > 0 else []


# --------------------------------------------------------------------------------------------- parts of a run
def _stated(context: Sequence[Stated], language: Language) -> list[str]:
    """Statements, the arguments that say most first among the arguments."""

    def rank(one: Stated) -> tuple[bool, int]:
        name = one.key.removeprefix("argument.")
        argument = name != one.key
        known = _FIRST_ARGUMENTS.index(name) if name in _FIRST_ARGUMENTS else len(_FIRST_ARGUMENTS)
        return argument, known if argument else 0

    listed = sorted(context, key=rank)
    rows = [(one.key, one.written) for one in listed[:MOST_STATED]]
    return [*text.pairs(rows), *_more(len(listed) - MOST_STATED, language)]


def _values(values: Sequence[LoggedValue], language: Language) -> list[str]:
    rows = [_heads(("metric", "statistic", "value", "resolution", "place"), language)]
    rows += [
        [
            wording.run_title(one.metric, one.kind, language),
            wording.statistic_word(one.statistic, language),
            _shown(one.value, one.metric, one.kind, one.resolution),
            _shown(one.resolution, one.metric, one.kind, one.resolution) if one.value.written else "",
            places.locator_text(one.locator, language),
        ]
        for one in values
    ]
    return text.table(rows, ("l", "l", "r", "r", "l")) if len(rows) > 1 else []


def _series(series: Sequence[LoggedSeries], language: Language) -> list[str]:
    heads = ("metric", "n", "weight", "smallest", "middle", "largest", "resolution", "place")
    rows = [_heads(heads, language)]
    for one in series:
        ordered = _ordered(one)
        figures = (ordered[0], (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2, ordered[-1])
        shown = [
            _shown(Quantity(value=v, unit=one.sample.unit), one.metric, one.kind, _finest(v, one)) for v in figures
        ]
        weights = sorted(set(one.weights))
        weight = str(weights[0]) if len(weights) == 1 else f"{weights[0]}-{weights[-1]}"
        resolution = _shown(one.resolution, one.metric, one.kind, one.resolution)
        place = places.locator_text(one.locator, language)
        rows.append(
            [wording.run_title(one.metric, one.kind, language), str(len(ordered)), weight, *shown, resolution, place]
        )
    if len(rows) == 1:
        return []
    return [*text.table(rows, ("l", "r", "r", "r", "r", "r", "r", "l")), _(messages.RUN_MEDIAN_NOTE, language)]


def _finest(value: Fraction, series: LoggedSeries) -> Quantity:
    """How fine a figure is printed: as the digits show, and finer where the figure itself is.

    A value of more digits than the others, and a median that lies between two values, stand as they are.
    """
    resolution, digits = Fraction(series.resolution.value), 0
    while value % resolution and digits < FINEST:
        resolution, digits = resolution / 10, digits + 1
    return replace(series.resolution, value=units.exact(resolution))


def _ordered(series: LoggedSeries) -> list[Fraction]:
    """The values in rising order; as integers of one scale while they are sorted, which is many times faster."""
    scale = lcm(*(value.denominator for value in series.sample.values))
    found = sorted(value.numerator * (scale // value.denominator) for value in series.sample.values)
    return [Fraction(value, scale) for value in found]


def _identities(identities: Sequence[Identity], language: Language) -> list[str]:
    """Those that fail first."""
    failed = [one for one in identities if not one.holds]
    held = [one for one in identities if one.holds]
    lines = [_identity(one, language) for one in (*failed, *held[:MOST_IDENTITIES])]
    return [*lines, *_more(len(held) - MOST_IDENTITIES, language)]


def _identity(one: Identity, language: Language) -> str:
    return _(
        messages.RUN_IDENTITY[one.holds],
        language,
        id=one.id,
        what=_(messages.IDENTITIES.get(one.what) or messages.IDENTITIES.get(one.id, one.id), language),
        word=one.what,
        found=_plain(one.found),
        expected=_plain(one.expected),
        tolerance=_plain(one.tolerance),
        place="; ".join(places.locator_text(locator, language) for locator in one.locators),
    )


# --------------------------------------------------------------------------------------------- words and figures
def _scale(unit: str, metric: str, kind: str) -> tuple[str, Fraction]:
    """The unit a figure is shown in, and its size in the exact unit."""
    if unit == "ns":
        return ("s", Fraction(10**9)) if metric == "duration" else ("ms", Fraction(10**6))
    if unit == "B":
        return "MiB", Fraction(1024**2)
    if unit == "1/s":
        scale = numbers.SCALES.get(numbers.hint_of("throughput", kind), numbers.PER_SECOND)
        return scale.unit, scale.factor
    return ("%", Fraction(1, 100)) if metric in _SHARES else ("", Fraction(1))


def _shown(quantity: Quantity, metric: str, kind: str, resolution: Quantity) -> str:
    """A figure with as many decimals as its digits show, at most ``FINEST``; a very small one as an exact decimal."""
    unit, factor = _scale(quantity.unit, metric, kind)
    value, finest = Fraction(quantity.value) / factor, Fraction(resolution.value) / factor
    places = next((d for d in range(FINEST) if finest * 10**d >= 1), FINEST)
    if value and abs(value) < 1 and finest * 10**FINEST < 1:
        return f"{float(value):.{FINEST + 1}g} {unit}".strip()
    return f"{numbers.digits(value, places, minus='-', grouped=False)} {unit}".strip()


def _plain(quantity: Quantity) -> str:
    """A figure of a relation, to six significant digits beyond the point at most, with its unit."""
    value, unit = Fraction(quantity.value), quantity.unit
    if unit == "ns":
        value, unit = value / 10**9, "s"
    if value and abs(value) < Fraction(1, 10**FINEST):
        return f"{float(value):.3g} {unit}".removesuffix(" 1")
    places = next((d for d in range(FINEST) if round(value, d) == value), FINEST)
    return f"{numbers.digits(value, places, minus='-', grouped=False)} {unit}".removesuffix(" 1")
