"""Where the data files are that ship with the code: floor 0, standard library only."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The directory that holds `templates/` and `evidence/`.

    A wheel carries both inside the package, under `_data`. An editable install and a plain checkout have no `_data`:
    there they stand beside the package, at the checkout's root.

    Returns:
        An absolute path. It is not looked into: a file missing below it shows when it is opened.
    """
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


def templates_dir() -> Path:
    """The directory of the report's templates, style sheets, fonts and translations."""
    return data_root() / "templates"


def evidence_dir() -> Path:
    """The directory of the official sources, thresholds, definitions and graded settings, as TOML."""
    return data_root() / "evidence"


def fonts_dir() -> Path:
    """The directory of the two TrueType files of Noto Sans SC, the family that PDF and charts are set in."""
    return templates_dir() / "fonts"
