"""Signs that official cases describe, each in a generated capture; and that nothing is claimed without the sign."""

from __future__ import annotations

import csv
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from captures import edits
from captures.generator import Op, write_prof_capture, write_torch_capture
from corpus import ADD_TORCH, GELU, MATMUL, needs_corpus, prof, torch
from jobs import ADD, PROF, TORCH, write_pair
from jobs import MATMUL as MATMUL_OP

from reportgen import resources
from reportgen.catalogue import read_catalogue
from reportgen.contract import read_target
from reportgen.diagnoses import SIGNS, diagnose
from reportgen.model import Diagnosis, Side
from reportgen.pipeline import evaluate
from reportgen.reading import read_capture
from reportgen.remedies import read_remedies

EVIDENCE = read_remedies()
LEAST = Fraction(5, 100)


def signs(path: Path, least: Fraction = LEAST) -> dict[str, Diagnosis]:
    found = diagnose(read_capture(path, Side.BEFORE), None, EVIDENCE.signs, least)
    assert all(one.origins and all(origin.file and origin.locator for origin in one.origins) for one in found)
    assert len({one.sign for one in found}) == len(found)
    return {one.sign: one for one in found}


def one(tmp_path: Path, spec: object = TORCH) -> Path:
    write_torch_capture(tmp_path, spec)  # type: ignore[arg-type]
    return tmp_path


def kernels(path: Path) -> Path:
    return edits.find(next(path.iterdir()), "kernel_details.csv")


PMU = ("aic", "aiv", "cube_utilization")


def pmu_columns(path: Path) -> list[str]:
    header = edits.cells(edits.lines(kernels(path))[0])
    return [name for name in header if name.startswith(PMU)]


