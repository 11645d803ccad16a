"""report.html as a browser shows it: nothing fetched, nothing run, nothing cut, and what axe finds of accessibility."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.report.conftest import Made
from tests.report.example import example

LANGUAGES = ("zh", "en")
THEMES = ("light", "dark")
WIDTHS = (390, 820, 1440)
"""A phone, a tablet, a screen with the contents beside the text; in px."""
HEIGHT = 1000
PATIENCE = 120_000
"""ms that the browser may take for a step on a busy machine."""
PAPER = {"light": (0xFF, 0xFF, 0xFF), "dark": (0x15, 0x18, 0x1B)}
"""The colour of the page in each theme, as in the design."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Nothing of the browser's own goes out, and it runs as any user."""
FAULTS = """() => {
  const found = [], wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) found.push("the page scrolls sideways");
  for (const box of document.querySelectorAll("main, main *")) {
    const style = getComputedStyle(box);
    if (/hidden|clip/.test(style.overflowX) && box.scrollWidth > box.clientWidth + 1 && !box.closest("svg"))
      found.push("cut: " + box.textContent.slice(0, 60));
  }
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.data.trim() || !node.parentElement.checkVisibility()) continue;
    const scroll = node.parentElement.closest(".scroll");
    if (scroll && getComputedStyle(scroll).overflowX === "auto") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const place = range.getBoundingClientRect();
    if (place.right < 0) continue;   // heads of cards, for screen readers alone
    if (place.left < -0.5 || place.right > wide + 0.5)
      found.push(Math.round(place.left) + " to " + Math.round(place.right) + ": " + node.data.slice(0, 60));
  }
  return found;
}"""
"""What stands beyond the page or is cut, outside the tables that scroll by themselves."""
WORDS = """() => {
  const found = new Set();
  for (const svg of document.querySelectorAll(".chart svg")) {
    if (!svg.checkVisibility()) continue;
    const marks = [];
    for (const item of svg.querySelectorAll("path, rect, text")) {
      const { fill, stroke } = getComputedStyle(item), box = item.getBoundingClientRect();
      if (item.tagName === "text" && stroke !== "none") continue;   // the halo under a word
      if (item.tagName !== "text") { if (fill.startsWith("rgb(") && box.width > 3) marks.push([box, fill]); continue; }
      const x = box.x + box.width / 2, y = box.y + box.height / 2;
      const under = marks.filter(([b]) => b.left <= x && x <= b.right && b.top <= y && y <= b.bottom).pop();
      found.add(fill + " on " + (under ? under[1] : "the page"));
    }
  }
  return [...found];
}"""
"""The colours of the words in charts, each with that of the mark that it stands on."""


