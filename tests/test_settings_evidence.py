"""That evidence/settings.toml grades every key the profilers write, once, in both languages, and fits real files."""

import datetime as dt
import json
import os
import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("REPORTGEN_CORPUS") or ROOT.parent / "shared" / "corpus")

FILES = {
    "sample.json": re.compile(r"sample\.json"),
    "info.json": re.compile(r"info\.json(\.\d+)?"),
    "start_info": re.compile(r"start_info(\.\d+)?"),
    "end_info": re.compile(r"end_info(\.\d+)?"),
    "profiler_info.json": re.compile(r"profiler_info(_\d+)?\.json"),
    "profiler_metadata.json": re.compile(r"profiler_metadata\.json"),
}
IN_DATABASES = ("META_DATA", "NPU_INFO", "HOST_INFO")
"""Tables of a database that are read as configuration files."""
REQUIRED = {
    "id", "file", "spellings", "place", "optional", "kind", "grade", "families", "compare",
    "why", "why_zh", "graded", "basis",
}  # fmt: skip
OPTIONAL = {"aliases", "scale", "unit", "tolerance", "loud"}
FAMILIES = {"time", "pmu", "memory", "communication", "counts"}

EVIDENCE = tomllib.loads((ROOT / "evidence" / "settings.toml").read_text(encoding="utf-8"))
SETTINGS: list[dict[str, Any]] = EVIDENCE["setting"]
FACTS: list[dict[str, Any]] = EVIDENCE["fact"]
FILE_OF = {generation["id"]: generation["file"] for generation in EVIDENCE["generation"]}
ROW = {row["id"]: row for row in SETTINGS}
BY_KEY = {(row["file"], key): row for row in SETTINGS for key in row["spellings"]}

corpus = pytest.mark.corpus
each_setting = pytest.mark.parametrize("row", SETTINGS, ids=[row["id"] for row in SETTINGS])


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The flattened key paths that settings.toml speaks of, with their values."""
    if path == "parallel_group_info":
        yield path, value
    elif isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from flatten(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
        for inner in value:
            yield from flatten(inner, f"{path}.[]")
    else:
        yield path, value


@cache
def keys_of(generation: str) -> frozenset[str]:
    return frozenset(key for row in SETTINGS for key, writers in row["spellings"].items() if generation in writers)


def generation_of(file: str, keys: set[str]) -> str:
    """Most keys shared; of several, fewest the file lacks. Two that fit alike would be a fault of the evidence."""
    ranked = sorted(
        ((-len(keys & keys_of(g)), len(keys_of(g) - keys), g) for g, of in FILE_OF.items() if of == file),
    )
    assert len(ranked) == 1 or ranked[0][:2] != ranked[1][:2], ranked[:2]
    return ranked[0][2]


def place_of(path: Path, keys: set[str]) -> str:
    if path.parent.name == "host":
        return "host"
    if path.parent.name.startswith("device_") or any(key.startswith("DeviceInfo.[]") for key in keys):
        return "device"
    return "both"


@cache
def corpus_files() -> tuple[tuple[str, Path, dict[str, Any]], ...]:
    if not CORPUS.is_dir():
        pytest.skip("the corpus of real captures is absent: set REPORTGEN_CORPUS")
    found = [
        (file, path, dict(flatten(json.loads(path.read_text(encoding="utf-8")))))
        for path in sorted(CORPUS.rglob("*"))
        for file, pattern in FILES.items()
        if pattern.fullmatch(path.name)
    ]
    assert found, f"no settings file below {CORPUS}"
    for path in sorted(CORPUS.rglob("*.db")):
        found += [(file, path, values) for file, values in database_settings(path).items() if values]
    return tuple(found)


def database_settings(path: Path) -> dict[str, dict[str, Any]]:
    """What a database says of itself, by plain SQL; nothing from a database without kernels."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not set(IN_DATABASES) <= tables:
            return {}
        (host,) = db.execute("SELECT hostUid, hostName FROM HOST_INFO")
        (chip,) = db.execute("SELECT name FROM NPU_INFO")
        meta = dict(db.execute("SELECT name, value FROM META_DATA WHERE name LIKE 'SCHEMA_VERSION%'"))
    return {
        "META_DATA": meta,
        "NPU_INFO": {"name": chip[0]},
        "HOST_INFO": dict(zip(("hostUid", "hostName"), host, strict=True)),
    }


def corpus_file(relative: str) -> dict[str, Any]:
    return next(values for _, path, values in corpus_files() if path == CORPUS / relative)


