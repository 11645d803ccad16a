"""A report in which hosts, users, addresses, paths and serial numbers are labels, the same label for the same original.

It is done to the report's data, before anything is rendered, so that every output has the labels alone. Digests stay:
they are those of the originals. Of each label the report holds a commitment, SHA-256 of a salt and the original; the
salts are made from a secret that only the map has, since an address could be found by trying all of them.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets as random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Literal, get_origin

from reportgen.model import Quantity
from reportgen.report.document import (
    CitedRow,
    LabelRow,
    RedactionBlock,
    RemedyRow,
    Report,
    SettingRow,
    SourceRow,
)
from reportgen.report.redaction_patterns import KINDS, Found, Scrubber, is_version_key, names_in, names_of_key
from reportgen.report.serialize import hints_of

OFFICIAL = (SourceRow, CitedRow, RemedyRow, Quantity)
"""Rows of public documents and of figures: nothing in them is of a machine."""
MACHINE = frozenset({
    "address", "better", "code", "commitment", "digest", "exact", "kernel_digest", "labels", "metric", "note_digest",
    "sign", "source", "started", "ended", "at", "statistic", "times", "tool", "tool_version", "unit", "values",
})  # fmt: skip
"""Fields that hold machine words, times and digests."""
POINTERS = frozenset({"locator", "formula", "type", "part", "only_before", "only_after", "changed"})
"""Fields in which a slash begins a pointer or an operator's name."""
PASSES = 4
"""Most passes after the first; the second one settles it unless a label brings up another original."""
_TOKEN = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What ties labels to originals; whoever has it can prove a label, and nobody else can."""

    secret: bytes
    """32 bytes that the salts are made from."""
    labels: tuple[tuple[str, str], ...] = ()
    """(label, original)."""

    def salt(self, label: str) -> bytes:
        """The 32 bytes hashed before the original of a label; to be shown together with it, and tells of no other."""
        return hmac.digest(self.secret, label.encode(), "sha256")

    def commitment(self, label: str, original: str) -> str:
        """SHA-256 of the salt and the original in UTF-8."""
        return hashlib.sha256(self.salt(label) + original.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A report without what tells of machines and people."""

    report: Report
    """The report."""
    commands: tuple[tuple[str, ...], ...]
    """The command lines."""
    key: Key
    """What ties the labels to the originals."""


@dataclass(slots=True)
class _Labels:
    """Gives labels in the order in which originals are met."""

    of: dict[tuple[str, str], str] = field(default_factory=dict)
    """(kind, original) -> label."""
    numbers: Counter[str] = field(default_factory=Counter)
    """Highest number of each kind."""
    places: Counter[str] = field(default_factory=Counter)
    """Label -> places where it was put."""

    def name(self, kind: str, original: str) -> str:
        """The label of an original."""
        label = self.of.get((kind, original))
        if label is None:
            self.numbers[kind] += 1
            label = self.of[kind, original] = f"{kind}-{self.numbers[kind]}"
        self.places[label] += 1
        return label


def new_key() -> Key:
    """A key that nobody has yet."""
    return Key(secret=random.token_bytes(32))


def redact(report: Report, key: Key, commands: Sequence[Sequence[str]] = ()) -> Redacted:
    """The report and the commands with labels.

    Args:
        report: the report.
        key: its labels are kept, and its originals are replaced wherever they stand.
        commands: arguments of the command lines that a form prints; none for a form that prints none.

    Returns:
        The report; what was met late is replaced in earlier places too, so the key gives the same report again.
    """
    found = _once(report, key, commands)
    for _ in range(PASSES):
        again = _once(report, found.key, commands)
        if again == found:
            break
        found = again
    return found


def _once(report: Report, key: Key, commands: Sequence[Sequence[str]]) -> Redacted:
    """One pass: labels for what the key holds and for what is met."""
    labels = _Labels()
    for label, original in key.labels:
        kind, number = label.rsplit("-", 1)
        labels.of[kind, original] = label
        labels.numbers[kind] = max(labels.numbers[kind], int(number))
    given = [Found(label.rsplit("-", 1)[0], original) for label, original in key.labels]
    met = list(dict.fromkeys(_names(report, commands)))
    own = _own_words(report)
    names = list(dict.fromkeys((*given, *met)))
    spared = {found for found in names if found.original.lower() in own}
    scrubber = Scrubber([found for found in names if found not in spared], _hosts(report), labels.name)
    alone = {found.original: found.kind for found in spared}

    def scrub(text: str, *, versions: bool = False, pointers: bool = False) -> str:
        if text in alone:
            return labels.name(alone[text], text)
        return scrubber.scrub(text, versions=versions, pointers=pointers)

    clean = _walk(report, scrub, versions=False, pointers=False)
    lines = tuple(tuple(_argument(one, scrub, labels) for one in line) for line in commands)
    ties = tuple(sorted(((label, original) for (_kind, original), label in labels.of.items()), key=_by_number))
    whole = Key(secret=key.secret, labels=ties)
    used = [(label, original) for label, original in ties if labels.places[label]]
    block = RedactionBlock(
        counts=tuple((kind, sum(_kind(label) == kind for label, _ in used)) for kind in KINDS),
        places=tuple((kind, sum(labels.places[label] for label, _ in used if _kind(label) == kind)) for kind in KINDS),
        spared=len(spared),
        labels=tuple(LabelRow(label=label, commitment=whole.commitment(label, text)) for label, text in used),
    )
    return Redacted(report=replace(clean, redaction=block), commands=lines, key=whole)


