from __future__ import annotations

import re

import pytest

from reportgen.report import html
from reportgen.report.compact import compact, labels, printed, resolved, style, tokens
from tests.report.explicit import explicit
from tests.report.sample_report import sample_report

ROW = '<tr><th scope="row">a</th><td class="r" data-l="limit">1</td><td data-l="why">x</td></tr>'
HEAD = '<thead><tr><th scope="col">no.</th><th scope="col">limit</th><th scope="col">why</th></tr></thead>'


def test_a_label_of_every_row_is_said_once_for_the_table() -> None:
    assert compact(f'<table class="stack">{HEAD}<tbody>{ROW}\n{ROW}\n</tbody></table>') == (
        '<table class="stack" style="--l2:&#34;limit&#34;;--l3:&#34;why&#34;">'
        '<thead><tr><th scope="col">no.<th scope="col">limit<th scope="col">why</thead>'
        '<tbody><tr><th scope="row">a<td class="r">1<td>x<tr><th scope="row">a<td class="r">1<td>x</tbody></table>'
    )


def test_a_label_that_differs_or_is_missing_in_a_row_stays() -> None:
    other = ROW.replace('"why"', '"supply"').replace(' data-l="limit"', "")
    table = f'<table class="stack"><tbody>{ROW}{other}</tbody></table>'
    assert explicit(compact(table)) == table


def test_a_group_row_has_no_say_in_the_labels() -> None:
    group = '<tr class="grp"><th colspan="3" scope="colgroup">Time</th></tr>'
    found = compact(f'<table class="stack"><tbody>{group}{ROW}</tbody></table>')
    assert found.startswith(
        '<table class="stack" style="--l2:&#34;limit&#34;;--l3:&#34;why&#34;"><tbody><tr class="grp">'
    )


def test_a_quote_in_a_label_ends_neither_the_string_nor_the_attribute() -> None:
    row = '<tr><th scope="row">a</th><td data-l="2&#34; &lt;b&gt;">1</td></tr>'
    found = compact(f'<table class="stack"><tbody>{row}</tbody></table>')
    assert 'style="--l2:&#34;2\\22  &lt;b&gt;&#34;"' in found
    assert labels({}) == ""


def test_only_what_shows_nothing_is_left_out() -> None:
    text = "<p>a\nb <b>c</b>\n<i>d</i></p>\n<h2>e</h2>"
    assert compact(text) == "<p>a\nb <b>c</b>\n<i>d</i></p><h2>e</h2>"


def test_a_style_sheet_loses_comments_and_spaces_alone() -> None:
    sheet = "/* why */\n:root{\n  --a:#fff; --b:1px 2px;  /* note */\n}\n.a .b::after{content:var(--a)}\n"
    assert style(sheet) == ":root{--a:#fff;--b:1px 2px}.a .b::after{content:var(--a)}"


def test_paper_has_no_labels() -> None:
    table = (
        f'<table class="cards"{labels({2: "limit"})}>{HEAD}<tbody>{ROW}</tbody></table><svg style="width:9px"></svg>'
    )
    bare = '<tr><th scope="row">a</th><td class="r">1</td><td>x</td></tr>'
    assert printed(table) == f'<table class="cards">{HEAD}<tbody>{bare}</tbody></table><svg style="width:9px"></svg>'


def test_paper_has_values_in_the_place_of_tokens() -> None:
    values = tokens(':root{--ink:#111;--font:"A B",serif}.a{--ink2:#222}')
    assert values == {"--ink": "#111", "--font": '"A B",serif', "--ink2": "#222"}
    assert resolved("a{color:var(--ink);font-family:var(--font)}", values) == 'a{color:#111;font-family:"A B",serif}'
    with pytest.raises(KeyError):
        resolved("a{color:var(--lost)}", values)


def test_an_end_tag_stays_where_html_asks_for_it() -> None:
    listed = "<dl><dt>a</dt><dd>b</dd></dl>"
    table = f"<table><tbody><tr><td>1</td><td>{listed}</td></tr></tbody></table>"
    assert compact(table) == "<table><tbody><tr><td>1<td><dl><dt>a<dd>b</dl></tbody></table>"
    assert explicit(compact(table)) == table
    assert compact("<p><td>a</td> b</p>") == "<p><td>a</td> b</p>"


def test_the_page_reads_the_same() -> None:
    def words(page: str) -> list[str]:
        return re.sub(r"<[^>]*>", " ", page).split()

    context = html.document(sample_report("met"), language="en", digest="0" * 64, edition="screen")
    assert words(compact(context)) == words(context)
    assert compact(context) == context  # what is compact stays as it is
    assert "data-l" not in context[context.index('id="s-captures"') : context.index('id="s-thresholds"')]
