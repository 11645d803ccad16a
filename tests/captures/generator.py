"""Small Ascend captures with known values, in the formats CANN, msprof and torch_npu write.

    python -m tests.captures.generator examples      # from the checkout: makes examples/before and after anew

Everything follows from a spec: the same spec gives the same bytes on every machine (only msprof_*.db carries the
version of the SQLite that made it). What a reader should find is returned as `Expected`, worked out from the plan.
"""

# ruff: noqa: TID252  (tests import this as captures, the command line as tests.captures)
from __future__ import annotations

import sys
from pathlib import Path

from .expected import Expected, ExpectedStep, ExpectedType, Peak, Shares
from .msprof import Export, ProfSpec, write_database, write_foreign, write_opprof, write_prof_capture
from .plan import ASCEND_310B, ASCEND_910B, ASCEND_910B_20, Chip, Collective, Op, Pace, utc_ns
from .torch_db import write_torch_db
from .torch_spec import Allocation, Memory, TorchSpec
from .torch_text import write_torch_capture
from .workload import AFTER, BEFORE, write_examples

__all__ = [
    "AFTER",
    "ASCEND_310B",
    "ASCEND_910B",
    "ASCEND_910B_20",
    "BEFORE",
    "Allocation",
    "Chip",
    "Collective",
    "Expected",
    "ExpectedStep",
    "ExpectedType",
    "Export",
    "Memory",
    "Op",
    "Pace",
    "Peak",
    "ProfSpec",
    "Shares",
    "TorchSpec",
    "headline",
    "utc_ns",
    "write_database",
    "write_examples",
    "write_foreign",
    "write_opprof",
    "write_prof_capture",
    "write_torch_capture",
    "write_torch_db",
]


def headline(found: dict[str, tuple[Expected, ...]]) -> list[str]:
    """One Markdown table row for each side and rank of the examples, as in examples/README.md."""
    lines = []
    for side, ranks in found.items():
        for one in ranks:
            times = sorted(one.step_times_ns)
            middle = (times[(len(times) - 1) // 2] + times[len(times) // 2]) / 2
            inner = [step.shares for step in one.steps[:-1]]
            whole = sum(times)
            shares = [sum(getattr(part, name) for part in inner) for name in ("computing_ns", "unhidden_ns", "free_ns")]
            kernels = {step.kernels for step in one.steps}
            peaks = [one.memory["PTA"].allocated, one.memory["APP"].reserved]
            percents = " | ".join(f"{100 * share / whole:.2f} %" for share in shares)
            sizes = " | ".join(f"{(peak or 0) / 2**20:,.1f}" for peak in peaks)
            count = ", ".join(map(str, sorted(kernels)))
            lines.append(f"| {side} | {one.rank} | {middle / 10**6:.3f} | {percents} | {count} | {sizes} |")
    return lines


def main(arguments: list[str]) -> int:
    """Write the examples into the directory named and print their headline values."""
    if len(arguments) != 1:
        print("usage: python -m tests.captures.generator DIR", file=sys.stderr)
        return 2
    print("\n".join(headline(write_examples(Path(arguments[0])))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
