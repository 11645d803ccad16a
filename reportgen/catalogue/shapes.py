"""The formats of the evidence files, as plain dataclasses; relations and kinds are words out of fixed lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from reportgen import strict
from reportgen.evidence_files import TextTable
from reportgen.vocabulary import Circumstance, Need, Phase, Product


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTable:
    """A document that gives a rule, or is silent where one would be looked for."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    document: str
    """Title, in the document's language."""
    version: str
    """Version read."""
    section: str
    """Section."""
    publisher: str
    """Publisher."""
    locator: str
    """Repository, commit, path and line, or address."""
    quote: str = ""
    """At most ``LONGEST_QUOTE`` words of the original; empty only where nothing was quoted."""
    verified: Literal["verbatim", "substance", "course only"]
    """The quote was read there; the rule was read there; no public copy was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesFile:
    """``sources.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    source: tuple[SourceTable, ...]
    """All sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowsTable:
    """A rule whose answer another one needs."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    rule: str
    """Id of a machine rule."""
    band: str
    """The band of it in which this rule is read, on the same rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdTable:
    """What a machine needs to decide whether an entry of ``rules/*.toml`` applies; its numbers stand in the entry."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Id of the entry."""
    reading: Literal["bands", "value", "text", "never"]
    """``bands``: the value is put into a band; ``value``: it is shown without one; ``text``: there is no number to
    hold it against; ``never``: not enforceable."""
    because: Literal[
        "",
        "dead code",
        "worked example",
        "condition without rule",
        "no public copy",
        "contradicted",
        "not performance",
        "one chip",
    ] = ""
    """Why it is not enforceable; with ``never`` alone."""
    metric: str = ""
    """Our metric that is the quantity of the entry; empty: not measured here."""
    of: str = ""
    """The quantity of the entry's bands that is read, where it has several."""
    worst: Literal["largest", "smallest"] = "largest"
    """Which value stands for a side that has several (ranks, parts)."""
    undecided_at: tuple[str, ...] = ()
    """Ends of bands of which the source does not say to which side they belong."""
    frameworks: tuple[str, ...] = ()
    """Lower case; empty: any."""
    backends: tuple[str, ...] = ()
    """Lower case; empty: any."""
    phases: tuple[Phase, ...] = ()
    """Phases the source names; empty: any."""
    excluded_phases: tuple[Phase, ...] = ()
    """Phases the source, or this product's definitions, exclude."""
    products: tuple[Product, ...] = ()
    """Series the source names; empty: any."""
    excluded_products: tuple[Product, ...] = ()
    """Series the source excludes."""
    circumstances: tuple[Circumstance, ...] = ()
    """What has to be so."""
    excluded_circumstances: tuple[Circumstance, ...] = ()
    """What must not be so."""
    yields_to: str = ""
    """A rule that covers a part of its scope: where that one's scope matches, this one does not apply."""
    needs: tuple[Need, ...] = ()
    """Facts of the captures without which it cannot be read."""
    rated_clock: str = ""
    """The nominal clock it is written for, with its unit."""
    follows: FollowsTable | None = None
    """The rule that has to come first."""
    also: tuple[str, ...] = ()
    """Ids of other entries that limit its scope."""
    scope: TextTable | None = None
    """What the source says it holds for; needed where a value may be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdsFile:
    """``thresholds.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    threshold: tuple[ThresholdTable, ...]
    """All thresholds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnspecifiedTable:
    """What no official source specifies."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    title: TextTable
    """What one would look for."""
    statement: TextTable
    """Where and how its absence shows, in one sentence."""
    sources: tuple[str, ...]
    """Ids of sources; may be empty where ``rules`` names an entry, which has its own."""
    rules: tuple[str, ...] = ()
    """Ids of rules that show the gap."""
    in_report: bool = True
    """False: it bears on nothing that a report shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnspecifiedFile:
    """``unspecified.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    unspecified: tuple[UnspecifiedTable, ...]
    """All items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceTable:
    """A number no source gives, so we chose it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    value: str
    """Number as text, so that it stays exact."""
    unit: str
    """Unit in words, ``1`` for a plain number."""
    authority: Literal["own choice", "definition"]
    """``definition``: follows from the mathematics of the method."""
    why: TextTable
    """What it does and why it is that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicesFile:
    """``choices.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    choice: tuple[ChoiceTable, ...]
    """All choices."""
