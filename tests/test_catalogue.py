"""The evidence: what the sources say, to the letter and the equals sign, and that a slip in a file is refused."""

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen import samples
from reportgen.catalogue import LONGEST_QUOTE, choices, quote_words, read_catalogue
from reportgen.comparability.facts import LARGEST_EXCLUSION
from reportgen.errors import CatalogueError
from reportgen.model import Threshold
from reportgen.resources import evidence_dir
from reportgen.run_logs.serving_identities import LENGTH_SHARE

CATALOGUE = read_catalogue(evidence_dir())
THRESHOLDS = {threshold.id: threshold for threshold in CATALOGUE.thresholds}
SOURCES = {source.id: source for source in CATALOGUE.sources}
FILES = ("choices.toml", "sources.toml", "thresholds.toml", "unspecified.toml")


def band(threshold: Threshold, percent: str) -> str:
    """The one band that holds a value."""
    (found,) = [band.id for band in threshold.bands if band.holds(Fraction(percent) / 100)]
    return found


@pytest.mark.parametrize(
    ("rule", "percent", "expected"),
    [
        # MindSpeed LLM FSDP2 guide 26.1.0, table 耗时分析关注项: Free < 3% | >= 3%
        ("fsdp2-free-time", "0", "within_reference"),
        ("fsdp2-free-time", "2.999999999", "within_reference"),
        ("fsdp2-free-time", "3", "needs_attention"),
        ("fsdp2-free-time", "100", "needs_attention"),
        # the same table: 未掩盖通信 <= 10% | > 20%, nothing said between
        ("fsdp2-unhidden-communication", "0", "within_reference"),
        ("fsdp2-unhidden-communication", "10", "within_reference"),
        ("fsdp2-unhidden-communication", "10.000000001", "no_statement"),
        ("fsdp2-unhidden-communication", "20", "no_statement"),
        ("fsdp2-unhidden-communication", "20.000000001", "needs_attention"),
        ("fsdp2-unhidden-communication", "100", "needs_attention"),
    ],
)
def test_a_band_ends_where_the_source_says(rule: str, percent: str, expected: str) -> None:
    assert band(THRESHOLDS[rule], percent) == expected


@pytest.mark.parametrize(
    ("rule", "metric", "needs"),
    [
        ("fsdp2-free-time", "free_share", ("steps", "checkpoint_steps", "no_wait_events")),
        ("fsdp2-unhidden-communication", "communication_not_overlapped_share", ("steps", "checkpoint_steps")),
    ],
)
def test_an_fsdp2_rule_keeps_to_its_scope(rule: str, metric: str, needs: tuple[str, ...]) -> None:
    found = THRESHOLDS[rule]
    assert (found.metric, found.needs) == (metric, needs)
    assert (found.frameworks, found.backends, found.phases) == (("mindspeed llm",), ("fsdp2",), ("training",))
    assert set(found.excluded_phases) == {"offline inference", "online inference", "serving"}
    assert (found.authority, found.use) == ("document", "verdict")
    for language, words in (
        ("zh", ("在线推理", "KV Cache", "推理量化", "服务化调度")),
        ("en", ("online inference", "KV cache", "quantised inference", "serving scheduling")),
    ):
        assert all(word in dict(found.scope)[language] for word in words)
    assert all("26.1.0" in SOURCES[source].version for source in found.sources)
    assert all("@2b7130ca7bea7083a91ed66812eec95067d057a2:" in SOURCES[source].locator for source in found.sources)


def test_there_are_exactly_the_two_thresholds() -> None:
    assert list(THRESHOLDS) == ["fsdp2-free-time", "fsdp2-unhidden-communication"]


def test_every_text_stands_in_both_languages() -> None:
    rows = [*CATALOGUE.thresholds, *CATALOGUE.unspecified]
    texts = [text for row in rows for text in (row.title, getattr(row, "scope", None) or row.statement)]
    assert all([language for language, _ in text] == ["zh", "en"] for text in texts)
    assert all(words.strip() for text in texts for _, words in text)


def test_what_is_unspecified_bears_on_the_report() -> None:
    assert {item.id for item in CATALOGUE.unspecified if item.in_report} == {
        "universal-utilisation-target",
        "fsdp2-unhidden-10-to-20",
        "computation-share-number",
        "free-threshold-outside-fsdp2",
        "transferable-speed-up",
        "profiling-overhead-figure",
        "before-after-noise-band",
        "number-of-steps-and-repeats",
        "peak-memory-growth-limit",
        "aicpu-share-limit",
        "accuracy-tolerance",
        "tokens-per-second-or-mfu-target",
        "ttft-tpot-slo",
    }


