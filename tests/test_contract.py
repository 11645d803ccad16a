"""The target file: what it says is kept exactly, and every fault is told at once behind its key path."""

import hashlib
import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

from reportgen import contract, metrics, vocabulary
from reportgen.contract import check_target, new_target, read_target, target_schema
from reportgen.errors import ContractError
from reportgen.model import FileRecord, Quantity, Side

ROOT = Path(__file__).resolve().parent.parent
DOCS = (ROOT / "docs" / "target.md").read_text(encoding="utf-8")

BASE = """\
schema = 1
decision_rule = "guarded"

[contract]
reference = "HT-1"

[[case]]
id = "training"
clause = "3.1"

[[case.goal]]
id = "g1"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "170 ms"
"""
EXTERNAL = """
[[case.external]]
side = "before"
metric = "throughput"
kind = "tokens_per_s_per_rank"
statistic = "mean"
value = "3050.4 tokens/s"
conditions = "no profiler"
file = "measured.csv"
locator = "row 2"
"""
MEASURED = b"step,tokens\n1,3050.4\n"


def goal(name: str = "g2", **keys: str) -> str:
    table = {"metric": "step_time", "statistic": "median", "direction": "at_most", "subject": "after", "limit": "1 ms"}
    return f'\n[[case.goal]]\nid = "{name}"\n' + "".join(
        f'{key} = "{value}"\n' for key, value in (table | keys).items()
    )


def put(directory: Path, text: str | bytes) -> Path:
    (directory / "measured.csv").write_bytes(MEASURED)
    path = directory / "target.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# --------------------------------------------------------------------------------------------- what it says
def test_the_smallest_target_says_nothing_that_was_not_agreed(tmp_path: Path) -> None:
    path = put(tmp_path, BASE)
    target = read_target(path)
    assert target.file == FileRecord(
        path=path.name, size=len(BASE.encode()), digest=hashlib.sha256(BASE.encode()).hexdigest()
    )
    assert (target.decision_rule, target.allowed(), target.declared, target.parties.customer) == ("guarded", (), (), "")
    (case,) = target.cases
    assert (case.id, case.profiled, case.external) == ("training", True, ())
    assert (case.workload.phase, case.workload.batch_size, case.workload.ranks) == ("", "", None)
    assert case.workload.checkpoint_steps is None
    (only,) = case.goals
    assert (only.clause, only.kind, only.part, only.subject_to) == ("3.1", "", "", ())
    assert only.limit == Quantity(value=170_000_000, unit="ns", written="170 ms")
    assert only.origin.file == "target:target.toml"
    assert only.origin.locator == "case[0].goal[0].limit"
    assert only.origin.digest == target.file.digest
    assert only.origin.formula == '= "170 ms"'


@pytest.mark.parametrize(
    ("keys", "value", "unit"),
    [
        ({"limit": "0.1 us"}, 100, "ns"),
        ({"limit": "1234567.8901234567 s"}, Fraction(12345678901234567, 10), "ns"),
        ({"subject": "delta", "limit": "-20 ms"}, -20_000_000, "ns"),
        ({"subject": "ratio", "limit": "85%"}, Fraction(17, 20), "1"),
        ({"subject": "ratio", "limit": "0.85"}, Fraction(17, 20), "1"),
        ({"metric": "free_share", "statistic": "share", "limit": "3 %"}, Fraction(3, 100), "1"),
        ({"metric": "free_share", "statistic": "share", "subject": "delta", "limit": "-5%"}, Fraction(-1, 20), "1"),
        ({"metric": "peak_reserved", "part": "PTA+GE", "statistic": "max", "limit": "56 GB"}, 56 * 2**30, "B"),
        ({"metric": "kernel_count", "statistic": "count", "limit": "4000"}, 4000, "1"),
        ({"metric": "ai_cpu_count", "statistic": "count", "limit": "0"}, 0, "1"),
        (
            {"metric": "throughput", "kind": "tokens_per_s_per_rank", "direction": "at_least", "limit": "3.5e3tok/s"},
            3500,
            "1/s",
        ),
        ({"metric": "qps", "direction": "at_least", "limit": "120 QPS"}, 120, "1/s"),
        ({"metric": "latency", "kind": "ttft", "statistic": "p90", "limit": "0.8 s"}, 800_000_000, "ns"),
    ],
)
def test_a_limit_is_kept_exactly(tmp_path: Path, keys: dict[str, str], value: int | Fraction, unit: str) -> None:
    found = read_target(put(tmp_path, BASE + goal(**keys))).cases[0].goals[1].limit
    assert found == Quantity(value=value, unit=unit, written=keys["limit"])


