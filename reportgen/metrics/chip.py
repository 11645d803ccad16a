"""The chip of a rank: cores and nominal clock as the capture itself records them.

Taken from ``DeviceInfo`` of the device's own ``info.json``, never from a table of products: one chip name covers parts
of 20 and of 24 cores. Whether a chip has one kind of core or two is seen in the headers of its kernel table.
Source: docs/formats.md 2.2, 3.2, 11.3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from reportgen.metrics.common import Place, side_path
from reportgen.model import Missing, MissingKind, Origin, Reason, SettingsFile

CORES = {"aic": "ai_core_num", "aiv": "aiv_num"}
"""Keys of the core counts, by core."""
CLOCKS = {"aic": "aic_frequency", "aiv": "aiv_frequency"}
"""Keys of the nominal clocks (MHz), by core."""
ONE_KIND = "total_cycles"
"""Column of the cycles where chips have one kind of core; elsewhere it carries its core: ``aic_total_cycles``."""
_COUNT = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_CLOCK = re.compile(r"\d{1,6}(?:\.\d{1,9})?", re.ASCII)
_KEY = "DeviceInfo.[]."


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """What a capture records of a rank's chip."""

    cores: dict[str, int]
    """Core (``aic``, ``aiv``) -> number; without those not recorded, written as 0 or not as a number."""
    mhz: dict[str, Fraction]
    """Core -> nominal clock in MHz; without those not recorded."""
    file: SettingsFile | None
    """The device's info.json; None when the capture has none, or when several could be meant."""

    def origin(self, place: Place, *keys: str) -> tuple[Origin, ...]:
        """Where keys of ``DeviceInfo`` stand; empty without a file."""
        if self.file is None:
            return ()
        locator = ", ".join(f"DeviceInfo[0].{key}" for key in keys)
        path, digest = side_path(place.side, self.file.record.path), self.file.record.digest
        return (Origin(file=path, digest=digest, locator=locator, formula="as written"),)


def own_files(place: Place, kind: str) -> list[SettingsFile]:
    """The configuration files of one kind that belong to the rank's device, in the order read.

    Those of ``device_N`` where N is the rank's device. Where no device is recorded: those of the only device of its
    directory; empty when there are several.
    """
    inside = f"{place.rank.directory}/" if place.rank.directory else ""
    found = [
        file
        for file in place.facts.settings_files
        if file.kind == kind and file.place.startswith("device_") and file.record.path.startswith(inside)
    ]
    if place.rank.device is not None:
        return [file for file in found if file.place == f"device_{place.rank.device}"]
    return found if len(found) == 1 else []


def chip(place: Place) -> Chip:
    """Cores and nominal clocks of a rank's chip; what is not recorded is not there."""
    files = own_files(place, "info.json")
    if len(files) != 1:
        return Chip(cores={}, mhz={}, file=None)
    texts = dict(files[0].values)
    cores = {core: texts.get(_KEY + key, "").strip() for core, key in CORES.items()}
    clocks = {core: texts.get(_KEY + key, "").strip() for core, key in CLOCKS.items()}
    return Chip(
        cores={core: int(text) for core, text in cores.items() if _COUNT.fullmatch(text)},
        mhz={core: Fraction(text) for core, text in clocks.items() if _CLOCK.fullmatch(text) and Fraction(text) > 0},
        file=files[0],
    )


def not_recorded(*keys: str) -> Missing:
    """Core count or clock is not in the capture: nothing is put in its place."""
    return Missing(
        kind=MissingKind.NOT_RECORDED,
        reason=Reason.of("cores_not_recorded", keys=", ".join(keys)),
        remedy=Reason.of("keep_info_json"),
    )


def one_kind_of_core(place: Place) -> bool:
    """Whether cube and vector units share one core (910A, 310P, 310B): PMU columns carry no core in their names."""
    return place.tables.kernels.source != "db" and ONE_KIND in place.tables.kernels.columns
