"""What communication operators did: waiting, transferring, and over which link.

The exporter splits the time of each operator: elapse = transit + wait + idle, and synchronization is the part of wait
before the first transfer. Values of a step are sums over its operators, point to point ones included; operators of
different streams overlap, so a sum is no wall time. Checkpoint steps and the steps that the warm-up rule leaves out of
the step times are left out here too. Source: docs/formats.md 3.5, 6.4, 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from reportgen import samples, units
from reportgen.frames import COMMUNICATION, NOT_AVAILABLE, Table, distinct
from reportgen.metrics.collective_checks import collective_checks, link_checks
from reportgen.metrics.common import Place, limit_interval, missing, no_communication, quantity, sampled
from reportgen.metrics.memory import absent
from reportgen.metrics.steps import Windows, kept, windows
from reportgen.model import Family, Measurement, Metric, Missing, MissingKind, Origin, Reason, Witness

if TYPE_CHECKING:
    import pandas as pd

    from reportgen.units import Exact

SOURCE = "docs/formats.md 3.5, 9"


def _metric(id_: str, unit: str, statistic: str, better: str) -> Metric:
    return Metric(
        id=id_,
        unit=unit,
        better=better,  # type: ignore[arg-type]
        statistic=statistic,
        family=Family.COMMUNICATION,
        also=(Family.TIME,),
        exact=False,
        source=SOURCE,
    )


ELAPSE = _metric("collective_elapse", "ns", "median", "neither")
TRANSIT = _metric("collective_transit", "ns", "median", "lower")
WAIT = _metric("collective_wait", "ns", "median", "lower")
SYNCHRONIZATION = _metric("collective_synchronization", "ns", "median", "lower")
IDLE = _metric("collective_idle", "ns", "median", "neither")
WAIT_RATIO = _metric("collective_wait_ratio", "1", "share", "neither")
SYNCHRONIZATION_RATIO = _metric("collective_synchronization_ratio", "1", "share", "neither")
BANDWIDTH = _metric("link_bandwidth", "B/s", "mean", "higher")
SIZE = replace(_metric("link_size", "B", "median", "neither"), also=(), exact=True)
LINK_TRANSIT = _metric("link_transit", "ns", "median", "lower")
LARGE_PACKETS = replace(_metric("link_large_packet_share", "1", "share", "neither"), also=())
TIMES = {
    "elapse_ns": (ELAPSE, "Elapse Time(ms)", "elapse_time"),
    "transit_ns": (TRANSIT, "Transit Time(ms)", "transit_time"),
    "wait_ns": (WAIT, "Wait Time(ms)", "wait_time"),
    "synchronization_ns": (SYNCHRONIZATION, "Synchronization Time(ms)", "synchronization_time"),
    "idle_ns": (IDLE, "Idle Time(ms)", "idle_time"),
}
"""Column -> metric, key in communication.json, column of CommAnalyzerTime."""
RATIOS = {"wait_ns": (WAIT_RATIO, "wait"), "synchronization_ns": (SYNCHRONIZATION_RATIO, "synchronization")}
"""Column -> metric, word."""
NO_QUOTIENT = {
    WAIT_RATIO.id: "no_transit_or_wait",
    SYNCHRONIZATION_RATIO.id: "no_transit_or_wait",
    BANDWIDTH.id: "link_without_time",
    LARGE_PACKETS.id: "packets_not_recorded",
}
"""Why a quotient does not exist."""
TRAFFIC = {
    "size_bytes": ("Transit Size(MB)", "transit_size"),
    "transit_ns": ("Transit Time(ms)", "transit_time"),
    "packets": ("Size Distribution", "count"),
    "large_packets": ("Large Packet Ratio", "large_packet_ratio"),
}
"""Columns of a link that are summed -> key in communication.json, column of CommAnalyzerBandwidth."""
LINKS = (BANDWIDTH, SIZE, LINK_TRANSIT, LARGE_PACKETS)
METRICS = (*(metric for metric, _, _ in TIMES.values()), WAIT_RATIO, SYNCHRONIZATION_RATIO, *LINKS)

OUTLIER_FACTOR = 10
"""``collective_outlier_factor`` of evidence/choices.toml."""
FEWEST_CALLS = 3
"""Calls of a kind from which one can be held against the others."""
MOST_PARTS = 64
"""Kinds shown, the longest; a capture has under 30."""
NOISE = Fraction(1, 100)
"""Bytes; a sum of sizes that is this close to a whole number is that number. Floats of a terabyte are off by less."""
REPEATED = "SDMA"
"""The link whose row repeats HCCS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """Which steps count."""

    found: Windows | None
    """The windows of the kernel table; None when nothing ran."""
    dropped: tuple[str, ...]
    """Checkpoint steps and warm-up steps."""
    checkpoints: tuple[str, ...]
    """Checkpoint steps, as agreed."""

    def of(self, frame: pd.DataFrame) -> tuple[list[str], tuple[str, ...], tuple[Reason, ...]]:
        """The steps of a table in the order of the kernel table, those left out, and why."""
        order = {label: i for i, label in enumerate(self.found.span_labels if self.found else ())}
        labels = sorted(distinct(frame["step"]), key=lambda label: order.get(label, len(order)))
        out = tuple(label for label in labels if label in self.dropped)
        saved = [label for label in out if label in self.checkpoints]
        warm = [label for label in out if label not in self.checkpoints]
        reasons = (("checkpoint_dropped", saved), ("warmup_dropped", warm))
        said = tuple(Reason.of(code, steps=", ".join(steps)) for code, steps in reasons if steps)
        return [label for label in labels if label not in out], out, said


