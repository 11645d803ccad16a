"""A machine without pango, and names that the fonts of the PDF cannot draw: what is written, said, and told beforehand.

The library is kept from loading where programs load it; everything above that, WeasyPrint's own banner too, is real.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import reportgen
from jobs import write_pair

from reportgen.report.tables import NAMES

ROOT = Path(__file__).resolve().parents[1]
APT = "apt-get install -y --no-install-recommends libpangoft2-1.0-0 libharfbuzz-subset0"
WITHOUT = """
import ctypes
import cffi

def refuse(real):
    def load(*args, **more):
        if any("pango" in str(name) for name in args):
            raise OSError("cannot load library 'libpango-1.0-0': not found")
        return real(*args, **more)
    return load

cffi.FFI.dlopen = refuse(cffi.FFI.dlopen)
ctypes.CDLL = refuse(ctypes.CDLL)
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a machine without pango."""
    place = tmp_path_factory.mktemp("bare")
    (place / "sitecustomize.py").write_text(WITHOUT)
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(place), str(ROOT)))}


def run(environment: dict[str, str], *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reportgen", *map(str, args)],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_doctor_tells_beforehand(bare: dict[str, str], language: str) -> None:
    found = run(bare, "doctor", "--language", language)
    assert found.returncode == 6
    assert APT in found.stdout.splitlines()[-1]
    assert "WeasyPrint could not import" not in found.stdout + found.stderr
    if language == "en":
        lines = dict(line.split(": ", 1) for line in found.stdout.splitlines())
        assert lines["pango"].startswith("missing")
        assert lines["pangoft2"].startswith("missing")


TARGET = """
schema = 1
decision_rule = "simple"
[parties]
customer = "B"
contractor = "CONTRACTOR"
[contract]
reference = "T-1"
[[case]]
id = "C1"
clause = "1"
[[case.goal]]
id = "G1"
metric = "kernel_call"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "LIMIT"
"""


def pair(root: Path, *, limit: str, contractor: str = "A") -> tuple[object, ...]:
    """A training pair with a limit on one call, of which the longest takes 240 us before and 200 us after."""
    before, after = write_pair(root / "in")
    target = root / "target.toml"
    target.write_text(TARGET.replace("LIMIT", limit).replace("CONTRACTOR", contractor), "utf-8")
    return before, after, "--target", target, "--out", root / "out", "--language", "en"


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_everything_but_the_pdf_is_written_and_names_outside_its_fonts_are_told(
    bare: dict[str, str], tmp_path: Path
) -> None:
    # U+20BB7 and U+9FA5, of names and places; the fonts of the PDF have GB 2312 and our own texts
    arguments = ("report", *pair(tmp_path, limit="1 s", contractor="\U00020bb7\u9fa5 Ltd."), "--junit")
    found = run(bare, *arguments)
    assert found.returncode == 6, found.stderr
    without = files(tmp_path / "out")
    assert set(without) == {"junit.xml", "report.html", "report.json", *(f"tables/{name}" for name in NAMES)}
    assert "pango_missing" in found.stderr
    assert APT in found.stderr
    assert "WeasyPrint could not import" not in found.stdout + found.stderr

    here = reportgen(*arguments)
    if here.code == 6:
        pytest.skip("pango is not installed")
    assert here.code == 0
    whole = files(tmp_path / "out")
    assert set(whole) == {*without, "report.pdf"}
    assert {name: data for name, data in whole.items() if name in without} == without
    assert "the fonts of report.pdf lack U+9FA5, U+20BB7: it shows these code points, report.html the char" in here.err
    assert "\U00020bb7\u9fa5 Ltd." in whole["report.html"].decode("utf-8")


def test_a_verdict_that_is_not_met_keeps_its_code(bare: dict[str, str], tmp_path: Path) -> None:
    found = run(bare, "report", *pair(tmp_path, limit="1 us"))
    assert found.returncode == 1, found.stderr
    assert "pango_missing" in found.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["report.html", "report.json", "tables"]