def differing(before: str, after: str) -> set[str]:
    """Ids of the rows whose values differ between two corpus files, by number and tolerance where the row says so."""
    file = next(file for file, pattern in FILES.items() if pattern.fullmatch(Path(before).name))
    one, other = corpus_file(before), corpus_file(after)
    ids = set()
    for key in one.keys() | other.keys():
        row = BY_KEY[file, key]
        a, b = one.get(key), other.get(key)
        if row["compare"] == "number" and a is not None and b is not None:
            x, y = Decimal(str(a)), Decimal(str(b))
            same = abs(x - y) <= Decimal(row.get("tolerance", "0")) * abs(x)
        else:
            same = a == b
        if not same:
            ids.add(row["id"])
    return ids


# The file by itself


def test_is_data_of_schema_one() -> None:
    assert EVIDENCE.keys() == {"schema", "generation", "setting", "fact"}
    assert EVIDENCE["schema"] == 1


def test_generations_are_named_once_and_each_writes_a_key() -> None:
    assert len(FILE_OF) == len(EVIDENCE["generation"])
    for generation in EVIDENCE["generation"]:
        assert generation.keys() == {"id", "file", "title"}
        assert generation["file"] in (*FILES, *IN_DATABASES)
        assert generation["title"].strip()
        assert keys_of(generation["id"]), generation["id"]
    assert set(FILE_OF.values()) == {*FILES, *IN_DATABASES}


def test_no_two_generations_write_the_same_keys() -> None:
    sets = [(FILE_OF[g], keys_of(g)) for g in FILE_OF]
    assert len(set(sets)) == len(sets)


@pytest.mark.parametrize(
    ("generation", "count"),
    [
        ("sample-2022", 104),
        ("sample-2024-310b", 100),
        ("sample-2026", 131),
        ("sample-2026-source", 136),
        ("times-start-2022", 3),
        ("times-start-2026", 5),
        ("times-end-2022", 3),
        ("times-end-2026", 5),
    ],
)
def test_key_counts_are_those_of_the_format_reference(generation: str, count: int) -> None:
    assert len(keys_of(generation)) == count


def test_seventy_seven_sample_keys_are_common_to_the_three_generations() -> None:
    assert len(keys_of("sample-2022") & keys_of("sample-2024-310b") & keys_of("sample-2026")) == 77


def test_ids_are_unique() -> None:
    assert [i for i, n in Counter(row["id"] for row in SETTINGS).items() if n > 1] == []


def test_each_spelling_is_in_exactly_one_row_of_its_file() -> None:
    pairs = Counter((row["file"], key) for row in SETTINGS for key in row["spellings"])
    assert [pair for pair, n in pairs.items() if n > 1] == []


@each_setting
def test_row_has_the_fields_and_words_of_the_schema(row: dict[str, Any]) -> None:
    assert row.keys() >= REQUIRED
    assert row.keys() <= REQUIRED | OPTIONAL
    assert row["file"] in (*FILES, *IN_DATABASES)
    assert re.fullmatch(re.escape(row["file"].removesuffix(".json")) + r"\.[a-z][a-z0-9]*(_[a-z0-9]+)*", row["id"])
    assert row["place"] in {"both", "host", "device"}
    assert isinstance(row["optional"], bool)
    assert row["kind"] in {"value", "switch"}
    assert row["grade"] in {"all", "family", "bias", "identity"}
    assert row["compare"] in {"text", "number", "set", "list"}
    assert isinstance(row["graded"], dt.date)
    assert re.fullmatch(r"formats \d+(\.\d+)?|name and values", row["basis"])
    assert set(row["families"]) <= FAMILIES
    assert bool(row["families"]) == (row["grade"] == "family")


@each_setting
def test_row_is_spelled_by_generations_of_its_file(row: dict[str, Any]) -> None:
    writers = [writer for named in row["spellings"].values() for writer in named]
    assert writers
    assert all(FILE_OF[writer] == row["file"] for writer in writers)
    assert len(set(writers)) == len(writers), "two spellings of one meaning in one file"


@each_setting
def test_row_says_why_in_both_languages(row: dict[str, Any]) -> None:
    assert row["why"].isascii()
    assert row["why"].endswith(".")
    assert re.search(r"[一-鿿]", row["why_zh"])
    assert row["why_zh"].endswith("。")
    assert not {"\n", "\t"} & set(row["why"] + row["why_zh"])


