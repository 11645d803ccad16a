"""What a report costs in cpu seconds, output by output, and as a ratio to reading and judging the pair.

    python benchmarks/report.py [BEFORE AFTER TARGET]
    python benchmarks/report.py --large

One process makes the outputs one after the other, as the command does: each line is what that output adds, with what
it imports; charts are drawn for the HTML and used again in the PDF. The least of three runs is printed, with the
largest peak memory. Without arguments the shipped example is reported on; ``--large`` writes a pair of 8 ranks with 200
operator types each, with the generator of the tests. No test asserts these figures.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
STAGES = ("evaluate", "json", "html", "pdf")
RUNS = 3
DIGEST = "0" * 64
T = TypeVar("T")
RANKS, TYPES = 8, 200


def outputs(before: Path, after: Path, target: Path) -> dict[str, tuple[float, int]]:
    """(cpu seconds, bytes or, of the PDF, pages) of each stage, in this process."""
    found: dict[str, tuple[float, int]] = {}

    def timed(stage: str, make: Callable[[], T], size: Callable[[T], int]) -> T:
        start = time.process_time()
        made = make()
        found[stage] = (time.process_time() - start, size(made))
        return made

    from reportgen import contract, pipeline

    def report() -> pipeline.Report:
        return pipeline.build_report(pipeline.evaluate(before, after, target=contract.read_target(target)))

    made = timed("evaluate", report, lambda _: 0)

    def as_json() -> str:
        from reportgen.report.serialize import to_json

        return to_json(made)

    def as_html() -> str:
        from reportgen.report import html

        return html.render(made, language="zh", digest=DIGEST)

    def as_pdf() -> bytes:
        from reportgen.report import pdf

        return pdf.render(made, language="zh", digest=DIGEST, created=pipeline.document_date(made))

    timed("json", as_json, lambda text: len(text.encode()))
    timed("html", as_html, lambda text: len(text.encode()))
    timed("pdf", as_pdf, pages)
    return found


def pages(data: bytes) -> int:
    """Of a PDF."""
    import pypdf

    return len(pypdf.PdfReader(io.BytesIO(data)).pages)


def write_large(root: Path) -> list[str]:
    """Paths of a pair of many ranks and operator types, and of the example's target with as many ranks."""
    sys.path.insert(0, str(ROOT / "tests"))
    import jobs

    types = tuple(
        replace(jobs.MATMUL if n % 2 else jobs.ADD, type=f"Type{n:03d}", name=f"aclnnType{n:03d}_{{n}}", calls=2,
                mean_ns=20_000 + 997 * n)
        for n in range(TYPES)
    )  # fmt: skip
    before = replace(jobs.TORCH, ops=types, ranks=tuple(range(RANKS)), world_size=RANKS)
    faster = tuple(replace(one, mean_ns=one.mean_ns * 9 // 10) for one in types)
    jobs.write_pair(root, before, replace(jobs.AFTER, ops=faster, ranks=before.ranks, world_size=RANKS))
    text = (ROOT / "examples/target.toml").read_text(encoding="utf-8")
    (root / "target.toml").write_text(text.replace("\nranks = 2\n", f"\nranks = {RANKS}\n"), encoding="utf-8")
    return [str(root / name) for name in ("before", "after", "target.toml")]


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(ROOT / "examples" / name) for name in ("before", "after", "target.toml")]
        if sys.argv[1:] == ["--large"]:
            paths = write_large(Path(folder))
        elif sys.argv[1:]:
            paths = sys.argv[1:4]
        command = [sys.executable, __file__, "--once", *paths]
        runs = [
            json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(RUNS)
        ]
    least = {stage: min(run[stage][0] for run in runs) for stage in STAGES}
    print(f"imports   {min(run['imports'] for run in runs):6.2f} cpu s")
    for stage, cpu in least.items():
        unit = "pages" if stage == "pdf" else "bytes"
        size = f"{runs[0][stage][1]:12,} {unit}" if runs[0][stage][1] else ""
        print(f"{stage:9} {cpu:6.2f} cpu s  {cpu / least['evaluate']:5.2f} x evaluate{size}")
    print(f"peak      {max(run['peak'] for run in runs):6.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        import reportgen.pipeline  # noqa: F401

        imports = time.process_time()
        found = outputs(*map(Path, sys.argv[2:5]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({**found, "imports": imports, "peak": peak}))
    else:
        main()