def measure(place: Place) -> list[Measurement]:
    """Every metric of this room for one rank.

    Returns:
        By metric in the order of ``METRICS``. Times: the whole, then each kind of operator, longest first; ratios: the
        whole. Links by name. One Missing for each metric that has no value.
    """
    found = windows(place.tables.kernels.frame)
    warm = kept(found, place.checkpoint_steps)[1] if found is not None else ()
    dropped = tuple(dict.fromkeys((*place.checkpoint_steps, *warm)))
    steps = _Steps(found=found, dropped=dropped, checkpoints=place.checkpoint_steps)
    done = [*_collectives(place, steps), *_links(place, steps)]
    order = {metric.id: i for i, metric in enumerate(METRICS)}
    return sorted(done, key=lambda one: order[one.metric])


def operator_kind(name: str) -> str:
    """An operator's name without its running numbers and hash: ``hcom_allReduce__586_0_1`` is ``hcom_allReduce_``."""
    bare = name.split("@", 1)[0]
    end = len(bare)
    while (mark := bare.rfind("_", 0, end)) > 0 and bare[mark + 1 : end].isdecimal():
        end = mark
    return bare[:end]


# ------------------------------------------------------------------------------------------------ collectives
@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """The kept operators of one kind, by step."""

    name: str
    """Kind; empty for all operators."""
    rows: int
    """How many."""
    sums: dict[str, dict[str, Exact]]
    """Step -> column -> sum in ns."""
    warnings: tuple[Reason, ...]
    """Doubts about these operators."""

    def total(self, column: str) -> Fraction:
        """The sum over all steps, in ns."""
        return Fraction(sum(sums[column] for sums in self.sums.values()))


def _gone(place: Place, table: Table | None) -> Missing:
    """Why nothing is known of collectives: the table is bad, missing or empty, or no kernel row communicates at all."""
    option = place.option("communication")
    why = absent(place, "communication.json", "analysis.db", "communication_analyzer.db", remedy=option)
    if table is None and why.kind is MissingKind.UNREADABLE:
        return why
    if not (place.tables.kernels.frame["kind"] == COMMUNICATION).any():
        return no_communication(place)
    empty = MissingKind.NOT_RECORDED, "table_without_rows", option
    return why if table is None else missing(*empty, table=table.file.path)