def test_a_full_target_is_kept(tmp_path: Path) -> None:
    text = (
        BASE.replace(
            "\n[contract]",
            'may_differ = ["sample.level"]\n[parties]\ncustomer = "甲"\n\n[contract]\nsigned = 2026-10-06',
        )
        + 'subject_to = ["g2"]\n'
        + goal("g2", clause="3.2", side_condition="same load")
        + EXTERNAL
        + f'sha256 = "{hashlib.sha256(MEASURED).hexdigest().upper()}"\n'
        + '[case.workload]\nphase = "training"\nbatch_size = 8\nsequence_length = "1k-4k"\n'
        + "ranks = 2\ncheckpoint_steps = [3]\n"
        + '[[change]]\nwhat = "allocator"\nkeys = ["A", "B"]\n'
        + '[[declared]]\nkey = "chip"\nvalue = "910B"\nsigner = "Li"\nrole = "customer"\ndate = 2026-10-06\n'
    )
    target = read_target(put(tmp_path, text))
    assert target.allowed() == ("sample.level", "A", "B")
    assert (target.parties.customer, target.contract.signed) == ("甲", "2026-10-06")
    assert (target.declared[0].key, target.declared[0].date) == ("chip", "2026-10-06")
    case = target.cases[0]
    assert (case.workload.batch_size, case.workload.sequence_length, case.workload.ranks) == ("8", "1k-4k", 2)
    assert case.workload.checkpoint_steps == ("3",)
    assert (case.goals[0].subject_to, case.goals[1].clause, case.goals[1].side_condition) == (
        ("g2",),
        "3.2",
        "same load",
    )
    (value,) = case.external
    assert (value.side, value.value.value, value.value.unit) == (Side.BEFORE, Fraction("3050.4"), "1/s")
    assert value.file == FileRecord(
        path="measured.csv", size=len(MEASURED), digest=hashlib.sha256(MEASURED).hexdigest()
    )
    assert value.origin.locator == "case[0].external[0].value"


@pytest.mark.parametrize(
    ("written", "steps"),
    [
        ("", None),
        ("checkpoint_steps = []", ()),
        ('checkpoint_steps = "none"', ()),
        ("checkpoint_steps = [9, 10]", ("9", "10")),
    ],
)
def test_no_checkpoint_steps_is_not_the_same_as_not_stated(
    tmp_path: Path, written: str, steps: tuple[str, ...] | None
) -> None:
    target = read_target(put(tmp_path, BASE + "[case.workload]\n" + written))
    assert target.cases[0].workload.checkpoint_steps == steps


def test_notepad_may_write_a_byte_order_mark_and_carriage_returns(tmp_path: Path) -> None:
    assert check_target(put(tmp_path, b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())) == ()


def test_the_captures_belong_to_the_one_profiled_case(tmp_path: Path) -> None:
    text = BASE.replace("clause", "profiled = true\nclause") + '[[case]]\nid = "serving"\n'
    assert [case.profiled for case in read_target(put(tmp_path, text)).cases] == [True, False]


def test_an_absolute_path_may_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    log = tmp_path / "there" / "train.log"
    log.write_bytes(b"x")
    text = BASE + EXTERNAL.replace("measured.csv", str(log))
    assert read_target(put(tmp_path / "here", text)).cases[0].external[0].file.path == str(log)


