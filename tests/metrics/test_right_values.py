"""Every figure of the corpus README that concerns text captures, measured from the files.

The expected values come from the corpus README, which was worked out apart from this product.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from corpus import (
    ADD_PYPTO,
    ADDCMUL,
    GELU,
    GELU_DURATIONS,
    LEVEL0,
    MB,
    MEMORY,
    SCATTER,
    STEP_TRACE,
    TORCH,
    needs_corpus,
    prof,
    torch,
    us,
)

from reportgen.metrics import as_published, measure
from reportgen.model import Measurement, Missing, Quantity
from reportgen.reading import read_capture

pytestmark = [pytest.mark.corpus, needs_corpus]


def values(path: object) -> dict[tuple[str, str], Measurement]:
    """(metric, part) -> measurement of a capture of one rank."""
    found, _ = measure(read_capture(path))  # type: ignore[arg-type]
    return {(m.metric, m.dimensions.part): m for m in found}


def exact(measurement: Measurement) -> Fraction:
    """The value, which must be there."""
    assert isinstance(measurement.summary, Quantity), measurement
    return Fraction(measurement.summary.value)


@pytest.mark.parametrize(("level", "rank"), sorted(TORCH))
def test_torch_times_and_counts(level: int, rank: int) -> None:
    rows, kernels, communication, computing, unhidden, free, span = TORCH[level, rank]
    found = values(torch(level, rank))
    assert exact(found["row_count", ""]) == rows
    assert exact(found["kernel_count", ""]) == kernels
    assert exact(found["communication_count", ""]) == communication
    assert exact(found["computing", ""]) == us(computing)
    assert exact(found["communication_not_overlapped", ""]) == us(unhidden)
    assert exact(found["free", ""]) == us(free)
    assert exact(found["device_span", ""]) == us(span)
    assert all(w.agrees for w in found["computing", ""].witnesses)


@pytest.mark.parametrize(("level", "rank"), sorted(STEP_TRACE))
def test_published_step_times(level: int, rank: int) -> None:
    parts = ("computing", "communication_not_overlapped", "overlapped", "free", "stage", "preparing")
    found = {m.metric: m for m in as_published(read_capture(torch(level, rank)))}
    for part, text in zip(parts, STEP_TRACE[level, rank], strict=True):
        assert exact(found[f"published_{part}"]) == us(text), part


@pytest.mark.parametrize(("level", "rank"), sorted(MEMORY))
def test_memory_peaks(level: int, rank: int) -> None:
    found = values(torch(level, rank))
    for component, (allocated, reserved) in MEMORY[level, rank].items():
        if allocated is None:
            assert ("peak_allocated", component) not in found
        else:
            assert exact(found["peak_allocated", component]) == Fraction(allocated) * MB
        assert exact(found["peak_reserved", component]) == Fraction(reserved or "0") * MB


def test_time_weighted_ratio_is_no_plain_mean() -> None:
    found = values(torch(1, 0))
    assert round(float(exact(found["aic_mte2_ratio", ""])), 4) == 0.6598
    assert found["aic_mte2_ratio", ""].basis == "time-weighted"


@pytest.mark.parametrize("stamp", sorted(LEVEL0))
def test_level_0_captures(stamp: str) -> None:
    kernels, total, median, span = LEVEL0[stamp]
    found = values(prof(stamp))
    assert exact(found["kernel_count", ""]) == kernels
    assert exact(found["kernel_time", ""]) == us(total)
    assert exact(found["kernel_call", ""]) == us(median)
    assert exact(found["device_span", ""]) == us(span)
    assert found["aic_mac_ratio", ""].basis in {"cycle-weighted", ""}


def test_ai_cpu_helpers_stand_apart() -> None:
    found = values(prof(ADD_PYPTO))
    assert exact(found["kernel_count", ""]) == 300
    assert exact(found["ai_cpu_count", ""]) == 600
    assert exact(found["row_count", ""]) == 900
    assert exact(found["kernel_time", ""]) == us("13602.986")
    assert exact(found["kernel_call", ""]) == us("44.6105")
    assert exact(found["kernel_busy", ""]) == us("13602.986")
    assert exact(found["ai_cpu_time", ""]) == us("29525.650")
    assert exact(found["row_time", ""]) == us("43128.636")
    assert exact(found["computing", ""]) == us("19550.194")
    assert exact(found["device_span", ""]) == us("50883.777")


@pytest.mark.parametrize(
    ("stamp", "duration"), [*zip(GELU, GELU_DURATIONS, strict=True), *ADDCMUL.items(), *SCATTER.items()]
)
def test_single_kernel_captures(stamp: str, duration: str) -> None:
    found = values(prof(stamp))
    assert exact(found["kernel_count", ""]) == 1
    assert exact(found["kernel_time", ""]) == us(duration)
    assert exact(found["device_span", ""]) == us(duration)
    free = found["free_share", ""].summary
    assert isinstance(free, Missing)
    assert free.reason.code == "single_kernel_shares"
    assert all(w.agrees for w in found["kernel_count", ""].witnesses)
    assert found["kernel_count", ""].witnesses


@pytest.mark.parametrize(
    ("stamp", "shapes", "dtypes"),
    [
        (GELU[0], "1024;1024", "FLOAT16;FLOAT16"),
        ("20240418065344554", "8,2048;8,2048;8,2048;1", ""),
        ("20240422020527715", "", "FLOAT16;INT32;FLOAT16"),
        ("20240422021328428", "", "FLOAT;INT32;FLOAT"),
    ],
)
def test_shapes_and_dtypes_of_a_single_kernel(stamp: str, shapes: str, dtypes: str) -> None:
    _, operators = measure(read_capture(prof(stamp)))
    (work,) = operators[0].work
    assert work.calls == 1
    assert work.shapes == (shapes or work.shapes)
    assert work.dtypes == (dtypes or work.dtypes)
