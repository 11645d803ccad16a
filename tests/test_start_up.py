"""What the command line loads before it knows what is asked: help and version must not wait for pandas."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("pandas", "numpy", "pyarrow", "altair", "weasyprint", "scipy", "pydantic", "vl_convert")


def test_the_command_line_loads_nothing_heavy() -> None:
    code = f"import reportgen.cli, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_version_is_printed() -> None:
    found = subprocess.run([sys.executable, "-m", "reportgen", "--version"], capture_output=True, text=True, check=True)
    import reportgen

    assert found.stdout.strip() == reportgen.__version__


def test_bad_usage_is_exit_2_in_one_message() -> None:
    found = subprocess.run([sys.executable, "-m", "reportgen", "check"], capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
