"""``sources``: lists, filters, one entry in full, the proof, and the worked example of docs/sources.md."""

import json
import re
import shutil
from pathlib import Path
from typing import get_args

import pytest
from command import reportgen

from reportgen import resources, sources, vocabulary
from reportgen.applicability import NEEDS
from reportgen.catalogue import read_catalogue
from reportgen.catalogue.select import USES, contradictions_of, near, select
from reportgen.report import messages, translations
from reportgen.report.translations import Language
from reportgen.resources import evidence_dir

ROOT = Path(__file__).resolve().parent.parent
WHOLE = read_catalogue(evidence_dir())
LANGUAGES = ("zh", "en")
LISTED = [
    *(rule.id for rule in WHOLE.rules),
    *(item.id for item in WHOLE.unspecified),
    *(item.id for item in WHOLE.contradictions),
]
KNOWN = {*LISTED, *(source.id for source in WHOLE.sources)}


def ids(text: str) -> list[str]:
    """The ids of a list: the first word of every indented line."""
    return re.findall(r"^  (\S+)  ", text, re.MULTILINE)


# --------------------------------------------------------------------------------------------- lists
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_holds_every_entry_once_with_counts_first(language: str) -> None:
    result = reportgen("sources", "--language", language)
    assert (result.code, result.err) == (0, "")
    first = result.out.splitlines()[0]
    assert first == {
        "en": "rules: 173, unspecified items: 32, contradictions: 31",
        "zh": "规则：173、未给出项：32、矛盾：31",
    }[language]  # fmt: skip
    listed = ids(result.out)
    assert sorted(listed) == sorted(LISTED)


def test_rules_are_grouped_by_use_the_strongest_first() -> None:
    text = reportgen("sources", "--language", "en").out.partition("\n")[2]
    heads = re.findall(r"^(\w[\w ]*): .*: (\d+)$", text, re.MULTILINE)
    assert [head.casefold() for head, _ in heads] == list(USES)
    assert sum(int(count) for _, count in heads) == len(WHOLE.rules)


@pytest.mark.parametrize(
    ("options", "expected", "left_out"),
    [
        (("--metric", "free_share"), {"fsdp2-free-time", "guide-free-10", "free-share"}, {"msprof-wait-time-ratio"}),
        (("--metric", "ai_core_frequency_drop"), {"advisor-frequency-drop"}, {"aicore-frequency-drop"}),
        (("--metric", "ai_core_frequency"), {"aicore-frequency-drop", "recipe-freq-1800"}, {"advisor-frequency-drop"}),
        (("--metric", "memory_bound_share"), {"op-summary-memory-bound"}, {"recsdk-aiv-mte2-ratio"}),
        (("--metric", "wait time"), {"msprof-wait-time-ratio"}, {"fsdp2-free-time"}),
        (("--scenario", "FSDP2 training"), {"fsdp2-free-time"}, {"guide-free-10", "offline-200i-free-10"}),
        (("--scenario", "离线推理"), {"offline-200i-free-10"}, {"fsdp2-free-time"}),
        (("--scenario", "训练"), {"fsdp2-free-time", "advisor-slow-rank"}, {"offline-200i-free-10"}),
        (("--document", "Rec SDK"), {"recsdk-aiv-mte2-ratio"}, {"fsdp2-free-time"}),
        (("--document", "msprof-analyze@0abf70990ad4"), {"advisor-slow-rank"}, {"msprof-wait-time-ratio"}),
        (("--use", "verdict"), {"fsdp2-free-time", "op-summary-memory-bound"}, {"guide-free-10"}),
        (("--use", "verdict", "--document", "msProf"), {"op-summary-memory-bound"}, {"fsdp2-free-time"}),
        (("--use", "consistency check"), {"fsdp2-step-decomposition"}, {"fsdp2-free-time"}),
    ],
)
def test_filters(options: tuple[str, ...], expected: set[str], left_out: set[str]) -> None:
    result = reportgen("sources", *options, "--language", "en")
    assert result.code == 0
    assert expected <= {*ids(result.out)}
    assert not left_out & {*ids(result.out)}
    assert " of 173" in result.out.splitlines()[0]


def test_what_goes_with_a_filter_names_one_of_its_rules() -> None:
    found = select(WHOLE, use="verdict")
    names = {rule.id for rule in found.rules}
    assert found.unspecified
    assert found.contradictions
    assert all({*item.rules} & names for item in found.unspecified)
    assert all({position.entry for position in item.positions} & names for item in found.contradictions)


def test_no_filter_excludes_by_an_exclusion() -> None:
    found = select(WHOLE, scenario="online inference")
    assert not any(rule.id.startswith("fsdp2") for rule in found.rules)