# --------------------------------------------------------------------------------------------- what is wrong with it
RATIO = '; a relative change is subject = "ratio", limit = "85%"'
TIME = "ns, us, µs, μs, ms, s, min"
NO_RULE = (
    'decision_rule: must be "simple" or "guarded": both parties choose, there is no default; '
    "`reportgen target new` explains both"
)
FAULTS = [
    # title, (old, new) in the base or text behind it, fault
    (
        "blank rule",
        ('"guarded"', '""'),
        NO_RULE,
    ),
    (
        "no rule",
        ('decision_rule = "guarded"', ""),
        NO_RULE,
    ),
    (
        "other format",
        ("schema = 1", "schema = 2"),
        "schema: must be 1: this version reads target files of schema 1 only",
    ),
    ("blank text", ('"HT-1"', '" "'), "contract.reference: must not be empty"),
    ("missing table", ('[contract]\nreference = "HT-1"', ""), "contract: is missing"),
    (
        "no case",
        (BASE[BASE.index("\n[contract]") :], 'case = []\n[contract]\nreference = "HT-1"'),
        "case: at least one [[case]] or [[matrix]] is needed",
    ),
    (
        "one bracket",
        (BASE[BASE.index("[[case]]") :], '[case]\nid = "a"'),
        "case: must be a list of tables: write [[case]]; found a table",
    ),
    ("two brackets", ("[contract]", "[[contract]]"), "contract: must be a table: write [contract]; found a list"),
    ("misspelt key", ("clause", "clausse"), 'case[0].clausse: unknown key; did you mean "clause"?'),
    (
        "key of another table",
        'report_number = "1"',
        "case[0].goal[0].report_number: unknown key; it belongs to [contract]",
    ),
    (
        "key of the file",
        "may_differ = []",
        "case[0].goal[0].may_differ: unknown key; it belongs above the first [table] of the file",
    ),
    (
        "key of nothing",
        "xyzzy = 1",
        (
            "case[0].goal[0].xyzzy: unknown key; known: id, clause, metric, part, statistic, kind, "
            "direction, subject, limit, side_condition, subject_to"
        ),
    ),
    ("wrong type", ('"HT-1"', "1"), "contract.reference: must be text in double quotes; found 1"),
    (
        "a bare number",
        ('"170 ms"', "170"),
        'case[0].goal[0].limit: must be text in double quotes with its unit, such as "170 ms" or "85%"',
    ),
    (
        "a float",
        ('"170 ms"', "0.85"),
        'case[0].goal[0].limit: must be text in double quotes with its unit, such as "170 ms" or "85%"',
    ),
    ("text for a list", 'subject_to = "g1"', 'case[0].goal[0].subject_to: must be a list in [ ]; found "g1"'),
    ("text for yes", ("clause", 'profiled = "true"\nclause'), 'case[0].profiled: must be true or false; found "true"'),
    (
        "misspelt word",
        ('"at_most"', '"atmost"'),
        'case[0].goal[0].direction: must be "at_most" or "at_least"; found "atmost", did you mean "at_most"?',
    ),
    (
        "a list of words",
        '[case.workload]\ncheckpoint_steps = ["a"]',
        'case[0].workload.checkpoint_steps[0]: must be a whole number without quotes; found "a"',
    ),
    (
        "two types",
        "[case.workload]\nbatch_size = 8.5",
        "case[0].workload.batch_size: must be a whole number without quotes or text in double quotes; found 8.5",
    ),
    ("no ranks", "[case.workload]\nranks = 0", "case[0].workload.ranks: must be at least 1; found 0"),
    (
        "invisible",
        ('"HT-1"', '"HT\u200b-1"'),
        "contract.reference: holds the invisible character U+200B: type the text again",
    ),
    (
        "turned round",
        ('"HT-1"', '"HT\u202e-1"'),
        "contract.reference: holds the invisible character U+202E: type the text again",
    ),
    (
        "date",
        ("[contract]", '[contract]\nsigned = "2026/10/06"'),
        "contract.signed: must be a date such as \"2026-10-06\"; found '2026/10/06'",
    ),
    (
        "no such day",
        ("[contract]", '[contract]\nissued = "2026-02-30"'),
        "contract.issued: must be a date such as \"2026-10-06\"; found '2026-02-30'",
    ),
    (
        "pattern",
        ("\n[contract]", 'may_differ = ["ENV_*"]\n[contract]'),
        "may_differ[0]: must be one whole setting key, there are no patterns; found 'ENV_*'",
    ),
    (
        "pattern of a change",
        '[[change]]\nwhat = "x"\nkeys = ["", "a"]',
        "change[0].keys[0]: must be one whole setting key, there are no patterns; found ''",
    ),
    ("who", '[[declared]]\nkey = "chip"\nvalue = "a"\nsigner = "b"\ndate = 2026-10-06', "declared[0].role: is missing"),
    (
        "two chips",
        "".join(
            f'[[declared]]\nkey = "chip"\nvalue = "{v}"\nsigner = "b"\nrole = "c"\ndate = 2026-10-06\n' for v in "ab"
        ),
        "declared[1].value: contradicts another declaration of 'chip': 'a'",
    ),
    ("id", ('"training"', '"a b"'), "case[0].id: must be letters, digits, '-', '_' or '.', at most 64; found 'a b'"),
    ("taken", goal("g1"), "case[0].goal[1].id: 'g1' is taken by case[0].goal[0].id"),
    ("no clause", ('clause = "3.1"', ""), "case[0].clause: must name the contract clause, here or in every goal"),
    (
        "metric",
        ('"step_time"', '"step_tme"'),
        "case[0].goal[0].metric: unknown metric 'step_tme'; did you mean \"step_time\"?",
    ),
    (
        "statistic",
        ('"median"', '"medain"'),
        "case[0].goal[0].statistic: unknown statistic 'medain'; did you mean \"median\"?",
    ),
    (
        "misfit",
        ('"median"', '"count"'),
        (
            "case[0].goal[0].statistic: 'count' does not fit step_time: "
            '"median", "mean", "max", "min", "p50", "p90", "p95" or "p99"'
        ),
    ),
    (
        "unit",
        ('"170 ms"', '"170 mss"'),
        (
            "case[0].goal[0].limit: unknown unit in '170 mss'; known: ns, us, µs, μs, ms, s, min, B, KB, "
            "KiB, MB, MiB, GB, GiB, 1, %, 1/s, /s, req/s, samples/s, tokens/s, tok/s, QPS"
        ),
    ),
    ("no number", ('"170 ms"', '"1,170 ms"'), "case[0].goal[0].limit: not a number with a unit: '1,170 ms'"),
    ("no unit", ('"170 ms"', '"170"'), f"case[0].goal[0].limit: step_time is measured in {TIME}; found '170'"),
    ("other unit", ('"170 ms"', '"170 MB"'), f"case[0].goal[0].limit: step_time is measured in {TIME}; found '170 MB'"),
    (
        "percent of what",
        ('"170 ms"', '"85%"'),
        f"case[0].goal[0].limit: step_time is measured in {TIME}{RATIO}; found '85%'",
    ),
    ("negative", ('"170 ms"', '"-170 ms"'), "case[0].goal[0].limit: step_time is never negative; found '-170 ms'"),
    (
        "three means 3 %",
        goal(metric="free_share", statistic="share", limit="3"),
        "case[0].goal[1].limit: free_share lies between 0 and 100%, and this is 300%; found '3'",
    ),
    (
        "a count in percent",
        goal(metric="kernel_count", statistic="count", limit="85%"),
        f"case[0].goal[1].limit: kernel_count is a number, not a share{RATIO}; found '85%'",
    ),
    (
        "ratio with unit",
        goal(subject="ratio", limit="85 ms"),
        'case[0].goal[1].limit: a ratio AFTER / BEFORE has no unit: write such as "0.85" or "85%"; found \'85 ms\'',
    ),
    (
        "ratio of nothing",
        goal(subject="ratio", limit="0"),
        "case[0].goal[1].limit: a ratio AFTER / BEFORE is above 0; found '0'",
    ),
    (
        "slower is better",
        goal(direction="at_least"),
        'case[0].goal[1].direction: step_time is the better the lower it is: write "at_most"',
    ),
    (
        "saved at least",
        goal(direction="at_least", subject="delta", limit="20 ms"),
        (
            'case[0].goal[1].direction: step_time is the better the lower it is: write "at_most"; '
            "a delta is AFTER - BEFORE, negative when it got better"
        ),
    ),
    (
        "less throughput",
        goal(metric="qps", subject="ratio", limit="2"),
        (
            'case[0].goal[1].direction: qps is the better the higher it is: write "at_least"; '
            "a ratio is AFTER / BEFORE, above 1 when it got better"
        ),
    ),
    (
        "part wanted",
        goal(metric="peak_reserved", statistic="max", limit="1 GB"),
        "case[0].goal[1].part: peak_reserved is a component's: APP, PTA, GE, PTA+GE, WORKSPACE, device ...",
    ),
    ("part unwanted", goal(part="APP"), "case[0].goal[1].part: step_time has no parts; found 'APP'"),
    (
        "kind wanted",
        goal(metric="latency"),
        "case[0].goal[1].kind: latency has kinds, name one: ttft, tpot, itl, e2e, prefill, decode, npu_compute",
    ),
    (
        "kind misspelt",
        goal(metric="latency", kind="ttfs"),
        "case[0].goal[1].kind: unknown kind of latency 'ttfs'; did you mean \"ttft\"?",
    ),
    ("kind unwanted", goal(kind="e2e"), "case[0].goal[1].kind: step_time has no kinds; found 'e2e'"),
    (
        "tokens in samples",
        goal(metric="throughput", kind="output_tokens_per_s", direction="at_least", limit="5 samples/s"),
        "case[0].goal[1].limit: output_tokens_per_s is measured in 1/s, /s, tokens/s, tok/s; found '5 samples/s'",
    ),
    ("follows nothing", 'subject_to = ["g9"]', "case[0].goal[0].subject_to[0]: no goal 'g9'; known: g1"),
    (
        "follows itself",
        'subject_to = ["g1"]',
        "case[0].goal[0].subject_to[0]: leads back to 'g1': goals cannot depend on each other",
    ),
    (
        "follows in a ring",
        'subject_to = ["g2"]' + goal("g2") + 'subject_to = ["g1"]',
        "case[0].goal[0].subject_to[0]: leads back to 'g1': goals cannot depend on each other",
    ),
    (
        "no profiled case",
        '[[case]]\nid = "b"',
        "case: the captures were taken of one of several cases: write profiled = true in that one",
    ),
    (
        "two profiled cases",
        ("clause", "profiled = true\nclause", '[[case]]\nid = "b"\nprofiled = true'),
        "case[1].profiled: the captures were taken of one case; case[0] says so too",
    ),
    (
        "the only case",
        ("clause", "profiled = false\nclause"),
        "case[0].profiled: the captures were taken of no case: leave the key out, or true",
    ),
    (
        "not captured",
        ("clause", "profiled = true\nclause", '[[case]]\nid = "b"\nclause = "4"' + goal(metric="free")),
        "case[1].goal[0].metric: free needs a capture, and this case is not the profiled one",
    ),
    ("no file", EXTERNAL.replace("measured", "missing"), "case[0].external[0].file: 'missing.csv' cannot be read: *"),
    ("a folder", EXTERNAL.replace("measured.csv", "."), "case[0].external[0].file: '.' is not a regular file"),
    (
        "out by dots",
        EXTERNAL.replace("measured", "../measured"),
        "case[0].external[0].file: '..' leads out of the target's directory: copy the file beside the target; *",
    ),
    (
        "other digest",
        EXTERNAL + f'sha256 = "{"0" * 64}"',
        f"case[0].external[0].sha256: is not that of 'measured.csv', which is {hashlib.sha256(MEASURED).hexdigest()}",
    ),
    (
        "no digest",
        EXTERNAL + 'sha256 = "abc"',
        "case[0].external[0].sha256: must be 64 hexadecimal digits; found 'abc'",
    ),
    (
        "value's unit",
        EXTERNAL.replace("3050.4 tokens/s", "12 ms"),
        "case[0].external[0].value: throughput is measured in 1/s, /s, req/s, samples/s, tokens/s, tok/s, QPS; *",
    ),
    (
        "value twice",
        EXTERNAL + EXTERNAL,
        "case[0].external[1]: before throughput tokens_per_s_per_rank mean is given in case[0].external[0] already",
    ),
    ("no conditions", EXTERNAL.replace('conditions = "no profiler"', ""), "case[0].external[0].conditions: is missing"),
]