def program() -> str | None:
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = program()
    if path is None:
        pytest.skip("no browser is installed: apt-get install -y --no-install-recommends chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(OPTIONS), timeout=PATIENCE)
        yield started
        started.close()


class Watched:
    """A page with what it asked for and what the console said."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.page: Page = browser.new_page(viewport={"width": WIDTHS[1], "height": HEIGHT})
        self.page.set_default_timeout(PATIENCE)
        self.requests: list[str] = []
        self.console: list[str] = []
        self.refused: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.refused.append(f"{request.url} {request.failure}"))
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.goto(file.as_uri())

    def shown(self, theme: str, width: int = WIDTHS[1]) -> Page:
        """The page in this theme and width, from its top."""
        self.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        self.page.set_viewport_size({"width": width, "height": HEIGHT})
        self.page.evaluate("scrollTo(0, 0)")
        return self.page


@pytest.fixture(scope="module", params=LANGUAGES)
def watched(request: pytest.FixtureRequest, browser: Browser, html_of: Made) -> Iterator[Watched]:
    found = Watched(browser, html_of("example", request.param, "brief"))
    yield found
    found.page.close()


@pytest.fixture(scope="module")
def formal(browser: Browser, html_of: Made) -> Iterator[Watched]:
    found = Watched(browser, html_of("example", "zh", "formal"))
    yield found
    found.page.close()


# ------------------------------------------------------------------------------------------- fetches, runs
def test_the_page_asks_for_nothing_and_breaks_no_rule_of_its_own(watched: Watched) -> None:
    page = watched.shown("light")
    policy = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    for width in WIDTHS:  # what a width or a theme would bring in
        for theme in THEMES:
            watched.shown(theme, width)
    page.keyboard.press("End")
    page.wait_for_load_state("networkidle")
    assert watched.requests == [page.url]
    assert watched.console == []


def test_what_is_smuggled_in_neither_loads_nor_runs(browser: Browser, html_of: Made, tmp_path: Path) -> None:
    text = html_of("example", "en", "brief").read_text("utf-8")
    smuggled = (
        '<img src="http://192.0.2.1/a.png"><link rel="stylesheet" href="http://192.0.2.1/a.css">'
        '<script>document.title = "ran"</script><iframe src="http://192.0.2.1/"></iframe></main>'
    )
    file = tmp_path / "report.html"
    file.write_text(text.replace("</main>", smuggled, 1), "utf-8")
    found = Watched(browser, file)
    assert found.page.title().startswith("Performance tuning acceptance report")
    assert sum("Content Security Policy" in line for line in found.console) >= 4
    foreign = [url for url in found.requests if "192.0.2.1" in url]
    assert sorted(found.refused) == sorted(f"{url} csp" for url in foreign)  # none left the browser
    found.page.close()


# ------------------------------------------------------------------------------------------- origins
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_disclosure_opens_to_the_origin(watched: Watched, by: str) -> None:
    page = watched.shown("light")
    details = page.locator("main details").nth({"mouse": 0, "keyboard": 1}[by])
    answer = details.locator("dl")
    assert not answer.is_visible()
    if by == "mouse":
        details.locator("summary").click()
    else:
        details.locator("summary").focus()
        page.keyboard.press("Enter")
    assert answer.is_visible()
    told = answer.inner_text()
    assert re.search(r"\.(csv|db|json)\b", told)  # the file
    assert re.search(r"\bM\d+\b", told)  # the id that explain takes
    box = answer.bounding_box()
    assert box is not None
    assert 0 <= box["x"] < box["x"] + box["width"] <= WIDTHS[1]
    link = answer.locator("a").first  # the line of the manifest, with the digest
    target = page.locator(f"[id='{(link.get_attribute('href') or '')[1:]}']")
    assert re.search(r"[0-9a-f]{64}", target.inner_text())
    details.locator("summary").click()
    assert not answer.is_visible()


def test_every_row_of_the_long_tables_is_found_by_the_search_of_the_browser(watched: Watched) -> None:
    page, report = watched.shown("light"), example()
    wanted = [row.type for row in report.operators] + [row.path.rsplit("/", 1)[-1] for row in report.manifest]
    search = "texts => texts.filter(text => {getSelection().removeAllRanges(); return !find(text)})"
    assert page.evaluate(search, list(dict.fromkeys(wanted))) == []
    assert page.evaluate(search, ["a word that stands nowhere"]) != []
    page.evaluate("getSelection().removeAllRanges()")


# ------------------------------------------------------------------------------------------- accessibility
def violations(page: Page, *inside: str, rules: list[str] | None = None) -> list[Any]:
    """What axe finds in the page, or in these parts of it; by all rules that are on by default, or by these."""
    context = {"include": [[part] for part in inside]} if inside else None
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules is not None:
        options["runOnly"] = rules
    found = Axe().run(page, context=context, options=options).response["violations"]
    return [(one["id"], [node["target"] for node in one["nodes"]][:5]) for one in found]


@pytest.mark.parametrize(("theme", "rules"), [("light", None), ("dark", ["color-contrast", "link-in-text-block"])])
def test_axe_finds_no_violation(watched: Watched, theme: str, rules: list[str] | None) -> None:
    """Every rule; once more in the dark those of colours, all that a theme changes."""
    assert violations(watched.shown(theme), rules=rules) == []


def test_axe_finds_no_violation_around_the_pages_of_the_formal_form(formal: Watched) -> None:
    assert violations(formal.shown("light"), ".cover", ".sheet", ".boxes", ".end") == []  # what it has beside the brief


def luminance(colour: tuple[int, int, int]) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("theme", THEMES)
def test_words_in_charts_stand_out_from_what_they_stand_on(watched: Watched, theme: str) -> None:
    found = watched.shown(theme).evaluate(WORDS)
    assert len(found) > 2
    for pair in found:
        numbers = [int(part) for part in re.findall(r"\d+", pair.replace("the page", str(PAPER[theme])))]
        (red, green, blue), under = numbers[:3], numbers[3:6]
        light, dark = sorted((luminance((red, green, blue)), luminance((under[0], under[1], under[2]))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, pair  # WCAG 2.2, 1.4.3


# ------------------------------------------------------------------------------------------- widths and themes
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_and_the_page_does_not_scroll_sideways(watched: Watched, width: int, tmp_path: Path) -> None:
    for theme in THEMES:
        page = watched.shown(theme, width)
        assert page.evaluate(FAULTS) == []
        picture = Image.open(io.BytesIO(page.screenshot(path=tmp_path / f"{width}.{theme}.png"))).convert("RGB")
        assert picture.size == (width, HEIGHT)
        assert picture.getpixel((2, 2)) == PAPER[theme]
        colours = picture.getcolors(1 << 24) or []
        ink = width * HEIGHT - max(count for count, _ in colours)
        assert 0.02 < ink / (width * HEIGHT) < 0.6  # neither blank nor filled


@pytest.mark.parametrize("width", WIDTHS)
def test_the_formal_form_is_not_cut_either(formal: Watched, width: int) -> None:
    assert formal.shown("light", width).evaluate(FAULTS) == []


def test_the_measure_of_cut_text_sees_it(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 400})
    page.set_content(
        '<!doctype html><body style="margin:0"><main>'
        '<p style="width:50px;overflow:hidden;white-space:nowrap">cut at an edge</p>'
        '<p style="position:absolute;left:380px;white-space:nowrap">over the edge</p></main>'
    )
    found = page.evaluate(FAULTS)
    assert found[:2] == ["the page scrolls sideways", "cut: cut at an edge"]
    assert found[2].endswith("over the edge")
    page.close()
