"""Fixed texts on what may be said of a difference: the word of a row, what varies between captures, equivalence.

English is the message id of its translations; ``messages`` takes these tables over.
"""

from __future__ import annotations

from reportgen.report.translations import mark as _

STATUSES = {
    "improved": _("improved"),
    "regressed": _("regressed"),
    "increased": _("increased"),
    "decreased": _("decreased"),
    "equal": _("equal"),
    "no difference demonstrated": _("no difference demonstrated"),
    "equivalent": _("equivalent within the agreed band"),
    "cannot be known": _("cannot be known"),
}
"""The word of a row; the first two follow what the metric calls better and are no verdict."""
STATUSES_BRIEF = {
    "no difference demonstrated": _("not told apart"),
    "equivalent": _("equivalent"),
    "cannot be known": _("not known"),
}
"""The long ones where there is room for a word or two."""
STATUS_BOTH_ZERO = _("equal, both 0")
SPEED = _("%(time)s time, %(speed)s speed")
"""The change of a time and of its inverse, each named."""
KNOWN = {
    ("target", "captures"): _("%(value)s between captures of one build, stated in the target: %(determined)s"),
    ("target", "runs"): _("%(value)s between runs of one build, stated in the target: %(determined)s"),
    ("A/A", "captures"): _("%(value)s between captures of one build, from %(count)s A/A captures: %(determined)s"),
}
"""u_B, by its source and what varies."""
KNOWN_OF = {
    "captures": _("determined from %(count)s captures"),
    "runs": _("determined from %(count)s runs"),
}
KNOWN_HELD = _("The interval holds u_B = %(known)s.")
EQUIVALENCE = _("90%% interval %(interval)s, agreed band %(band)s (±%(width)s).")
NEEDED = _(
    "At the same spread between captures, %(n)s captures per side would tell the value from the limit "
    "(at the least: the spread is itself an estimate)."
)
NEEDED_RUNS = _(
    "At the same spread between runs, %(n)s runs per side would tell the value from the limit "
    "(at the least: the spread is itself an estimate)."
)
ALIKE = {
    "used": _("A/A captures of one unchanged build: %(names)s. The intervals that hold their spread name it."),
    "refused": _("A/A captures that are used for nothing: %(names)s. %(why)s"),
}
REASONS = {
    "alike_given_twice": _("The A/A captures %(name)s and %(other)s are the same capture: they are used for nothing."),
    "alike_not_alike": _(
        "The A/A captures were not captured alike, or not as BEFORE was (%(keys)s): they are used for nothing."
    ),
    "alike_silent": _("The A/A captures given say nothing of this metric: its interval does not hold their spread."),
    "between_not_shown": _(
        "The target asks for A/A captures (--aa) that show how much captures of one build vary, and none do."
    ),
    "single_run_stated": _(
        "A single run a side: how much runs vary is as the target states it, not as these runs show."
    ),
    "equivalence_shown": _("The whole 90%% interval of AFTER / BEFORE lies inside the band agreed as no change."),
    "equivalence_not_shown": _(
        "The 90%% interval of AFTER / BEFORE does not lie wholly inside the band agreed as no change."
    ),
    "equivalence_too_few": _("Equivalence takes at least 4 values a side, and there are %(n)s."),
    "directions_disagree": _(
        "The printed values differ one way and the interval of AFTER / BEFORE lies on the other side of 1: the "
        "direction cannot be told."
    ),
}
TOLD_WHY = {
    "between_not_shown": _("no A/A captures"),
    "directions_disagree": _("values and interval disagree"),
}