@pytest.mark.parametrize(("edit", "fault"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_a_fault_is_told_behind_its_key(tmp_path: Path, edit: str | tuple[str, ...], fault: str) -> None:
    if isinstance(edit, str):
        text = f"{BASE}{edit}\n"
    else:
        assert edit[0] in BASE
        text = BASE.replace(edit[0], edit[1], 1) + "".join(edit[2:])
    found = check_target(put(tmp_path, text))
    told, alone = fault.removesuffix("*"), not fault.endswith("*")
    assert any(line == fault if alone else line.startswith(told) for line in found), "\n".join(found)


def test_every_fault_is_told_at_once_in_the_order_of_the_keys(tmp_path: Path) -> None:
    text = BASE.replace('"guarded"', '""').replace('"170 ms"', '"170 mss"').replace('"HT-1"', "1") + goal(
        "g1", metric="x"
    )
    with pytest.raises(ContractError) as caught:
        read_target(put(tmp_path, text))
    assert (caught.value.code, caught.value.message) == ("target_invalid", "5 faults in the target file")
    assert caught.value.faults == check_target(tmp_path / "target.toml")
    assert [line.split(": ")[0] for line in caught.value.faults] == [
        "case[0].goal[0].limit",
        "case[0].goal[1].id",
        "case[0].goal[1].metric",
        "contract.reference",
        "decision_rule",
    ]


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        (
            b"schema = 1\ncustomer = \xe2\x80\x9cA\xe2\x80\x9d\n",
            "2:12",
            "Invalid value",
            "this line holds '“' (U+201C)",
        ),
        (b"schema = 1\ncustomer = abc\n", "2:12", "Invalid value", "text stands between straight double quotes"),
        (b"schema = 1\n[contract\n", "2:10", "Expected ']' at the end of a table declaration", ""),
        (b'schema = 1\nreference = "abc', "2:17", "Unterminated string", ""),
        (b"schema = 1\nschema = 1\n", "2:11", "Cannot overwrite a value", ""),
        (
            "schema = 1\n# 合同\n".encode("gbk"),
            "2:3",
            "not UTF-8 text (byte 0xBA)",
            "save the file with the encoding UTF-8",
        ),
        (b"a = " + b"[" * 20_000, "1:1", "nested too deeply", ""),
        (b"a" + b".a" * 3_000 + b" = 1", "1:1", "nested too deeply", ""),
        (b"a = " + b"9" * 5_000, "1:1", "Exceeds the limit", ""),
    ],
)
def test_what_is_not_toml_is_told_with_line_and_column(
    tmp_path: Path, text: bytes, place: str, message: str, hint: str
) -> None:
    path = put(tmp_path, text)
    with pytest.raises(ContractError) as caught:
        read_target(path)
    assert caught.value.code == "target_syntax"
    assert caught.value.where == f"{path}:{place}"
    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint
    assert check_target(path) == (f"{path}:{place}: {caught.value.message}",)


