"""Setting by setting: every key of every configuration file of both sides (law 1, default-deny)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reportgen.grades import Grade, Grades, is_off, same
from reportgen.model import CaptureFacts, Difference, Family, Held, Origin, Reason, SettingsFile, Side, Standing

CHIP = ("info.platform_version", "info.ai_core_num", "info.aiv_num", "info.aic_frequency", "info.aiv_frequency")
"""Chip, core counts and clock: never declared where a file could have shown them."""
LEVELS = ("sample.level", "profiler_info.profiler_level")
"""What decides which tables and columns exist."""
SILENT = frozenset(("N/A", "NaN", "nan", "unknown", "Unknown", "UNKNOWN"))
"""Values that say that nothing is known."""
EMPTY = frozenset(("", "null", "[]", "{}"))
"""Values that say nothing where a chip, a core count, a clock or a level belongs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """What the parties let differ or vouch for."""

    allowed: dict[str, Reason] = field(default_factory=dict)
    """Key -> why it may differ (target or ``--allow``)."""
    declared: dict[str, Reason] = field(default_factory=dict)
    """Key -> who declares what."""

    def allows(self, *names: str) -> Reason | None:
        """The allowance for any of these names."""
        return next((self.allowed[name] for name in names if name in self.allowed), None)

    def declares(self, *names: str) -> Reason | None:
        """The declaration for any of these names."""
        return next((self.declared[name] for name in names if name in self.declared), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePair:
    """One kind of file at one place of one pair of ranks."""

    kind: str
    """Kind of file."""
    place: str
    """``host``, ``device`` or empty."""
    where: str
    """For people: place and rank."""
    before: SettingsFile | None
    """None when BEFORE has none."""
    after: SettingsFile | None
    """None when AFTER has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One key of one file pair, judged."""

    key: str
    """Canonical id, or the raw key where it is graded nowhere."""
    spelling: str
    """As written."""
    where: str
    """Kind, place and rank."""
    before: str | None
    """BEFORE's text."""
    after: str | None
    """AFTER's text."""
    standing: Standing
    """Standing."""
    blocks_all: bool
    """Blocks everything."""
    families: tuple[Family, ...]
    """Blocks these."""
    loud: bool
    """Version."""
    reason: Reason
    """Why."""
    why: tuple[tuple[str, str], ...]
    """Effect."""
    origins: tuple[tuple[Origin, ...], tuple[Origin, ...]]
    """Of BEFORE and AFTER."""


# ------------------------------------------------------------------------------------------------ pairing files
def rank_key(file: SettingsFile) -> int | None:
    """The rank whose directory holds a file."""
    return file.rank


def file_pairs(
    before: CaptureFacts, after: CaptureFacts, ranks: Iterable[tuple[int | None, int | None]]
) -> list[FilePair]:
    """The configuration files of both sides by rank, kind and place; devices are paired in their order."""
    pairs: list[FilePair] = []
    for rank_before, rank_after in ranks:
        left = [f for f in before.settings_files if f.rank == rank_before]
        right = [f for f in after.settings_files if f.rank == rank_after]
        where = (
            ""
            if rank_before is None and rank_after is None
            else f"rank {rank_before}"
            if rank_before == rank_after
            else f"rank {rank_before}/{rank_after}"
        )
        kinds = list(dict.fromkeys(f.kind for f in (*left, *right)))
        for kind in kinds:
            for place in ("", "host", "device"):
                lefts = _at(left, kind, place)
                rights = _at(right, kind, place)
                for index in range(max(len(lefts), len(rights))):
                    b = lefts[index] if index < len(lefts) else None
                    a = rights[index] if index < len(rights) else None
                    shown = " ".join(part for part in (kind, _place(b, a), where) if part)
                    pairs.append(FilePair(kind=kind, place=place, where=shown, before=b, after=a))
    return pairs


def _at(files: list[SettingsFile], kind: str, place: str) -> list[SettingsFile]:
    found = [f for f in files if f.kind == kind and ("device" if f.place.startswith("device") else f.place) == place]
    return sorted(found, key=lambda f: (len(f.place), f.place))


def _place(before: SettingsFile | None, after: SettingsFile | None) -> str:
    places = list(dict.fromkeys(f.place for f in (before, after) if f is not None and f.place))
    return "/".join(places)


# ------------------------------------------------------------------------------------------------ one file pair
def _origin(side: Side, file: SettingsFile | None, key: str) -> tuple[Origin, ...]:
    if file is None:
        return ()
    return (
        Origin(file=f"{side.value}/{file.record.path}", digest=file.record.digest, locator=key, formula="as recorded"),
    )


def compare_pair(pair: FilePair, grades: Grades, permissions: Permissions) -> Iterator[Seen]:
    """Every key of a pair of files, judged; the rows of the generation that both lack are UNKNOWN."""
    if pair.before is None or pair.after is None:
        yield from _missing_file(pair, grades, permissions)
        return
    values = (dict(pair.before.values), dict(pair.after.values))
    generations = tuple(grades.generation(pair.kind, frozenset(v)) for v in values)
    rows = grades.rows.get(pair.kind, ())
    if None in generations and any(row.grade != "identity" for row in rows):
        yield _unrecognised(pair, Side.BEFORE if generations[0] is None else Side.AFTER)
    done: tuple[set[str], set[str]] = (set(), set())
    for row in rows:
        spelled = [next((s for s in row.spellings if s in v), None) for v in values]
        for taken, spelling in zip(done, spelled, strict=True):
            if spelling is not None:
                taken.add(spelling)
        seen = _graded(pair, row, values, spelled, (generations[0], generations[1]), permissions)
        if seen is not None:
            yield seen
    types = tuple(dict(zip((k for k, _ in f.values), f.types, strict=False)) for f in (pair.before, pair.after))
    left = [{k: v for k, v in found.items() if k not in taken} for found, taken in zip(values, done, strict=True)]
    for key in dict.fromkeys((*left[0], *left[1])):
        same_type = types[0].get(key, "") == types[1].get(key, "")
        yield _ungraded(pair, key, left[0].get(key), left[1].get(key), permissions, same_type=same_type)


def _unrecognised(pair: FilePair, side: Side) -> Seen:
    """A graded kind of file that holds no key anybody knows: nothing of it can be shown."""
    return Seen(
        key=pair.kind,
        spelling=pair.kind,
        where=pair.where,
        before=None if side is Side.BEFORE else pair.kind,
        after=None,
        standing=Standing.UNKNOWN,
        blocks_all=True,
        families=(),
        loud=False,
        reason=Reason.of("settings_file_unrecognised", file=pair.kind, side=side),
        why=(),
        origins=(_origin(Side.BEFORE, pair.before, "whole file"), _origin(Side.AFTER, pair.after, "whole file")),
    )


def _told(row: Grade, text: str) -> str | None:
    """A recorded value, or None where it says that nothing was recorded."""
    silent = SILENT | EMPTY if row.id in (*CHIP, *LEVELS) else SILENT
    return None if text in silent and not row.switch and row.grade != "identity" else text


def _belongs(row: Grade, pair: FilePair) -> bool:
    return row.place == "both" or pair.place in {"", row.place}


def _graded(
    pair: FilePair,
    row: Grade,
    values: tuple[dict[str, str], dict[str, str]],
    spelled: list[str | None],
    generations: tuple[str | None, str | None],
    permissions: Permissions,
) -> Seen | None:
    written = [row.written_by(g) and _belongs(row, pair) and not row.optional for g in generations]
    texts = [_told(row, v[s]) if s is not None else None for v, s in zip(values, spelled, strict=True)]
    if texts == [None, None]:
        if not any(written):
            return None
        return _seen(pair, row, spelled, texts, permissions, unknown=Reason.of("setting_unknown_both", key=row.id))
    if row.grade == "identity":
        return _seen(pair, row, spelled, texts, permissions, equal=True)
    if None not in texts:
        equal = same(
            row, texts[0] or "", texts[1] or "", spelling=(spelled[0] or "", spelled[1] or ""), generation=generations
        )
        return _seen(pair, row, spelled, texts, permissions, equal=equal)
    lacking = 0 if texts[0] is None else 1
    side = (Side.BEFORE, Side.AFTER)[lacking]
    held = texts[1 - lacking] or ""
    may_be_absent = not row.written_by(generations[lacking]) or not _belongs(row, pair)
    if row.switch and may_be_absent:
        return _seen(pair, row, spelled, texts, permissions, equal=is_off(row, held))
    if row.optional:
        holds = (Side.BEFORE, Side.AFTER)[1 - lacking]
        reason = Reason.of("setting_optional_one_side", key=row.id, side=holds)
        return _seen(pair, row, spelled, texts, permissions, equal=False, reason=reason)
    return _seen(pair, row, spelled, texts, permissions, unknown=Reason.of("setting_unknown", key=row.id, side=side))


def _seen(
    pair: FilePair,
    row: Grade,
    spelled: list[str | None],
    texts: list[str | None],
    permissions: Permissions,
    *,
    equal: bool = False,
    unknown: Reason | None = None,
    reason: Reason | None = None,
) -> Seen:
    spelling = next((s for s in spelled if s is not None), next(iter(row.spellings)))
    origins = (
        _origin(Side.BEFORE, pair.before, spelled[0] or spelling),
        _origin(Side.AFTER, pair.after, spelled[1] or spelling),
    )
    standing, blocks_all, families, said = _standing(row, permissions, equal=equal, unknown=unknown, reason=reason)
    return Seen(
        key=row.id,
        spelling=spelling,
        where=pair.where,
        before=texts[0],
        after=texts[1],
        standing=standing,
        blocks_all=blocks_all,
        families=families,
        loud=row.loud and standing is not Standing.SAME,
        reason=said,
        why=row.why,
        origins=origins,
    )


def _standing(
    row: Grade,
    permissions: Permissions,
    *,
    equal: bool,
    unknown: Reason | None,
    reason: Reason | None,
) -> tuple[Standing, bool, tuple[Family, ...], Reason]:
    if row.grade == "identity":
        return Standing.IDENTITY, False, (), Reason.of("setting_identity", key=row.id)
    if equal:
        return Standing.SAME, False, (), Reason.of("setting_equal", key=row.id)
    blocks_all, families = row.grade == "all", row.families if row.grade == "family" else ()
    names = (row.id, *row.spellings)
    if unknown is not None:
        declared = permissions.declares(*names)
        if declared is not None and row.id not in CHIP:
            return Standing.DECLARED, False, (), declared
        return Standing.UNKNOWN, blocks_all, families, unknown
    allowed = permissions.allows(*names)
    if allowed is not None:
        return Standing.ALLOWED, False, (), allowed
    said = reason or Reason.of("setting_differs", key=row.id)
    return (Standing.BLOCKING if blocks_all or families else Standing.BIAS), blocks_all, families, said


def _ungraded(
    pair: FilePair, key: str, before: str | None, after: str | None, permissions: Permissions, *, same_type: bool
) -> Seen:
    origins = (
        _origin(Side.BEFORE, pair.before if before is not None else None, key),
        _origin(Side.AFTER, pair.after if after is not None else None, key),
    )
    if before is not None and before == after and same_type:
        standing, blocks, reason = Standing.SAME, False, Reason.of("setting_equal", key=key)
    elif (allowed := permissions.allows(key)) is not None:
        standing, blocks, reason = Standing.ALLOWED, False, allowed
    elif before is None or after is None:
        side = Side.BEFORE if before is not None else Side.AFTER
        standing, blocks, reason = Standing.BLOCKING, True, Reason.of("setting_ungraded_one_side", key=key, side=side)
    else:
        standing, blocks, reason = Standing.BLOCKING, True, Reason.of("setting_ungraded_differs", key=key)
    return Seen(
        key=key,
        spelling=key,
        where=pair.where,
        before=before,
        after=after,
        standing=standing,
        blocks_all=blocks,
        families=(),
        loud=False,
        reason=reason,
        why=(),
        origins=origins,
    )


def _missing_file(pair: FilePair, grades: Grades, permissions: Permissions) -> Iterator[Seen]:
    """A file that one side lacks: unknown as a whole, by the heaviest grade of its rows."""
    rows = grades.rows.get(pair.kind, ())
    if rows and all(row.grade == "identity" for row in rows):
        return
    side = Side.BEFORE if pair.before is None else Side.AFTER
    declared = permissions.declares(pair.kind)
    reason = declared or Reason.of("settings_file_missing", file=pair.kind, side=side)
    held = pair.after if pair.before is None else pair.before
    shown = held.record.path if held is not None else ""
    origins = (_origin(Side.BEFORE, pair.before, "whole file"), _origin(Side.AFTER, pair.after, "whole file"))
    blocks = declared is None or pair.kind == "info.json"
    yield Seen(
        key=pair.kind,
        spelling=pair.kind,
        where=pair.where,
        before=shown if pair.before else None,
        after=shown if pair.after else None,
        standing=Standing.UNKNOWN if blocks else Standing.DECLARED,
        blocks_all=blocks,
        families=(),
        loud=False,
        reason=reason if not (blocks and declared) else Reason.of("settings_file_missing", file=pair.kind, side=side),
        why=(),
        origins=origins,
    )


# ------------------------------------------------------------------------------------------------ gathering
def gather(seen: Iterable[Seen]) -> list[Difference]:
    """One difference for each key and pair of values; the places that agree are named together."""
    grouped: dict[tuple[str, str | None, str | None, Standing, Reason], list[Seen]] = {}
    for one in seen:
        grouped.setdefault((one.key, one.before, one.after, one.standing, one.reason), []).append(one)
    found: list[Difference] = []
    for group in grouped.values():
        first = group[0]
        found.append(
            Difference(
                key=first.key,
                spelling=first.spelling,
                place=", ".join(dict.fromkeys(one.where for one in group)),
                before=Held(value=first.before, origins=tuple(o for one in group for o in one.origins[0])),
                after=Held(value=first.after, origins=tuple(o for one in group for o in one.origins[1])),
                standing=first.standing,
                blocks_all=first.blocks_all,
                families=first.families,
                loud=first.loud,
                reason=first.reason,
                why=first.why,
            )
        )
    return found


def recorded_ids(seen: Iterable[Seen]) -> set[str]:
    """The ids that at least one side records with a value that says something."""
    return {one.key for one in seen if any(text not in (None, "", "null") for text in (one.before, one.after))}