def _collectives(place: Place, steps: _Steps) -> list[Measurement]:
    table = place.tables.collectives
    metrics = (*(metric for metric, _, _ in TIMES.values()), WAIT_RATIO, SYNCHRONIZATION_RATIO)
    if table is None or not len(table.frame):
        return [place.measured(metric, _gone(place, table), witnesses=()) for metric in metrics]
    labels, out, said = steps.of(table.frame)
    said = (*table.warnings, *said, *_unseen(steps, table.frame))
    if not labels:
        why = missing(MissingKind.NOT_APPLICABLE, "all_steps_left_out")
        return [place.measured(metric, why, witnesses=(), warnings=said) for metric in metrics]
    kinds, more = _kinds(table.frame, labels)
    checks = collective_checks(place, table, steps.dropped)
    done: list[Measurement] = []
    for kind in kinds:
        doubts = (*said, *(more if not kind.name else ()), *kind.warnings)
        around = _Out(dropped=out, warnings=doubts, witnesses=checks)
        done += [_time(place, table, kind, column, around) for column in TIMES]
        if not kind.name:
            done += [_ratio(place, table, kind, column, around) for column in RATIOS]
    return done


def _unseen(steps: _Steps, frame: pd.DataFrame) -> tuple[Reason, ...]:
    """Steps whose kernel rows communicate and that the table lacks: they are not in the sample, absent is not zero."""
    known = set(distinct(frame["step"]))
    gone = [label for label in (steps.found.span_labels if steps.found else ()) if label and label not in known]
    gone = [label for label in gone if label not in steps.dropped]
    return (Reason.of("steps_without_collectives", steps=", ".join(gone)),) if gone else ()


def _kinds(frame: pd.DataFrame, labels: Sequence[str]) -> tuple[list[_Kind], tuple[Reason, ...]]:
    """All operators, then those of each kind, longest first; and whether kinds were left out."""
    kind_of = {str(name): operator_kind(str(name)) for name in frame["name"].cat.categories}
    wanted = set(labels)
    sums: dict[str, dict[str, dict[str, Exact]]] = {"": {}}
    calls: dict[str, list[tuple[Exact, str, str]]] = {"": []}
    texts = (frame["step"].astype(str).tolist(), frame["name"].astype(str).tolist())
    for step, name, *values in zip(*texts, *(frame[column].tolist() for column in TIMES), strict=True):
        if step not in wanted:
            continue
        for kind in dict.fromkeys(("", kind_of[name])):
            calls.setdefault(kind, []).append((values[0], name, step))
            into = sums.setdefault(kind, {}).setdefault(step, dict.fromkeys(TIMES, 0))
            for column, value in zip(TIMES, values, strict=True):
                into[column] += value
    far = {kind: _far(kind_calls) for kind, kind_calls in calls.items() if kind}
    whole = max((reasons for reasons in far.values() if reasons), key=lambda found: found[0], default=None)
    done = [
        _Kind(
            name=kind,
            rows=len(calls[kind]),
            sums={label: sums[kind][label] for label in labels if label in sums[kind]},
            warnings=tuple(found[1] for found in (far.get(kind) if kind else whole,) if found),
        )
        for kind in sums
    ]
    done.sort(key=lambda kind: (kind.name != "", -kind.total("elapse_ns"), kind.name))
    left = len(done) - 1 - MOST_PARTS
    return done[: MOST_PARTS + 1], (Reason.of("parts_left_out", n=left, most=MOST_PARTS),) if left > 0 else ()


