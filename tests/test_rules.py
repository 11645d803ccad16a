"""The catalogue of rules: as many as were compiled, well formed, quoted briefly, in both languages, in agreement."""

import re
import shutil
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from slips import place, slipped

from reportgen import vocabulary
from reportgen.catalogue import LONGEST_QUOTE, prove, quote_words, read_catalogue
from reportgen.definitions import read_definitions
from reportgen.errors import CatalogueError
from reportgen.model import Contradiction, Relation, Rule, Unspecified
from reportgen.resources import evidence_dir

WHOLE = read_catalogue(evidence_dir())
RULES = {rule.id: rule for rule in WHOLE.rules}
OFFICIAL = [rule for rule in WHOLE.rules if rule.authority != "project practice"]
ITEMS = {item.id: item for item in WHOLE.unspecified}
FILES = sorted(evidence_dir().rglob("*.toml"))
LANGUAGES = ("zh", "en")
ENTRIES: tuple[Rule | Unspecified | Contradiction, ...] = (*WHOLE.rules, *WHOLE.unspecified, *WHOLE.contradictions)


# --------------------------------------------------------------------------------------------- how many
def test_there_are_as_many_as_were_compiled() -> None:
    assert len(OFFICIAL) == 167
    assert len(WHOLE.unspecified) == 32
    assert Counter(item.kind for item in WHOLE.contradictions) == {"between sources": 29, "slip": 2}
    assert len(WHOLE.rules) - len(OFFICIAL) == 6


def test_authority_kind_and_verification_are_as_compiled() -> None:
    assert Counter(rule.authority for rule in OFFICIAL) == {
        "document": 101,
        "tool source": 53,
        "case": 12,
        "third-party platform": 1,
    }
    assert Counter(rule.source.verified for rule in OFFICIAL) == {
        "verbatim": 128,
        "substance": 34,
        "course only": 4,
        "contradicted": 1,
    }
    assert Counter(rule.kind for rule in OFFICIAL) == {
        "threshold": 79,
        "constraint": 43,
        "definition": 17,
        "example only": 16,
        "formula": 10,
        "unspecified": 2,
    }
    assert Counter(rule.use for rule in OFFICIAL) == {
        "reference": 66,
        "gate": 42,
        "context": 22,
        "none": 21,
        "formula": 11,
        "verdict": 4,
        "consistency check": 1,
    }


def test_practice_of_projects_is_never_a_verdict_and_excludes_official_use() -> None:
    practice = [rule for rule in WHOLE.rules if rule.authority == "project practice"]
    assert all(rule.id.startswith("practice-") and rule.use in ("context", "gate") for rule in practice)
    assert all(rule.scope.excluded for rule in practice)


# --------------------------------------------------------------------------------------------- form
def test_ids_are_unique_and_plain() -> None:
    ids = [row.id for row in ENTRIES]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_stands_in_both_languages(language: str) -> None:
    assert all(dict(row.title)[language].strip() for row in ENTRIES)
    assert all(dict(item.statement)[language].strip() for item in WHOLE.unspecified)
    assert all(dict(item.treatment)[language].strip() for item in WHOLE.contradictions)


def test_english_titles_are_english() -> None:
    assert [row.id for row in ENTRIES if re.search("[\u3400-\u9fff]", dict(row.title)["en"])] == []


def test_no_quote_is_longer_than_allowed_and_what_is_verbatim_is_quoted() -> None:
    assert max(quote_words(rule.source.quote) for rule in WHOLE.rules) <= LONGEST_QUOTE
    assert [rule.id for rule in WHOLE.rules if rule.source.verified == "verbatim" and not rule.source.quote] == []


