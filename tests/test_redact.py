"""``report --redact``: nothing that was planted in captures, target, note or command line is in any output."""

from __future__ import annotations

import hashlib
import html
import json
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import pikepdf
import pypdf
import pytest
from captures.generator import write_torch_capture
from command import Result, reportgen
from jobs import AFTER, TORCH, write_pair
from log_lines import megatron

from reportgen import pipeline
from reportgen.model import Evaluation
from reportgen.report import redaction, redaction_map
from reportgen.report.document import Report
from reportgen.report.serialize import to_json

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
[[attachment]]
file = "npu-smi_gz-ascend-n017.txt"
what = "npu-smi on gz-ascend-n017, as zhaoliu"
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
[[case.accuracy]]
name = "MMLU on gz-ascend-n017"
kind = "score"
before = "71.2"
after = "71.0"
tolerance = "0.5"
before_file = "FILE"
after_file = "zhaoliu_after.txt"
before_locator = "line 1 of /data/nas7/zhaoliu/mmlu"
after_locator = "line 1"
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


OWN = """\
schema = 1
[agreed]
on = "2026-10-06"
by = "Performance team at gz-ascend-n017"
document = "practice in /home/zhaoliu/practice.md"
[[threshold]]
id = "own-step"
title = "Step time on gz-ascend-n017"
metric = "step_time"
direction = "at_most"
limit = "200 ms"
scope = "Jobs of zhao.liu@corp.example.com."
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A planted pair below a user's directory, with target, note, logs, attachments and a file of results."""
    root = tmp_path_factory.mktemp("home") / USER
    root.mkdir()
    write_pair(root, TORCH, AFTER)
    for number in (1, 2):
        begin = TORCH.begin.replace("2026-10-20", f"2026-10-1{number}")
        write_torch_capture(root / f"aa{number}", replace(TORCH, begin=begin, seed=10 + number, pid=9000 + number))
    plant(root)
    (root / f"{HOST}.txt").write_text("3050.4\n")
    (root / f"{USER}_after.txt").write_text("71.0\n")
    (root / f"npu-smi_{HOST}.txt").write_text(f"npu-smi 25.2.3 Version: 25.2.3 on {HOST}\n")
    (root / f"top-{USER}.txt").write_text(f"top of {USER}@{HOST}:/tmp\n")
    (root / f"{HOST}-train.log").write_text("".join(megatron(n, stamp=f"10:00:{n:02d}") for n in range(1, 9)))
    (root / "target.toml").write_text(TARGET.replace("FILE", str(root / f"{HOST}.txt")), encoding="utf-8")
    (root / f"{HOST}.toml").write_text(OWN, encoding="utf-8")
    (root / "note.md").write_text(NOTE, encoding="utf-8")
    return root