def test_the_course_is_cited_by_title_author_and_date() -> None:
    course = [source for source in CATALOGUE.sources if source.id.startswith("course-")]
    assert {(source.document, source.publisher, source.version) for source in course} == {
        ("F4 性能调优：数据怎么采、怎么看", "观澜", "2026-10-06")
    }
    assert not any("seed" in f"{source.document} {source.locator} {source.version}" for source in CATALOGUE.sources)


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("", 0),
        ("其占比应小于 3%", 4),
        ("红色代表劣化", 3),
        ("_MIN_TASK_DURATION = 20", 2),
        ("one two three", 3),
        ("Free Time占比", 3),
    ],
)
def test_a_chinese_character_counts_as_half_a_word(quote: str, words: int) -> None:
    assert quote_words(quote) == words


def test_no_quote_is_longer_than_allowed() -> None:
    assert max(quote_words(source.quote) for source in CATALOGUE.sources) <= LONGEST_QUOTE


def test_rows_come_by_id_and_files_with_their_digest() -> None:
    for rows in (CATALOGUE.sources, CATALOGUE.thresholds, CATALOGUE.unspecified):
        assert [row.id for row in rows] == sorted(row.id for row in rows)  # type: ignore[attr-defined]
    assert [file.path for file in CATALOGUE.files] == [f"evidence/{name}" for name in FILES]
    assert all(len(file.digest) == 64 and file.size for file in CATALOGUE.files)


# --------------------------------------------------------------------------------------------- our own choices
@pytest.mark.parametrize(
    ("name", "value"),
    [
        # docs/definitions.md
        ("workload_type_share_limit", Fraction(5, 100)),
        ("workload_matched_share_limit", Fraction(20, 100)),
        ("time_check_per_row_ns", Fraction(1)),
        # FORMAT 11: one export, several stamps
        ("export_run_seconds", Fraction(10)),
        # STATISTICS, "The method"
        ("confidence_level", Fraction(95, 100)),
        ("assumed_rho", Fraction(3, 10)),
        ("warm_up_factor", Fraction(4)),
        ("warm_up_mad_scale", Fraction(14826, 10000)),
        ("warm_up_floor", Fraction(3, 1000)),
        ("warm_up_largest_part", Fraction(1, 3)),
        ("operator_test_share", Fraction(1, 100)),
        # and what the code of the statistics holds
        ("assumed_rho", Fraction(str(samples.ASSUMED_RHO))),
        ("largest_rho", Fraction(str(samples.LARGEST_RHO))),
        ("high_rho", Fraction(str(samples.HIGH_RHO))),
        ("largest_side", Fraction(samples.LARGEST_SIDE)),
        # what the code of the comparison and of the collectives holds
        ("excluded_share_limit", LARGEST_EXCLUSION),
        ("output_length_share", LENGTH_SHARE),
        ("collective_outlier_factor", Fraction(10)),
    ],
)
def test_a_choice_is_the_one_we_made(name: str, value: Fraction) -> None:
    assert choices(evidence_dir())[name] == value