@pytest.mark.parametrize("kind", ["missing", "directory", "too large", "ring of links"])
def test_what_cannot_be_read_is_told(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "target.toml"
    if kind == "directory":
        path.mkdir()
    if kind == "ring of links":
        path.symlink_to("target.toml")
    if kind == "too large":
        path.write_bytes(b"#" * (contract.LARGEST + 1))
    with pytest.raises(ContractError) as caught:
        read_target(path)
    assert (caught.value.code, caught.value.where) == ("target_unreadable", str(path))


def test_a_link_out_of_the_directory_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "secret.csv").write_text("x")
    path = put(tmp_path / "here", BASE + EXTERNAL.replace("measured", "link"))
    (tmp_path / "here" / "link.csv").symlink_to("../secret.csv")
    (fault,) = check_target(path)
    assert fault.startswith("case[0].external[0].file: is a link out of the target's directory: copy the file itself")


def test_an_empty_file_is_no_evidence(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    text = BASE + EXTERNAL.replace("measured", "empty")
    assert check_target(put(tmp_path, text)) == ("case[0].external[0].file: 'empty.csv' is empty",)


def test_the_target_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    put(tmp_path / "kept", BASE)
    (tmp_path / "target.toml").symlink_to("kept/target.toml")
    assert check_target(tmp_path / "target.toml") == ()


# --------------------------------------------------------------------------------------------- templates and pages
def keys_of(schema: dict[str, object]) -> set[str]:
    tables = [schema, *schema["$defs"].values()]  # type: ignore[attr-defined]
    return {key for table in tables for key in table["properties"]}  # type: ignore[index]


def listed(template: str) -> list[str]:
    """The keys that the template's head lists as to be filled in."""
    line = next(line for line in template.split("\n") if line.startswith("#   decision_rule"))
    return line.removeprefix("#   ").split(", ")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_new_target_lacks_exactly_what_its_head_lists(tmp_path: Path, language: str) -> None:
    template = new_target(language)
    found = [line.split(": ")[0] for line in check_target(put(tmp_path, template))]
    assert sorted(found) == sorted(listed(template)) != []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_new_target_is_good_once_filled_in(tmp_path: Path, language: str) -> None:
    text = new_target(language)
    for key, value in (("decision_rule", "simple"), ("reference", "HT-1"), ("clause", "3"), ("limit", "170 ms")):
        assert f'\n{key} = ""' in text
        text = text.replace(f'\n{key} = ""', f'\n{key} = "{value}"', 1)
    assert check_target(put(tmp_path, text)) == ()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_new_target_is_good_with_every_comment_taken_in(tmp_path: Path, language: str) -> None:
    text = re.sub(r"^# (?=\[|\w+ = )", "", new_target(language), flags=re.MULTILINE)
    for key, value in (("decision_rule", "simple"), ("reference", "HT-1"), ("limit", "170 ms")):
        text = text.replace(f'\n{key} = ""', f'\n{key} = "{value}"', 1)
    text = re.sub(r'\nclause = ""', '\nclause = "3"', text)
    path = put(tmp_path, text)
    for name in re.findall(r'^(?:\w+_)?file = "([^"]+)"', text, flags=re.MULTILINE):
        (tmp_path / name).write_text("x")
    assert check_target(path) == ()
    keys = set(re.findall(r"(\w+) = ", text))
    tables = {word for name in re.findall(r"^\[+([\w.]+)\]+", text, flags=re.MULTILINE) for word in name.split(".")}
    assert keys_of(target_schema()) <= keys | tables


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_new_target_names_every_metric_statistic_and_kind(language: str) -> None:
    words = set(re.findall(r"\w+", new_target(language)))
    assert {
        *vocabulary.GOAL_METRICS,
        *vocabulary.STATISTICS,
        *vocabulary.LATENCY_KINDS,
        *vocabulary.THROUGHPUT_KINDS,
    } <= words


def test_there_is_no_template_in_another_language() -> None:
    with pytest.raises(ContractError) as caught:
        new_target("../zh")
    assert caught.value.code == "target_language"


def test_the_published_schema_is_that_of_the_code() -> None:
    """To accept a change: write json.dumps(target_schema(), indent=2, ensure_ascii=False) to the file."""
    assert json.loads((ROOT / "docs" / "target.schema.json").read_text(encoding="utf-8")) == target_schema()


def test_every_key_of_the_schema_is_described() -> None:
    schema = target_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for table in [schema, *schema["$defs"].values()]:
        assert table["description"]
        assert all(rule.get("description") or "$ref" in rule for rule in table["properties"].values()), table["title"]


def test_the_schema_agrees_with_the_reader_on_shapes() -> None:
    check = jsonschema.Draft202012Validator(target_schema())
    example = json.loads(json.dumps(tomllib.loads((ROOT / "examples" / "target.toml").read_text()), default=str))
    assert check.is_valid(example)
    assert not check.is_valid(example | {"decision_rule": ""})
    assert not check.is_valid(example | {"unknown": 1})
    assert not check.is_valid(example | {"contract": {"reference": " "}})


def test_the_example_is_a_good_target() -> None:
    target = read_target(ROOT / "examples" / "target.toml")
    assert target.decision_rule == "guarded"
    assert [goal.metric for goal in target.cases[0].goals] == [
        "step_time",
        "step_time",
        "kernel_count_per_step",
        "peak_reserved",
    ]
    assert target.allowed() == ("ENV_VARIABLES.PYTORCH_NPU_ALLOC_CONF",)


def test_the_example_is_met_with_a_margin() -> None:
    """By the right values in examples/README.md, on the worst rank."""
    page = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (before|after) \| \d \| ([\d.]+) .*? \| (\d+) \| [\d,.]+ \| [\d,.]+ \|$", page, re.MULTILINE
    )
    before, after = ([Fraction(time) for side, time, _ in rows if side == name] for name in ("before", "after"))
    step_time, saved, kernels, _ = (
        goal.limit.value for goal in read_target(ROOT / "examples" / "target.toml").cases[0].goals
    )
    assert max(after) * 10**6 < step_time * Fraction(97, 100)
    assert max(new / old for new, old in zip(after, before, strict=True)) < saved * Fraction(97, 100)
    assert max(int(count) for side, _, count in rows if side == "after") < kernels


