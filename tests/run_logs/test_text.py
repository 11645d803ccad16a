"""Lines, records, numbers and what is kept out of them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.errors import CaptureError
from reportgen.run_logs import text
from reportgen.run_logs.numbers import decimal, figure, whole, with_unit


def log(tmp_path: Path, data: bytes) -> text.Log:
    path = tmp_path / "a.log"
    path.write_bytes(data)
    return text.Log(path)


def test_lines_are_divided_at_line_ends_and_carriage_returns_and_keep_the_number_of_their_line(tmp_path: Path) -> None:
    found = list(log(tmp_path, b"one\r\n\x1b[32mtwo\x1b[0m\r 3%\r 4%\n\nlast").lines())
    assert [(line.number, line.text, line.ended) for line in found] == [
        (1, "one", True),
        (2, "two", True),
        (2, " 3%", True),
        (2, " 4%", True),
        (4, "last", False),
    ]


def test_a_line_of_any_length_keeps_its_start_alone_and_is_counted(tmp_path: Path) -> None:
    one = log(tmp_path, b"a" * (3 * text.LONGEST_LINE) + b"\nnext\n")
    found = list(one.lines())
    assert [(line.number, len(line.text)) for line in found] == [(1, text.LONGEST_LINE), (2, 4)]
    assert one.cut_lines == 1


@pytest.mark.parametrize("data", [b"", b" \n\n", b"\xff\xfea\0b\0", b"\x1f\x8b\x08\0\0", b"SQLite format 3\0"])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CaptureError) as fault:
        log(tmp_path, data)
    assert fault.value.code == "log_unreadable"
    assert fault.value.hint


def test_objects_come_one_after_another_with_their_lines_and_numbers_as_written(tmp_path: Path) -> None:
    found = list(log(tmp_path, b'{"a": 1.50, "b": NaN}\n\n{"a": [1e3, "1"]}').objects())
    assert found == [(1, {"a": "1.50", "b": None}), (3, {"a": ["1e3", "1"]})]
    assert isinstance(found[0][1]["a"], text.Digits)
    assert not isinstance(found[1][1]["a"][1], text.Digits)


@pytest.mark.parametrize(
    ("data", "where"),
    [(b'{"a": 1}\n{"a": ', ":2"), (b'{"a": 1, "a": 2}', ":1"), (b"[" * 100_000, ":1"), (b'{"a":\n"\xff"}', ":2")],
    ids=["cut", "twice", "deep", "bytes"],
)
def test_bad_json_is_refused_with_its_line(tmp_path: Path, data: bytes, where: str) -> None:
    with pytest.raises(CaptureError) as fault:
        list(log(tmp_path, data).objects())
    assert fault.value.code == "log_unreadable"
    assert fault.value.where.endswith(where)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[default0]: iteration 1", "iteration 1"),
        ("(APIServer pid=1) INFO", "INFO"),
        ("(WorkerDict pid=123, ip=10.0.0.1) step", "step"),
        ("2026-01-01T00:00:00Z [rank3]: x", "x"),
        ("[2026-01-01 10:00:00] iteration", "[2026-01-01 10:00:00] iteration"),
    ],
)
def test_what_launchers_write_before_a_line_is_taken_off(written: str, expected: str) -> None:
    assert text.bare(written) == expected


def test_glued_records_are_found_one_by_one() -> None:
    found = list(text.records(re.compile(r"<(\d)>"), "x<1>a<2>b"))
    assert [(match[1], rest, more) for match, rest, more in found] == [("1", "a", True), ("2", "b", False)]


def test_pairs_say_whether_a_bar_closed_them() -> None:
    assert [tuple(pair) for pair in text.pairs(" a: 1 | no colon | b c : 2:3 | d: 4")] == [
        ("a", "1", True),
        ("b c", "2:3", True),
        ("d", "4", False),
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("http://10.1.2.3:8000/v1?key=abc", "<url>"),
        ("node 192.168.0.1:6000 up", "node <ip> up"),
        ("/home/zhang/models/Qwen3-8B", "<path>/Qwen3-8B"),
        ("model='/data/x/y', dtype=bf16", "model='<path>/y', dtype=bf16"),
        ("C:\\Users\\me\\run.json", "<path>/run.json"),
        ("--api-key sk-1234567890abcdef", "--api-key <withheld>"),
        ("'api_key': 'abc'", "'api_key': '<withheld>'"),
        ("Qwen/Qwen3-8B 12:30:01 1/2", "Qwen/Qwen3-8B 12:30:01 1/2"),
        ("fe80::1:2:3:4:5", "<ip>"),
    ],
)
def test_addresses_keys_and_directories_do_not_pass(written: str, expected: str) -> None:
    assert text.redacted(written) == expected


def test_a_key_that_names_a_secret_or_a_machine_is_withheld_and_counts_of_tokens_are_not() -> None:
    assert all(map(text.withheld, ("api_key", "hf_token", "AccessKey", "password", "host", "base_url", "master_addr")))
    assert not any(map(text.withheld, ("total_input_tokens", "tokenizer", "tokens", "model", "max_tokens")))


@pytest.mark.parametrize(
    ("written", "value", "resolution"),
    [
        ("2345.6", Fraction(23456, 10), Fraction(1, 10)),
        ("1.250000E-06", Fraction(125, 10**8), Fraction(1, 10**12)),
        ("128", Fraction(128), Fraction(1)),
        ("12.", Fraction(12), Fraction(1)),
        ("1.e3", Fraction(1000), Fraction(1000)),
    ],
)
def test_a_number_is_what_its_digits_say(written: str, value: Fraction, resolution: Fraction) -> None:
    assert decimal(written) == (value, resolution)


@pytest.mark.parametrize("written", ["", "nan", "inf", "1,5", "1e100", "0x1", "1 2", "١", "1" * 31, "--1"])
def test_what_is_no_number_is_none(written: str) -> None:
    assert decimal(written) is None


def test_units_come_from_the_key_or_the_value() -> None:
    one = figure("2345.6", "ms")
    assert one is not None
    assert (one.value, one.unit, one.resolution, one.written) == (2_345_600_000, "ns", 100_000, "2345.6 ms")
    other = with_unit("98409.4916 ms")
    assert other is not None
    assert (other.value, other.resolution) == (98_409_491_600, 100)
    assert with_unit("12300.2") is None
    assert with_unit("1 parsec") is None
    assert whole("12.0") == 12
    assert whole("-1") is None