# --------------------------------------------------------------------------------------------- slips
SLIPS = [
    # file, old, new, fault
    (
        "thresholds.toml",
        'metric = "free_share"',
        'metric = "fre_share"',
        "thresholds.toml: threshold[0].metric: unknown metric 'fre_share'; did you mean \"free_share\"?",
    ),
    (
        "thresholds.toml",
        'relation = "at_least", value = "3%"',
        'relation = ">=", value = "3%"',
        'thresholds.toml: threshold[0].band[1].bounds[0].relation: must be "above", "at_least", "at_most" or "below"; ',
    ),
    (
        "thresholds.toml",
        'relation = "at_least", value = "3%"',
        'relation = "above", value = "3%"',
        "thresholds.toml: threshold[0].band: within_reference and needs_attention leave a gap: no value may fall into",
    ),
    (
        "thresholds.toml",
        'relation = "at_least", value = "3%"',
        'relation = "at_least", value = "2%"',
        "thresholds.toml: threshold[0].band: within_reference and needs_attention overlap",
    ),
    (
        "thresholds.toml",
        'relation = "below", value = "3%"',
        'relation = "at_most", value = "3%"',
        "thresholds.toml: threshold[0].band: within_reference and needs_attention both hold 0.03",
    ),
    (
        "thresholds.toml",
        'relation = "above", value = "20%"',
        'relation = "at_most", value = "20%"',
        "thresholds.toml: threshold[1].band: the first band must be open below and the last one open above",
    ),
    (
        "thresholds.toml",
        'relation = "at_most", value = "20%"',
        'relation = "above", value = "20%"',
        "thresholds.toml: threshold[1].band[1].bounds: two ends on one side",
    ),
    (
        "thresholds.toml",
        'value = "10%"',
        'value = "10 ms"',
        "thresholds.toml: threshold[1].band[0].bounds[0].value: has another unit than its metric; found '10 ms'",
    ),
    (
        "thresholds.toml",
        'value = "10%"',
        'value = "ten"',
        "thresholds.toml: threshold[1].band[0].bounds[0].value: not a number with a unit: 'ten'",
    ),
    (
        "thresholds.toml",
        '"mindspeed llm"',
        '"MindSpeed LLM"',
        "thresholds.toml: threshold[0].frameworks: must be lower case; found 'MindSpeed LLM'",
    ),
    (
        "thresholds.toml",
        '"offline inference", ',
        '"training", ',
        "thresholds.toml: threshold[0].excluded_phases: 'training' is in phases too",
    ),
    (
        "thresholds.toml",
        'sources = ["fsdp2-guide-free", ',
        'sources = ["fsdp2-guide-fre", ',
        "thresholds.toml: threshold[0].sources: no source 'fsdp2-guide-fre'; did you mean \"fsdp2-guide-free\"?",
    ),
    (
        "thresholds.toml",
        '"fsdp2-unhidden-communication"',
        '"fsdp2-free-time"',
        "thresholds.toml: threshold: 'fsdp2-free-time' stands 2 times",
    ),
    (
        "thresholds.toml",
        'en = "Free share of step time"',
        'en = " "',
        "thresholds.toml: threshold[0].title.en: must not be empty",
    ),
    (
        "unspecified.toml",
        'sources = ["fsdp2-guide-computing"]',
        "sources = []",
        "unspecified.toml: unspecified[2].sources: names no source",
    ),
    (
        "unspecified.toml",
        'sources = ["fsdp2-guide-computing"]',
        'sources = ["fsdp2-guide-mfu"]',
        "sources.toml: source[4]: 'fsdp2-guide-computing' is cited by nothing",
    ),
    (
        "unspecified.toml",
        "[unspecified.statement]",
        "[unspecified.statment]",
        'unspecified.toml: unspecified[0].statment: unknown key; did you mean "statement"?',
    ),
    (
        "sources.toml",
        'quote = "其占比应小于 3%"',
        f'quote = "{"字" * 51}"',
        "sources.toml: source[3].quote: fsdp2-guide-free quotes 25.5 words, at most 25",
    ),
    (
        "sources.toml",
        'quote = "其占比应小于 3%"\n',
        "",
        "sources.toml: source[3].quote: fsdp2-guide-free is verbatim and quotes nothing",
    ),
    (
        "sources.toml",
        'verified = "substance"',
        'verified = "hearsay"',
        'sources.toml: source[16].verified: must be "verbatim", "substance" or "course only"; found "hearsay"',
    ),
    (
        "choices.toml",
        'value = "0.3"',
        'value = "a third"',
        "choices.toml: choice[1].value: must be a number; found 'a third'",
    ),
    ("choices.toml", 'value = "1/3"', 'value = "1/0"', "choices.toml: choice[7].value: must be a number; found '1/0'"),
    ("choices.toml", "schema = 1", "schema = 2", "choices.toml: schema: must be 1; found 2"),
]


@pytest.mark.parametrize(("name", "old", "new", "fault"), SLIPS)
def test_a_slip_in_the_evidence_is_refused(tmp_path: Path, name: str, old: str, new: str, fault: str) -> None:
    for file in FILES:
        shutil.copy(evidence_dir() / file, tmp_path)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(tmp_path)
    assert caught.value.code == "evidence_invalid"
    assert f"\n  - {fault}" in caught.value.message


def test_a_missing_or_broken_file_is_told(tmp_path: Path) -> None:
    for file in FILES:
        shutil.copy(evidence_dir() / file, tmp_path)
    (tmp_path / "sources.toml").write_text("schema = \n", encoding="utf-8")
    with pytest.raises(CatalogueError) as broken:
        read_catalogue(tmp_path)
    assert (broken.value.code, broken.value.where) == ("evidence_syntax", f"{tmp_path / 'sources.toml'}:1:10")
    (tmp_path / "sources.toml").unlink()
    with pytest.raises(CatalogueError) as missing:
        read_catalogue(tmp_path)
    assert (missing.value.code, missing.value.where) == ("evidence_unreadable", str(tmp_path / "sources.toml"))


def test_choices_alone_are_checked_too(tmp_path: Path) -> None:
    (tmp_path / "choices.toml").write_text("schema = 1\nchoice = []\nmore = 1\n", encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        choices(tmp_path)
    assert "choices.toml: more: unknown key; known: schema, choice" in caught.value.message