def test_every_rule_says_where_it_stands() -> None:
    for rule in WHOLE.rules:
        source = rule.source
        assert all((source.document, source.version, source.section, source.publisher, source.locator)), rule.id
        assert (evidence_dir() / rule.file).is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_course_is_not_called_by_another_name(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "seed" not in text.lower()
    assert ".txt" not in text


@pytest.mark.parametrize("path", [p for p in FILES if p.parent.name == "rules"], ids=lambda path: path.name)
def test_english_texts_have_no_typographic_marks(path: Path) -> None:
    for rule in tomllib.loads(path.read_text(encoding="utf-8"))["rule"]:
        for key in ("quantity", "formula", "equality", "notes"):
            assert not re.search("[“”‘’…—]", rule.get(key, "")), rule["id"]
        assert not re.search("[“”‘’…—]", rule["title"]["en"]), rule["id"]


# --------------------------------------------------------------------------------------------- numbers
@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        ("fsdp2-free-time", [("below", "3", "%"), ("at_least", "3", "%")]),
        ("recsdk-aiv-mte2-ratio", [("above", "0.8", "ratio")]),
        ("msprof-wait-time-ratio", [("above", "0.2", "ratio"), ("at_most", "0.2", "ratio")]),
        ("op-summary-memory-bound", [("below", "1", "ratio"), ("above", "1", "ratio")]),
        ("guide-free-10", [("at_most", "10", "%")]),
        ("offline-200i-free-10", [("below", "10", "%"), ("above", "30", "%")]),
        ("advisor-frequency-drop", [("at_least", "0.05", "ratio")]),
        ("advisor-rdma-retransmission", [("at_least", "4000", "ms"), ("above", "4000", "ms")]),
        ("memory-leak-10mb", [("above", "10", "MB")]),
        ("hccl-128-byte-address", [("not_multiple_of", "128", "byte")]),
        ("practice-stable-stage-duration", [("below", "1/3", "of duration")]),
    ],
)
def test_a_number_is_the_one_of_the_source(rule: str, numbers: list[tuple[str, str, str]]) -> None:
    bands = RULES[rule].bands
    found = [(bound.relation.value, bound.written, band.unit) for band in bands for bound in band.bounds]
    assert found == numbers
    assert all(bound.value == Fraction(bound.written) for band in bands for bound in band.bounds)


def test_the_gap_between_two_columns_of_a_table_is_a_band_of_its_own() -> None:
    bands = {band.says: band for band in RULES["fsdp2-unhidden-communication"].bands}
    assert list(bands) == ["within_reference", "no_statement", "needs_attention"]
    assert [(b.relation, b.value) for b in bands["no_statement"].bounds] == [
        (Relation.ABOVE, Fraction(10)),
        (Relation.AT_MOST, Fraction(20)),
    ]


def test_every_band_says_something_in_numbers_or_words() -> None:
    assert [rule.id for rule in WHOLE.rules for band in rule.bands if not band.bounds and not band.text] == []


# --------------------------------------------------------------------------------------------- references
def test_every_position_between_sources_names_a_known_entry() -> None:
    for item in WHOLE.contradictions:
        assert len(item.positions) >= 2
        for position in item.positions:
            if item.kind == "between sources":
                assert position.entry in RULES or position.entry in ITEMS, item.id
            assert position.entry or position.locator, item.id


def test_every_unspecified_item_names_what_shows_it() -> None:
    sources = {source.id for source in WHOLE.sources}
    for item in WHOLE.unspecified:
        assert item.sources or item.rules
        assert {*item.sources} <= sources
        assert {*item.rules} <= {*RULES}


def test_metrics_of_rules_are_ours() -> None:
    assert {name for rule in WHOLE.rules for name in rule.metrics} <= {*vocabulary.UNITS}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("advisor-frequency-drop", ("ai_core_frequency_drop",)),
        ("recipe-freq-1800", ("ai_core_frequency",)),
        ("aicore-frequency-drop", ("ai_core_frequency",)),
        ("msprof-sync-ratio-before-transit", ("collective_synchronization_ratio",)),
        ("msprof-packet-ratio", ("link_large_packet_share",)),
        ("op-summary-memory-bound", ("memory_bound", "memory_bound_share")),
    ],
)
def test_a_rule_names_what_we_measure_of_its_quantity(rule: str, names: tuple[str, ...]) -> None:
    assert RULES[rule].metrics == names


def test_machine_rules_have_title_numbers_and_standing_of_their_entries() -> None:
    for threshold in WHOLE.thresholds:
        rule = RULES[threshold.id]
        assert (rule.use, rule.authority, rule.title) == (threshold.use, threshold.authority, threshold.title)
        assert threshold.file == f"evidence/{rule.file}"
        assert threshold.sources[0] == rule.id
        assert not threshold.metric or threshold.metric in rule.metrics
        if threshold.reading != "bands":
            assert threshold.bands == ()
            continue
        stated = [band for band in threshold.bands if band.id != "no_statement"]
        assert {band.id for band in stated} == {entry.says for entry in rule.bands} - {"no_statement"}
        for band in stated:
            (entry,) = [entry for entry in rule.bands if entry.says == band.id]
            scale = 100 if entry.unit == "%" else 1
            assert {end * scale for end in (band.low, band.high) if end is not None} == {b.value for b in entry.bounds}


