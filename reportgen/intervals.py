"""Unions of time intervals, exact in integer nanoseconds.

An interval is [start, end) in int64; a set of intervals is two arrays of one length, sorted or not, overlapping or not.
Busy time is the length of a union, overlap is |A| + |B| - |A u B|, free time is the window less the union. Nothing is
rounded: lengths are ints. Unions may be taken in blocks: merging merged blocks gives the same as merging all at once,
so memory stays bounded.

numpy is imported inside the functions: importing this module must stay cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ns = npt.NDArray[np.int64]


def merge(start: npt.ArrayLike, end: npt.ArrayLike) -> tuple[Ns, Ns]:
    """The union as maximal disjoint intervals.

    Args:
        start: first nanosecond of each interval.
        end: nanosecond after the last of each interval.

    Returns:
        Starts and ends in ascending order. Intervals that touch are one; those of no length are left out.

    Raises:
        ValueError: when the arrays do not fit each other or an interval ends before it starts.
        TypeError: when the numbers are not integers of 64 bits.
    """
    import numpy as np

    starts, ends = _pair(start, end)
    filled = ends > starts
    if not filled.all():
        starts, ends = starts[filled], ends[filled]
    if starts.size == 0:
        return starts, ends
    if (starts[1:] < starts[:-1]).any():
        order = np.argsort(starts, kind="stable")
        starts, ends = starts[order], ends[order]
    reach = np.maximum.accumulate(ends)
    gap = starts[1:] > reach[:-1]
    first = np.concatenate(([True], gap))
    last = np.concatenate((gap, [True]))
    return starts[first], reach[last]


def length(start: npt.ArrayLike, end: npt.ArrayLike) -> int:
    """Total length in ns of intervals that are merged already; overlaps would count twice."""
    starts, ends = _pair(start, end)
    return int((ends - starts).sum())


def union_length(start: npt.ArrayLike, end: npt.ArrayLike) -> int:
    """Length in ns of the union of any intervals."""
    return length(*merge(start, end))


def intersect_length(a_start: npt.ArrayLike, a_end: npt.ArrayLike, b_start: npt.ArrayLike, b_end: npt.ArrayLike) -> int:
    """Length in ns of what lies both in the union of A and in the union of B: |A| + |B| - |A u B|."""
    import numpy as np

    a = merge(a_start, a_end)
    b = merge(b_start, b_end)
    both = union_length(np.concatenate((a[0], b[0])), np.concatenate((a[1], b[1])))
    return length(*a) + length(*b) - both


def clip(start: npt.ArrayLike, end: npt.ArrayLike, lo: int, hi: int) -> tuple[Ns, Ns]:
    """The parts of the intervals inside the window [lo, hi).

    Returns:
        Starts and ends in the order given, not merged; pieces of no length are left out.

    Raises:
        ValueError: when hi < lo, and as ``merge``.
    """
    import numpy as np

    if hi < lo:
        raise ValueError(f"the window ends at {hi}, before its start at {lo}")
    starts, ends = _pair(start, end)
    starts, ends = np.maximum(starts, lo), np.minimum(ends, hi)
    filled = ends > starts
    return starts[filled], ends[filled]


def per_window(start: npt.ArrayLike, end: npt.ArrayLike, edges: npt.ArrayLike) -> Ns:
    """Length in ns of the union inside each window [edges[i], edges[i + 1]).

    Args:
        start: first nanosecond of each interval.
        end: nanosecond after the last of each interval.
        edges: edges of adjoining windows, not descending.

    Returns:
        One length for each window, one fewer than edges; empty for fewer than two edges.

    Raises:
        ValueError: when the edges descend, and as ``merge``.
    """
    import numpy as np

    marks = _integers(edges)
    if (marks[1:] < marks[:-1]).any():
        raise ValueError("edges of windows do not descend")
    starts, ends = merge(start, end)
    if starts.size == 0:
        return np.zeros(max(marks.size - 1, 0), dtype=np.int64)
    total = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(ends - starts)))
    begun = np.searchsorted(starts, marks, side="right")
    # Of the run begun last before an edge, what lies beyond the edge is not yet covered there.
    beyond = np.where(begun > 0, np.maximum(ends[begun - 1] - marks, 0), 0)
    covered: Ns = total[begun] - beyond
    return covered[1:] - covered[:-1]


def _integers(values: npt.ArrayLike) -> Ns:
    """One-dimensional int64; refuses numbers that would be rounded or wrapped."""
    import numpy as np

    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"times stand in one dimension, not {array.ndim}")
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind not in "iu" or (array.dtype == np.uint64 and int(array.max()) > np.iinfo(np.int64).max):
        raise TypeError(f"times are integer ns of 64 bits, not {array.dtype}")
    return array.astype(np.int64, copy=False)


def _pair(start: npt.ArrayLike, end: npt.ArrayLike) -> tuple[Ns, Ns]:
    """Starts and ends, checked."""
    starts, ends = _integers(start), _integers(end)
    if starts.size != ends.size:
        raise ValueError(f"{starts.size} starts, {ends.size} ends")
    if (ends < starts).any():
        raise ValueError("an interval ends before it starts")
    return starts, ends