@pytest.mark.parametrize(
    ("metric", "meant"),
    [
        ("ai_core_frequency_drp", "Did you mean the metric ai_core_frequency_drop?"),
        ("link large packets share", "Did you mean the metric link_large_packet_share?"),
        ("host_api_calls", ""),  # a metric of which no rule speaks
        ("no such quantity", ""),
    ],
)
def test_a_metric_near_the_word_is_named_where_nothing_was_found(metric: str, meant: str) -> None:
    result = reportgen("sources", "--metric", metric, "--language", "en")
    assert result.code == 0
    assert "Nothing matches." in result.out
    assert (meant in result.out) if meant else ("Did you mean" not in result.out)


def test_nothing_found_is_said() -> None:
    result = reportgen("sources", "--metric", "no such quantity", "--language", "en")
    assert result.code == 0
    assert "Nothing matches." in result.out


# --------------------------------------------------------------------------------------------- one entry
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_can_be_explained(language: str) -> None:
    for identity in KNOWN:
        shown = sources.explanation(identity, language=language)
        assert shown.splitlines()[0].endswith(f"[{identity}]")
        assert "seed" not in shown
        assert all(line == line.rstrip() for line in shown.splitlines())


def test_a_rule_is_explained_with_all_that_is_known() -> None:
    shown = sources.explanation("fsdp2-free-time", language="en")
    for words in (
        "Verdict: its bands may be stated inside its scope",
        "official document",
        "read on both captures: the band of each side is shown",
        "within reference: below 3%",
        "needs attention: at least 3%",
        "exactly 3 % needs attention",
        "online inference; KV cache; quantised inference; serving scheduling",
        "MindSpeed LLM FSDP2 后端模型性能优化指南",
        "fsdp2_backend_performance_optimization.md:L52,L55,L328",
        "其占比应小于 3%",
        "the quote was read there",
        "观澜, 2026-10-06, section 6.1, 4.5",
        "When it applies, as this version decides it",
        "frameworks  mindspeed llm",
        "phases      training",
        "not for     offline inference, online inference, serving, KV cache, quantised inference",
        "at least two steps on every rank, the target says which steps save a checkpoint, no MEM_WAIT_VALUE",
        "limited by  fsdp2-checkpoint-step-excluded, fsdp2-scope-exclusion",
        "Where the FSDP2 figures must not be used",
        "Contradiction: Free share  [free-share]",
        "Not specified: A limit for free time outside FSDP2 training  [free-threshold-outside-fsdp2]",
        "evidence/rules/fsdp2.toml",
    ):
        assert words in shown, words


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("fsdp2-unhidden-communication", "no official statement: above 10% and at most 20%"),
        ("msprof-pp-stage-balance", "balanced: at least 0.8 and at most 1.2"),
        ("hccl-128-byte-address", "extra-copy: no multiple of 128 byte"),
        ("recsdk-five-second-capture", "rule-of-thumb: about 5 s"),
        ("insight-experience-bandwidth", "HCCS: 18 GB/s"),
        ("recsdk-aiv-mte2-ratio", "look-at: above 0.8"),
        ("msprof-slow-link-page", "reported by the tool: below mean bandwidth by 20 %"),
        ("fsdp2-computation-share", "within reference: usually the main part"),
        ("fsdp2-scope-exclusion", "rules it out"),
        # what this version does with an entry
        ("guide-free-10", "read on both captures: the band of each side is shown"),
        ("advisor-frequency-drop", "read on both captures: the band of each side is shown"),
        ("op-summary-memory-bound", "read on both captures: the value of each side is shown, without a band"),
        ("recsdk-aiv-mte2-ratio", "read on both captures: the value of each side is shown, without a band"),
        ("recsdk-aiv-mte2-ratio", "its number defines a metric; no band is stated"),
        ("advisor-slow-rank", "whether it applies is decided; its quantity is not measured here"),
        ("fsdp2-computation-share", "whether it applies is decided; it gives no number to hold a value against"),
        ("recsdk-example-78-9", "listed as not enforceable, never read"),
        ("compare-one-step", "shown as text; the metrics it speaks of are measured"),
        # what decides whether it applies
        ("recsdk-example-78-9", "why not  a worked example, no limit"),
        ("guide-free-10", "gives way to            offline-200i-free-10"),
        ("guide-free-10", "not decided at exactly  10%"),
        ("msprof-sync-ratio-before-transit", "msprof-wait-time-ratio, where it gives: communication bottleneck"),
        ("recipe-freq-1800", "nominal clock  1800 MHz"),
        ("offline-200i-free-10", "products      Atlas 200I/500 A2"),
        ("offline-200i-free-10", "has to be so  model from ONNX"),
        ("msprof-wait-time-ratio", "not for   collectives on the CCU"),
        ("glibc-19329", "shown as text only"),
        ("case-case-941011", "no public copy was found; the course is the only source"),
        ("practice-ci-step-time", "project practice"),
        ("storage-limit", "allowed: at least 200 MB and at most 4294967295 MB"),
    ],
)
def test_a_rule_in_words(rule: str, words: str) -> None:
    assert words in sources.explanation(rule, language="en")


