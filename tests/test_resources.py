"""Where the data files are, in a checkout and in a wheel; that the fonts can draw every text; that the locks agree."""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import unicodedata
import zipfile
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont

import reportgen
from reportgen import resources

ROOT = Path(__file__).resolve().parent.parent
FONTS = ("NotoSansSC-Regular.ttf", "NotoSansSC-Bold.ttf")


def files_below(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def make_fonts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_fonts", ROOT / "templates/fonts/make_fonts.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def font(name: str) -> TTFont:
    return TTFont(resources.fonts_dir() / name)


def test_in_a_checkout_the_data_stand_beside_the_package():
    assert resources.data_root() == ROOT
    assert resources.templates_dir() == ROOT / "templates"
    assert resources.evidence_dir() == ROOT / "evidence"
    assert resources.fonts_dir() == ROOT / "templates" / "fonts"


def test_a_wheel_carries_the_same_data_inside_the_package(tmp_path):
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("reportgen-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)

    ask = "from reportgen import resources; print(resources.data_root(), resources.__file__, sep='\\n')"
    environment = {**os.environ, "PYTHONPATH": str(site)}
    answer = subprocess.run(
        [sys.executable, "-c", ask], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    ).stdout.splitlines()

    assert answer == [str(site / "reportgen" / "_data"), str(site / "reportgen" / "resources.py")]
    for part in ("templates", "evidence"):
        assert files_below(site / "reportgen" / "_data" / part) == files_below(ROOT / part)
    assert (site / "reportgen" / "py.typed").exists()
    assert list(site.glob("reportgen-*.dist-info/licenses/**/OFL.txt"))


def test_every_exported_name_is_found_and_kept():
    assert set(reportgen.__all__) == {"__version__", *reportgen._EXPORTS}
    for name in reportgen.__all__:
        assert name in dir(reportgen)
        assert getattr(reportgen, name) is getattr(reportgen, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = reportgen.nothing


def test_importing_the_package_loads_none_of_its_rooms():
    ask = "import sys, reportgen; print([name for name in sys.modules if name.startswith('reportgen.')])"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert answer.strip() == "[]"


@pytest.mark.parametrize("name", FONTS)
def test_a_font_is_the_one_whose_digest_is_written_down(name):
    sums = dict(reversed(line.split()) for line in (resources.fonts_dir() / "SHA256SUMS").read_text().splitlines())
    assert hashlib.sha256((resources.fonts_dir() / name).read_bytes()).hexdigest() == sums[name]


@pytest.mark.parametrize(("name", "style", "weight"), [(FONTS[0], "Regular", 400), (FONTS[1], "Bold", 700)])
def test_a_font_has_the_family_name_that_css_and_charts_ask_for(name, style, weight):
    names = font(name)["name"]
    assert (names.getDebugName(1), names.getDebugName(2)) == ("Noto Sans SC", style)
    assert font(name)["OS/2"].usWeightClass == weight


@pytest.mark.parametrize("name", FONTS)
def test_a_font_draws_the_marks_of_the_report(name):
    marks = "昇腾✓×≠≤≥±−–→←↑↓?%‰°µμΔ□■○●◇◆▲▼①⑩²³·…—“”《》，。；：（）、≈∞∑√∈⊂⊆∪∩Ωησ\u00a0"
    missing = {mark for mark in marks if ord(mark) not in font(name).getBestCmap()}
    assert not missing


@pytest.mark.parametrize("name", FONTS)
def test_a_font_draws_every_character_of_our_own_texts(name, make_fonts):
    drawn = font(name).getBestCmap()
    missing = [
        f"{path.relative_to(ROOT)}: U+{ord(character):04X} {unicodedata.name(character, '')}"
        for path, text in make_fonts.texts(ROOT)
        for character in sorted(set(text))
        if ord(character) not in make_fonts.SPACES and ord(character) not in drawn
    ]
    assert not missing, "run templates/fonts/make_fonts.py, or use another character"


@pytest.mark.parametrize("name", FONTS)
def test_figures_all_have_one_width(name):
    cmap, widths = font(name).getBestCmap(), font(name)["hmtx"]
    assert len({widths[cmap[ord(digit)]][0] for digit in "0123456789"}) == 1


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE))


def test_the_tests_run_on_the_versions_that_are_delivered():
    delivered, tested = pins("requirements.lock"), pins("requirements-test.lock")
    assert delivered.items() <= tested.items()
    assert {"hatchling", "weasyprint"} <= delivered.keys()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_a_lock_has_hashes_and_no_addresses(lock):
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert not re.findall(r"^-", text, re.MULTILINE)
    for requirement in re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in requirement
