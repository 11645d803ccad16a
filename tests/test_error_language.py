"""An error is explained in Chinese, below its English lines, for those who read Chinese and nobody else."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest
from command import reportgen

from reportgen.digests import why_unwritable

NAMES = ("LC_ALL", "LC_MESSAGES", "LANG")
MISSING = "  说明：该路径不存在。请检查拼写，并确认磁盘或共享目录已经挂载。\n"
USAGE = "  说明：选项或子命令不存在，或缺少参数。`reportgen --help` 与 `reportgen 子命令 --help` 会列出它们。\n"


@pytest.fixture(autouse=True)
def no_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_a_capture_is_explained_below_the_english_lines(tmp_path: Path) -> None:
    english = reportgen("inspect", tmp_path / "nothing")
    assert english.err.endswith(": does not exist [path_missing]\n  next: check the path\n")
    chinese = reportgen("inspect", tmp_path / "nothing", "--language", "zh")
    assert (chinese.code, chinese.out, chinese.err) == (2, "", english.err + MISSING)


@pytest.mark.parametrize(
    ("locale", "language", "chinese"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "", True),
        ({"LANG": "ZH_TW"}, "", True),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN"}, "", True),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "", False),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "", True),
        ({"LANG": "C.UTF-8"}, "zh", True),
        ({"LANG": "zh_CN.UTF-8"}, "en", False),
    ],
)
def test_the_option_decides_and_without_it_the_locale(
    locale: dict[str, str], language: str, chinese: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    found = reportgen("inspect", "no/such/capture", *(("--language", language) if language else ()))
    assert found.err.endswith(MISSING) == chinese
    assert ("说明" in found.err) == chinese


def test_the_report_is_chinese_by_default_and_its_errors_are_not() -> None:
    words = ("report", "no/before", "no/after", "--target", "no.toml", "--out", "no/out")
    assert "说明" not in reportgen(*words).err
    assert "  说明：约定文件不存在，" in reportgen(*words, "--language", "zh").err


def test_the_command_line_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    english = "reportgen: Missing argument 'path' [bad_usage]\n  next: reportgen inspect --help\n"
    assert reportgen("inspect").err == english
    assert reportgen("inspect", "--language", "zh").err == english + USAGE  # the option is known, the path lacks
    # where the line cannot be parsed nobody knows what it asks for
    unparsed = "reportgen: No such option: --nonsense [bad_usage]\n  next: reportgen inspect --help\n"
    assert reportgen("inspect", "--nonsense", "--language", "zh").err == unparsed
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert reportgen("inspect", "--nonsense").err == unparsed + USAGE
    assert reportgen("inspect", "--language", "en").err == english
    unknown = reportgen("inspect", "x", "--language", "fr").err.splitlines()
    assert unknown[0] == "reportgen: --language 'fr' is not known [language_unknown]"
    assert unknown[-1].startswith("  说明：`--language` 只接受 zh 或 en。")


def test_a_target_has_its_faults_first_and_one_explanation_last(tmp_path: Path) -> None:
    target = tmp_path / "target.toml"
    target.write_text('schema = 1\ndecision_rule = "fair"\nsurprise = 2\n', encoding="utf-8")
    english = reportgen("target", "check", target).err
    chinese = reportgen("target", "check", target, "--language", "zh").err
    assert chinese.startswith(english)
    assert english.count("\n  - ") >= 3
    assert chinese[len(english) :].startswith("  说明：约定文件有错误，全部连同键路径逐条列在上面。")
    assert chinese.count("  说明：") == 1


def test_a_target_without_a_fault_is_told_in_the_language() -> None:
    target = Path(__file__).parent.parent / "examples/target.toml"
    assert reportgen("target", "check", target).out.endswith(
        ": no fault; 1 case(s), 4 goal(s), decision rule guarded\n"
    )
    assert "没有错误" in reportgen("target", "check", target, "--language", "zh").out


def test_an_installation_without_its_languages_still_tells_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reportgen.report import translations

    translations.translator.cache_clear()
    monkeypatch.setattr(translations.resources, "templates_dir", lambda: tmp_path)
    try:
        found = reportgen("inspect", "no/such/capture", "--language", "zh")
    finally:
        translations.translator.cache_clear()
    assert found.err == "reportgen: no/such/capture: does not exist [path_missing]\n  next: check the path\n"


EXAMPLES = Path(__file__).parents[1] / "examples"
PAIR = ("report", EXAMPLES / "before", EXAMPLES / "after")


@pytest.mark.parametrize(
    "words",
    [
        (*PAIR, "--target", "no.toml"),
        (*PAIR, "--target", EXAMPLES / "target.toml", "--note", "no.md"),
        (*PAIR, "--target", EXAMPLES / "target.toml", "--thresholds", "no.toml"),
        (*PAIR, "--target", EXAMPLES / "target.toml", "--attach", "no.txt"),
        (*PAIR, "--target", EXAMPLES / "target.toml", "--log", "after=no.log"),
    ],
    ids=lambda words: str(words[-2]),
)
def test_of_a_file_that_is_not_there_the_path_is_to_be_checked(words: tuple[object, ...], tmp_path: Path) -> None:
    found = reportgen(*words, "--out", tmp_path / "out")
    assert found.code == 2
    assert "\n  next: check the path" in found.err
    assert "Errno" not in found.err  # nothing in the words of the system


def test_a_note_that_is_no_text_is_to_be_saved_as_text(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_bytes(b"\xff\xfe")
    words = (*PAIR, "--target", EXAMPLES / "target.toml", "--note", tmp_path / "note.md", "--out", tmp_path / "out")
    assert "\n  next: save it as UTF-8 text of at most 1 MB" in reportgen(*words).err


# ------------------------------------------------------------------------------------------------ the system's reasons
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("target", "new", "--out", "{root}/there"), "a file is in the way"),
        (("target", "new", "--out", "{root}/none/there"), "its directory does not exist"),
        ((*PAIR, "--target", EXAMPLES / "target.toml", "--out", "{root}/there/out"), "a file is in the way"),
        (
            (
                *PAIR,
                "--target",
                EXAMPLES / "target.toml",
                "--out",
                "{root}/out",
                "--redact",
                "--redact-map",
                "{root}/there/map",
            ),
            "[redaction_map_unwritable]",
        ),
        (("explain", "{root}/" + "n" * 300), "cannot be read: its name is too long"),
        (("inspect", "{root}/there/in"), "does not exist"),
        (("inspect", "{root}/" + "n" * 300), "cannot be read: its name is too long"),
        (
            (*PAIR, "--target", EXAMPLES / "target.toml", "--thresholds", "{root}/circle", "--out", "{root}/out"),
            "its links lead in a circle",
        ),
    ],
)
def test_why_the_system_refuses_is_told_in_our_words(tmp_path: Path, words: tuple[object, ...], why: str) -> None:
    (tmp_path / "there").write_text("x", encoding="utf-8")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    found = reportgen(*(str(word).format(root=tmp_path) for word in words))
    assert found.code == 2
    assert why in found.err, found.err
    assert "Errno" not in found.err


def test_a_full_disk_is_called_so() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    with full.open("w", encoding="utf-8") as out:
        done = subprocess.run(
            [sys.executable, "-m", "reportgen", "target", "new"],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2, "reportgen: cannot be written: no space is left [output_unwritable]"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.ENOSPC, "no space is left"),
        (errno.EROFS, "the medium is read-only"),
        (errno.ENOTDIR, "a part of its path"),
        (errno.EACCES, "writing there is not permitted"),
        (9999, "the system refuses it (error 9999)"),
    ],
)
def test_every_reason_not_to_write_has_words(number: int, why: str) -> None:
    assert why_unwritable(OSError(number, "anything")).startswith(why)


def test_no_error_quotes_the_system() -> None:
    # Its texts are in the language of the machine, and change with it.
    for path in sorted((Path(__file__).parent.parent / "reportgen").rglob("*.py")):
        assert ".strerror" not in path.read_text(encoding="utf-8"), path