@each_setting
def test_optional_fields_fit_the_row(row: dict[str, Any]) -> None:
    if "tolerance" in row or "scale" in row:
        assert row["compare"] == "number"
    assert 0 <= Decimal(row.get("tolerance", "0")) < Decimal("0.01")
    for key, factors in row.get("scale", {}).items():
        assert set(factors) == set(row["spellings"][key]), "a factor for each generation"
        assert all(isinstance(factor, int) and factor > 0 for factor in factors.values())
    aliases = row.get("aliases", {})
    assert not set(aliases) & set(aliases.values()), "an alias leads to the end, not to another alias"
    if "loud" in row:
        assert row["loud"] is True
        assert row["grade"] == "bias"


def test_facts_are_few_and_can_be_remedied_in_both_languages() -> None:
    assert [fact["id"] for fact in FACTS] == [
        "cann_version",
        "torch_npu_version",
        "task_queue_enable",
        "cpu_binding",
        "hccl_expansion",
        "chip_neighbours",
        "code_revision",
    ]
    for fact in FACTS:
        assert fact.keys() - {"producers"} == {"id", "keys", "title", "title_zh", "remedy", "remedy_zh"}
        assert set(fact.get("producers", [])) <= {"torch", "msprof"}
        assert fact["title"].isascii()
        assert fact["remedy"].isascii()
        assert re.search(r"[一-鿿]", fact["title_zh"])
        assert re.search(r"[一-鿿]", fact["remedy_zh"])
        assert fact["id"] in fact["remedy"]
        assert fact["id"] in fact["remedy_zh"]
        assert all(ROW[key]["loud"] for key in fact["keys"])


# Rows that were disputed, and traps

GRADES = [
    ("sample.level", "all", []),
    ("sample.task_time", "all", []),
    ("sample.task_trace", "all", []),
    ("sample.data_type_config", "all", []),
    ("sample.instr_profiling", "all", []),
    ("sample.delay_time", "all", []),
    ("sample.duration_time", "all", []),
    ("sample.profiling_mode", "all", []),
    ("sample.ai_core_profiling", "family", ["pmu"]),
    ("sample.ai_core_profiling_mode", "all", []),
    ("sample.ai_core_metrics", "family", ["pmu"]),
    ("sample.aiv_profiling_events", "family", ["pmu"]),
    ("sample.hccl_trace", "family", ["communication"]),
    ("sample.hardware_mem", "family", ["memory"]),
    ("sample.hardware_mem_sampling_interval", "family", ["memory"]),
    ("sample.app", "bias", []),
    ("sample.app_dir", "bias", []),
    ("sample.app_parameters", "bias", []),
    ("sample.cmd_path", "bias", []),
    ("sample.devices", "bias", []),
    ("sample.storage_limit", "identity", []),
    ("sample.job_id", "identity", []),
    ("sample.hwts_log", "identity", []),
    ("info.platform_version", "all", []),
    ("info.ai_core_num", "all", []),
    ("info.aiv_num", "all", []),
    ("info.aic_frequency", "all", []),
    ("info.aiv_frequency", "all", []),
    ("info.hwts_frequency", "bias", []),
    ("info.drv_version", "bias", []),
    ("info.cann_version", "bias", []),
    ("info.pid_name", "bias", []),
    ("info.hostname", "bias", []),
    ("info.memory_total", "identity", []),
    ("info.up_time", "identity", []),
    ("info.real_cpu_freq", "identity", []),
    ("info.mac", "identity", []),
    ("info.rank_id", "identity", []),
    ("profiler_info.with_stack", "family", ["time"]),
    ("profiler_info.profile_memory", "family", ["memory"]),
    ("profiler_info.aic_metrics", "family", ["pmu"]),
    ("profiler_info.profiler_level", "all", []),
    ("profiler_info.activities", "all", []),
    ("profiler_info.schedule", "all", []),
    ("profiler_info.schedule_active", "bias", []),
    ("profiler_info.export_type", "all", []),
    ("profiler_info.data_simplification", "identity", []),
    ("profiler_info.record_shapes", "bias", []),
    ("profiler_info.torch_npu_version", "bias", []),
    ("profiler_info.cann_version", "bias", []),
    ("profiler_metadata.ascend_launch_blocking", "all", []),
    ("profiler_metadata.ascend_global_log_level", "all", []),
    ("profiler_metadata.pytorch_npu_alloc_conf", "all", []),
    ("profiler_metadata.hccl_algo", "all", []),
    ("profiler_metadata.parallel_group_info", "all", []),
    ("profiler_metadata.world_size", "all", []),
    ("profiler_metadata.sequence_parallel", "all", []),
    ("profiler_metadata.rank", "identity", []),
]


