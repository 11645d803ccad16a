"""What the command line loads before it knows what is asked: help and version must not wait for pandas."""

from __future__ import annotations

import subprocess
import sys

from command import reportgen

HEAVY = ("pandas", "numpy", "pyarrow", "altair", "weasyprint", "scipy", "pydantic", "vl_convert")


def test_the_command_line_loads_nothing_heavy() -> None:
    code = f"import reportgen.cli, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_version_is_printed() -> None:
    found = subprocess.run([sys.executable, "-m", "reportgen", "--version"], capture_output=True, text=True, check=True)
    from reportgen import __version__

    assert found.stdout.strip() == __version__


def test_bad_usage_is_exit_2_in_one_message() -> None:
    found = subprocess.run([sys.executable, "-m", "reportgen", "check"], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr


def test_a_missing_argument_is_told_like_any_fault() -> None:
    found = reportgen("inspect")
    assert found.code == 2
    assert found.err == "reportgen: Missing argument 'path' [bad_usage]\n  next: reportgen inspect --help\n"


def test_alone_it_prints_its_help_and_no_fault() -> None:
    for words in ((), ("target",)):
        found = reportgen(*words)
        assert (found.code, found.err) == (2, "")
        assert found.out.startswith("Usage:")
        assert "..." not in found.out.partition("Commands:")[2]  # no description is cut


def test_the_doctor_speaks_both_languages() -> None:
    assert "PDF: " in reportgen("doctor", "--language", "en").out
    assert "PDF\uff1a" in reportgen("doctor", "--language", "zh").out