@pytest.mark.parametrize(
    ("identity", "words"),
    [
        ("equality-at-limits", "What one would look for and no source gives."),
        ("wait-time-column", "the course, B.7"),
        ("slip-request-throughput", "an official text that its own figures or code contradict"),
        ("course-no-speed-up", "本课一个都不编"),
        ("fsdp2-guide-mfu", "仅在 FLOPS 估算口径相同的模型间比较"),
    ],
)
def test_other_entries_in_words(identity: str, words: str) -> None:
    assert words in sources.explanation(identity, language="en")


def test_a_contradiction_is_shown_at_both_its_ends() -> None:
    for item in WHOLE.contradictions:
        for position in item.positions:
            if position.entry:
                assert item in contradictions_of(WHOLE, position.entry)


# --------------------------------------------------------------------------------------------- wrong usage
@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        (("fsdp2-fre-time",), "entry_unknown", "fsdp2-free-time"),
        (("FSDP2_FREE_TIME",), "entry_unknown", "fsdp2-free-time"),
        (("wait-ratio-scop",), "entry_unknown", "wait-ratio-scope"),
        (("zzzzzz",), "entry_unknown", "`reportgen sources` lists every id"),
        (("--use", "verdicts"), "use_unknown", '"verdict", "reference"'),
        (("fsdp2-free-time", "--use", "verdict"), "sources_options", "reportgen sources --check"),
        (("fsdp2-free-time", "--check"), "sources_options", "reportgen sources --check"),
        (("--check", "--metric", "free"), "sources_options", "reportgen sources --check"),
        (("--language", "fr"), "language_unknown", "zh or en"),
    ],
)
def test_wrong_usage_is_exit_2_with_the_next_step(arguments: tuple[str, ...], code: str, hint: str) -> None:
    result = reportgen("sources", *arguments)
    assert (result.code, result.out) == (2, "")
    assert f"[{code}]" in result.err
    assert hint in result.err


@pytest.mark.parametrize("bad", ["\x1b[31mred", "a\u202eb", "x\x00y", "line\nbreak"])
def test_control_characters_of_an_id_never_reach_the_terminal(bad: str) -> None:
    result = reportgen("sources", bad)
    assert result.code == 2
    assert not [c for c in result.err if not c.isprintable() and c != "\n"]
    assert bad not in result.err
    used = reportgen("sources", "--use", bad)
    assert used.code == 2
    assert bad not in used.err


def test_near_ids_are_few_and_known() -> None:
    found = near(WHOLE, "advisor")
    assert 0 < len(found) <= 5
    assert {*found} <= KNOWN
    assert near(WHOLE, "") == ()


# --------------------------------------------------------------------------------------------- JSON
def test_the_list_as_json() -> None:
    result = reportgen("sources", "--json", "--use", "verdict")
    found = json.loads(result.out)
    assert found["totals"] == {"rules": 173, "unspecified": 32, "contradictions": 31}
    assert [rule["id"] for rule in found["rules"]] == [
        "advisor-frequency-drop",
        "fsdp2-free-time",
        "fsdp2-unhidden-communication",
        "op-summary-memory-bound",
    ]
    free = found["rules"][1]
    assert free["title"] == {"zh": "Free 时间占比", "en": "Device free time share of a step"}
    assert free["bands"][1]["bounds"] == [{"relation": "at_least", "written": "3"}]
    assert free["evaluation"] == "bands"
    assert free["applies"]["needs"] == ["steps", "checkpoint_steps", "no_wait_events"]
    assert free["applies"]["also"] == ["fsdp2-checkpoint-step-excluded", "fsdp2-scope-exclusion"]
    assert "products" not in free["applies"]
    assert free["source"]["quote"] == "其占比应小于 3%"


@pytest.mark.parametrize(
    ("identity", "kind"),
    [
        ("fsdp2-free-time", "rule"),
        ("equality-at-limits", "unspecified"),
        ("free-share", "contradiction"),
        ("guide-precision", "document"),
    ],
)
def test_one_entry_as_json(identity: str, kind: str) -> None:
    found = json.loads(reportgen("sources", identity, "--json").out)
    assert found["type"] == kind
    assert found["entry"]["id"] == identity
    assert {*found} == {"type", "entry", "rules", "sources", "contradictions", "unspecified"}


