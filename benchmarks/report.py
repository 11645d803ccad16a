"""What a report costs in cpu seconds, by stage, and as a ratio to the example's evaluation.

    python benchmarks/report.py [BEFORE AFTER TARGET]

Each stage runs in a process of its own, the stages before it uncounted but for imports, and the least of three runs is
printed with peak memory. Without arguments the shipped example is reported on. No test asserts these figures.
"""

from __future__ import annotations

import pickle
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
STAGES = ("evaluate", "json", "html", "pdf")
DIGEST = "0" * 64


def evaluate(before: Path, after: Path, target: Path, saved: Path) -> None:
    """Read, measure, compare and judge; the report is kept for the later stages."""
    from reportgen import contract, pipeline

    found = pipeline.evaluate(before, after, target=contract.read_target(target))
    saved.write_bytes(pickle.dumps(pipeline.build_report(found)))


def render(stage: str, saved: Path) -> int:
    """Bytes of one output."""
    from reportgen import pipeline
    from reportgen.report import html, pdf
    from reportgen.report.serialize import to_json

    report = pickle.loads(saved.read_bytes())  # noqa: S301 - written a moment ago by this program
    if stage == "json":
        return len(to_json(report).encode())
    if stage == "html":
        return len(html.render(report, language="zh", digest=DIGEST).encode())
    return len(pdf.render(report, language="zh", digest=DIGEST, created=pipeline.document_date(report)))


def run(stage: str, paths: list[str], saved: Path) -> tuple[float, float, int]:
    """(cpu seconds, peak MB, bytes) of a stage in a process of its own."""
    command = [sys.executable, __file__, "--stage", stage, *paths, str(saved)]
    cpu, peak, size = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(cpu), float(peak), int(size)


def main() -> None:
    """Print the figures."""
    paths = sys.argv[1:4] or [str(EXAMPLES / name) for name in ("before", "after", "target.toml")]
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "report"
        found = {stage: min(run(stage, paths, saved) for _ in range(1)) for stage in STAGES}
    base = found["evaluate"][0]
    for stage, (cpu, peak, size) in found.items():
        print(f"{stage:9} {cpu:6.2f} cpu s  {cpu / base:5.2f} x evaluate  {peak:5.0f} MB  {size:9,} bytes")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--stage"]:
        size = 0
        stage, before, after, target, saved = sys.argv[2:7]
        if stage == "evaluate":
            evaluate(Path(before), Path(after), Path(target), Path(saved))
        else:
            size = render(stage, Path(saved))
        print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, size)
    else:
        main()
