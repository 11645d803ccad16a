"""A BEFORE below its maker's defaults: part of what looks like a gain is then the return to them.

Which settings, which values and which document say so stand in ``evidence/vendor_defaults.toml``. The fact is told
whether or not the difference was agreed. Source: docs/tricks.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from reportgen import resources, strict
from reportgen.comparability.facts import fact
from reportgen.evidence_files import read_file
from reportgen.model import CaptureFacts, Difference, FileRecord, Held, LoggedRun, Origin, Reason, Side, Standing
from reportgen.outside import origin_of
from reportgen.strict import Fault

FILE_NAME = "vendor_defaults.toml"
KEY = "below_default"
"""Key of the compared fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _SettingTable:
    """Where a capture records it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    file: str
    """Kind of settings file."""
    key: str
    """Flattened key path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorDefault:
    """One setting that makes a run slower than its default."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    name: str
    """As the environment or the option is called; unique."""
    setting: _SettingTable | None = None
    """Where a capture records it; None: no capture does."""
    slower: tuple[str, ...]
    """Values below the default."""
    usual: str
    """The default."""
    rule: str
    """Entry of the catalogue that says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DefaultsFile:
    """``vendor_defaults.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    default: tuple[VendorDefault, ...]
    """In the order in which they are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorDefaults:
    """All of ``vendor_defaults.toml``."""

    defaults: tuple[VendorDefault, ...]
    """In the order of the file."""
    file: FileRecord
    """The file."""

    def cited(self) -> tuple[str, ...]:
        """The entries of the catalogue that the file names, each once."""
        return tuple(dict.fromkeys(one.rule for one in self.defaults))


@cache
def read_vendor_defaults(directory: Path | None = None) -> VendorDefaults:
    """Read ``vendor_defaults.toml``.

    Args:
        directory: where it is; None: ``resources.evidence_dir()``.

    Raises:
        CatalogueError: ``evidence_unreadable``, ``evidence_syntax``, or ``evidence_invalid`` with every fault.
    """
    file, record = read_file(directory or resources.evidence_dir(), FILE_NAME, _DefaultsFile, _check)
    return VendorDefaults(defaults=file.default, file=record)


def _check(file: _DefaultsFile) -> Iterator[Fault]:
    for name, count in Counter(one.name for one in file.default).items():
        if count > 1:
            yield Fault("default", f"{name!r} stands {count} times")
    for number, one in enumerate(file.default):
        if not one.slower:
            yield Fault(f"default[{number}].slower", "must name a value")


def below_default(
    captures: Iterable[CaptureFacts], runs: Iterable[LoggedRun], known: Sequence[VendorDefault]
) -> Difference | None:
    """What of both sides is below its default; None when nothing that is recorded is.

    Args:
        captures: of both sides, repeats too.
        runs: outside the profile.
        known: the settings that are looked for.
    """
    found: dict[Side, dict[str, Origin]] = {side: {} for side in Side}
    for capture in captures:
        for text, origin in _of_capture(capture, known):
            found[capture.side].setdefault(text, origin)
    for run in runs:
        for text, origin in _of_run(run, known):
            found[run.side].setdefault(text, origin)
    if not any(found.values()):
        return None
    names = {side: [text.partition("=")[0] for text in found[side]] for side in Side}
    alone = [name for name in names[Side.BEFORE] if name not in names[Side.AFTER]]
    if alone:
        code, keys = "before_below_default", alone
    elif names[Side.BEFORE]:
        code, keys = "both_below_default", names[Side.BEFORE]
    else:
        code, keys = "after_below_default", names[Side.AFTER]
    sides = [Held(value=", ".join(found[side]), origins=tuple(found[side].values())) for side in Side]
    return fact(KEY, "", sides[0], sides[1], Standing.BIAS, Reason.of(code, keys=", ".join(dict.fromkeys(keys))))


def _of_capture(capture: CaptureFacts, known: Sequence[VendorDefault]) -> Iterator[tuple[str, Origin]]:
    for one in known:
        for file in capture.settings_files:
            if one.setting is None or file.kind != one.setting.file:
                continue
            value = file.get(one.setting.key)
            if value in one.slower:
                origin = Origin(
                    file=f"{capture.side.value}/{file.record.path}",
                    digest=file.record.digest,
                    locator=one.setting.key,
                    formula="as recorded",
                )
                yield f"{one.name}={value}", origin


def _of_run(run: LoggedRun, known: Sequence[VendorDefault]) -> Iterator[tuple[str, Origin]]:
    by_name = {one.name.lower(): one for one in known}
    for stated in run.run.context:
        one = by_name.get(stated.key.rpartition(".")[2].lower())
        if one is not None and stated.written in one.slower:
            yield f"{one.name}={stated.written}", origin_of(run, stated.locator, "as written")