def _far(calls: list[tuple[Exact, str, str]]) -> tuple[Fraction, Reason] | None:
    """The calls of one kind that took more than ``OUTLIER_FACTOR`` times the median of the calls but the longest.

    Returns:
        How many ns the longest stands above that median, and the warning; None when there is none.
    """
    if len(calls) < FEWEST_CALLS:
        return None
    ordered = sorted(calls, key=lambda call: call[0])
    others = samples.median([call[0] for call in ordered[:-1]])
    far = [call for call in ordered if call[0] > OUTLIER_FACTOR * others > 0]
    if not far:
        return None
    longest, name, step = far[-1]
    warning = Reason.of(
        "collective_far_above_median",
        n=len(far),
        name=name,
        step=step or NOT_AVAILABLE,
        elapse=f"{float(Fraction(longest) / 10**6):.3f} ms",
        others=f"{float(others / 10**6):.3f} ms",
        factor=OUTLIER_FACTOR,
    )
    return longest - others, warning


def _collective_origin(place: Place, table: Table, kind: _Kind, columns: Sequence[str], formula: str) -> Origin:
    database = table.source == "db"
    names = [TIMES[column][2 if database else 1] for column in columns]
    where = ", ".join(f"CommAnalyzerTime.{name}" if database else f"Communication Time Info/{name}" for name in names)
    of = f"{kind.name}: " if kind.name else ""
    return place.origin(table, f"{where}; {of}{kind.rows} operators of {len(kind.sums)} steps", formula)


def _time(place: Place, table: Table, kind: _Kind, column: str, around: _Out) -> Measurement:
    origin = _collective_origin(place, table, kind, [column], "median over steps of the sum over operators")
    values = {label: sums[column] for label, sums in kind.sums.items()}
    return _median(place, TIMES[column][0], kind.name, values, (origin,), around)


def _ratio(place: Place, table: Table, kind: _Kind, column: str, around: _Out) -> Measurement:
    metric, word = RATIOS[column]
    formula = f"sum {word} / (sum {word} + sum transit)"
    pairs = {label: (sums[column], sums[column] + sums["transit_ns"]) for label, sums in kind.sums.items()}
    origin = _collective_origin(place, table, kind, [column, "transit_ns"], formula)
    return _quotient(place, metric, kind.name, pairs, ("ns", "ns"), origin, around)


# ------------------------------------------------------------------------------------------------ values
@dataclass(frozen=True, slots=True, kw_only=True)
class _Out:
    """What travels with every value of a table."""

    dropped: tuple[str, ...]
    """Steps left out."""
    warnings: tuple[Reason, ...]
    """Doubts."""
    witnesses: tuple[Witness, ...]
    """Cross-checks of the table."""


def _median(
    place: Place, metric: Metric, part: str, values: dict[str, Exact], origins: tuple[Origin, ...], around: _Out
) -> Measurement:
    """The median over steps of a value of each step; counts of bytes get no interval."""
    exact = [units.exact(Fraction(value)) for value in values.values()]
    interval, said = (None, ()) if metric.exact else limit_interval(exact, metric.unit)
    return place.measured(
        metric,
        quantity(samples.median(exact), metric.unit),
        part=part,
        sample=sampled(exact, list(values), metric.unit, around.dropped),
        interval=interval,
        origins=origins,
        witnesses=around.witnesses,
        warnings=(*around.warnings, *said),
    )


def _quotient(
    place: Place,
    metric: Metric,
    part: str,
    pairs: dict[str, tuple[Exact, Exact]],
    written: tuple[str, str],
    origin: Origin,
    around: _Out,
) -> Measurement:
    """Sum of numerators / sum of denominators over all steps, never a mean of quotients; the sample is by step.

    Steps whose denominator is 0 are not in the sample; where all are 0 there is no quotient.
    """
    above, below = (Fraction(sum(pair[i] for pair in pairs.values())) for i in (0, 1))
    if not below:
        why = missing(MissingKind.NOT_APPLICABLE, NO_QUOTIENT[metric.id])
        return place.measured(metric, why, part=part, witnesses=(), warnings=around.warnings)
    scale = 10**9 if metric.unit == "B/s" else 1
    values = {label: units.exact(scale * Fraction(a) / b) for label, (a, b) in pairs.items() if b}
    interval, said = limit_interval(list(values.values()), metric.unit, [Fraction(b) for _, b in pairs.values() if b])
    return place.measured(
        metric,
        quantity(scale * above / below, metric.unit),
        part=part,
        sample=sampled(list(values.values()), list(values), metric.unit, around.dropped),
        interval=interval,
        numerator=quantity(above, written[0]),
        denominator=quantity(below, written[1]),
        origins=(origin,),
        witnesses=around.witnesses,
        warnings=(*around.warnings, *said),
    )


