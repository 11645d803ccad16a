"""What is taken for a host, a user, an address, a path or a serial number, and what only looks like one."""

from __future__ import annotations

import pytest

from reportgen.report.redaction_patterns import Found, Scrubber, is_version_key, names_in, names_of_key

NAMES = [Found("host", "gz-n017"), Found("user", "zhaoliu")]


def scrubbed(text: str, *, versions: bool = False, pointers: bool = False) -> str:
    """The text with every original as <kind>."""
    scrubber = Scrubber(NAMES, {"www.hiascend.com"}, lambda kind, original: f"<{kind}>")
    return scrubber.scrub(text, versions=versions, pointers=pointers)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ran on gz-n017 by zhaoliu", "ran on <host> by <user>"),
        ("gz-n017_410233_20261020101231302_ascend_pt", "<host>_410233_20261020101231302_ascend_pt"),
        ("zhaoliu2 and agz-n017", "zhaoliu2 and agz-n017"),  # other words
        ("listens on 10.23.45.67:8000", "listens on <ip>:8000"),
        ("地址10.23.45.67，", "地址<ip>，"),
        ("10.0.0.1-10.0.0.9", "<ip>-<ip>"),
        ("from 123.60.7.8 on", "from <ip> on"),
        ("rank_10.23.45.67.log", "rank_<ip>.log"),
        ("[2001:db8:85a3::8a2e:370:7334]:80", "[<ip>]:80"),
        ("fe80::5efe:a00:1", "<ip>"),
        ("mac a4:b1:c2:0d:3e:5f, A4-B1-C2-0D-3E-5F", "mac <mac>, <mac>"),
        ("write to zhao.liu@corp.example.com.", "write to <email>."),
        ("scp zhaoliu@gz-n017:/home/zhaoliu/x .", "scp <user>@<host>:<path> ."),
        ("ssh://root@gz-n018:22/x", "ssh://<user>@<host>:22/x"),
        ("http://gz-n017.corp.lan/a and http://10.1.2.3/", "http://<host>/a and http://<ip>/"),
        ("node7.cluster.internal", "<host>"),
        ("--data /home/zhaoliu/项目/数据.json,", "--data <path>,"),
        ("LD_LIBRARY_PATH=/usr/local/lib:/opt/x/lib64", "LD_LIBRARY_PATH=<path>:<path>"),
        ("file:///home/zhaoliu/x", "file://<path>"),
        ("/home/zhaoliu/my project/run.sh", "<path>"),
        ("目录/home/zhaoliu/x", "目录<path>"),
        (r"C:\Users\zhaoliu\trace.json", "<path>"),
        (r"\\filer\share\x", "<path>"),
        ("serial number: 2102312ABC6789", "serial number: <serial>"),
        ("序列号：2102312ABC6789", "序列号：<serial>"),
    ],
)
def test_what_tells_of_machines_and_people_is_replaced(text: str, expected: str) -> None:
    assert scrubbed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "CANN 8.0.0.1",  # four numbers behind the word that says what they are
        "driver version: 24.1.0.3",
        "驱动版本：23.0.2.1",
        "v8.0.0.1",
        "8.0.0.1rc2",
        "1.2.3.4.5",  # five numbers
        "8.0.RC1.1",
        "300.1.2.3",  # no address
        "Linux-5.10.0-216.0.0.115.aarch64-#1 SMP",
        "127.0.0.1 and 0.0.0.0 and ::1",  # every machine has these
        "localhost.localdomain",
        "at::native::add",
        "c10d::add",  # hexadecimal, but in no network
        "2026-11-05 08:30:00.123",
        "10:12:37",
        "AFTER / BEFORE",
        "1,200 tokens/s/p",
        "ms/step",
        "https://www.hiascend.com/document/detail",  # the report cites it
        "evidence/choices.toml",
        "Default/network/MatMul",
        "peak_reserved/APP@rank0",
        "rows 2-551",
        "start[k+1] - start[k]",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert scrubbed(text) == text


def test_four_numbers_are_a_version_where_the_key_says_so() -> None:
    assert [is_version_key(key) for key in ("drvVersion", "cann", "info.os", "ENV_VARIABLES.CANN_VERSION")] == [
        True
    ] * 4
    assert not is_version_key("ENV_VARIABLES.MASTER_ADDR")
    assert scrubbed("8.0.0.1", versions=True) == "8.0.0.1"
    assert scrubbed("8.0.0.1") == "<ip>"


def test_pointers_and_operators_begin_with_a_slash_too() -> None:
    assert scrubbed("/traceEvents/0/dur", pointers=True) == "/traceEvents/0/dur"
    assert scrubbed("/model/layers.0/MatMul", pointers=True) == "/model/layers.0/MatMul"
    assert scrubbed("/home/zhaoliu/x", pointers=True) == "<path>"


@pytest.mark.parametrize(
    ("key", "value", "kind", "names"),
    [
        ("info.hostname", "gz-n017", "host", ["gz-n017"]),
        ("hostname", "gz-n017.corp.lan", "host", ["gz-n017.corp.lan", "gz-n017"]),
        ("config.on_trace_ready._worker_name", "gz-n017_4711", "host", ["gz-n017"]),
        ("ENV_VARIABLES.MASTER_ADDR", "10.1.2.3", "host", []),  # an address is found as one
        ("ENV_VARIABLES.USER", "zhaoliu", "user", ["zhaoliu"]),
        ("ENV_VARIABLES.USER", "root", "user", []),
        ("info.mac", "0a1b2c3d4e5f", "mac", ["0a1b2c3d4e5f"]),
        ("hostUid", "8317490123", "serial", ["8317490123"]),
        ("info.host_profiling", "true", "host", []),
        ("hostname", "localhost", "host", []),
    ],
)
def test_a_key_says_what_its_value_is(key: str, value: str, kind: str, names: list[str]) -> None:
    assert list(names_of_key(key, value)) == [Found(kind, name) for name in names]


def test_directories_of_captures_begin_with_the_host_and_home_directories_name_the_user() -> None:
    assert list(names_in("a/gz_n017.lan_410233_20261020101231302_ascend_pt/x")) == [
        Found("host", "gz_n017.lan"),
        Found("host", "gz_n017"),
    ]
    assert list(names_in(r"/data/home/zhaoliu/x and C:\\Users\\li.si\\y")) == [
        Found("user", "zhaoliu"),
        Found("user", "li.si"),
    ]