BLOCKS = re.findall(r"```(\w+(?: \w+)?)\n(.*?)```", DOCS, flags=re.DOTALL)
WHOLE, *PARTS = [text for kind, text in BLOCKS if kind == "toml"]


@pytest.mark.parametrize("part", ["", *PARTS], ids=lambda part: part.split("\n")[0] or "smallest")
def test_every_example_of_the_page_is_good(tmp_path: Path, part: str) -> None:
    path = put(tmp_path, WHOLE + part)
    for name in re.findall(r'^(?:\w+_)?file = "([^"]+)"', part, flags=re.MULTILINE):
        (tmp_path / name).write_text("x")
    assert check_target(path) == ()


def test_the_mistakes_of_the_page_are_told_as_it_says(tmp_path: Path) -> None:
    (mistakes,) = [text for kind, text in BLOCKS if kind == "toml mistakes"]
    (told,) = [text for kind, text in BLOCKS if kind == "text"]
    assert "\n".join(check_target(put(tmp_path, mistakes))) == told.rstrip("\n")


def test_the_page_names_every_metric_statistic_and_kind() -> None:
    words = set(re.findall(r"\w+", DOCS))
    assert {
        *vocabulary.GOAL_METRICS,
        *vocabulary.STATISTICS,
        *vocabulary.LATENCY_KINDS,
        *vocabulary.THROUGHPUT_KINDS,
    } <= words


