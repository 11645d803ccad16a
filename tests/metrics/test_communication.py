"""Communication operators, links and groups: hand-made frames whose sums are shown, and communication.json itself."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pandas as pd
import pytest
from by_hand import BASE, by_part, category, codes, kernels, place, reason, table, value
from corpus import CORPUS, TORCH, needs_corpus, torch, us

from reportgen.catalogue import choices
from reportgen.metrics import communication, groups
from reportgen.metrics.common import Place
from reportgen.model import MissingKind, Reason, UnreadFile
from reportgen.reading import analysis_db, profiler_db, read_capture
from reportgen.reading.communication_json import read_communication
from reportgen.reading.database import Database
from reportgen.resources import evidence_dir

ONE_STEP = kernels([("1", "C", 0, 100, "MatMul"), ("1", "M", 50, 100, "hcom_allReduce__586_0_1")])
FOUR_STEPS = kernels(
    [
        row
        for i, step in enumerate(("7", "8", "9", "10"))
        for row in (
            (step, "C", 1000 * i, 400, "MatMul"),
            (step, "M", 1000 * i + 300, 300, f"hcom_allReduce__586_{i}_1"),
        )
    ]
)
"""Windows of 1000 ns for 7, 8 and 9; 10 has no successor."""
COLUMNS = ("elapse_ns", "transit_ns", "wait_ns", "synchronization_ns", "idle_ns")


def collectives(*rows: tuple[str, str, int, int, int, int], groups_of: dict[str, str] | None = None) -> Any:
    """(step, name, transit, wait, synchronization, idle); elapse = transit + wait + idle, as in every file seen."""
    step, name, transit, wait, synchronization, idle = zip(*rows, strict=True)
    elapse = [sum(three) for three in zip(transit, wait, idle, strict=True)]
    values = dict(zip(COLUMNS, (elapse, transit, wait, synchronization, idle), strict=True))
    return table(
        "collectives",
        "communication.json",
        {
            "step": category(step),
            "kind": category(["collective"] * len(step)),
            "name": category(name),
            "group": category([(groups_of or {}).get(n, "17522688603477080586") for n in name]),
            "start_ns": pd.Series([None] * len(step), dtype="Int64"),
            **{column: pd.Series(list(of), dtype=object) for column, of in values.items()},
        },
        source="json",
    )


def links(*rows: tuple[str, str, int | Fraction, int | Fraction, int, int | Fraction]) -> Any:
    """(step, link, size, transit, packets, large packets)."""
    step, link, size, transit, packets, large = zip(*rows, strict=True)
    return table(
        "links",
        "communication.json",
        {
            "step": category(step),
            "name": category(["hcom_allReduce__586_0_1"] * len(step)),
            "group": category(["1"] * len(step)),
            "link": category(link),
            "size_bytes": pd.Series(list(size), dtype=object),
            "transit_ns": pd.Series(list(transit), dtype=object),
            "packets": pd.Series(list(packets), dtype=object),
            "large_packets": pd.Series(list(large), dtype=object),
        },
        source="json",
    )


# --------------------------------------------------------------------------------------------- names
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("hcom_allReduce__586_0_1", "hcom_allReduce_"),
        ("hcom_send__822_0", "hcom_send_"),
        ("hcom_broadcast__483_1@9350434047717501483", "hcom_broadcast_"),
        ("hcom_alltoallvc_", "hcom_alltoallvc_"),
        ("HcclAllreduce", "HcclAllreduce"),
        ("_1", "_1"),
        ("", ""),
    ],
)
def test_a_kind_is_the_name_without_running_numbers_and_hash(name: str, kind: str) -> None:
    assert communication.operator_kind(name) == kind


def test_a_hostile_name_takes_no_time() -> None:
    assert communication.operator_kind("a" + "_1" * 10**6) == "a"


# --------------------------------------------------------------------------------------------- collectives
def test_times_are_medians_over_steps_of_the_sums_of_a_step() -> None:
    found = by_part(
        communication.measure(
            place(
                FOUR_STEPS,
                collectives=collectives(
                    # step, name, transit, wait, synchronization, idle
                    ("7", "hcom_allReduce__586_0_1", 10, 1, 1, 4),
                    ("7", "hcom_send__822_0", 20, 2, 0, 8),
                    ("8", "hcom_allReduce__586_1_1", 11, 3, 2, 4),
                    ("9", "hcom_allReduce__586_2_1", 12, 5, 3, 4),
                    ("10", "hcom_allReduce__586_3_1", 14, 7, 4, 4),
                ),
            )
        )
    )
    # sums of the steps: transit 30, 11, 12, 14; wait 3, 3, 5, 7; synchronization 1, 2, 3, 4; idle 12, 4, 4, 4
    assert value(found["collective_transit", ""]) == 13
    assert value(found["collective_wait", ""]) == 4
    assert value(found["collective_synchronization", ""]) == Fraction(5, 2)
    assert value(found["collective_idle", ""]) == 4
    assert found["collective_elapse", ""].sample is not None
    assert found["collective_elapse", ""].sample.values == (45, 18, 21, 25)
    assert found["collective_elapse", ""].sample.labels == ("7", "8", "9", "10")
    # the kinds apart; a step without a kind is not a zero of it
    assert value(found["collective_transit", "hcom_allReduce_"]) == Fraction(23, 2)  # of 10, 11, 12, 14
    assert found["collective_transit", "hcom_send_"].sample.labels == ("7",)  # type: ignore[union-attr]
    assert found["collective_wait", ""].origins[0].file.endswith("communication.json")


def test_the_wait_ratio_is_a_quotient_of_sums_and_no_mean_of_ratios() -> None:
    found = by_part(
        communication.measure(
            place(
                FOUR_STEPS,
                collectives=collectives(
                    ("7", "hcom_allReduce__586_0_1", 10, 90, 30, 0),
                    ("8", "hcom_allReduce__586_1_1", 890, 10, 0, 0),
                    ("9", "hcom_allReduce__586_2_1", 0, 0, 0, 5),
                ),
            )
        )
    )
    wait = found["collective_wait_ratio", ""]
    assert value(wait) == Fraction(100, 1000)  # the mean of 0.9 and 1/90 would be 0.46
    assert (wait.numerator.value, wait.denominator.value) == (100, 1000)  # type: ignore[union-attr]
    assert wait.sample.values == (Fraction(9, 10), Fraction(1, 90))  # type: ignore[union-attr]  # 9 has no denominator
    assert value(found["collective_synchronization_ratio", ""]) == Fraction(30, 930)
    assert ("collective_wait_ratio", "hcom_allReduce_") not in found


def test_without_any_transit_and_wait_there_is_no_ratio() -> None:
    found = by_part(
        communication.measure(place(ONE_STEP, collectives=collectives(("1", "hcom_allGather__483_3", 0, 0, 0, 9))))
    )
    assert reason(found["collective_wait_ratio", ""]) == "no_transit_or_wait"
    assert value(found["collective_elapse", ""]) == 9


def test_checkpoint_and_warm_up_steps_are_left_out_as_in_the_step_times() -> None:
    # windows of 7 .. 11: 9000, 1000, 1000, 1000, 1000 ns; of the first third (one step) 7 is far above the others
    starts = [0, 9000, 10000, 11000, 12000, 13000]
    rows = [
        row
        for i, start in enumerate(starts)
        for row in ((str(7 + i), "C", start, 400, "MatMul"), (str(7 + i), "M", start + 300, 50, f"hcom_x__1_{i}"))
    ]
    held = collectives(*((str(7 + i), f"hcom_x__1_{i}", 100 + i, 0, 0, 0) for i in range(6)))
    found = by_part(communication.measure(place(kernels(rows), collectives=held, checkpoint_steps=("9",))))
    sample = found["collective_transit", ""].sample
    assert sample is not None
    assert sample.labels == ("8", "10", "11", "12")
    assert sample.values == (101, 103, 104, 105)
    assert sample.dropped == ("7", "9")
    said = {w.code: w.arg("steps") for w in found["collective_transit", ""].warnings}
    assert (said["checkpoint_dropped"], said["warmup_dropped"]) == ("9", "7")


def test_a_step_that_the_table_lacks_is_said_and_is_no_zero() -> None:
    held = collectives(("7", "hcom_allReduce__586_0_1", 10, 0, 0, 0), ("8", "hcom_allReduce__586_1_1", 20, 0, 0, 0))
    transit = by_part(communication.measure(place(FOUR_STEPS, collectives=held)))["collective_transit", ""]
    assert value(transit) == 15
    assert {w.code: w.arg("steps") for w in transit.warnings}["steps_without_collectives"] == "9, 10"


def test_all_steps_left_out() -> None:
    held = collectives(("1", "hcom_allReduce__586_0_1", 10, 0, 0, 0))
    found = by_part(communication.measure(place(ONE_STEP, collectives=held, checkpoint_steps=("1",))))
    assert reason(found["collective_wait", ""]) == "all_steps_left_out"


# --------------------------------------------------------------------------------------------- held against the kernels
HONEST = [(step, f"hcom_allReduce__586_{i}_1", 200, 60, 20, 40) for i, step in enumerate(("7", "8", "9", "10"))]
"""The four operators of FOUR_STEPS: each row there lasts 300 ns = 200 + 60 + 40."""
NAMES = ("collective_count", "collective_elapse", "collective_parts")


def within(made: Place, start: int, end: int) -> Place:
    """The same, with the start and the end of collection recorded, ns from ``BASE``."""
    return replace(made, rank=replace(made.rank, started_ns=BASE + start, ended_ns=BASE + end))


def failed(made: Place, metric: str = "collective_wait", part: str = "") -> dict[str, tuple[Any, Any]]:
    """The failed checks of a value: found, expected; the first of them decides it."""
    found = by_part(communication.measure(made))[metric, part]
    bad = {w.name: (w.found.value, w.expected.value) for w in found.witnesses if not w.agrees}
    assert (found.undecided_by() is not None) is bool(bad)
    return bad


def edited(held: Any, **columns: list[Any]) -> Any:
    """A table with columns exchanged."""
    new = {name: pd.Series(values, dtype=held.frame[name].dtype) for name, values in columns.items()}
    return replace(held, frame=held.frame.assign(**new))


def test_every_value_of_an_honest_table_is_held_against_the_kernel_rows() -> None:
    made = within(place(FOUR_STEPS, collectives=collectives(*HONEST)), 0, 4000)
    for one in communication.measure(made):
        if one.metric.startswith("collective_"):
            assert tuple(w.name for w in one.witnesses) == NAMES, one
            assert one.undecided_by() is None
            # 4 operators; 4 x 300 ns; 300 ns of the one furthest apart from its parts
            assert [w.found.value for w in one.witnesses] == [w.expected.value for w in one.witnesses] == [4, 1200, 300]
            assert [w.tolerance.value for w in one.witnesses] == [0, 4, 1]


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        ("a step is gone", HONEST[:3], {"collective_count[10]": (0, 1), "collective_elapse[10]": (0, 300)}),
        (
            "an operator of another run",
            [*HONEST, ("9", "hcom_send__1_1", 0, 0, 0, 0)],
            {"collective_count[9]": (2, 1)},
        ),
        (
            "one step holds what another lacks",
            [*HONEST[:3], ("9", "hcom_allReduce__586_3_1", 200, 60, 20, 40)],
            {"collective_count[9]": (2, 1), "collective_elapse[9]": (600, 300)},
        ),
        ("a step that never ran", [*HONEST, ("11", "x", 0, 0, 0, 0)], {"collective_count[11]": (1, 0)}),
        (
            "less waiting, everywhere",
            [(step, name, 200, 0, 0, 40) for step, name, *_ in HONEST],
            {"collective_elapse[7]": (240, 300)},
        ),
    ],
)
def test_a_table_that_the_kernel_rows_contradict_is_undecided(title: str, rows: Any, expected: Any) -> None:
    assert failed(place(FOUR_STEPS, collectives=collectives(*rows))) == expected, title


def test_every_row_of_the_kernel_table_is_rounded_to_the_nanosecond() -> None:
    held = collectives(*HONEST)
    rounded = edited(held, elapse_ns=[301, 299, 301, 300], idle_ns=[41, 39, 41, 40])
    assert failed(place(FOUR_STEPS, collectives=rounded)) == {}
    off = edited(held, elapse_ns=[302, 300, 300, 300], idle_ns=[42, 40, 40, 40])
    assert failed(place(FOUR_STEPS, collectives=off)) == {"collective_elapse[7]": (302, 300)}


def test_a_part_that_was_made_smaller_is_missed_in_the_sum() -> None:
    # wait of the second operator 6 instead of 60: the parts add up to 246 of 300
    held = edited(collectives(*HONEST), wait_ns=[60, 6, 60, 60])
    assert failed(place(FOUR_STEPS, collectives=held)) == {"collective_parts": (300, 246)}
    noise = edited(collectives(*HONEST), wait_ns=[60, 60 + Fraction(1, 10**8), 60, 60])
    assert failed(place(FOUR_STEPS, collectives=noise)) == {}


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (-(10**9), {}),  # a second before the start: clock offset explains it
        (-(10**9) - 1, {"collective_start": (BASE - 10**9 - 1, BASE)}),
        (5000 + 10**9, {}),
        (5001 + 10**9, {"collective_start": (BASE + 5001 + 10**9, BASE + 5000)}),
    ],
)
def test_collectives_of_another_time_are_of_another_run(start: int, expected: Any) -> None:
    held = edited(collectives(*HONEST), start_ns=[BASE + start, None, BASE + 100, None])
    assert failed(within(place(FOUR_STEPS, collectives=held), 0, 5000)) == expected
    assert failed(place(FOUR_STEPS, collectives=held)) == {}, "where no start and end are recorded"


def test_steps_that_are_left_out_are_not_held_against_anything() -> None:
    made = place(FOUR_STEPS, collectives=collectives(*HONEST[1:]), checkpoint_steps=("7",))
    assert failed(made) == {}


def test_rows_outside_the_steps_have_no_collective() -> None:
    rows = [("7", "M", 0, 300, "a"), ("", "M", 400, 100, "b"), ("8", "M", 600, 300, "c")]
    made = place(kernels(rows), collectives=collectives(("7", "a", 300, 0, 0, 0), ("8", "c", 300, 0, 0, 0)))
    assert failed(made) == {}


def test_without_steps_all_is_held_against_all() -> None:
    bare = kernels([("", "M", 0, 300, "a"), ("", "M", 400, 100, "b")])
    held = [("3", "a", 300, 0, 0, 0), ("4", "b", 100, 0, 0, 0)]
    assert failed(place(bare, collectives=collectives(*held))) == {}
    assert failed(place(bare, collectives=collectives(*held[:1]))) == {
        "collective_count": (1, 2),
        "collective_elapse": (300, 400),
    }


def test_kernels_left_out_by_name_have_their_collectives_all_the_same() -> None:
    made = place(kernels([("7", "M", 0, 300, "hcom_allReduce__586_0_1")]), collectives=collectives(*HONEST))
    assert "collective_count[8]" in failed(made)
    assert failed(replace(made, tables=replace(made.tables, whole=FOUR_STEPS))) == {}


TRAFFIC = [(step, "HCCS", 1000, 100, 10, 4) for step in ("7", "8", "9", "10")]


def traffic(*rows: Any, names: list[str]) -> Any:
    """Links of operators of the group that ``collectives`` writes."""
    held = links(*rows)
    return replace(
        held, frame=held.frame.assign(name=category(names), group=category(["17522688603477080586"] * len(rows)))
    )


def test_links_are_held_against_the_operators_that_transferred() -> None:
    held, names = collectives(*HONEST), [name for _, name, *_ in HONEST]
    whole = place(FOUR_STEPS, collectives=held, links=traffic(*TRAFFIC, names=names))
    assert failed(whole, "link_bandwidth", "HCCS") == {}
    (found,) = [one for one in communication.measure(whole) if one.metric == "link_size"]
    assert [(w.name, w.found.value, w.expected.value) for w in found.witnesses] == [
        ("collective_count", 4, 4),
        ("link_operators", 4, 4),
    ]
    cut = place(FOUR_STEPS, collectives=held, links=traffic(*TRAFFIC[:3], names=names[:3]))
    assert failed(cut, "link_bandwidth", "HCCS") == {"link_operators": (3, 4)}
    # an operator that only waited has no traffic: as hcom_reduceScatter of the 2023 fragment
    waited = collectives(*HONEST[:3], ("10", names[3], 0, 260, 20, 40))
    assert failed(replace(cut, tables=replace(cut.tables, collectives=waited)), "link_size", "HCCS") == {}
    gone = collectives(*HONEST[:3])
    both = replace(cut, tables=replace(cut.tables, collectives=gone))
    assert failed(both, "link_size", "HCCS") == {"collective_count[10]": (3 - 3, 1)}
    alone = replace(cut, tables=replace(cut.tables, collectives=None))
    assert failed(alone, "link_size", "HCCS") == {"link_operators[10]": (0, 1)}


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("kind", ["text", "db"])
@pytest.mark.parametrize("rank", [0, 1])
def test_published_collectives_agree_with_their_kernel_rows(kind: str, rank: int) -> None:
    # 4 operators; the sum of elapse of db rank 0 is 102108.100 us in both tables
    capture = read_capture(torch(1, rank, kind))
    made = Place(facts=capture.facts, rank=capture.facts.ranks[0], tables=capture.tables[0])
    found = by_part(communication.measure(made))
    assert all(one.undecided_by() is None for one in found.values())
    checks = {w.name: w for w in found["collective_elapse", ""].witnesses}
    assert tuple(checks) == NAMES
    assert (checks["collective_count"].found.value, checks["collective_count"].expected.value) == (4, 4)
    if (kind, rank) == ("db", 0):
        assert checks["collective_elapse"].expected.value == us("102108.100")
    assert "link_operators" in {w.name for w in found["link_size", "HCCS"].witnesses}


# --------------------------------------------------------------------------------------------- one far above the others
@pytest.mark.parametrize(
    ("transits", "flagged"),
    [
        ((2001, 100, 200, 300), True),  # the median of 100, 200, 300 is 200; more than 10 times that
        ((2000, 100, 200, 300), False),  # not more than 10 times
        ((100, 200, 300, 2001), True),  # whichever it is
        ((9000, 100), False),  # one other call is no median of a kind
        ((9000, 0, 0), False),  # no median above nothing
    ],
)
def test_a_collective_far_above_the_median_of_its_kind_is_flagged(transits: tuple[int, ...], flagged: bool) -> None:
    held = collectives(*(("1", f"hcom_allReduce__586_{i}_1", t, 0, 0, 0) for i, t in enumerate(transits)))
    found = by_part(communication.measure(place(ONE_STEP, collectives=held)))
    for part in ("", "hcom_allReduce_"):
        assert ("collective_far_above_median" in codes(found["collective_elapse", part])) is flagged, part


def test_the_flag_names_the_longest_and_counts_the_others() -> None:
    rows = [("1", f"hcom_allReduce__586_{i}_1", t, 0, 0, 0) for i, t in enumerate((79 * 10**6, 10, 10, 10, 500))]
    found = by_part(communication.measure(place(ONE_STEP, collectives=collectives(*rows))))
    (flag,) = [w for w in found["collective_wait", ""].warnings if w.code == "collective_far_above_median"]
    assert (flag.arg("n"), flag.arg("name"), flag.arg("step")) == ("2", "hcom_allReduce__586_0_1", "1")
    assert (flag.arg("elapse"), flag.arg("factor")) == ("79.000 ms", "10")


def test_what_is_left_out_is_not_flagged() -> None:
    rows = [("7", "hcom_allReduce__586_0_1", 9000, 0, 0, 0)]
    rows += [(step, f"hcom_allReduce__586_{step}_1", 10, 0, 0, 0) for step in ("8", "9", "10")]
    made = place(FOUR_STEPS, collectives=collectives(*rows), checkpoint_steps=("7",))
    found = by_part(communication.measure(made))["collective_elapse", ""]
    assert "collective_far_above_median" not in codes(found)
    assert "3 operators of 3 steps" in found.origins[0].locator


def test_the_factor_is_the_one_of_the_evidence() -> None:
    assert choices(evidence_dir())["collective_outlier_factor"] == communication.OUTLIER_FACTOR


def test_only_the_longest_kinds_are_shown_and_the_rest_is_counted() -> None:
    rows = [("1", f"kind{i}x_0", i + 1, 0, 0, 0) for i in range(communication.MOST_PARTS + 3)]
    found = by_part(communication.measure(place(ONE_STEP, collectives=collectives(*rows))))
    parts = [part for metric, part in found if metric == "collective_elapse"]
    assert parts[:3] == ["", "kind66x", "kind65x"]
    assert len(parts) == communication.MOST_PARTS + 1
    (left,) = [w for w in found["collective_elapse", ""].warnings if w.code == "parts_left_out"]
    assert left.arg("n") == "3"
    assert value(found["collective_elapse", ""]) == sum(range(1, 68))


# --------------------------------------------------------------------------------------------- links
def test_links_are_sums_over_sums_and_sdma_says_that_it_repeats() -> None:
    found = by_part(
        communication.measure(
            place(
                FOUR_STEPS,
                links=links(
                    ("7", "HCCS", 3000, 100, 10, 4),
                    ("7", "HCCS", 1000, 100, 10, 1),
                    ("7", "SDMA", 4000, 200, 0, 0),
                    ("8", "HCCS", 2000, 50, 5, 5),
                ),
            )
        )
    )
    # HCCS: 6000 B in 250 ns; the mean of 20 and 40 B/ns would be 30
    assert value(found["link_bandwidth", "HCCS"]) == 24 * 10**9
    assert found["link_bandwidth", "HCCS"].sample.values == (20 * 10**9, 40 * 10**9)  # type: ignore[union-attr]
    assert value(found["link_size", "HCCS"]) == 3000  # median of 4000 and 2000
    assert value(found["link_transit", "HCCS"]) == 125  # median of 200 and 50
    assert value(found["link_large_packet_share", "HCCS"]) == Fraction(10, 25)
    assert "sdma_repeats_hccs" in codes(found["link_size", "SDMA"])
    assert "sdma_repeats_hccs" not in codes(found["link_size", "HCCS"])
    assert ("link_size", "") not in found, "no total over links"
    assert reason(found["link_large_packet_share", "SDMA"]) == "packets_not_recorded"


def test_sizes_are_whole_bytes_although_files_print_floats() -> None:
    # 28.647232000000002 MB, the same number of bytes as 28.647232 MB: no difference may come of it
    size = Fraction("28.647232000000002") * 10**6
    rows = (("1", "HCCS", size, 1, 1, 0), ("1", "RDMA", Fraction(1, 2), 1, 1, 0))
    found = by_part(communication.measure(place(ONE_STEP, links=links(*rows))))
    assert value(found["link_size", "HCCS"]) == 28647232
    assert value(found["link_bandwidth", "HCCS"]) == 28647232 * 10**9
    assert value(found["link_size", "RDMA"]) == Fraction(1, 2)


def test_a_link_without_time_has_no_bandwidth() -> None:
    found = by_part(communication.measure(place(ONE_STEP, links=links(("1", "RDMA", 10, 0, 1, 1)))))
    assert reason(found["link_bandwidth", "RDMA"]) == "link_without_time"
    assert value(found["link_size", "RDMA"]) == 10


# --------------------------------------------------------------------------------------------- absent is not zero
UNREAD = UnreadFile(
    path="ASCEND_PROFILER_OUTPUT/communication.json",
    reason=Reason.of("table_unreadable", table="communication.json", why="is cut"),
)
SILENT = kernels([("1", "C", 0, 100, "MatMul")])
WITH_A_ROW = collectives(("1", "x", 1, 1, 1, 1))
EMPTY = replace(WITH_A_ROW, frame=WITH_A_ROW.frame.iloc[:0])


@pytest.mark.parametrize(
    ("made", "kind", "code"),
    [
        (place(ONE_STEP), MissingKind.NOT_COLLECTED, "table_missing"),
        (place(ONE_STEP, unread=(UNREAD,)), MissingKind.UNREADABLE, "table_unreadable"),
        (place(SILENT), MissingKind.NOT_RECORDED, "no_communication_rows"),
        (place(SILENT, unread=(UNREAD,)), MissingKind.UNREADABLE, "table_unreadable"),
        (place(ONE_STEP, collectives=EMPTY), MissingKind.NOT_RECORDED, "table_without_rows"),
        (place(SILENT, collectives=EMPTY), MissingKind.NOT_RECORDED, "no_communication_rows"),
    ],
)
def test_a_missing_table_is_missing_with_its_reason(made: Any, kind: MissingKind, code: str) -> None:
    found = by_part(communication.measure(made))
    assert {metric for metric, _ in found} == {metric.id for metric in communication.METRICS}
    for metric in ("collective_elapse", "collective_wait_ratio"):
        missing = cast("Any", found[metric, ""].summary)
        assert (missing.kind, missing.reason.code) == (kind, code)
    assert cast("Any", found["link_size", ""].summary).reason.code in {code, "table_missing"}


def test_the_remedy_names_the_option_of_the_tool() -> None:
    missing = cast("Any", by_part(communication.measure(place(ONE_STEP)))["collective_wait", ""].summary)
    assert "Level1" in missing.remedy.arg("option")


# --------------------------------------------------------------------------------------------- groups
TWO_GROUPS = [
    ("", "C", 0, 100, "MatMul"),
    ("", "M", 50, 100, "a"),  # 50 .. 150: 50 ns outside computing
    ("", "M", 120, 50, "b"),  # 120 .. 170: all 50 ns outside
    ("", "C", 200, 10, "Add"),
]


def test_groups_overlap_so_their_sum_may_exceed_the_whole() -> None:
    found = by_part(groups.measure(place(kernels(TWO_GROUPS, ("N/A", "11", "22", "N/A")))))
    # the whole: |C ∪ M| - |C| = (100 + 70 + 10) - 110 = 70, less than 50 + 50
    assert {part: value(one) for (_, part), one in found.items()} == {"11": 50, "22": 50}


def test_the_only_group_needs_no_name() -> None:
    held = collectives(("", "a", 1, 0, 0, 0), ("", "b", 1, 0, 0, 0))
    found = by_part(groups.measure(place(kernels(TWO_GROUPS), collectives=held)))
    assert {part: value(one) for (_, part), one in found.items()} == {groups.ONE_GROUP: 70}
    assert [origin.file.rsplit("/", 1)[-1] for origin in found[groups.GROUP.id, groups.ONE_GROUP].origins] == [
        "kernel_details.csv",
        "communication.json",
    ]


def test_windows_are_those_of_the_step_times() -> None:
    # of each window of 1000 ns: computing 0 .. 400, communication 300 .. 600
    held = collectives(*((step, f"hcom_allReduce__586_{i}_1", 1, 0, 0, 0) for i, step in enumerate(("7", "8", "9"))))
    (found,) = groups.measure(place(FOUR_STEPS, collectives=held, checkpoint_steps=("8",)))
    assert found.sample is not None
    assert (found.sample.labels, found.sample.values, found.sample.dropped) == (("7", "9"), (200, 200), ("8",))
    (untold,) = [w for w in found.warnings if w.code == "group_rows_not_told"]  # the row of step 10
    assert (untold.arg("n"), untold.arg("of")) == ("1", "4")
    assert found.dimensions.part == "17522688603477080586", "a row of another group may be among the untold"


def test_a_name_in_two_groups_tells_neither() -> None:
    held = collectives(("", "a", 1, 0, 0, 0), ("", "b", 1, 0, 0, 0), groups_of={"a": "11", "b": "22"})
    twice = collectives(("", "a", 1, 0, 0, 0), groups_of={"a": "22"})
    held.frame.loc[:, ["name", "group"]] = held.frame[["name", "group"]].astype(object)
    both = pd.concat([held.frame.astype(object), twice.frame.astype(object)], ignore_index=True)
    mixed = table("collectives", "communication.json", {c: both[c] for c in both}, source="json")
    found = by_part(groups.measure(place(kernels(TWO_GROUPS), collectives=mixed)))
    assert {part: value(one) for (_, part), one in found.items()} == {"22": 50}


def test_a_row_whose_group_is_not_told_leaves_every_group_undecided() -> None:
    # without the row "b" the group 22 would hide nothing, and read as better
    held = collectives(("", "a", 1, 0, 0, 0), ("", "b", 1, 0, 0, 0), groups_of={"a": "11", "b": "22"})
    for one in groups.measure(place(kernels(TWO_GROUPS), collectives=held)):
        assert one.undecided_by() is None
    cut = replace(held, frame=held.frame.iloc[:1])
    (found,) = groups.measure(place(kernels(TWO_GROUPS), collectives=cut))
    witness = found.undecided_by()
    assert witness is not None
    assert (witness.name, witness.found.value, witness.expected.value) == ("group_rows", 1, 2)


def test_without_collectives_groups_cannot_be_told() -> None:
    (found,) = groups.measure(place(kernels(TWO_GROUPS)))
    assert reason(found) == "groups_not_told"
    (found,) = groups.measure(place(SILENT))
    assert reason(found) == "no_communication_rows"


def test_a_communicator_is_hashed_by_two_polynomials() -> None:
    # a = 97, b = 98: 97 * 29 + 98 = 2911 in the high 32 bits, 97 * 131 + 98 = 12805 in the low ones
    assert groups.communicator_hash("ab") == str(2911 * 2**32 + 12805)
    assert groups.communicator_hash("17148521525495523210") == "17148521525495523210"


def test_groups_are_called_by_parallel_group_info() -> None:
    named = groups.group_names([("11", "tp", "0,1"), ("22", "embd", "0,4"), ("33", "embd", "0"), ("44", "tp", "0,1")])
    assert named == {"11": "tp", "22": "embd[0,4]", "33": "embd[0]", "44": "tp"}
    file = cast("Any", SimpleNamespace(rank=0, groups=(("11", "tp", "0,1"), ("22", "dp", "0,2"))))
    found = by_part(groups.measure(place(kernels(TWO_GROUPS, ("N/A", "11", "22", "N/A")), settings=(file,))))
    assert {part: value(one) for (_, part), one in found.items()} == {"tp": 50, "dp": 50}


# --------------------------------------------------------------------------------------------- real captures
REAL = [
    pytest.param(torch(1, 0), id="level1-rank0"),
    pytest.param(torch(1, 1), id="level1-rank1"),
    pytest.param(CORPUS / "fragments/test_rank_0", id="fragment"),
]
KEYS = {
    "elapse": "Elapse Time(ms)",
    "transit": "Transit Time(ms)",
    "wait": "Wait Time(ms)",
    "synchronization": "Synchronization Time(ms)",
    "idle": "Idle Time(ms)",
}


def oracle(path: Path) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """(operator, times, links) of communication.json by the json module alone; one step each."""
    steps = json.loads((path / "ASCEND_PROFILER_OUTPUT/communication.json").read_text(), parse_float=Decimal)
    (step,) = steps.values()
    return [
        (name, info["Communication Time Info"], info["Communication Bandwidth Info"])
        for kind in step.values()
        for name, info in kind.items()
        if name != "Total Op Info"
    ]


def real_tables(path: Path) -> tuple[Any, Any]:
    shown = "ASCEND_PROFILER_OUTPUT/communication.json"
    return read_communication(path / shown, path, shown=shown)


def real(path: Path) -> dict[tuple[str, str], Any]:
    held, moved = real_tables(path)
    return by_part(communication.measure(place(ONE_STEP, collectives=held, links=moved)))


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("path", REAL)
def test_sums_are_those_of_the_file(path: Path) -> None:
    found, rows = real(path), oracle(path)
    for part in ("", "hcom_allReduce_"):
        for name, key in KEYS.items():
            ms = sum(Fraction(times[key]) for operator, times, _ in rows if operator.startswith(part))
            assert value(found[f"collective_{name}", part]) == ms * 10**6
    wait, transit = (sum(Fraction(times[KEYS[key]]) for _, times, _ in rows) for key in ("wait", "transit"))
    assert value(found["collective_wait_ratio", ""]) == wait / (wait + transit)


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("path", REAL)
def test_links_are_those_of_the_file(path: Path) -> None:
    found, rows = real(path), oracle(path)
    for link in ("HCCS", "SDMA", "RDMA", "PCIE", "SIO"):
        moved = [info[link] for _, _, info in rows if link in info]
        size = round(sum(Fraction(one["Transit Size(MB)"]) for one in moved) * 10**6)
        time = sum(Fraction(one["Transit Time(ms)"]) for one in moved) * 10**6
        if not size:
            assert ("link_size", link) not in found
            continue
        assert value(found["link_size", link]) == size
        assert value(found["link_bandwidth", link]) == size * 10**9 / time


@pytest.mark.corpus
@needs_corpus
def test_the_wait_ratio_of_one_operator_is_the_documents() -> None:
    # docs/formats.md 3.5: 5.6466 / (5.6466 + 0.2392) = 0.9594; the file prints 0.9594 itself
    (first, *_) = oracle(torch(1, 0))
    held, _ = real_tables(torch(1, 0))
    held = replace(held, frame=held.frame.iloc[:1])
    found = by_part(communication.measure(place(ONE_STEP, collectives=held)))
    assert round(value(found["collective_wait_ratio", ""]), 4) == Fraction(first[1:][0]["Wait Time Ratio"])
    assert round(value(found["collective_synchronization_ratio", ""]), 4) == Fraction("0.9591")


@pytest.mark.corpus
@needs_corpus
def test_the_first_giant_wait_is_flagged() -> None:
    # 79.09 ms, against 2.28, 2.40 and 22.2 ms of the other three (median 2.40): 33 times
    found = real(torch(1, 0))["collective_elapse", ""]
    (flag,) = [w for w in found.warnings if w.code == "collective_far_above_median"]
    assert (flag.arg("n"), flag.arg("name")) == ("1", "hcom_allReduce__586_0_1")
    assert (flag.arg("elapse"), flag.arg("others")) == ("79.090 ms", "2.402 ms")


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("rank", [0, 1])
def test_the_only_group_hides_as_little_as_all_communication(rank: int) -> None:
    # corpus README: communication not overlapped of the whole rank
    _, _, _, _, unhidden, _, _ = TORCH[1, rank]
    capture = read_capture(torch(1, rank))
    held, _ = real_tables(torch(1, rank))
    made = Place(facts=capture.facts, rank=capture.facts.ranks[0], tables=replace(capture.tables[0], collectives=held))
    (found,) = groups.measure(made)
    assert (found.dimensions.part, value(found)) == (groups.ONE_GROUP, us(unhidden))


@pytest.mark.corpus
@needs_corpus
@pytest.mark.parametrize("level", [1])
@pytest.mark.parametrize("rank", [0, 1])
def test_the_hash_is_the_one_that_the_analysis_wrote(level: int, rank: int) -> None:
    output = torch(level, rank, "db") / "ASCEND_PROFILER_OUTPUT"

    def texts(name: str, query: str) -> set[str]:
        with closing(sqlite3.connect(f"file:{output / name}?mode=ro&immutable=1", uri=True)) as database:
            return {text for (text,) in database.execute(query)}

    joined = "SELECT s.value FROM COMMUNICATION_OP o JOIN STRING_IDS s ON s.id = o.groupName"
    names = texts(f"ascend_pytorch_profiler_{rank}.db", joined)
    assert {groups.communicator_hash(name) for name in names} == texts(
        "analysis.db", "SELECT group_name FROM CommAnalyzerTime"
    )


@pytest.mark.corpus
@needs_corpus
def test_a_database_holds_the_group_of_each_row() -> None:
    # analysis.db StepTraceTime of level 1, rank 0: communication not overlapped 98071.947 us, all in one group
    path = torch(1, 0, "db")
    files = {name: f"ASCEND_PROFILER_OUTPUT/{name}.db" for name in ("ascend_pytorch_profiler_0", "analysis")}
    with Database.open(path / files["ascend_pytorch_profiler_0"], path, shown="a.db") as database:
        table_of_kernels = profiler_db.read_kernels(database)
    with Database.open(path / files["analysis"], path, shown="analysis.db") as database:
        held, moved = analysis_db.read_collectives(database), analysis_db.read_links(database)
    made = place(table_of_kernels, collectives=held, links=moved)
    (found,) = groups.measure(made)
    assert (found.dimensions.part, value(found)) == (groups.ONE_GROUP, us("98071.947"))
    assert len(found.origins) == 1
    # the times of the database: 88.75099321875 + 2.1803235625 + 2.4126281875 + 8.764155125 ms
    told = by_part(communication.measure(made))
    assert value(told["collective_elapse", ""]) == Fraction("102.10810009375") * 10**6
    assert "CommAnalyzerTime.elapse_time" in told["collective_elapse", ""].origins[0].locator
    assert value(told["link_size", "HCCS"]) == 427596096
    assert "CommAnalyzerBandwidth.transit_size" in told["link_size", "HCCS"].origins[0].locator
