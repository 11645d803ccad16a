"""``report --redact``: nothing that was planted in captures, target, note or command line is in any output."""

from __future__ import annotations

import hashlib
import html
import json
import re
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pypdf
import pytest
from command import Result, reportgen
from jobs import AFTER, TORCH, write_pair

from reportgen.errors import RenderError
from reportgen.report import pdf

HOST, USER = "gz-ascend-n017", "zhaoliu"
PLANTED = (
    HOST, USER, "10.23.45.67", "2001:db8:85a3::8a2e:370:7334", "a4:b1:c2:0d:3e:5f", "zhao.liu@corp.example.com",
    "2102312ABC6789012345", "/secret project/", "/data/nas7", "corp.lan", "node-b99",
)  # fmt: skip
"""Originals, and pieces of them."""
KEPT = ("8.0.0.1", "Linux-5.10.0-216.0.0.115.aarch64")
"""Versions that look like addresses."""
TARGET = """\
schema = 1
decision_rule = "guarded"
[parties]
customer = "示例客户，联系 zhao.liu@corp.example.com"
[contract]
reference = "HT-1"
report_number = "R-1"
issued = 2026-11-05
[form]
place = "机房，主机 gz-ascend-n017（10.23.45.67）"
topology = "gz-ascend-n017.corp.lan, MAC a4:b1:c2:0d:3e:5f"
data_set = "/data/nas7/zhaoliu/set.bin"
basis = ["zhaoliu@gz-ascend-n017:/home/zhaoliu/plan.md"]
[[deviation]]
no = "D-1"
what = "板卡序列号：2102312ABC6789012345"
remedy = "见 http://node-b99.corp.lan:8080/ticket/7"
[[declared]]
key = "code_revision"
value = "built by zhaoliu in /home/zhaoliu/secret project/src"
signer = "张三"
role = "甲方"
date = 2026-11-01
[[case]]
id = "train"
clause = "1"
[[case.goal]]
id = "g1"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "1 s"
side_condition = "on gz-ascend-n017"
[[case.external]]
side = "after"
metric = "throughput"
kind = "tokens_per_s_per_rank"
statistic = "mean"
value = "3050.4 tokens/s"
conditions = "measured on 2001:db8:85a3::8a2e:370:7334 by zhaoliu"
file = "FILE"
locator = "line 1 of /home/zhaoliu/log"
[[case.goal]]
id = "g2"
metric = "throughput"
kind = "tokens_per_s_per_rank"
statistic = "mean"
direction = "at_least"
subject = "after"
limit = "3000 tokens/s"
"""
NOTE = """\
# 改动

在 `gz-ascend-n017` 上由 zhaoliu 改动，见 [目录](/home/zhaoliu/a)，CANN 8.0.0.1；`ssh zhaoliu@10.23.45.67`，
联系 zhao.liu@corp.example.com，网卡 a4:b1:c2:0d:3e:5f，http://node-b99.corp.lan/x。
"""