# ------------------------------------------------------------------------------------------------ links
def _links(place: Place, steps: _Steps) -> list[Measurement]:
    """Traffic by link. Transfers overlap, so the time is summed over them and the bandwidth is that of one transfer.

    There is no total over links: the row of SDMA repeats HCCS and says so.
    """
    table = place.tables.links
    why = _gone(place, table) if table is None else missing(MissingKind.NOT_APPLICABLE, "no_link_traffic")
    if table is None or not len(table.frame):
        return [place.measured(metric, why, witnesses=()) for metric in LINKS]
    labels, out, said = steps.of(table.frame)
    sums: dict[str, dict[str, dict[str, Exact]]] = {}
    texts = (table.frame["link"].astype(str).tolist(), table.frame["step"].astype(str).tolist())
    for link, step, *values in zip(*texts, *(table.frame[column].tolist() for column in TRAFFIC), strict=True):
        into = sums.setdefault(link, {}).setdefault(step, dict.fromkeys(TRAFFIC, 0))
        for column, value in zip(TRAFFIC, values, strict=True):
            into[column] += value
    checks = link_checks(place, table, steps.dropped)
    done: list[Measurement] = []
    for link in sorted(sums):
        of = {label: sums[link][label] for label in labels if label in sums[link]}
        for sizes in of.values():
            sizes["size_bytes"] = _whole(sizes["size_bytes"])
        repeats = (Reason.of("sdma_repeats_hccs"),) if link == REPEATED else ()
        if of:
            around = _Out(dropped=out, warnings=(*table.warnings, *said, *repeats), witnesses=checks)
            done += _link(place, table, link, of, around)
    why = why if labels else missing(MissingKind.NOT_APPLICABLE, "all_steps_left_out")
    return done or [place.measured(metric, why, witnesses=(), warnings=said) for metric in LINKS]


def _whole(size: Exact) -> Exact:
    """The bytes that a sum means: files print megabytes as binary floats, 28.647232000000002 for 28647232 B."""
    near = round(Fraction(size))
    return near if abs(Fraction(size) - near) < NOISE else size


def _link(place: Place, table: Table, link: str, of: dict[str, dict[str, Exact]], around: _Out) -> list[Measurement]:
    database = table.source == "db"
    before = "CommAnalyzerBandwidth." if database else "Communication Bandwidth Info/"

    def origin(columns: tuple[str, ...], formula: str) -> Origin:
        names = ", ".join(before + TRAFFIC[column][1 if database else 0] for column in columns)
        return place.origin(table, f"{names}; link {link}; {len(of)} steps", formula)

    def column(name: str) -> dict[str, Exact]:
        return {label: sums[name] for label, sums in of.items()}

    def pairs(above: str, below: str) -> dict[str, tuple[Exact, Exact]]:
        return {label: (sums[above], sums[below]) for label, sums in of.items()}

    median = "median over steps of the sum over operators"
    size, time = origin(("size_bytes",), median), origin(("transit_ns",), median)
    rate = origin(("size_bytes", "transit_ns"), "sum size / sum transit time")
    large = origin(("large_packets", "packets"), "sum large packets / sum packets")
    return [
        _quotient(place, BANDWIDTH, link, pairs("size_bytes", "transit_ns"), ("B", "ns"), rate, around),
        _median(place, SIZE, link, column("size_bytes"), (size,), around),
        _median(place, LINK_TRANSIT, link, column("transit_ns"), (time,), around),
        _quotient(place, LARGE_PACKETS, link, pairs("large_packets", "packets"), ("1", "1"), large, around),
    ]