def rows(path: Path) -> list[dict[str, str]]:
    with kernels(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ------------------------------------------------------------------------------------------- the evidence
def test_the_evidence_names_the_signs_that_are_looked_for_and_cases_that_are_there() -> None:
    assert {sign.id for sign in EVIDENCE.signs} == set(SIGNS)
    rules = {rule.id: rule for rule in read_catalogue(resources.evidence_dir()).rules}
    assert set(EVIDENCE.cited()) <= set(rules)
    numbers = {sign.id: rules[sign.case].source.locator.rsplit("/", 1)[-1] for sign in EVIDENCE.signs}
    assert numbers == {  # the numbers of the eighth part of the course
        "pmu_missing": "profilingcase_002",
        "data_lost": "topic_0000001538203562",
        "storage_limit": "topic_0000001538203562",
        "inflating_switch": "profilingcase_007",
        "format_nhwc": "topic_0000001539375010",
        "one_block_reduce": "topic_0000001261263136",
        "serving": "topic_0000002193154190",
        "iteration_ids_missing": "case_941012",
    }
    for sign in EVIDENCE.signs:
        locator = rules[sign.case].source.locator
        assert locator.startswith("https://www.hiascend.com/document/caselibrary/detail/")


# ------------------------------------------------------------------------------------------- PMU
def test_asked_for_and_no_column(tmp_path: Path) -> None:
    path = one(tmp_path)
    assert "pmu_missing" not in signs(path)
    for name in pmu_columns(path):
        edits.drop_column(kernels(path), name)
    found = signs(path)["pmu_missing"]
    assert found.reason.code == "sign_pmu_missing"
    assert "_aic_metrics" in " ".join(origin.locator for origin in found.origins)


def test_asked_for_and_every_cell_is_0(tmp_path: Path) -> None:
    path = one(tmp_path)
    for name in pmu_columns(path):
        edits.set_column(kernels(path), name, lambda row: "0.0")
    assert signs(path)["pmu_missing"].reason.code == "sign_pmu_zero"


def test_not_asked_for_is_no_sign(tmp_path: Path) -> None:
    assert "pmu_missing" not in signs(one(tmp_path / "0", replace(TORCH, level="Level0")))
    # at Level0 torch_npu collects none, whatever was asked for
    asked = replace(TORCH, level="Level0", aic_metrics="ACL_AICORE_PIPE_UTILIZATION", inner=False)
    assert "pmu_missing" not in signs(one(tmp_path / "1", asked))


# ------------------------------------------------------------------------------------------- settings
def test_a_recorded_storage_limit_is_shown_as_recorded(tmp_path: Path) -> None:
    assert "storage_limit" not in signs(one(tmp_path / "a", replace(TORCH, sample={"storageLimit": ""})))
    found = signs(one(tmp_path / "b", replace(TORCH, sample={"storageLimit": "200MB"})))["storage_limit"]
    assert found.reason.arg("value") == "200MB"


@pytest.mark.parametrize(
    ("common", "experimental", "names"),
    [
        ({"with_stack": True}, {}, "with_stack"),
        ({"with_stack": True, "record_shapes": True}, {}, "with_stack, record_shapes"),
        ({}, {"_profiler_level": "Level2"}, "profiler_level=Level2"),
        ({}, {}, ""),
    ],
)
def test_switches_that_lengthen_a_step(
    tmp_path: Path, common: dict[str, object], experimental: dict[str, object], names: str
) -> None:
    off: dict[str, object] = {"with_stack": False, "record_shapes": False, "profile_memory": False, "with_flops": False}
    spec = replace(TORCH, memory=None, common=off | common, experimental=experimental)
    found = signs(one(tmp_path, spec)).get("inflating_switch")
    assert (found.reason.arg("names") if found is not None else "") == names


def test_lost_data(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    assert "data_lost" not in signs(plan.path)
    data = plan.path / "host" / "data"
    data.mkdir(parents=True, exist_ok=True)
    (data / "prof_collect.info").write_text('{"collect_status": "data_loss"}')
    assert signs(plan.path)["data_lost"].origins[0].file.endswith("prof_collect.info")


# ------------------------------------------------------------------------------------------- kernels
def test_tensors_of_nhwc(tmp_path: Path) -> None:
    path = one(tmp_path)
    assert "format_nhwc" not in signs(path)
    edits.set_column(
        kernels(path), "Input Formats", lambda row: "NHWC;FORMAT_ND" if row["Type"] == "Add" else row["Input Formats"]
    )
    found = signs(path)["format_nhwc"]
    own = [row for row in rows(path) if row["Type"] == "Add"]
    every = [row for row in rows(path) if row["Accelerator Core"] != "HCCL"]
    assert found.count is not None
    assert found.share is not None
    assert found.count.value == len(own) == ADD.calls * TORCH.steps
    # the same sums in microseconds, from the file
    spent = [sum(Fraction(row["Duration(us)"].strip()) for row in part) for part in (own, every)]
    assert found.share.value == spent[0] / spent[1]
    assert found.reason.arg("types") == "Add"


def test_another_format_is_not_nhwc(tmp_path: Path) -> None:
    path = one(tmp_path)
    edits.set_column(kernels(path), "Input Formats", lambda row: "FORMAT_NDHWC;NC1HWC0")
    assert "format_nhwc" not in signs(path)


REDUCE = Op(
    type="ReduceSumD",
    name="aclnnReduceSum_{n}",
    core="AI_VECTOR_CORE",
    mean_ns=200_000,
    calls=2,
    shapes="8,4096",
    dtypes="DT_BF16",
    blocks=1,
)


def test_a_reducing_operator_on_one_core(tmp_path: Path) -> None:
    found = signs(one(tmp_path / "one", replace(TORCH, ops=(MATMUL_OP, ADD, REDUCE))))["one_block_reduce"]
    assert found.count is not None
    assert found.count.value == REDUCE.calls * TORCH.steps
    # means: 2 x 200 of 4 x 240 + 6 x 31 + 2 x 200 = 1546 us, about 26 %
    assert found.share is not None
    assert Fraction(20, 100) < found.share.value < Fraction(32, 100)
    assert "one_block_reduce" not in signs(tmp_path / "one", least=Fraction(40, 100))
    wide = replace(REDUCE, blocks=8)
    assert "one_block_reduce" not in signs(one(tmp_path / "wide", replace(TORCH, ops=(MATMUL_OP, ADD, wide))))
    other = replace(REDUCE, type="Softmax")
    assert "one_block_reduce" not in signs(one(tmp_path / "other", replace(TORCH, ops=(MATMUL_OP, ADD, other))))


def test_step_trace_without_its_ids(tmp_path: Path) -> None:
    plan = write_prof_capture(tmp_path, PROF)
    table = next((plan.path / "mindstudio_profiler_output").glob("op_summary_*.csv"))
    trace = table.with_name(table.name.replace("op_summary", "step_trace"))
    trace.write_text("Device_id,Iteration ID,Iteration End(us),Iteration Time(us)\n0,1,5.000,2.000\n")
    found = signs(plan.path)["iteration_ids_missing"]
    assert found.reason.arg("column") == "Model ID"
    assert found.origins[0].file.endswith(trace.name)


# ------------------------------------------------------------------------------------------- the agreed phase
TARGET = """
schema = 1
decision_rule = "simple"
[contract]
reference = "T"
[[case]]
id = "C"
clause = "1"
[case.workload]
phase = "{phase}"
[[case.goal]]
id = "G"
metric = "step_time"
statistic = "median"
direction = "at_most"
subject = "after"
limit = "1 s"
"""


@pytest.mark.parametrize(("phase", "seen"), [("serving", True), ("training", False)])
def test_a_service_has_a_case_of_its_own(tmp_path: Path, phase: str, seen: bool) -> None:
    target = tmp_path / "target.toml"
    target.write_text(TARGET.format(phase=phase))
    found = evaluate(*write_pair(tmp_path / "pair"), target=read_target(target))
    assert [one.side for one in found.diagnoses if one.sign == "serving"] == [Side.BEFORE, Side.AFTER] * seen


# ------------------------------------------------------------------------------------------- published captures
@needs_corpus
@pytest.mark.corpus
def test_published_captures_claim_nothing_they_do_not_hold() -> None:
    """None of these lacks its PMU columns, uses NHWC or lost data; torch level 0 asked for no metric."""
    for path in (prof(GELU[0]), prof(MATMUL[0]), prof(ADD_TORCH), torch(0, 0), torch(1, 0), torch(1, 0, "db")):
        assert not {"pmu_missing", "format_nhwc", "data_lost", "iteration_ids_missing"} & set(signs(path))


@needs_corpus
@pytest.mark.corpus
def test_published_torch_captures_have_with_stack_on() -> None:
    """Every profiler_info.json of the corpus says ``"with_stack": true``."""
    assert "with_stack" in signs(torch(1, 0))["inflating_switch"].reason.arg("names")