def run(root: Path, out: Path, *options: str) -> Result:
    return reportgen(
        "report", root / "before", root / "after", "--target", root / "target.toml", "--note", root / "note.md",
        "--aa", root / "aa1", "--aa", root / "aa2", "--log", f"after={root / f'{HOST}-train.log'}",
        "--attach", root / f"top-{USER}.txt", "--thresholds", root / f"{HOST}.toml", "--out", out, "--junit",
        "--redact", *options,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Made:
    """What the command line wrote in both languages, from one evaluation."""

    evaluation: Evaluation
    """Before anything is redacted."""
    texts: dict[tuple[str, str], tuple[str, ...]]
    """(language, output) -> its texts."""
    root: Path
    """Holds ``zh`` and ``en``, and ``map.json`` of the first."""


@pytest.fixture(scope="module")
def written(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The formal form in Chinese with a map, the brief one in English, both with their PDF."""
    root = tmp_path_factory.mktemp("written")
    found: list[Evaluation] = []

    def once(*args: object, real: object = pipeline.evaluate, **options: object) -> Evaluation:
        if not found:
            found.append(real(*args, **options))  # type: ignore[operator]
        return found[0]

    texts: dict[tuple[str, str], tuple[str, ...]] = {}
    with mock.patch.object(pipeline, "evaluate", once):
        for language, form in (("zh", "formal"), ("en", "brief")):
            out = root / language
            result = run(made, out, "--language", language, "--form", form, "--redact-map", str(root / "map.json"))
            assert result.code in (0, 1, 4), result.err
            texts[language, "stdout"] = (result.out,)
            for path in (path for path in out.rglob("*") if path.is_file()):
                if path.name == "report.pdf":
                    texts[language, path.name] = tuple(texts_of_pdf(path))
                else:
                    text = path.read_text("utf-8")
                    texts[language, path.name] = (text, html.unescape(text))
    return Made(evaluation=found[0], texts=texts, root=root)


def texts_of_pdf(path: Path) -> Iterator[str]:
    """Text of the pages, bookmarks and metadata, and every stream and string of the file, its attachment among them."""
    reader = pypdf.PdfReader(path)
    yield "".join(page.extract_text() for page in reader.pages)
    yield repr(reader.outline)
    yield repr(reader.metadata)
    yield from (name + data.decode("utf-8") for name, held in reader.attachments.items() for data in held)
    with pikepdf.open(path) as document:
        for item in document.objects:
            if isinstance(item, pikepdf.Stream):
                if "/Length1" in item:  # a font
                    continue
                data = item.read_bytes()
                yield data.decode("utf-8", "replace")
                yield data.decode("utf-16-be", "replace")
            elif isinstance(item, (pikepdf.Dictionary, pikepdf.Array, pikepdf.String)):
                yield item.unparse().decode("utf-8", "replace")


def flat(text: str) -> str:
    """Without the spaces that a line's end puts into a word."""
    return re.sub(r"\s+", "", text).lower()


def leaks(texts: dict[tuple[str, str], tuple[str, ...]], originals: tuple[str, ...]) -> set[tuple[str, str, str]]:
    """(language, output, original) wherever one still stands."""
    wanted = [flat(original) for original in originals]
    found = set()
    for (language, name), parts in texts.items():
        for part in map(flat, parts):
            found |= {(language, name, original) for original in wanted if original in part}
    return found


@pytest.mark.slow
def test_nothing_planted_is_in_any_output(made: Path, written: Made) -> None:
    names = {name for _language, name in written.texts}
    assert names >= {"stdout", "report.html", "report.json", "report.pdf", "junit.xml", "metrics.csv", "files.csv"}
    assert leaks(written.texts, (*PLANTED, str(made), str(written.root))) == set()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", "en"])
def test_labels_versions_and_signers_stand_in_every_form(written: Made, language: str) -> None:
    report, page = written.texts[language, "report.json"][0], written.texts[language, "report.html"][1]
    printed = flat(written.texts[language, "report.pdf"][0])
    for kept in KEPT:
        assert kept in report
    for label in ("host-1", "user-1", "ip-1", "ip-2", "mac-1", "path-1", "email-1", "serial-1"):
        assert f'"{label}"' in report
    assert "host-1_410233_20261020101231302_ascend_pt" in report
    for kept in ("host-1-train.log", "npu-smi_host-1.txt", "top-user-1.txt", "user-1_after.txt", "MMLU on host-1"):
        assert kept in report
        assert kept in page
    assert "host-1" in printed
    assert "张三" in page  # who signed a declaration is named by it, and is no user of a machine
    assert "张三" in printed
    if language == "zh":
        assert "reportgen report path-" in page


# --------------------------------------------------------------------------------------------- labels and their map
@pytest.fixture(scope="module")
def report(written: Made) -> Report:
    """The report before anything is redacted."""
    return pipeline.build_report(written.evaluation)


def test_the_leaks_are_found_where_nothing_is_redacted(report: Report) -> None:
    texts = {("en", "report.json"): (to_json(report),)}
    assert {original for *_at, original in leaks(texts, PLANTED)} == set(map(flat, PLANTED))


@pytest.mark.slow
def test_the_map_proves_a_label(written: Made) -> None:
    held = written.root / "map.json"
    assert stat.S_IMODE(held.stat().st_mode) == 0o600
    found = json.loads(written.texts["zh", "report.json"][0])["redaction"]
    committed = {row["label"]: row["commitment"] for row in found["labels"]}
    proofs = {row["label"]: row for row in json.loads(held.read_text())["labels"]}
    assert {"host-1", "user-1", "ip-1", "ip-2", "mac-1", "email-1"} <= set(committed) <= set(proofs)
    for label, commitment in committed.items():
        proof = proofs[label]
        data = bytes.fromhex(proof["salt"]) + proof["original"].encode()
        assert hashlib.sha256(data).hexdigest() == commitment
    assert len({row["salt"] for row in proofs.values()}) == len(proofs)  # one label shown tells nothing of another
    assert proofs["host-1"]["original"] == HOST
    assert {proofs["ip-1"]["original"], proofs["ip-2"]["original"]} == {"10.23.45.67", "2001:db8:85a3::8a2e:370:7334"}
    assert json.loads(held.read_text())["secret"] not in "".join(written.texts["zh", "report.json"])
    counts = found["counts"]
    assert (counts["mac"], counts["ip"], counts["email"]) == (1, 2, 2)
    assert sum(counts.values()) == len(committed)


def test_the_same_map_gives_the_same_bytes(report: Report, tmp_path: Path) -> None:
    """Outputs are made of the redacted report and the language alone, so the report's bytes settle it."""
    held = tmp_path / "map.json"
    first = redaction.redact(report, redaction_map.read_map(held))
    redaction_map.write_map(held, first.key)
    second = redaction.redact(report, redaction_map.read_map(held))
    assert to_json(first.report) == to_json(second.report)
    assert redaction_map.map_text(first.key) == redaction_map.map_text(second.key) == held.read_text()


@pytest.mark.slow
def test_the_same_map_gives_both_languages_the_same_labels(written: Made) -> None:
    labels = [json.loads(written.texts[one, "report.json"][0])["redaction"]["labels"] for one in ("zh", "en")]
    assert [row for row in labels[1] if row in labels[0]] == labels[1]


def test_without_a_map_each_run_has_commitments_of_its_own(report: Report) -> None:
    one, other = (redaction.redact(report, redaction.new_key()).report.redaction for _ in range(2))
    assert one is not None
    assert other is not None
    assert [row.label for row in one.labels] == [row.label for row in other.labels]
    assert not {row.commitment for row in one.labels} & {row.commitment for row in other.labels}


def test_digests_stay_those_of_the_originals(made: Path, report: Report) -> None:
    rows = redaction.redact(report, redaction.new_key()).report.manifest
    known = {hashlib.sha256(path.read_bytes()).hexdigest() for path in made.rglob("*") if path.is_file()}
    assert len([row for row in rows if row.digest in known]) >= 20


def test_an_entry_added_to_the_map_is_replaced_as_well(report: Report, tmp_path: Path) -> None:
    held = tmp_path / "map.json"
    held.write_text(json.dumps({
        "reportgen_redaction_map": 1, "secret": "ab" * 32, "labels": [{"label": "host-7", "original": "示例客户"}],
    }))  # fmt: skip
    text = to_json(redaction.redact(report, redaction_map.read_map(held)).report)
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
        ("train.log", ("--redact", "--log", "after={}"), "redaction_map_inside"),
    ],
)
def test_a_map_that_would_be_handed_on_or_is_none_is_refused(
    made: Path, tmp_path: Path, place: str, options: tuple[str, ...], code: str
) -> None:
    (tmp_path / "train.log").write_text(megatron(1) + megatron(2))
    (tmp_path / "bad.json").write_text('{"reportgen_redaction_map": 1, "secret": "00", "labels": []}')
    path = made / place.removeprefix("pair/") if place.startswith("pair/") else tmp_path / place
    result = reportgen(
        "report", made / "before", made / "after", "--target", made / "target.toml", "--out", tmp_path / "out",
        "--redact-map", path, *(option.format(path) for option in options),
    )  # fmt: skip
    assert result.code == 2
    assert f"[{code}]" in result.err
    assert not (tmp_path / "out").exists()
