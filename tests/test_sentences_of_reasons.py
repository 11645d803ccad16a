"""Every judged reason said in both languages: whole, with each argument it is to name, and in that language alone.

The printed form of an id stands in ``PRINTED``, written by hand; any other argument has to stand as it is.
"""

from __future__ import annotations

import re

import pytest
from judged.case import Judged
from judged.tables import CASES

from reportgen.model import Reason
from reportgen.report import wording
from reportgen.report.messages import REASONS
from reportgen.report.translations import Language

A2_A3 = ("Atlas A2、Atlas A3", "Atlas A2, Atlas A3")
PRINTED: dict[tuple[str, str], tuple[str, str]] = {
    ("side", "before"): ("BEFORE", "BEFORE"),
    ("side", "after"): ("AFTER", "AFTER"),
    ("side", "both"): ("BEFORE 与 AFTER", "BEFORE and AFTER"),
    ("side", "inside"): ("在限值以内", "inside the limit"),
    ("side", "beyond"): ("在限值以外", "beyond the limit"),
    ("phase", "serving"): ("服务化推理", "serving"),
    ("name", "kv_cache"): ("KV Cache", "KV cache"),
    ("name", "onnx_model"): ("ONNX 模型", "model from ONNX"),
    ("name", "rows_of_db"): ("数据库中的行", "rows of the database"),
    ("name", "op_statistic_count"): ("op_statistic 中的 Kernel 个数", "number of kernels in op_statistic"),
    ("product", "Atlas A2, Atlas A3"): A2_A3,
    ("products", "Atlas A2, Atlas A3"): A2_A3,
    ("seen", "Atlas A2, Atlas A3"): A2_A3,
    ("why", "contradicted"): ("官方文本与之矛盾", "official texts contradict it"),
    ("metric", "aiv_mte2_bound_share"): ("受 MTE2 限制的向量时间占比", "vector time bound by MTE2"),
    ("metric", "step_time"): ("单步耗时", "step time"),
    ("metric", "peak_reserved"): ("峰值显存", "peak memory reserved"),
    ("metric", "latency"): ("时延", "latency"),
    ("cases", "C1, A"): ("C1、A", "C1, A"),
    ("keys", "chip"): ("芯片", "chip"),
    ("key", "global_batch_size"): ("全局批量", "global batch size"),
    ("key", "model"): ("模型", "model"),
    ("family", "time"): ("时间类指标", "family time"),
    ("family", "communication"): ("通信类指标", "family communication"),
    ("fact", "dtype.after"): ("数据类型，AFTER", "data type, AFTER"),
    ("statistic", "std"): ("标准差", "standard deviation"),
    ("statistic", "p90"): ("P90", "P90"),
    ("statistic", "median"): ("中位数", "median"),
    ("band", "needs_attention"): ("需关注", "needs attention"),
}
"""(argument, id) -> how it is printed in Chinese and in English."""
NAMES = {
    "AFTER", "APP", "BEFORE", "AI", "API", "Atlas", "Block", "CPU", "Cache", "Core", "Cube", "Dim", "GC", "Host",
    "ITL", "KV", "Kernel", "Level1", "MHz", "MTE2", "MiB", "ONNX", "PMU", "PipeUtilization", "REASON", "TPOT",
    "Vector", "allow", "db", "declared", "exclude", "gc_detect_threshold", "info.json", "inspect", "level",
    "loop", "msprof", "op", "op_statistic", "rank", "ranks", "schedule", "shape", "step", "step_trace",
    "advisor", "checkpoint", "cube", "storage_limit", "token", "trace", "workload",
}  # fmt: skip
"""Latin words that a Chinese sentence may hold: names, keys of files and targets, options, units."""
FORBIDDEN = {
    "zh": re.compile("合格|通过|优化|提升|劣化|显著|…|—"),
    "en": re.compile(r"(?i)\baccepted\b|\bsignifican|\boptimi[sz]|\bimprove|\bregress|…|—|[‘’“”]|·"),
}
NAMED = re.compile(r"%\((\w+)\)s")


