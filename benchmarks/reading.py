"""What reading and measuring a kernel table costs, as a ratio to reading the same bytes and counting their lines.

    python benchmarks/reading.py [ROWS]

Both run in fresh processes in one call, so that their ratio holds on a machine whose speed drifts. Peak memory is the
growth over a process that has only imported the libraries. No test asserts these figures.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEADER = (
    "Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),"
    "Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data Types,"
    "Output Formats,Context ID,aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_mte2_time(us),"
    "aic_mte2_ratio,aiv_time(us),aiv_total_cycles,aiv_vec_time(us),aiv_vec_ratio,aiv_mte2_time(us),aiv_mte2_ratio"
)
TYPES = ("MatMulV2", "Add", "Cast", "RmsNorm", "FlashAttentionScore", "SwiGlu")


def write(path: Path, rows: int) -> None:
    """A table of ``rows`` kernels in a hundred steps, back to back with small gaps."""
    start, per_step = 1_790_000_000_000_000_000, max(rows // 100, 1)
    with path.open("w", newline="") as file:
        file.write(HEADER + "\r\n")
        for row in range(rows):
            kind, duration = TYPES[row % len(TYPES)], 5_000 + row * 7919 % 40_000
            file.write(
                f"{10 + row // per_step},4294967295,{row},2,{kind}_{row},{kind},dynamic,AI_CORE,"
                f"{start // 1000}.{start % 1000:03d}\t,{duration / 1000:.3f},0,24,0,NO,"
                f'"""8,4096;4096,4096""",DT_BF16;DT_BF16,ND;ND,"""8,4096""",DT_BF16,ND,N/A,'
                "10.5,100000,6.1,0.581,4.2,0.4,0.0,0,0.0,0.0,0.0,0.0\r\n"
            )
            start += duration + row * 104_729 % 3_000


def plain(path: Path) -> None:
    """Read the bytes and count the lines."""
    with path.open("rb") as file:
        sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def read(path: Path) -> None:
    """Read the table as the product does."""
    from reportgen.reading.kernels import read_kernels

    read_kernels(path, path.parent, shown=path.name)


def libraries(path: Path) -> None:
    """Import what reading imports, and read nothing."""
    import pandas as pd
    import pyarrow as pa
    from pyarrow import csv

    assert all((pd, pa, csv, path))


def measure(path: Path) -> None:
    """Read and measure a whole capture made of this one table."""
    from reportgen.metrics import measure as measured
    from reportgen.reading import read_capture

    measured(read_capture(path.parents[1]))


JOBS = {"plain": plain, "libraries": libraries, "read": read, "measure": measure}


def run(job: str, path: Path) -> tuple[float, float]:
    """(cpu seconds, peak MB) of a job in a process of its own."""
    out = subprocess.run(
        [sys.executable, __file__, "--job", job, str(path)], capture_output=True, text=True, check=True
    )
    cpu, peak = out.stdout.split()
    return float(cpu), float(peak)


def main() -> None:
    """Print the figures."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "host_1_20260101000000000_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"
        path.parent.mkdir(parents=True)
        write(path, rows)
        found = {job: min(run(job, path) for _ in range(3)) for job in JOBS}
        base, idle = found["plain"], found["libraries"]
        print(f"{rows} rows, {path.stat().st_size / 1e6:.0f} MB")
        for job, (cpu, peak) in found.items():
            ratio, growth = max(cpu - idle[0], 0) / base[0], max(peak - idle[1], 0)
            print(f"{job:10} {cpu:7.2f} cpu s  {peak:7.0f} MB  {ratio:7.1f} x plain  +{growth:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--job"]:
        started = time.process_time()
        JOBS[sys.argv[2]](Path(sys.argv[3]))
        print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    else:
        main()