def test_the_number_and_the_quote_of_a_rule_stand_in_its_entry_alone() -> None:
    raw = tomllib.loads((evidence_dir() / "thresholds.toml").read_text(encoding="utf-8"))["threshold"]
    assert not any({"band", "bands", "title", "authority", "use", "sources"} & {*table} for table in raw)


def test_a_definition_from_a_document_agrees_with_its_entry() -> None:
    for item in read_definitions().items:
        if item.source is not None:
            rule: Rule = RULES[item.source.id]
            bounds = [(bound.relation.value, bound.value) for band in rule.bands for bound in band.bounds]
            assert bounds.count((item.relation, item.value)) == 1
            assert item.metric in rule.metrics


# --------------------------------------------------------------------------------------------- reading
def test_rules_come_by_id_and_files_with_their_digest() -> None:
    for ids in ([rule.id for rule in WHOLE.rules], [item.id for item in WHOLE.contradictions]):
        assert ids == sorted(ids)
    paths = [record.path for record in WHOLE.files]
    assert len(paths) == len(set(paths))
    assert {"evidence/contradictions.toml", "evidence/rules/fsdp2.toml", "evidence/rules/practice.toml"} <= {*paths}
    assert all(len(record.digest) == 64 for record in WHOLE.files)


def test_every_check_holds_and_looks_at_something() -> None:
    checks = prove(evidence_dir())
    assert len({check.id for check in checks}) == len(checks)
    assert all(check.examined for check in checks)
    assert [fault for check in checks for fault in check.faults] == []


