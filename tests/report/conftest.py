"""Files that are slow to make, made once for all tests and all processes of a run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reportgen.errors import RenderError
from reportgen.report import html, pdf
from reportgen.report.document import Report
from reportgen.report.serialize import to_json
from tests.report import odd_reports
from tests.report.example import example
from tests.report.sample_report import VARIANTS, sample_report

CREATED = datetime(2026, 11, 5, 8, 30, tzinfo=UTC)
DIGEST = "c878a2969fdcffda97e2e11438893020547bb7ed42257f714ed0d5e71ed6f782"

Made = Callable[[str, str, str], Path]
"""(name of a report, language, form) -> its file."""


def report_of(name: str) -> Report:
    """The shipped example, a variant of the sample report, or an odd report."""
    if name == "example":
        return example()
    return sample_report(name) if name in VARIANTS else getattr(odd_reports, name)()  # type: ignore[arg-type]


def _shared(factory: pytest.TempPathFactory, kind: str, make: Callable[[str, str, str], bytes]) -> Made:
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # the directory of the run, above that of this process
        root = root.parent

    def made(name: str, language: str, form: str) -> Path:
        path = root / f"{name}.{language}.{form}.{kind}"
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                path.write_bytes(make(name, language, form))
        return path

    return made


@pytest.fixture(scope="session")
def pdf_of(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Makes the PDF of a report; it carries its report.json."""
    try:
        pdf._weasyprint()
    except RenderError:
        pytest.skip("pango is not installed")

    def make(name: str, language: str, form: str) -> bytes:
        report = report_of(name)
        return pdf.render(
            report,
            language=language,
            digest=DIGEST,
            created=CREATED,
            form=form,  # type: ignore[arg-type]
            commands=("reportgen report before after",),
            carried=to_json(report).encode(),
        )

    return _shared(tmp_path_factory, "pdf", make)


@pytest.fixture(scope="session")
def html_of(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Makes the page of a report."""

    def make(name: str, language: str, form: str) -> bytes:
        page = html.render(
            report_of(name),
            language=language,
            digest=DIGEST,
            form=form,  # type: ignore[arg-type]
            commands=("reportgen report before after",),
        )
        return page.encode()

    return _shared(tmp_path_factory, "html", make)
