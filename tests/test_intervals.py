"""Interval unions against cases drawn on paper and against counting every nanosecond."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen import intervals

if TYPE_CHECKING:
    from collections.abc import Iterable

Pairs = list[tuple[int, int]]

# Short intervals on a short axis, in any order, of no length too: they overlap, nest and touch often.
pairs = st.lists(
    st.tuples(st.integers(min_value=-30, max_value=60), st.integers(min_value=0, max_value=15)).map(
        lambda drawn: (drawn[0], drawn[0] + drawn[1])
    ),
    max_size=12,
)
# Real stamps: ns since 1970.
stamps = st.lists(
    st.tuples(st.integers(min_value=1784216622 * 10**9, max_value=1784216623 * 10**9), st.integers(0, 10**8)).map(
        lambda drawn: (drawn[0], drawn[0] + drawn[1])
    ),
    max_size=20,
)


def columns(of: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Starts and ends of pairs."""
    listed = list(of)
    return [start for start, _ in listed], [end for _, end in listed]


def seconds(of: Pairs) -> set[int]:
    """Every nanosecond that the intervals cover."""
    return {ns for start, end in of for ns in range(start, end)}


def swept(of: Pairs) -> Pairs:
    """The union by a plain sweep."""
    merged: Pairs = []
    for start, end in sorted(pair for pair in of if pair[0] < pair[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def zipped(arrays: tuple[np.ndarray, np.ndarray]) -> Pairs:
    """Two arrays as pairs of ints."""
    return list(zip(arrays[0].tolist(), arrays[1].tolist(), strict=True))


class TestMerge:
    @pytest.mark.parametrize(
        ("title", "given_pairs", "merged"),
        [
            ("nothing", [], []),
            ("one", [(3, 5)], [(3, 5)]),
            ("apart", [(0, 2), (3, 5)], [(0, 2), (3, 5)]),
            ("touching are one", [(0, 2), (2, 5)], [(0, 5)]),
            ("overlapping", [(0, 4), (2, 5)], [(0, 5)]),
            ("nested, and the outer reaches on to the third", [(0, 10), (2, 3), (9, 12)], [(0, 12)]),
            ("not sorted", [(7, 9), (0, 2), (1, 3)], [(0, 3), (7, 9)]),
            ("no length: left out", [(1, 1), (4, 4)], []),
            ("no length: does not join its neighbours", [(0, 2), (3, 3), (4, 5)], [(0, 2), (4, 5)]),
            ("the same twice", [(1, 4), (1, 4)], [(1, 4)]),
        ],
    )
    def test_cases(self, title: str, given_pairs: Pairs, merged: Pairs) -> None:
        assert zipped(intervals.merge(*columns(given_pairs))) == merged, title

    @given(pairs)
    def test_against_a_sweep(self, drawn: Pairs) -> None:
        assert zipped(intervals.merge(*columns(drawn))) == swept(drawn)

    @given(stamps)
    def test_against_a_sweep_at_real_stamps(self, drawn: Pairs) -> None:
        assert zipped(intervals.merge(*columns(drawn))) == swept(drawn)

    @given(pairs, pairs)
    def test_merging_merged_blocks_is_merging_all(self, one: Pairs, other: Pairs) -> None:
        blocks = zipped(intervals.merge(*columns(one))) + zipped(intervals.merge(*columns(other)))
        assert zipped(intervals.merge(*columns(blocks))) == swept(one + other)

    def test_the_arrays_given_stay_as_they_were(self) -> None:
        start, end = np.array([5, 0, 3]), np.array([6, 4, 3])
        intervals.merge(start, end)
        intervals.clip(start, end, 1, 2)
        assert (start.tolist(), end.tolist()) == ([5, 0, 3], [6, 4, 3])

    def test_result_is_int64(self) -> None:
        for array in intervals.merge(np.array([1], dtype=np.int32), np.array([2], dtype=np.uint64)):
            assert array.dtype == np.int64


class TestLengths:
    @given(pairs)
    def test_union_counts_each_nanosecond_once(self, drawn: Pairs) -> None:
        assert intervals.union_length(*columns(drawn)) == len(seconds(drawn))
        assert intervals.length(*intervals.merge(*columns(drawn))) == len(seconds(drawn))

    @given(pairs, pairs)
    def test_intersection_counts_what_both_cover(self, a: Pairs, b: Pairs) -> None:
        assert intervals.intersect_length(*columns(a), *columns(b)) == len(seconds(a) & seconds(b))

    def test_by_hand(self) -> None:
        """A = [0, 10) + [5, 12) = 12 ns, B = [8, 20) = 12 ns, A u B = 20 ns: 12 + 12 - 20 = 4 in both, [8, 12)."""
        assert intervals.union_length([0, 5], [10, 12]) == 12
        assert intervals.intersect_length([0, 5], [10, 12], [8], [20]) == 4

    def test_ints_of_python_come_out(self) -> None:
        assert type(intervals.union_length([0], [2])) is int
        assert type(intervals.intersect_length([0], [2], [1], [3])) is int

    def test_exact_where_floats_are_not(self) -> None:
        """2^60 and 2^60 + 1 are one float."""
        assert intervals.union_length([2**60], [2**60 + 1]) == 1


class TestClip:
    @pytest.mark.parametrize(
        ("title", "pair", "pieces"),
        [
            ("inside", (12, 15), [(12, 15)]),
            ("across the start", (5, 15), [(10, 15)]),
            ("across the end", (15, 25), [(15, 20)]),
            ("across both", (5, 25), [(10, 20)]),
            ("before, touching", (5, 10), []),
            ("after, touching", (20, 25), []),
            ("no length", (15, 15), []),
        ],
    )
    def test_to_ten_and_twenty(self, title: str, pair: tuple[int, int], pieces: Pairs) -> None:
        assert zipped(intervals.clip([pair[0]], [pair[1]], 10, 20)) == pieces, title

    @given(pairs, st.integers(-40, 40), st.integers(0, 60))
    def test_covers_what_lies_in_the_window(self, drawn: Pairs, lo: int, width: int) -> None:
        pieces = zipped(intervals.clip(*columns(drawn), lo, lo + width))
        assert seconds(pieces) == seconds(drawn) & set(range(lo, lo + width))
        assert all(start < end for start, end in pieces)

    def test_window_that_ends_before_its_start(self) -> None:
        with pytest.raises(ValueError, match="before its start"):
            intervals.clip([0], [5], 3, 2)


class TestPerWindow:
    def test_by_hand(self) -> None:
        """[0, 6) and [9, 15) in the windows [-5, 0), [0, 5), [5, 10), [10, 10), [10, 12): 0, 5, 1 + 1, 0, 2."""
        found = intervals.per_window([9, 0, 2], [15, 4, 6], [-5, 0, 5, 10, 10, 12])
        assert found.tolist() == [0, 5, 2, 0, 2]
        assert found.dtype == np.int64

    @given(pairs, st.lists(st.integers(-40, 90), max_size=8).map(sorted))
    def test_counts_each_window(self, drawn: Pairs, edges: list[int]) -> None:
        covered = seconds(drawn)
        expected = [len(covered & set(range(low, high))) for low, high in pairwise(edges)]
        assert intervals.per_window(*columns(drawn), edges).tolist() == expected

    @given(stamps, st.integers(1, 10))
    def test_windows_over_everything_add_up_to_the_union(self, drawn: Pairs, windows: int) -> None:
        first, last = 1784216621 * 10**9, 1784216625 * 10**9
        edges = [first + i * (last - first) // windows for i in range(windows + 1)]
        assert intervals.per_window(*columns(drawn), edges).sum() == intervals.union_length(*columns(drawn))

    def test_edges_that_descend(self) -> None:
        with pytest.raises(ValueError, match="descend"):
            intervals.per_window([0], [5], [3, 2])

    @pytest.mark.parametrize("edges", [[], [4]])
    def test_no_window(self, edges: list[int]) -> None:
        assert intervals.per_window([0], [5], edges).tolist() == []
        assert intervals.per_window([], [], edges).tolist() == []


class TestRefusals:
    @pytest.mark.parametrize(
        ("title", "start", "end", "error"),
        [
            ("an end before its start", [5], [4], ValueError),
            ("one end too few", [1, 2], [3], ValueError),
            ("a table, not a column", [[1]], [[2]], ValueError),
            ("floats", [1.0], [2.0], TypeError),
            ("beyond 64 bits", [0], [2**64], TypeError),
            ("beyond 63 bits", [0], [2**63], TypeError),
            ("truth values", [True], [True], TypeError),
        ],
    )
    def test_never_rounded_or_wrapped(
        self,
        title: str,  # names the case in the output of pytest
        start: list[int],
        end: list[int],
        error: type[Exception],
    ) -> None:
        for function in (intervals.merge, intervals.length, intervals.union_length):
            with pytest.raises(error):
                function(start, end)
        with pytest.raises(error):
            intervals.clip(start, end, 0, 9)
        with pytest.raises(error):
            intervals.per_window(start, end, [0, 9])