def said(case: Judged, language: str) -> str:
    """The sentence of a case, with ordinary spaces."""
    reason = Reason(code=case.code, args=tuple(case.args.items()))
    return wording.say(reason, language).replace("\u00a0", " ")


ALL = pytest.mark.parametrize("case", CASES, ids=[f"{case.code}: {case.title}" for case in CASES])


@ALL
def test_each_argument_stands_in_the_sentence_as_the_language_prints_it(case: Judged) -> None:
    named = NAMED.findall(REASONS[case.code])
    for place, language in enumerate(("zh", "en")):
        sentence = said(case, language)
        assert not re.search(r"%\(|%s|\*\*|\{\w*\}|None|Fraction", sentence), sentence
        whole = REASONS[case.code].endswith(".")  # the others stand inside a sentence
        assert sentence.endswith("。" if language == "zh" else ".") is whole, sentence
        for name in named:
            value = case.args[name]
            printed = PRINTED.get((name, value), (value, value))[place]
            assert printed, f"{case.code}: {name} is empty"
            assert printed.lower() in sentence.lower(), (
                f"{name}={value} is not in {sentence!r}: if it is an id, write its printed form into PRINTED"
            )
        assert not FORBIDDEN[language].search(sentence), sentence


@ALL
def test_a_chinese_sentence_holds_no_english_but_names(case: Judged) -> None:
    sentence = said(case, "zh")
    for name, value in sorted(case.args.items(), key=lambda item: -len(item[1])):
        sentence = sentence.replace(PRINTED.get((name, value), (value, ""))[0], " ")
    found = set(re.findall(r"[A-Za-z][\w.]*\w", sentence)) - NAMES
    assert not found, f"{found} in {sentence!r}: translate it, or add the name to NAMES"
    assert re.search("[\u4e00-\u9fff]", said(case, "zh"))


@pytest.mark.parametrize("code", list(REASONS))
def test_a_reason_without_a_case_of_its_own_is_whole_too(code: str) -> None:
    """Any text may stand in its arguments; none is lost, and nothing of the pattern is left."""
    args = {name: f"<{name}>" for name in NAMED.findall(REASONS[code])}
    for language in ("zh", "en"):
        sentence = wording.say(Reason(code=code, args=tuple(args.items())), language)
        assert "%(" not in sentence
        assert [name for name, text in args.items() if text not in sentence] == []


KEYS = "run.steps_shown, max_concurrency, argument.foo"
WORDS = {
    "en": "steps that the log shows{}, requests allowed at once{}, argument.foo",
    "zh": "日志所示的步{}、允许同时进行的请求数{}、argument.foo",
}
"""Two facts that have a name in both languages, and an argument, which is its own name."""
BEHIND = {"en": (" (steps_shown)", " (max_concurrency)"), "zh": ("（steps_shown）", "（max_concurrency）")}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("code", "argument", "asks"),
    [
        ("runs_not_alike", "facts", True),
        ("runs_not_alike_nor_shown", "facts", True),
        ("runs_not_shown_alike", "unstated", True),
        ("runs_not_alike_nor_shown", "unstated", True),
        ("case_runs_not_alike", "facts", False),
        ("gate_not_listed", "keys", True),
        ("gate_unlisted", "keys", True),
        ("gate_differs", "keys", False),
        ("gate_unknown", "keys", False),
    ],
)
def test_facts_are_printed_by_their_names_with_the_key_where_the_target_is_to_name_it(
    code: str, argument: str, asks: bool, language: Language
) -> None:
    sentence = wording.say(Reason.of(code, case="C", **{argument: KEYS}), language)
    named = WORDS[language].format(*(BEHIND[language] if asks else ("", "")))
    assert named in sentence.replace("\xa0", " ")
