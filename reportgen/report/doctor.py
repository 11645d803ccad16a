"""Can this machine make every output? What is there, in which version, and what to install."""

from __future__ import annotations

import contextlib
import ctypes
import io
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version

from reportgen import resources
from reportgen.report import messages
from reportgen.report.translations import SOURCE, Language, message

LIBRARIES = (
    ("pango", "libpango-1.0.so.0", True),
    ("pangoft2", "libpangoft2-1.0.so.0", True),
    ("harfbuzz", "libharfbuzz.so.0", True),
    ("fontconfig", "libfontconfig.so.1", True),
    ("harfbuzz-subset", "libharfbuzz-subset.so.0", False),
)
"""(name, file that WeasyPrint loads, whether the PDF needs it)."""
PACKAGES = ("weasyprint", "jinja2", "altair", "vl-convert-python", "pandas", "pyarrow")
REMEDY = "apt-get install -y --no-install-recommends libpangoft2-1.0-0 libharfbuzz-subset0"


def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _weasyprint() -> bool:
    """Whether WeasyPrint finds its libraries; its banner is kept from the screen."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            import weasyprint  # noqa: F401
    except (ImportError, OSError):
        return False
    return True


def cjk_fonts() -> tuple[str, ...] | None:
    """The families on this machine that draw Chinese, by fontconfig's ``fc-list``; None where that cannot be asked."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    try:
        found = subprocess.run([program, ":lang=zh-cn", "family"], capture_output=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    lines = found.stdout.decode("utf-8", "replace").splitlines()
    return tuple(sorted({line.split(",")[0].strip() for line in lines} - {""}))


def examine(language: Language = SOURCE) -> tuple[list[str], bool]:
    """What this machine has.

    Args:
        language: language of the lines.

    Returns:
        (lines for people, whether the PDF can be made).
    """
    words = {name: message(text, language) for name, text in messages.DOCTOR.items() if name != "no_pdf"}
    found = [(name, _version(name) or words["missing"]) for name in PACKAGES]
    for name, file, needed in LIBRARIES:
        found.append((name, words["found"] if _loads(file) else words["missing" if needed else "missing_for_bytes"]))
    fonts = sorted(path.name for path in resources.fonts_dir().glob("*.ttf"))
    found.append((words["fonts"], ", ".join(fonts) or words["missing"]))
    families = cjk_fonts()
    named = words["cjk_unknown"] if families is None else ", ".join(families[:3]) or words["cjk_none"]
    found.append((words["cjk"], named))
    able = _weasyprint() and bool(fonts)
    found.append(("PDF", words["pdf"] if able else message(messages.DOCTOR["no_pdf"], language, next=REMEDY)))
    return [message(messages.COLON, language, name=name, text=text) for name, text in found], able
