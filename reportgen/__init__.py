"""Before and after: an acceptance report from two Ascend profiler captures.

What is exported here is loaded on first use (PEP 562), so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportgen.pipeline import run
    from reportgen.reading import read_capture

__version__ = "0.1.0"

_EXPORTS = {
    "read_capture": "reportgen.reading",
    "run": "reportgen.pipeline",
}
"""Exported name: the module that defines it. A type checker reads the imports above, so keep both alike."""

__all__ = ["__version__", "read_capture", "run"]


def __getattr__(name: str) -> object:
    """Load an exported name from its module and keep it."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The package's names, loaded or not."""
    return sorted({*globals(), *_EXPORTS})