def test_the_scope_of_a_rule_as_json() -> None:
    assert json.loads(reportgen("sources", "guide-free-10", "--json").out)["entry"]["applies"] == {
        "reading": "bands",
        "metric": "free_share",
        "worst": "largest",
        "excluded_phases": ["online inference", "serving"],
        "yields_to": "offline-200i-free-10",
        "needs": ["no_wait_events"],
        "undecided_at": ["0.1"],
        "scope": dict(next(rule.scope for rule in WHOLE.thresholds if rule.id == "guide-free-10")),
    }
    recipe = json.loads(reportgen("sources", "recipe-freq-1800", "--json").out)["entry"]["applies"]
    assert recipe["rated_clock"] == "1800 MHz"
    assert json.loads(reportgen("sources", "compare-one-step", "--json").out)["entry"]["applies"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_need_is_said(language: Language) -> None:
    assert {*messages.NEEDS} == {*get_args(vocabulary.Need)} == {*NEEDS}
    for threshold in WHOLE.thresholds:
        shown = sources.explanation(threshold.id, language=language)
        assert all(translations.message(messages.NEEDS[word], language) in shown for word in threshold.needs)


# --------------------------------------------------------------------------------------------- proof
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_proof_holds_and_names_verdicts_that_nothing_evaluates(language: str) -> None:
    result = reportgen("sources", "--check", "--language", language)
    assert (result.code, result.err) == (0, "")
    assert re.findall(r"^  (\S+)$", result.out, re.MULTILINE) == ["op-summary-memory-bound"]
    assert re.search({"en": r"\d+ checks: the catalogue holds\.", "zh": r"\d+ 项检查"}[language], result.out)


def test_the_proof_as_json() -> None:
    found = json.loads(reportgen("sources", "--check", "--json").out)
    assert found["holds"] is True
    assert all(row["examined"] > 0 and row["faults"] == [] for row in found["checks"])
    assert found["verdicts_not_evaluated"] == ["op-summary-memory-bound"]


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("rules/guides.toml", 'metrics = ["free_share"]', 'metrics = ["free_shar"]', "unknown metric 'free_shar'"),
        ("rules/recsdk.toml", 'value = "0.8"', 'value = "0.7"', "its entry has another number"),
        ("rules/recsdk.toml", 'id = "recsdk-aiv-mte2-ratio"', 'id = "recsdk-aiv"', "no rule 'recsdk-aiv-mte2-ratio'"),
    ],
)
def test_a_fault_is_printed_and_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, fault: str
) -> None:
    directory = Path(shutil.copytree(evidence_dir(), tmp_path / "evidence"))
    text = (directory / name).read_text(encoding="utf-8")
    assert old in text
    (directory / name).write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(resources, "evidence_dir", lambda: directory)
    result = reportgen("sources", "--check", "--language", "en")
    assert result.code == 2
    assert fault in result.out
    assert "checks do not hold." in result.out


# --------------------------------------------------------------------------------------------- the page
def test_the_worked_example_of_the_page_can_be_read(tmp_path: Path) -> None:
    directory = Path(shutil.copytree(evidence_dir(), tmp_path / "evidence"))
    page = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n# file: (\S+)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert [name for name, _ in blocks] == ["rules/own.toml", "thresholds.toml"]
    for name, text in blocks:
        with (directory / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")
    shown, holds = sources.proof(language="en", directory=directory)
    assert holds, shown
    whole = read_catalogue(directory)
    assert len(whole.rules) == len(WHOLE.rules) + 1
    (added,) = [threshold for threshold in whole.thresholds if threshold.id == "own-free-share"]
    assert [band.id for band in added.bands if band.holds(added.bands[0].high or 0)] == ["needs_attention"]
    assert added.file == "evidence/rules/own.toml"


def test_the_page_names_every_class() -> None:
    page = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    words = {rule.authority for rule in WHOLE.rules} | {*USES} | {rule.source.verified for rule in WHOLE.rules}
    words |= {bound.relation.value for rule in WHOLE.rules for band in rule.bands for bound in band.bounds}
    assert [word for word in sorted(words) if f"`{word}`" not in page] == []


def test_commands_of_the_page_run() -> None:
    page = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\| `reportgen sources([^`]*)` \|.*\| ([0-9, ]+) \|$", page, re.MULTILINE)
    assert len(commands) == 7
    for arguments, codes in commands:
        words = re.findall(r'"([^"]*)"|(\S+)', arguments)
        result = reportgen("sources", *(quoted or plain for quoted, plain in words))
        assert str(result.code) in codes.split(", ")[:1], arguments


def test_a_case_is_found_by_its_number_as_documents_print_it() -> None:
    assert reportgen("sources", "profilingcase_007").out == reportgen("sources", "profilingcase-007").out
    assert reportgen("sources", "profilingcase_007").code == 0
