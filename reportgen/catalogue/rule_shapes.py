"""The formats of ``evidence/rules/*.toml`` and ``contradictions.toml``: text to be shown, nothing to be evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from reportgen import strict
from reportgen.evidence_files import TextTable


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBoundTable:
    """One number of a rule."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    relation: Literal[
        "above",
        "at_least",
        "equal",
        "about",
        "at_most",
        "below",
        "not_equal",
        "multiple_of",
        "not_multiple_of",
    ]
    """``at_least`` and ``at_most`` include the number itself."""
    value: str
    """Number as text, without its unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBandTable:
    """One value, band or case of a rule."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    of: str = ""
    """The quantity, where the rule is about several."""
    says: str = ""
    """What the source says of values there."""
    bounds: tuple[RuleBoundTable, ...] = ()
    """One number, or two that enclose a band."""
    unit: str = ""
    """Unit as the source has it."""
    text: str = ""
    """What cannot be said in numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleScopeTable:
    """What a rule holds for, in the words of its source."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    product: str
    """Products and chips."""
    framework: str
    """Frameworks and tools."""
    scenario: str
    """Kind of job or data."""
    phase: str
    """Training, inference, both, or unspecified."""
    excluded: tuple[str, ...] = ()
    """What it does not hold for."""
    requires: tuple[str, ...] = ()
    """Data without which it cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSourceTable:
    """Where a rule stands."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

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


Operator = Literal[
    "above",
    "at_least",
    "at_most",
    "below",
    "equal",
    "not_equal",
    "about",
    "between",
    "banded",
    "range",
    "half_open",
    "versus_one",
    "near",
    "drop",
    "direction",
    "outlier",
    "all_of",
    "combination",
    "formula",
    "definition",
    "enumeration",
    "ordering",
    "requires",
    "excludes",
    "constraint",
    "recommended",
    "check",
    "see_source",
    "none",
]
"""What kind of statement a rule is; words only, nothing is evaluated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTable:
    """One entry: a rule, formula, constraint or case as its source has it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    title: TextTable
    """What it is about."""
    kind: Literal["threshold", "constraint", "formula", "definition", "example only", "unspecified"]
    """What it is."""
    authority: Literal["document", "tool source", "case", "project practice", "third-party platform"]
    """Only a document is normative wording; a tool source is what the tool does."""
    use: Literal["verdict", "reference", "formula", "gate", "consistency check", "context", "none"]
    """What it may be used for."""
    verified: Literal["verbatim", "substance", "course only", "contradicted"]
    """How it was verified."""
    metrics: tuple[str, ...] = ()
    """Our metrics that it speaks of."""
    quantity: str
    """The quantity in the words of the source."""
    unit: str = ""
    """Its unit."""
    formula: str = ""
    """As text."""
    operator: Operator
    """What kind of statement it is."""
    band: tuple[RuleBandTable, ...] = ()
    """Values, bands and cases."""
    equality: str
    """What holds exactly at a limit."""
    course: str = ""
    """Section of the course that cites it."""
    notes: str = ""
    """What else a reader has to know."""
    scope: RuleScopeTable
    """What it holds for."""
    source: RuleSourceTable
    """Where it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFile:
    """``rules/NAME.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    rule: tuple[RuleTable, ...]
    """All rules of one topic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionTable:
    """What one source says."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    who: str
    """The source in a few words."""
    says: str
    """What it says."""
    entry: str = ""
    """Rule or unspecified item it stands in or bears on."""
    locator: str = ""
    """Where it stands; needed where there is no entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionTable:
    """Sources that differ."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    id: str
    """Unique."""
    title: TextTable
    """What they differ on."""
    kind: Literal["between sources", "slip"]
    """``slip``: one official text is wrong by its own figures or code."""
    treatment: TextTable
    """What this product does."""
    position: tuple[PositionTable, ...]
    """What each says; at least two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionsFile:
    """``contradictions.toml``."""

    __pydantic_config__: ClassVar[dict[str, Any]] = strict.CONFIG

    schema: Literal[1]
    """Version of this format."""
    contradiction: tuple[ContradictionTable, ...]
    """All contradictions."""
