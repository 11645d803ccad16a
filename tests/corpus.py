"""The corpus of published captures and its right values, worked out apart from this product.

Read only; named by REPORTGEN_CORPUS (default: ``../shared/corpus`` beside the checkout). Times in nanoseconds,
memory in bytes. Source of every figure: the corpus's own README.
"""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

CORPUS = Path(os.environ.get("REPORTGEN_CORPUS") or Path(__file__).resolve().parents[1] / "../shared/corpus")
MB = 1024**2

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="needs the corpus: REPORTGEN_CORPUS")


def us(text: str) -> Fraction:
    """Microseconds as nanoseconds, exact."""
    return Fraction(text) * 1000


def prof(stamp: str) -> Path:
    """The PROF directory whose name holds a stamp."""
    return next(path for path in sorted(CORPUS.rglob("PROF_*")) if stamp in path.name)


def torch(level: int, rank: int, kind: str = "text") -> Path:
    """A torch_npu capture of one rank."""
    return CORPUS / f"torch-910b/{kind}/level{level}/rank{rank}_ascend_pt"


GELU = ("20240418221724365", "20240418222614047", "20240418222714274")
GELU_DURATIONS = ("91.919", "11.729", "11.5")
ADDCMUL = {
    "20240418065344554": "34.334",
    "20240418065607326": "26.855",
    "20240418055151588": "18.542",
    "20240418061452078": "19.459",
    "20240418063554487": "19.188",
    "20240418064419133": "34.23",
    "20240418172104566": "20.521",
}
ADDCMUL_ABORTED, ADDCMUL_RAW = "20240418053240914", "20240418053934891"
SCATTER = {
    "20240422020527715": "11.292",
    "20240422021328428": "10.979",
    "20240422004919068": "10.771",
    "20240422010457803": "10.021",
}
ADD_TORCH, ADD_ASCENDC, ADD_PYPTO = "20260716124350368", "20260716124543725", "20260716124658116"
MATMUL = ("20260716234341283", "20260717000452202")

# capture -> rows, kernels, communication rows, computing, unhidden, free, span (us)
TORCH = {
    (0, 0): (191, 187, 4, "8827.454", "81515.615", "25908.114", "116251.183"),
    (0, 1): (191, 187, 4, "8813.154", "64616.119", "27172.956", "100602.229"),
    (1, 0): (191, 187, 4, "8873.737", "101963.203", "25744.069", "136581.009"),
    (1, 1): (191, 187, 4, "8878.275", "96359.053", "26675.287", "131912.615"),
}
# their own step_trace_time: computing, not overlapped, overlapped, free, stage, preparing (us)
STEP_TRACE = {
    (0, 0): ("8827.473", "81515.607", "4001.282", "25908.102", "116251.25", "19358.0"),
    (0, 1): ("8813.173", "64616.114", "3989.596", "27172.943", "100602.25", "18920.0"),
    (1, 0): ("8873.756", "101963.203", "4028.675", "25744.05", "136581.0", "17902.5"),
    (1, 1): ("8878.295", "96359.047", "4016.239", "26675.274", "131912.5", "20433.25"),
}
# level -> component -> allocated, reserved (MB); None: not recorded
MEMORY = {
    (0, 0): {
        "PTA": ("1187.9814453125", "1452.0"),
        "GE": ("73.0625", "74.75"),
        "PTA+GE": ("1188.1064453125", "1526.75"),
        "APP": (None, "2109.6015625"),
    },
    (0, 1): {
        "PTA": ("1187.9814453125", "1452.0"),
        "GE": ("73.0625", "74.75"),
        "PTA+GE": ("1188.1064453125", "1526.75"),
        "APP": (None, "2109.6015625"),
    },
    (1, 0): {
        "PTA": ("1187.9814453125", "1452.0"),
        "PTA+GE": ("1261.04296875", "1526.75"),
        "APP": (None, "2113.73046875"),
    },
    (1, 1): {
        "PTA": ("1187.9814453125", "1452.0"),
        "PTA+GE": ("1261.04296875", "1526.75"),
        "APP": (None, "2113.734375"),
    },
}
# PROF captures at level 0: kernels, sum, median duration of a call, span (us)
LEVEL0 = {
    ADD_TORCH: (2100, "5779.319", "2.740", "128097.039"),
    ADD_ASCENDC: (700, "1894.352", "2.580", "10022.920"),
    MATMUL[0]: (700, "3807.800", "5.440", "11437.060"),
    MATMUL[1]: (700, "3804.440", "5.420", "12535.740"),
}