@pytest.mark.parametrize(("setting", "grade", "families"), GRADES, ids=[case[0] for case in GRADES])
def test_grade(setting: str, grade: str, families: list[str]) -> None:
    assert (ROW[setting]["grade"], ROW[setting]["families"]) == (grade, families)


def test_every_environment_variable_blocks_everything() -> None:
    rows = [row for row in SETTINGS if any(key.startswith("ENV_VARIABLES.") for key in row["spellings"])]
    assert len(rows) == 9
    assert {row["grade"] for row in [*rows, ROW["sample.app_env"]]} == {"all"}
    assert {row["kind"] for row in rows} == {"value"}, "a variable nobody recorded is not a variable that was off"


def test_versions_are_loud() -> None:
    assert {row["id"] for row in SETTINGS if row.get("loud")} == {
        "info.drv_version",
        "info.cann_version",
        "profiler_info.torch_npu_version",
        "profiler_info.cann_version",
        "META_DATA.version",
        "META_DATA.minor",
        "META_DATA.micro",
    }


def test_what_is_the_same_under_two_spellings() -> None:
    assert ROW["sample.level"]["spellings"].keys() == {"profLevel", "prof_level"}
    assert ROW["sample.level"]["aliases"]["l0"] == "level0"
    assert ROW["sample.level"]["aliases"]["l1"] == ROW["sample.level"]["aliases"]["on"] == "level1"
    assert ROW["sample.profiling_mode"]["aliases"] == {"": "def_mode"}
    assert ROW["sample.ai_core_metrics"]["aliases"] == {"PipeUtilization": "PipeUtilizationExct"}
    assert "aliases" not in ROW["sample.aiv_metrics"]
    assert ROW["profiler_info.export_type"]["aliases"] == {"null": "text"}
    assert ROW["sample.instr_profiling"]["spellings"].keys() == {"biu", "instr_profiling", "instrProfiling"}
    assert ROW["sample.host_profiling"]["aliases"] == {"0": "false", "1": "true"}
    assert ROW["profiler_info.schedule_wait"]["spellings"].keys() == {
        "config.common_config.schedule._wait",
        "config.common_config.schedule.wait",
    }


def test_the_period_of_device_memory_is_compared_in_microseconds() -> None:
    row = ROW["sample.hardware_mem_sampling_interval"]
    assert row["unit"] == "us"
    factors = row["scale"]["hardware_mem_sampling_interval"]
    assert factors["sample-2022"] * 20 == factors["sample-2024-310b"] * 20 == factors["sample-2026"] * 20000


def test_the_clock_of_the_task_log_may_flip_between_boots() -> None:
    row = ROW["info.hwts_frequency"]
    assert row["compare"] == "number"
    assert abs(Decimal("49.999001") - 50) <= Decimal(row["tolerance"]) * 50


def test_the_level_of_2022_was_written_by_nobody() -> None:
    assert not keys_of("sample-2022") & (ROW["sample.level"]["spellings"].keys() | {"taskTime", "taskTrace"})


# Against the real files


@corpus
def test_every_key_of_every_real_file_is_in_a_row_and_in_the_generation_that_fits_best() -> None:
    faults = []
    for file, path, values in corpus_files():
        generation = generation_of(file, set(values))
        writes = keys_of(generation)
        place = place_of(path, set(values))
        for key in values:
            if (file, key) not in BY_KEY:
                faults.append(f"{path}: {key} is in no row")
            elif key not in writes:
                faults.append(f"{path}: {key} is not in {generation}")
            elif place != "both" and BY_KEY[file, key]["place"] not in {"both", place}:
                faults.append(f"{path}: {key} stands in the copy of the {place}")
    assert faults == []


@corpus
def test_no_real_file_lacks_a_key_that_its_generation_writes() -> None:
    faults = []
    for file, path, values in corpus_files():
        place = place_of(path, set(values))
        for key in keys_of(generation_of(file, set(values))) - set(values):
            row = BY_KEY[file, key]
            if not row["optional"] and (place == "both" or row["place"] in {"both", place}):
                faults.append(f"{path}: {key}")
    assert faults == []