SLIPS = [
    # file, old, new, check, fault
    (
        "rules/fsdp2.toml",
        'id = "fsdp2-free-time"',
        'id = "fsdp2-unhidden-communication"',
        "ids",
        "rules: rule: 'fsdp2-unhidden-communication' stands 2 times",
    ),
    (
        "rules/fsdp2.toml",
        'metrics = ["free_share"]',
        'metrics = ["free_shar"]',
        "units",
        "rules/fsdp2.toml: rule[1].metrics[0]: unknown metric 'free_shar'; did you mean \"free_share\"?",
    ),
    (
        "rules/fsdp2.toml",
        'metrics = ["free_share"]',
        'metrics = ["step_time"]',
        "units",
        "rules/fsdp2.toml: rule[1].band: no number has the unit of a metric it names (step_time)",
    ),
    (
        "rules/fsdp2.toml",
        'relation = "below", value = "3"',
        'relation = "below", value = "4"',
        "bands",
        "rules/fsdp2.toml: rule[1].band: two bands of one quantity overlap",
    ),
    (
        "rules/fsdp2.toml",
        'relation = "below", value = "3"',
        'relation = "below", value = "three"',
        "bands",
        "rules/fsdp2.toml: rule[1].band[0].bounds[0].value: must be a number; found 'three'",
    ),
    (
        "rules/fsdp2.toml",
        'relation = "above", value = "10"',
        'relation = "at_most", value = "10"',
        "bands",
        "rules/fsdp2.toml: rule[0].band[1].bounds: two numbers are a lower and an upper end",
    ),
    (
        "rules/fsdp2.toml",
        'text = "usually the main part"',
        'text = ""',
        "bands",
        "rules/fsdp2.toml: rule[2].band[0]: has neither a number nor a text",
    ),
    (
        "rules/fsdp2.toml",
        'quote = "其占比应小于 3%"',
        f'quote = "{"字" * 51}"',
        "quotes",
        "rules/fsdp2.toml: rule[1].source.quote: fsdp2-free-time quotes 25.5 words, at most 25",
    ),
    (
        "rules/fsdp2.toml",
        'quote = "其占比应小于 3%"\n',
        "",
        "quotes",
        "rules/fsdp2.toml: rule[1].source.quote: fsdp2-free-time is verbatim and quotes nothing",
    ),
    (
        "contradictions.toml",
        'entry = "guide-free-10"',
        'entry = "guide-fre-10"',
        "positions",
        "contradictions.toml: contradiction[0].position[1].entry: no entry 'guide-fre-10'; did you mean",
    ),
    (
        "contradictions.toml",
        'id = "free-definition"',
        'id = "guide-free-10"',
        "ids",
        "contradictions.toml: contradiction[1].id: 'guide-free-10' names another entry too",
    ),
    (
        "unspecified.toml",
        'rules = ["recsdk-aiv-mte2-ratio"]',
        'rules = ["recsdk-aiv-mte2-rat"]',
        "entries",
        "unspecified.toml: unspecified[14].rules: no rule 'recsdk-aiv-mte2-rat'; did you mean",
    ),
    (
        "thresholds.toml",
        'id = "fsdp2-free-time"',
        'id = "fsdp2-free-times"',
        "agreement",
        f"{place('thresholds.toml', 'fsdp2-free-time')}.id: no rule 'fsdp2-free-times' in rules/*.toml; did you mean",
    ),
    (
        "thresholds.toml",
        'id = "advisor-slow-rank"',
        'id = "fsdp2-scope-exclusion"',
        "readings",
        f"{place('rules/advisor.toml', 'advisor-slow-rank')}.use: 'reference' needs a table in thresholds.toml",
    ),
    (
        "rules/guides.toml",
        'relation = "at_most", value = "10" }], unit = "%"',
        'relation = "at_most", value = "10" }], unit = "ms"',
        "agreement",
        f"{place('thresholds.toml', 'guide-free-10')}.metric: its entry is in 'ms', another unit than its metric's",
    ),
    (
        "rules/guides.toml",
        'relation = "above", value = "30"',
        'relation = "above", value = "5"',
        "bands",
        f"{place('rules/guides.toml', 'offline-200i-free-10')}.band: two bands of one quantity overlap",
    ),
    (
        "rules/guides.toml",
        'relation = "below", value = "10"',
        'relation = "about", value = "10"',
        "agreement",
        f"{place('thresholds.toml', 'offline-200i-free-10')}.reading: its entry has no bands that can be read: about",
    ),
    (
        "rules/fsdp2.toml",
        'use = "verdict"\nverified = "verbatim"\nmetrics = ["free_share"]',
        'use = "none"\nverified = "verbatim"\nmetrics = ["free_share"]',
        "agreement",
        f'{place("thresholds.toml", "fsdp2-free-time")}.reading: its entry has use = "none"',
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "check", "fault"), SLIPS)
def test_a_slip_is_found_by_its_check_and_refused(
    tmp_path: Path, name: str, old: str, new: str, check: str, fault: str
) -> None:
    directory = slipped(tmp_path, name, old, new)
    found = {one.id: [f"{path}: {words}" for path, words in one.faults] for one in prove(directory)}
    assert any(line.startswith(fault) for line in found[check]), found
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(directory)
    assert caught.value.code == "evidence_invalid"
    assert f"\n  - {fault}" in caught.value.message


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('relation = "below"', 'relation = "<"', "rule[1].band[0].bounds[0].relation: must be "),
        ('use = "verdict"', 'use = "verdikt"', 'rule[0].use: must be "verdict", "reference", '),
        ('operator = "banded"', 'operator = "value < 3"', "rule[0].operator: must be "),
        ('title = { zh = "Free 时间占比", en', "title = { en", "rule[1].title.zh: is missing"),
        ('[rule.scope]\nproduct = "Ascend', '[rule.scop]\nproduct = "Ascend', "rule[0].scop: unknown key"),
    ],
)
def test_a_rule_of_another_form_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    directory = shutil.copytree(evidence_dir(), tmp_path / "evidence")
    path = directory / "rules/fsdp2.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        prove(directory)
    assert caught.value.code == "evidence_invalid"
    assert f"\n  - rules/fsdp2.toml: {fault}" in caught.value.message


def test_a_catalogue_without_rules_is_unreadable(tmp_path: Path) -> None:
    directory = shutil.copytree(evidence_dir(), tmp_path / "evidence")
    shutil.rmtree(directory / "rules")
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(directory)
    assert caught.value.code == "evidence_unreadable"
