"""The evidence: what the sources say, to the letter and the equals sign, and that a slip in a file is refused."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from slips import place, slipped

from reportgen import samples, strict
from reportgen.accuracy import TENFOLD
from reportgen.catalogue import LONGEST_QUOTE, choices, nouns, quote_words, read_catalogue
from reportgen.catalogue.rule_shapes import RulesFile, RuleTable
from reportgen.comparability.facts import LARGEST_EXCLUSION
from reportgen.errors import CatalogueError
from reportgen.model import Threshold
from reportgen.resources import evidence_dir
from reportgen.run_conditions.figures import SHARE, WORK_FACTOR
from reportgen.run_conditions.lengths import SPREAD_SHARE
from reportgen.run_conditions.load import APART, LOAD_SHARE
from reportgen.run_logs.identities import CLOCK_OVERHEAD
from reportgen.run_logs.serving_identities import EARLIER, LATER, LENGTH_SHARE
from reportgen.run_logs.short_steps import SHORT_SHARE
from reportgen.run_times import LEAST_S

CATALOGUE = read_catalogue(evidence_dir())
THRESHOLDS = {threshold.id: threshold for threshold in CATALOGUE.thresholds}
RULES = {rule.id: rule for rule in CATALOGUE.rules}
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
    assert (found.reading, found.file) == ("bands", "evidence/rules/fsdp2.toml")
    assert found.sources == (rule, "fsdp2-checkpoint-step-excluded", "fsdp2-scope-exclusion")
    documents = [RULES[source].source for source in found.sources]
    assert {document.version for document in documents} == {"26.1.0"}
    assert all("@2b7130ca7bea7083a91ed66812eec95067d057a2:" in document.locator for document in documents)
    assert set(found.excluded_circumstances) == {"kv_cache", "quantised_inference"}


def test_every_entry_that_looks_like_a_limit_has_a_scope() -> None:
    limits = {r.id for r in CATALOGUE.rules if r.use in ("verdict", "reference", "none")}
    own = {r.id for r in CATALOGUE.rules if r.authority == "project practice"}
    assert limits - own <= {*THRESHOLDS}
    assert not own & {*THRESHOLDS}
    # entries of other uses whose scope is told too, since their numbers look like limits
    assert {*THRESHOLDS} - limits == {
        "aicore-frequency-drop",
        "compare-diff-ratio",
        "cube-utilization-per-task",
        "fsdp2-mac-mte2-direction",
        "modelarts-profiling-overhead",
        "recsdk-cube-utilisation-formula",
        "recsdk-npu-smi-utilisation",
        "torch-gc-detect",
    }
    assert len(THRESHOLDS) == 99


def test_a_verdict_or_reference_is_read_only_where_its_entry_names_the_metric() -> None:
    read = {rule.id: rule.metric for rule in CATALOGUE.thresholds if rule.metric}
    assert read == {
        "fsdp2-free-time": "free_share",
        "fsdp2-unhidden-communication": "communication_not_overlapped_share",
        "guide-free-10": "free_share",
        "insight-free-10": "free_share",
        "offline-200i-free-10": "free_share",
        "msprof-wait-time-ratio": "collective_wait_ratio",
        "op-summary-memory-bound": "memory_bound_share",
        "msprof-sync-ratio-before-transit": "collective_synchronization_ratio",
        "msprof-packet-ratio": "link_large_packet_share",
        "advisor-frequency-drop": "ai_core_frequency_drop",
        "aicore-frequency-drop": "ai_core_frequency",
        "recipe-freq-1800": "ai_core_frequency",
        "cube-utilization-per-task": "cube_utilization_task",
        "recsdk-aiv-mte2-ratio": "aiv_mte2_bound_share",
        "recsdk-cube-utilisation-formula": "cube_utilization_elapsed",
    }
    banded = {rule.id for rule in CATALOGUE.thresholds if rule.reading == "bands"}
    assert {*read} - banded == {
        "insight-free-10",
        "aicore-frequency-drop",
        "recipe-freq-1800",
        "op-summary-memory-bound",
        "cube-utilization-per-task",
        "recsdk-aiv-mte2-ratio",
        "recsdk-cube-utilisation-formula",
    }


# --------------------------------------------------------------------------------------------- bands of an entry
TENTH, THIRD = Fraction(1, 10), Fraction(3, 10)
SHAPES = [
    # stated bands (says, relation, number ...) -> bands (id, low, included, high, included), by hand
    (
        "below 1, above 1: 1 itself is in neither",
        [("low", "below", "1"), ("high", "above", "1")],
        "",
        [
            ("low", None, False, Fraction(1), False),
            ("no_statement", Fraction(1), True, Fraction(1), True),
            ("high", Fraction(1), False, None, False),
        ],
    ),
    (
        "at most 10 %",
        [("ideal", "at_most", "10")],
        "%",
        [("ideal", None, False, TENTH, True), ("no_statement", TENTH, False, None, False)],
    ),
    (
        "at least 0.8",
        [("fine", "at_least", "0.8")],
        "ratio",
        [("no_statement", None, False, Fraction(4, 5), False), ("fine", Fraction(4, 5), True, None, False)],
    ),
    (
        "below 10 %, above 30 %: both ends are in the gap",
        [("normal", "below", "10"), ("abnormal", "above", "30")],
        "%",
        [
            ("normal", None, False, TENTH, False),
            ("no_statement", TENTH, True, THIRD, True),
            ("abnormal", THIRD, False, None, False),
        ],
    ),
    (
        "three bands that meet, written from the top",
        [("high", "above", "30"), ("middle", "at_least", "10", "at_most", "30"), ("low", "below", "10")],
        "%",
        [
            ("low", None, False, TENTH, False),
            ("middle", TENTH, True, THIRD, True),
            ("high", THIRD, False, None, False),
        ],
    ),
    (
        "a band between, nothing said below and above",
        [("balanced", "at_least", "0.8", "at_most", "1.2")],
        "ratio",
        [
            ("no_statement", None, False, Fraction(4, 5), False),
            ("balanced", Fraction(4, 5), True, Fraction(6, 5), True),
            ("no_statement", Fraction(6, 5), False, None, False),
        ],
    ),
    ("time", [("short", "below", "20")], "us", [
        ("short", None, False, Fraction(20_000), False), ("no_statement", Fraction(20_000), True, None, False)]),
]  # fmt: skip


def entry(stated: list[tuple[str, ...]], unit: str) -> RuleTable:
    """The entry ``guide-free-10`` with other bands."""
    text = tomllib.loads((evidence_dir() / "rules/guides.toml").read_text(encoding="utf-8"))
    raw = next(rule for rule in text["rule"] if rule["id"] == "guide-free-10")
    bands = [
        {
            "says": says,
            "unit": unit,
            "bounds": [{"relation": r, "value": v} for r, v in zip(ends[::2], ends[1::2], strict=True)],
        }
        for says, *ends in stated
    ]
    value, faults = strict.read_shape(RulesFile, {"schema": 1, "rule": [{**raw, "band": bands}]}, {})
    assert value is not None, faults
    return value.rule[0]


@pytest.mark.parametrize(("stated", "unit", "expected"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_gaps_of_an_entry_are_filled_with_no_statement(
    stated: list[tuple[str, ...]], unit: str, expected: list[tuple[object, ...]]
) -> None:
    found = nouns.bands(entry(stated, unit), "")
    assert [(b.id, b.low, b.low_included, b.high, b.high_included) for b in found] == expected
    for end in {end for band in found for end in (band.low, band.high) if end is not None}:
        for value in (end - Fraction(1, 10**9), end, end + Fraction(1, 10**9)):
            assert sum(band.holds(value) for band in found) == 1


@pytest.mark.parametrize(
    ("stated", "unit", "fault"),
    [
        ([("low", "below", "10")], "quibble", "unknown unit"),
        ([("point", "equal", "10")], "%", "equal is no end of a band"),
        ([("near", "about", "10")], "%", "about is no end of a band"),
    ],
)
def test_numbers_that_make_no_band(stated: list[tuple[str, ...]], unit: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        nouns.bands(entry(stated, unit), "")


@pytest.mark.parametrize("rule", [rule for rule in CATALOGUE.thresholds if rule.bands], ids=lambda rule: rule.id)
def test_the_bands_of_a_rule_cover_every_value_once(rule: Threshold) -> None:
    ends = {end for band in rule.bands for end in (band.low, band.high) if end is not None}
    for end in ends:
        for value in (end - Fraction(1, 10**9), end, end + Fraction(1, 10**9)):
            assert sum(band.holds(value) for band in rule.bands) == 1
    assert (rule.bands[0].low, rule.bands[-1].high) == (None, None)


def test_every_text_stands_in_both_languages() -> None:
    texts = [text for row in CATALOGUE.unspecified for text in (row.title, row.statement)]
    texts += [row.title for row in CATALOGUE.thresholds]
    texts += [row.scope for row in CATALOGUE.thresholds if row.metric]
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
        # what bears on cube utilisation, on the share of time in memory-bound vector operators, on memory_bound and the
        # wait ratio at their limits, on the wait ratio itself, on the clock, and on the kernel table's wait time
        "core-count-and-clock-per-chip",
        "how-many-is-many",
        "equality-at-limits",
        "wait-ratio-scope",
        "acceptable-frequency-drop",
        "wait-time-in-kernel-details",
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
    for rows in (CATALOGUE.sources, CATALOGUE.thresholds, CATALOGUE.unspecified, CATALOGUE.rules):
        assert [row.id for row in rows] == sorted(row.id for row in rows)  # type: ignore[attr-defined]
    paths = [file.path for file in CATALOGUE.files]
    assert paths[:5] == [f"evidence/{name}" for name in (*FILES, "contradictions.toml")]
    assert paths[5:] == [f"evidence/rules/{path.name}" for path in sorted((evidence_dir() / "rules").glob("*.toml"))]
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
        ("fewest_independent_values", Fraction(samples.FEWEST_INDEPENDENT)),
        ("largest_side", Fraction(samples.LARGEST_SIDE)),
        # what the code of the comparison and of the collectives holds
        ("excluded_share_limit", LARGEST_EXCLUSION),
        ("output_length_share", LENGTH_SHARE),
        ("trailing_share", LATER[0]),
        ("trailing_ms", LATER[1] / 10**6),
        ("first_token_clock_ms", EARLIER / 10**6),
        ("run_figure_share", SHARE),
        ("run_work_factor", WORK_FACTOR),
        ("run_length_spread_share", SPREAD_SHARE),
        ("run_load_share", LOAD_SHARE),
        ("run_load_apart", Fraction(APART)),
        ("runs_share_s", Fraction(LEAST_S)),
        ("short_step_share", SHORT_SHARE),
        ("accuracy_scale_factor", Fraction(TENFOLD)),
        ("clock_overhead_share", CLOCK_OVERHEAD),
        ("collective_outlier_factor", Fraction(10)),
        # docs/bottleneck.md
        ("one_block_share", Fraction(5, 100)),
    ],
)
def test_a_choice_is_the_one_we_made(name: str, value: Fraction) -> None:
    assert choices(evidence_dir())[name] == value


# --------------------------------------------------------------------------------------------- slips
FREE, UNHIDDEN, GUIDE = "fsdp2-free-time", "fsdp2-unhidden-communication", "guide-free-10"
MSPROF, SYNC = "msprof-wait-time-ratio", "msprof-sync-ratio-before-transit"
SCOPES = [
    # in the table of, old, new, key, fault
    (FREE, '"no_wait_events"', '"no_wait_event"', ".needs[2]", 'must be "alike", '),
    (FREE, '"mindspeed llm"', '"MindSpeed LLM"', ".frameworks", "must be lower case; found 'MindSpeed LLM'"),
    (FREE, '"offline inference", ', '"training", ', ".excluded_phases", "'training' is in phases too"),
    (FREE, '"kv_cache", ', '"kv_cash", ', ".excluded_circumstances[0]", 'must be "ccu", '),
    (FREE, 'id = "fsdp2-free-time"', 'id = "fsdp2-unhidden-communication"',
     "", "'fsdp2-unhidden-communication' stands 2"),
    (FREE, 'en = "Distributed training with', 'en = " "\nold = "', ".scope.old", "unknown key"),
    ("recipe-freq-1800",
     'en = "Chips with a nominal clock of 1800 MHz: steady at 1800 MHz, idle at 800 MHz."', 'en = " "',
     ".scope.en", "must not be empty"),
    (FREE, 'reading = "bands"', 'reading = "band"', ".reading", 'must be "bands", "value", "text" or "never"'),
    (FREE, 'reading = "bands"', 'reading = "bands"\nband = []', ".band", "unknown key"),
    (FREE, 'reading = "bands"', 'reading = "never"', ".because", 'goes with reading = "never", and only with it'),
    (FREE, 'metric = "free_share"\n', "", ".metric", "bands need a metric"),
    (FREE, '"free_share"', '"computing_share"', ".metric", "its entry does not name 'computing_share'"),
    (FREE, '"fsdp2-scope-exclusion"]', '"fsdp2-scope-exclusio"]',
     ".also[1]", "no rule 'fsdp2-scope-exclusio'; did you"),
    (GUIDE, '["10"]', '["11"]', ".undecided_at", "its entry has no limit 11"),
    (GUIDE, '["10"]', '["ten"]', ".reading", "its entry has no bands that can be read: not a number"),
    (GUIDE, 'reading = "bands"', 'reading = "value"', ".undecided_at", 'goes with reading = "bands"'),
    (GUIDE, '"offline-200i-free-10"', '"offline-200i-free-11"', ".yields_to", "no machine rule 'offline-200i-free-11'"),
    ("insight-free-10", 'reading = "value"', 'reading = "bands"',
     ".reading", "its entry has no bands that can be read: about"),
    (SYNC, '"msprof-wait-time-ratio"', '"msprof-wait-ratio"', ".follows.rule", "no machine rule 'msprof-wait-ratio'"),
    (SYNC, '"communication-bottleneck"', '"bottleneck"',
     ".follows.band", "msprof-wait-time-ratio has no band 'bottleneck'"),
    ("advisor-frequency-drop", '"Atlas A3"', '"Atlas A4"', ".products[2]", 'must be "Atlas 200I/500 A2", '),
    ("recipe-freq-1800", '"1800 MHz"', '"1800 ms"', ".rated_clock", "must be a clock such as"),
    ("recipe-freq-1800", '"1800 MHz"', '"fast"', ".rated_clock", "must be a clock such as"),
    ("fsdp2-computation-share", 'reading = "text"', 'reading = "value"', ".reading", 'its entry has use = "none"'),
    ("advisor-overall-free-10", '"dead code"', '"it is old"', ".because", 'must be "", "dead code", '),
    ("advisor-overall-free-10", 'because = "dead code"\n', "", ".because", 'goes with reading = "never"'),
    (MSPROF, "[threshold.scope]\n", "[threshold.scop]\n", ".scop", "unknown key"),
    (MSPROF, "excluded_circumstances", "circumstances = [\"ccu\"]\nexcluded_circumstances",
     ".excluded_circumstances", "'ccu' is in"),
]  # fmt: skip


@pytest.mark.parametrize(("inside", "old", "new", "key", "fault"), SCOPES)
def test_a_slip_in_a_scope_is_refused(tmp_path: Path, inside: str, old: str, new: str, key: str, fault: str) -> None:
    directory = slipped(tmp_path, "thresholds.toml", old, new, inside)
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(directory)
    assert caught.value.code == "evidence_invalid"
    where = place("thresholds.toml", inside) if key else "thresholds.toml: threshold"
    assert f"\n  - {where}{key}: {fault}" in caught.value.message


SLIPS = [
    # file, old, new, fault
    (
        "unspecified.toml",
        'sources = ["fsdp2-guide-computing"]\nrules = ["fsdp2-computation-share"]',
        "sources = []",
        "unspecified.toml: unspecified[2].sources: names no source",
    ),
    (
        "unspecified.toml",
        'sources = ["fsdp2-guide-computing"]',
        'sources = ["fsdp2-guide-mfu"]',
        "sources.toml: source[3]: 'fsdp2-guide-computing' is cited by nothing",
    ),
    (
        "unspecified.toml",
        "[unspecified.statement]",
        "[unspecified.statment]",
        'unspecified.toml: unspecified[0].statment: unknown key; did you mean "statement"?',
    ),
    (
        "sources.toml",
        'quote = "计算 | 通常是主要部分 | 利用率低且空隙多"',
        f'quote = "{"字" * 51}"',
        "sources.toml: source[3].quote: fsdp2-guide-computing quotes 25.5 words, at most 25",
    ),
    (
        "sources.toml",
        'quote = "计算 | 通常是主要部分 | 利用率低且空隙多"\n',
        "",
        "sources.toml: source[3].quote: fsdp2-guide-computing is verbatim and quotes nothing",
    ),
    (
        "sources.toml",
        'verified = "substance"',
        'verified = "hearsay"',
        'sources.toml: source[14].verified: must be "verbatim", "substance" or "course only"; found "hearsay"',
    ),
    (
        "choices.toml",
        'value = "0.3"',
        'value = "a third"',
        "choices.toml: choice[2].value: must be a number; found 'a third'",
    ),
    ("choices.toml", 'value = "1/3"', 'value = "1/0"', "choices.toml: choice[9].value: must be a number; found '1/0'"),
    ("choices.toml", "schema = 1", "schema = 2", "choices.toml: schema: must be 1; found 2"),
]


@pytest.mark.parametrize(("name", "old", "new", "fault"), SLIPS)
def test_a_slip_in_the_evidence_is_refused(tmp_path: Path, name: str, old: str, new: str, fault: str) -> None:
    directory = slipped(tmp_path, name, old, new)
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(directory)
    assert caught.value.code == "evidence_invalid"
    assert f"\n  - {fault}" in caught.value.message


def test_a_scope_without_its_entry_is_told_also_where_others_refer_to_it(tmp_path: Path) -> None:
    directory = slipped(tmp_path, "rules/msprof.toml", f'id = "{MSPROF}"', 'id = "msprof-waiting"', MSPROF)
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(directory)
    assert f"{place('thresholds.toml', MSPROF)}.id: no rule 'msprof-wait-time-ratio'" in caught.value.message
    assert f"{place('thresholds.toml', SYNC)}.follows.rule: no machine rule" in caught.value.message


def test_a_missing_or_broken_file_is_told(tmp_path: Path) -> None:
    directory = slipped(tmp_path, "sources.toml", "schema = 1", "schema = ")
    text = (directory / "sources.toml").read_text(encoding="utf-8")
    (directory / "sources.toml").write_text(text[text.index("schema = ") :], encoding="utf-8")
    with pytest.raises(CatalogueError) as broken:
        read_catalogue(directory)
    assert (broken.value.code, broken.value.where) == ("evidence_syntax", f"{directory / 'sources.toml'}:1:10")
    (directory / "sources.toml").unlink()
    with pytest.raises(CatalogueError) as missing:
        read_catalogue(directory)
    assert (missing.value.code, missing.value.where) == ("evidence_unreadable", str(directory / "sources.toml"))


def test_choices_alone_are_checked_too(tmp_path: Path) -> None:
    (tmp_path / "choices.toml").write_text("schema = 1\nchoice = []\nmore = 1\n", encoding="utf-8")
    with pytest.raises(CatalogueError) as caught:
        choices(tmp_path)
    assert "choices.toml: more: unknown key; known: schema, choice" in caught.value.message