# --------------------------------------------------------------------------------------------- the words
MEASURED_METRICS = {metric.id: metric for metric in metrics.METRICS}


def test_the_table_of_units_is_that_of_every_metric() -> None:
    outside = {name: metric.unit for name, metric in vocabulary.GOAL_METRICS.items() if metric.outside}
    assert {metric.id: metric.unit for metric in metrics.METRICS} | outside == vocabulary.UNITS


def test_goals_are_on_metrics_of_the_table_in_its_units() -> None:
    goals = {name: metric.unit for name, metric in vocabulary.GOAL_METRICS.items()}
    assert goals == {name: vocabulary.UNITS[name] for name in goals}


STATISTIC = {"maximum": "max"}


@pytest.mark.parametrize("name", [name for name, metric in vocabulary.GOAL_METRICS.items() if metric.profiled])
def test_a_metric_of_the_profile_is_measured_in_the_unit_a_goal_is_written_in(name: str) -> None:
    metric, word = MEASURED_METRICS[name], vocabulary.GOAL_METRICS[name]
    # A share grows when the rest of the step gets faster: a goal may limit it, but growth alone is no regression.
    better = "neither" if word.share else word.better
    assert (metric.unit, metric.better) == (word.unit, better)
    assert STATISTIC.get(metric.statistic, metric.statistic) in word.statistics
