"""The table of how far the sources of one capture lie apart, over the published captures.

    python tests/agreement_table.py      # prints it; docs/formats.md 11.8 holds it

Every capture is read from each source it offers; what the product's own checks compare is collected: value by value
between sources, and the kernel table against the tables that witness it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corpus import CORPUS

from reportgen.errors import CaptureError
from reportgen.metrics import METRICS, measure
from reportgen.model import Quantity, Witness
from reportgen.reading import offered, read_capture

UNITS = {metric.id: metric.unit for metric in METRICS}
ORDER = [metric.id for metric in METRICS]


@dataclass(slots=True)
class Line:
    """One row of the table."""

    captures: set[str] = field(default_factory=set)
    apart: Fraction = Fraction(0)
    tolerance: set[Fraction] = field(default_factory=set)
    unit: str = ""
    fails: int = 0


def captures() -> list[Path]:
    """The published captures, by path."""
    return sorted(
        path
        for pattern in ("torch-910b/*/*/rank*_ascend_pt", "msprof-*/**/PROF_*")
        for path in CORPUS.glob(pattern)
        if path.is_dir()
    )


def _take(lines: dict[tuple[str, str], Line], key: tuple[str, str], capture: Path, witness: Witness) -> None:
    line = lines.setdefault(key, Line())
    line.captures.add(str(capture))
    line.apart = max(line.apart, abs(Fraction(witness.found.value) - Fraction(witness.expected.value)))
    line.tolerance.add(Fraction(witness.tolerance.value))
    line.unit = witness.found.unit
    line.fails += not witness.agrees


def collected() -> dict[tuple[str, str], Line]:
    """(metric or check, sources) -> how far apart, over all captures and sources."""
    lines: dict[tuple[str, str], Line] = {}
    for path in captures():
        try:
            sources = offered(path)
        except CaptureError:
            continue
        for source in (*sources, "json"):
            try:
                capture = read_capture(path, source=source)
            except CaptureError:  # no trace, or one without kernels
                continue
            measured, _ = measure(capture)
            for one in measured:
                for witness in one.witnesses:
                    if witness.name.startswith("from_") and isinstance(one.summary, Quantity):
                        pair = " / ".join(sorted((one.source, witness.name.removeprefix("from_"))))
                        _take(lines, (one.metric, pair), path, witness)
                if one.metric == "row_count":
                    for witness in one.witnesses:
                        if not witness.name.startswith("from_"):
                            _take(lines, (witness.name, source), path, witness)
    return lines


def _amount(value: Fraction, unit: str) -> str:
    if value == 0:
        return "0"
    text = f"{float(value):.3g}"
    return text if unit == "1" else f"{text} {unit}"


def table(lines: dict[tuple[str, str], Line]) -> Iterator[str]:
    """The table as lines of Markdown."""
    yield "| value or check | sources | captures | largest difference | tolerance |"
    yield "|---|---|---|---|---|"
    known = {name: index for index, name in enumerate(ORDER)}
    for key in sorted(lines, key=lambda key: (known.get(key[0], len(known)), key)):
        line = lines[key]
        low, high = min(line.tolerance), max(line.tolerance)
        allowed = _amount(low, line.unit) if low == high else f"{_amount(low, line.unit)} to {_amount(high, line.unit)}"
        apart = _amount(line.apart, line.unit) + (f" ({line.fails} fail)" if line.fails else "")
        yield f"| {key[0]} | {key[1]} | {len(line.captures)} | {apart} | {allowed} |"


if __name__ == "__main__":
    print("\n".join(table(collected())))