def _kind(label: str) -> str:
    return label.rsplit("-", 1)[0]


def _by_number(tie: tuple[str, str]) -> tuple[int, int]:
    kind, number = tie[0].rsplit("-", 1)
    return KINDS.index(kind), int(number)


def _argument(text: str, scrub: Any, labels: _Labels) -> str:
    """One argument of a command; one that is an absolute path is one whatever its characters."""
    option, sign, value = text.partition("=")
    if text.startswith("/"):
        return labels.name("path", text)
    if option.startswith("--") and value.startswith("/"):
        return f"{option}{sign}{labels.name('path', value)}"
    done: str = scrub(text)
    return done


# ------------------------------------------------------------------------------------------- the walk
def _walk(value: Any, scrub: Any, *, versions: bool, pointers: bool) -> Any:
    """A value of the report with every text scrubbed."""
    if isinstance(value, Enum) or value is None or isinstance(value, (bool, int, *OFFICIAL)):
        return value
    if isinstance(value, str):
        return scrub(value, versions=versions, pointers=pointers)
    if isinstance(value, tuple):
        if _is_pair(value):
            keyed = versions or is_version_key(value[0])
            return (scrub(value[0], pointers=pointers), scrub(value[1], versions=keyed, pointers=pointers))
        return tuple(_walk(item, scrub, versions=versions, pointers=pointers) for item in value)
    if not is_dataclass(value):
        return value
    kind: Any = type(value)
    hints = hints_of(kind)
    keyed = versions or (isinstance(value, SettingRow) and is_version_key(value.key))
    changed = {}
    for item in fields(value):
        if item.name in MACHINE or get_origin(hints[item.name]) is Literal:
            continue
        version = keyed or "version" in item.name
        pointer = pointers or item.name in POINTERS
        changed[item.name] = _walk(getattr(value, item.name), scrub, versions=version, pointers=pointer)
    done: Any = replace(value, **changed)  # type: ignore[type-var]
    return done


def _is_pair(value: tuple[Any, ...]) -> bool:
    return len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], str)


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """(key or empty, text) of everything that is scrubbed."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, tuple):
        if _is_pair(value):
            yield "", value[0]
            yield value[0], value[1]
        else:
            for item in value:
                yield from _texts(item, key)
    elif is_dataclass(value) and not isinstance(value, OFFICIAL):
        for item in fields(value):
            held = getattr(value, item.name)
            if item.name not in MACHINE and not isinstance(held, Enum):
                own = value.key if isinstance(value, SettingRow) and item.name in ("before", "after") else ""
                yield from _texts(held, own)


def _names(report: Report, commands: Iterable[Iterable[str]]) -> Iterator[Found]:
    """Hosts, users, MACs and serial numbers that keys and directory names give."""
    for key, text in _texts(report):
        if key:
            yield from names_of_key(key, text)
        yield from names_in(text)
    for line in commands:
        for argument in line:
            yield from names_in(argument)


def _own_words(report: Report) -> frozenset[str]:
    """Words of the report's own ids: as part of a longer text these stay."""
    texts = [row.metric for row in report.metrics] + [row.statistic for row in report.metrics]
    block = report.comparability
    texts += [row.key for rows in (block.rows, block.equal, block.identity) for row in rows]
    texts += [row.reason.code for row in block.rows] + [goal.metric for goal in report.goals]
    found = {token.lower() for text in texts for token in _TOKEN.findall(text)}
    return frozenset(found | {*KINDS, "before", "after", "rank", "step", "device", "csv", "json", "db", "target"})


def _hosts(report: Report) -> frozenset[str]:
    """Hosts of public documents that the report cites."""
    cited = [row.locator for row in report.sources] + [row.address for row in report.diagnoses]
    if report.bottleneck is not None:
        cited += [row.locator for row in report.bottleneck.cited]
    return frozenset(host.lower() for text in cited for host in re.findall(r"://([A-Za-z0-9.\-]+)", text))
