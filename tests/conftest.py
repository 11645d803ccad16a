"""What every test shares: a pair of captures, the corpus, and that a skip is a failure where nothing may be skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from jobs import write_pair

from reportgen.model import Evaluation
from reportgen.pipeline import evaluate

MAY_SKIP = ("veraPDF", "msprof")
"""Programs whose absence is a skip even in continuous integration."""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turn skips into failures when REPORTGEN_NO_SKIP=1; corpus tests may skip where no corpus is named."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if not report.skipped or os.environ.get("REPORTGEN_NO_SKIP") != "1" or hasattr(report, "wasxfail"):
        return
    reason = str(report.longrepr)
    no_corpus = "corpus" in reason and not os.environ.get("REPORTGEN_CORPUS")
    if not no_corpus and not any(name in reason for name in MAY_SKIP):
        report.outcome = "failed"
        report.longrepr = f"skipped, but REPORTGEN_NO_SKIP=1: {reason}"


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """A pair of captures that were taken alike, for goals that do not rest on it."""
    return evaluate(*write_pair(tmp_path_factory.mktemp("pair")))
