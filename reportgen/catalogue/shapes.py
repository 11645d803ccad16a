"""The formats of the evidence files, as plain dataclasses; relations and kinds are words out of fixed lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from reportgen import strict
from reportgen.vocabulary import Need, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """One text in every language of the report."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    zh: str
    """Chinese."""
    en: str
    """English."""

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """(language, text)."""
        return ("zh", self.zh), ("en", self.en)


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
class BoundTable:
    """One end of a band."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    relation: Literal["above", "at_least", "at_most", "below"]
    """``at_least`` and ``at_most`` include the value itself."""
    value: str
    """Number with its unit, as the source prints it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandTable:
    """One band of a threshold."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: Literal["within_reference", "no_statement", "needs_attention"]
    """What the source says of it."""
    bounds: tuple[BoundTable, ...]
    """Its ends; an end left out is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdTable:
    """An official rule on one of our metrics."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    metric: str
    """Metric id."""
    title: TextTable
    """What the rule is about."""
    scope: TextTable
    """What the source says it holds for."""
    frameworks: tuple[str, ...]
    """Lower case."""
    backends: tuple[str, ...]
    """Lower case."""
    phases: tuple[Phase, ...]
    """Phases the source names."""
    excluded_phases: tuple[Phase, ...]
    """Phases the source excludes in words."""
    needs: tuple[Need, ...]
    """Facts of the captures without which it cannot be read."""
    band: tuple[BandTable, ...]
    """In rising order, without gap or overlap."""
    authority: Literal["document", "tool source", "case", "project practice"]
    """Only a document is normative wording."""
    use: Literal["verdict", "reference", "context"]
    """``verdict``: its bands are stated; ``reference``: shown as orientation; ``context``: shown as text."""
    sources: tuple[str, ...]
    """Ids of sources."""


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
    """Ids of sources; may be empty where it is not in reports and ``rules`` names one."""
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