def plant(root: Path) -> None:
    """Put host, user, addresses and paths into the settings of both sides."""
    for path in root.rglob("*"):
        if path.name.startswith(("info.json", "sample.json", "profiler_info", "profiler_metadata")):
            held = json.loads(path.read_text())
            if path.name.startswith("info.json"):
                held |= {"hostname": HOST, "mac": "a4:b1:c2:0d:3e:5f"}
            elif path.name == "sample.json":
                held["result_dir"] = f"/home/{USER}/secret project/out"
            elif "metadata" in path.name:
                held["ENV_VARIABLES"] |= {
                    "MASTER_ADDR": "10.23.45.67",
                    "HCCL_IF_IP": "2001:db8:85a3::8a2e:370:7334",
                    "USER": USER,
                    "ASCEND_TOOLKIT_VERSION": "8.0.0.1",
                    "BOARD_SN": "2102312ABC6789012345",
                }
            path.write_text(json.dumps(held))
    for path in sorted(root.rglob("npu-train-03_*")):
        path.rename(path.with_name(path.name.replace("npu-train-03", HOST)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A planted pair below a user's directory, with target, note and a file of results."""
    root = tmp_path_factory.mktemp("home") / USER
    root.mkdir()
    write_pair(root, TORCH, replace(AFTER))
    plant(root)
    results = root / f"{HOST}.txt"
    results.write_text("3050.4\n")
    (root / "target.toml").write_text(TARGET.replace("FILE", str(results)), encoding="utf-8")
    (root / "note.md").write_text(NOTE, encoding="utf-8")
    return root


def run(root: Path, out: Path, *options: str) -> Result:
    pair = (root / "before", root / "after")
    return reportgen(
        "report", *pair, "--target", root / "target.toml", "--note", root / "note.md", "--out", out, "--junit",
        "--redact", *options,
    )  # fmt: skip


@pytest.fixture
def no_pdf(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that cannot make the PDF, which takes the longest."""

    def missing() -> None:
        raise RenderError("pango_missing", "not here")

    monkeypatch.setattr(pdf, "_weasyprint", missing)


def texts_of_pdf(path: Path) -> Iterator[str]:
    """Text of the pages, and every stream and string of the file, attachments and metadata among them."""
    yield "".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    with pikepdf.open(path) as document:
        for item in document.objects:
            if isinstance(item, pikepdf.Stream):
                data = item.read_bytes()
                yield data.decode("utf-8", "replace")
                yield data.decode("utf-16-be", "replace")
            yield repr(item) if isinstance(item, (pikepdf.Dictionary, pikepdf.Array, pikepdf.String)) else ""


def flat(text: str) -> str:
    """Without the spaces that a line's end puts into a word."""
    return re.sub(r"\s+", "", text).lower()


@pytest.mark.parametrize(
    ("language", "form", "with_pdf"), [("zh", "formal", True), ("en", "brief", True), ("en", "formal", False)]
)
def test_nothing_planted_is_in_any_output(
    made: Path, tmp_path: Path, request: pytest.FixtureRequest, language: str, form: str, with_pdf: bool
) -> None:
    if not with_pdf:
        request.getfixturevalue("no_pdf")
    out, held = tmp_path / "out", tmp_path / "map.json"
    result = run(made, out, "--language", language, "--form", form, "--redact-map", str(held))
    assert result.code in (0, 1, 4, 6), result.err
    written = {path.name: path for path in out.iterdir()}
    texts = {name: [path.read_text("utf-8")] for name, path in written.items() if name != "report.pdf"}
    texts["report.html"].append(html.unescape(texts["report.html"][0]))
    texts["stdout"] = [result.out]
    if "report.pdf" in written:
        texts["report.pdf"] = list(texts_of_pdf(written["report.pdf"]))
    elif with_pdf:
        assert "pango_missing" in result.err
    originals = [*PLANTED, str(made), str(tmp_path)]
    leaked = {
        (name, original)
        for name, parts in texts.items()
        for original in originals
        for part in parts
        if flat(original) in flat(part)
    }
    assert leaked == set()
    report = texts["report.json"][0]
    for kept in KEPT:
        assert kept in report
    for label in ("host-1", "user-1", "ip-1", "ip-2", "mac-1", "path-1", "email-1", "serial-1"):
        assert f'"{label}"' in report
    assert "host-1_410233_20261020101231302_ascend_pt" in report
    if form == "formal":
        assert "reportgen report path-" in texts["report.html"][0]


@pytest.mark.usefixtures("no_pdf")
def test_the_map_proves_a_label_and_the_same_map_gives_the_same_bytes(made: Path, tmp_path: Path) -> None:
    held = tmp_path / "map.json"
    for name in ("one", "two"):
        assert run(made, tmp_path / name, "--redact-map", str(held)).code in (0, 1, 4, 6)
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert first == second
    assert stat.S_IMODE(held.stat().st_mode) == 0o600
    report = json.loads(first["report.json"])
    committed = {row["label"]: row["commitment"] for row in report["redaction"]["labels"]}
    proofs = {row["label"]: row for row in json.loads(held.read_text())["labels"]}
    assert {"host-1", "user-1", "ip-1", "ip-2", "mac-1", "email-1"} <= set(committed) <= set(proofs)
    for label, commitment in committed.items():
        proof = proofs[label]
        data = bytes.fromhex(proof["salt"]) + proof["original"].encode()
        assert hashlib.sha256(data).hexdigest() == commitment
    assert len({row["salt"] for row in proofs.values()}) == len(proofs)  # one label shown tells nothing of another
    assert proofs["host-1"]["original"] == HOST
    assert {proofs["ip-1"]["original"], proofs["ip-2"]["original"]} == {"10.23.45.67", "2001:db8:85a3::8a2e:370:7334"}
    assert json.loads(held.read_text())["secret"] not in first["report.json"].decode()
    counts = report["redaction"]["counts"]
    assert (counts["mac"], counts["ip"], counts["email"]) == (1, 2, 1)
    assert sum(counts.values()) == len(committed)


@pytest.mark.usefixtures("no_pdf")
def test_digests_stay_those_of_the_originals(made: Path, tmp_path: Path) -> None:
    run(made, tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "report.json").read_text())["manifest"]
    known = {hashlib.sha256(path.read_bytes()).hexdigest() for path in made.rglob("*") if path.is_file()}
    assert len([row for row in rows if row["digest"] in known]) >= 20


@pytest.mark.usefixtures("no_pdf")
def test_without_a_map_each_run_has_commitments_of_its_own(made: Path, tmp_path: Path) -> None:
    def commitments(name: str) -> Any:
        run(made, tmp_path / name)
        return json.loads((tmp_path / name / "report.json").read_text())["redaction"]["labels"]

    one, other = commitments("one"), commitments("other")
    assert [row["label"] for row in one] == [row["label"] for row in other]
    assert not {row["commitment"] for row in one} & {row["commitment"] for row in other}


@pytest.mark.usefixtures("no_pdf")
def test_an_entry_added_to_the_map_is_replaced_as_well(made: Path, tmp_path: Path) -> None:
    held = tmp_path / "map.json"
    held.write_text(json.dumps({
        "reportgen_redaction_map": 1, "secret": "ab" * 32, "labels": [{"label": "host-7", "original": "示例客户"}],
    }))  # fmt: skip
    run(made, tmp_path / "out", "--redact-map", str(held))
    text = (tmp_path / "out" / "report.json").read_text("utf-8")
    assert "示例客户" not in text
    assert '"customer": "host-7，联系 email-1"' in text
    assert "host-8_410233" in text  # the next number


@pytest.mark.parametrize(
    ("place", "options", "code"),
    [
        ("out/map.json", ("--redact",), "redaction_map_inside"),
        ("pair/before/map.json", ("--redact",), "redaction_map_inside"),
        ("map.json", (), "map_without_redact"),
        ("bad.json", ("--redact",), "redaction_map_invalid"),
        ("nowhere/map.json", ("--redact",), "redaction_map_unwritable"),
    ],
)
def test_a_map_that_would_be_handed_on_or_is_none_is_refused(
    made: Path, tmp_path: Path, place: str, options: tuple[str, ...], code: str
) -> None:
    (tmp_path / "bad.json").write_text('{"reportgen_redaction_map": 1, "secret": "00", "labels": []}')
    path = made / place.removeprefix("pair/") if place.startswith("pair/") else tmp_path / place
    result = reportgen(
        "report", made / "before", made / "after", "--target", made / "target.toml", "--out", tmp_path / "out",
        "--redact-map", path, *options,
    )  # fmt: skip
    assert result.code == 2
    assert f"[{code}]" in result.err
    assert not (tmp_path / "out").exists()
