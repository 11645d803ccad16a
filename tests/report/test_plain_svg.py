from __future__ import annotations

from reportgen.report.plain_svg import plain


def test_a_disc_is_a_circle_of_its_radius() -> None:
    arcs = "M2.236,0A2.236,2.236,0,1,1,-2.236,0"
    path = f'<path transform="translate(412.21,19)" d="{arcs}" fill="#6b6b6b" stroke-width="2"/>'
    assert plain(path, size=11) == '<circle cx="412.2" cy="19" r="2.2" fill="#6b6b6b"/>'


def test_a_line_stands_where_it_was_moved_to() -> None:
    line = '<line transform="translate(71,0.04)" x2="0" y2="-112" stroke="#d5d9dd" stroke-width="0.6"/>'
    assert plain(line, size=11) == '<line x1="71" y1="0" x2="71" y2="-112" stroke="#d5d9dd" stroke-width="0.6"/>'


def test_a_step_line_names_the_axis_that_it_moves_along() -> None:
    path = '<path d="M0,49.24L0.01,49.24L23,49.24L23,27.82L30,20" stroke="#6b6b6b"/>'
    assert plain(path, size=11) == '<path d="M0,49.2H23V27.8L30,20" stroke="#6b6b6b"/>'


def test_a_text_keeps_its_words_and_its_turn() -> None:
    text = '<text text-anchor="start" transform="translate(5,6.66)" font-size="11px" fill="#1a1d21">M1,0L2,3</text>'
    assert plain(text, size=11) == '<text x="5" y="6.7" fill="#1a1d21">M1,0L2,3</text>'
    turned = '<text transform="translate(5,6) rotate(-90)" fill="#1a1d21">a</text>'
    assert plain(turned, size=11) == turned


def test_what_draws_nothing_is_left_out() -> None:
    group = '<g><path d="M0,0h640v168h-640Z"/><g class="mark-rect"><path d="M0,0h5v5h-5Z" fill="#fff"/></g></g>'
    assert plain(group, size=11) == '<rect x="0" y="0" width="5" height="5" fill="#fff"/>'


def test_a_rectangle_that_grows_leftwards_begins_at_its_left_edge() -> None:
    path = '<path d="M30,20h-12.3456v-5h12.3456Z" fill="#dfe1e3"/>'
    assert plain(path, size=11) == '<rect x="17.65" y="15" width="12.35" height="5" fill="#dfe1e3"/>'