@corpus
def test_real_files_fall_to_the_generations_they_are_known_to_be_of() -> None:
    seen = {}
    for file, path, values in corpus_files():
        top = path.relative_to(CORPUS).parts[0]
        seen.setdefault((top, file), set()).add(generation_of(file, set(values)))
    assert seen == {
        ("fragments", "profiler_info.json"): {"torch-2023"},
        ("fragments", "profiler_metadata.json"): {"metadata-2025-algo"},
        ("msprof-310b-level1", "sample.json"): {"sample-2024-310b"},
        ("msprof-310b-level1", "info.json"): {"info-2024"},
        ("msprof-310b-level1", "start_info"): {"times-start-2022"},
        ("msprof-310b-level1", "end_info"): {"times-end-2022"},
        ("msprof-910b-level0", "sample.json"): {"sample-2026"},
        ("msprof-910b-level0", "META_DATA"): {"schema-1"},
        ("msprof-910b-level0", "NPU_INFO"): {"npu-1"},
        ("msprof-910b-level0", "HOST_INFO"): {"host-1"},
        ("torch-910b", "META_DATA"): {"schema-1"},
        ("torch-910b", "NPU_INFO"): {"npu-1"},
        ("torch-910b", "HOST_INFO"): {"host-1"},
        ("msprof-910b-level0", "info.json"): {"info-2026"},
        ("msprof-910b-level0", "start_info"): {"times-start-2026"},
        ("msprof-910b-level0", "end_info"): {"times-end-2026"},
        ("settings-2022", "sample.json"): {"sample-2022"},
        ("settings-2022", "info.json"): {"info-2022"},
        ("settings-2022", "start_info"): {"times-start-2022"},
        ("settings-2022", "end_info"): {"times-end-2022"},
        ("torch-910b", "profiler_info.json"): {"torch-2025"},
        ("torch-910b", "profiler_metadata.json"): {"metadata-2025"},
    }


@corpus
def test_every_generation_is_seen_or_says_that_it_is_not() -> None:
    seen = {generation_of(file, set(values)) for file, _, values in corpus_files()}
    unseen = [generation["title"] for generation in EVIDENCE["generation"] if generation["id"] not in seen]
    assert [title for title in unseen if "source" not in title and "published" not in title] == []


@corpus
def test_values_called_numbers_are_numbers() -> None:
    for file, path, values in corpus_files():
        for key, value in values.items():
            if BY_KEY[file, key]["compare"] == "number":
                assert Decimal(str(value)).is_finite(), f"{path}: {key}"


@corpus
def test_switches_hold_what_a_switch_may_hold() -> None:
    for file, path, values in corpus_files():
        for key, value in values.items():
            if BY_KEY[file, key]["kind"] == "switch":
                assert value in ("on", "off", "", True, False), f"{path}: {key}"


@corpus
@pytest.mark.parametrize("name", ["host/sample.json", "device_0/sample.json", "host/info.json", "device_0/info.json.0"])
def test_a_repeat_of_the_same_program_differs_in_identity_only(name: str) -> None:
    pair = "msprof-910b-level0/matmul/torch-twice/"
    ids = differing(
        f"{pair}PROF_000001_20260716234341283_00087317MDEDFEKD/{name}",
        f"{pair}PROF_000001_20260717000452202_00098666JPPHCHRQ/{name}",
    )
    assert ids
    assert {ROW[i]["grade"] for i in ids} == {"identity"}


@corpus
def test_a_boot_between_two_captures_is_no_difference_of_the_chip() -> None:
    ids = differing(
        "msprof-910b-level0/add/torch/PROF_000001_20260716124350368_00192974EMBEDEEC/device_0/info.json.0",
        "msprof-910b-level0/matmul/torch-twice/PROF_000001_20260716234341283_00087317MDEDFEKD/device_0/info.json.0",
    )
    assert ids == {"info.memory_total", "info.pid", "info.up_time"}


@corpus
def test_level_and_export_are_what_differs_between_the_torch_captures() -> None:
    clocks = {
        "profiler_info.start_cnt",
        "profiler_info.start_monotonic",
        "profiler_info.end_collection_time",
        "profiler_info.end_monotonic_time",
    }
    name = "torch-910b/{}/rank0_ascend_pt/profiler_info_0.json"
    assert differing(name.format("text/level0"), name.format("text/level1")) - clocks == {
        "profiler_info.profiler_level",
        "profiler_info.aic_metrics",
    }
    assert differing(name.format("text/level1"), name.format("db/level1")) - clocks == {"profiler_info.export_type"}
