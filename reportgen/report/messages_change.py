"""Texts on what changed: the step taken apart, types that likely match, and what is worse elsewhere.

Parts of the tables of ``messages``, which are merged there.
"""

from __future__ import annotations

from reportgen.report.translations import mark as _
from reportgen.report.translations import mark_plural as _n

REASONS = {
    "parts_not_measured": _("A part of the step has no value on a side: the step is not taken apart."),
    "parts_bounded_differently": _("The step and its parts are bounded in different ways: it is not taken apart."),
    "part_on_one_side": _("%(metric)s has a value on one side only: the step is not taken apart."),
    "parts_do_not_add_up": _("The means of the parts do not add up to the mean step: it is not taken apart."),
    "attribution_blocked": _("The step, or a part of it, gets no verdict: no difference is formed."),
    "captures_of_other_steps": _("Not recorded for each step that the step time is of."),
    "match_renamed": _(
        "Likely one operator under two names, shown by the same on both sides: calls per step (%(calls)s), input shapes"
        " (%(shapes)s) and dtypes, kind of core (%(core)s)."
    ),
    "match_fused": _(
        "Likely fused, shown by equal calls per step of each (%(calls)s); the input shapes of %(first)s (%(shapes)s)"
        " are all inputs of %(whole)s, and each other type shares one with it."
    ),
    "match_fused_together": _(
        "Likely fused, shown by equal calls per step of each (%(calls)s); the input shapes of %(first)s (%(shapes)s)"
        " are all inputs of %(whole)s, and each other type shares one. Which type of AFTER replaced which of BEFORE"
        " cannot be told."
    ),
}
MATCHES = {"renamed": _("likely renamed"), "fused": _("likely fused")}
SUMS = _("%(before)s → %(after)s (%(delta)s) per step.")
ATTRIBUTED = _("Mean of the kept steps, rank %(rank)s: %(before)s → %(after)s (%(delta)s), of which %(parts)s.")
ATTRIBUTED_ALONE = _("Mean of the kept steps: %(before)s → %(after)s (%(delta)s), of which %(parts)s.")
ATTRIBUTED_SPAN = _("Device span, rank %(rank)s: %(before)s → %(after)s (%(delta)s), of which %(parts)s.")
ATTRIBUTED_SPAN_ALONE = _("Device span: %(before)s → %(after)s (%(delta)s), of which %(parts)s.")
"""Of captures without steps, which have no means."""
MEDIAN_APART = _("The median changes by %(median)s, %(apart)s apart from that.")
BESIDE = _("Beside them, as sums over collectives that overlap: %(figures)s.")
NO_CAUSE = _("An arithmetic decomposition, not a causal attribution: a gain belongs to the change list as a whole.")
WHY_MEANS = _("Mean, since medians do not add up.")
WORSE_LINE = _n(
    "Worse in AFTER: %(n)s figure (%(names)s), section %(section)s.",
    "Worse in AFTER: %(n)s figures (%(names)s), section %(section)s.",
)
WORSE_NONE = _("Worse in AFTER: no figure.")
WORSE_UNTOLD = _n(
    "Worse in AFTER: none told apart; %(n)s metric cannot be known.",
    "Worse in AFTER: none told apart; %(n)s metrics cannot be known.",
)
NOT_HELD = _("Not held against each other: %(why)s")
WORSE_RUNS_APART = _("Worse in AFTER: none told apart; figures of runs not compared, section %(section)s.")
WORSE_NOT_SHOWN = _("Worse in AFTER: captures not looked at, since comparability is not shown.")
WORSE_NOT_HELD = _("Worse in AFTER: not looked at, since the two sides are not comparable.")
STATISTICS_DISAGREE = _n(
    "Statistics disagree on %(n)s quantity.",
    "Statistics disagree on %(n)s quantities.",
)
FIGURE_OF = _("%(metric)s, %(statistic)s")
NAMED_CHANGE = _("%(name)s %(change)s")
ON_RANKS = _n("on %(n)s rank, the largest: rank %(rank)s", "on %(n)s ranks, the largest: rank %(rank)s")
DISAGREES = _(
    "%(name)s: %(better)s %(better_before)s → %(better_after)s (%(better_change)s), %(worse)s %(worse_before)s →"
    " %(worse_after)s (%(worse_change)s): statistics of the same runs disagree."
)
WORSE_TOLD = {
    "exact": _("exact"),
    "none_higher": _("higher in AFTER, no interval can be stated"),
    "none_lower": _("lower in AFTER, no interval can be stated"),
}
EXPLAIN = {
    "computing": _("computing"),
    "communication_not_overlapped": _("communication not overlapped"),
    "free": _("free"),
    "mean_step": _("mean step"),
    "median_delta": _("difference of the medians"),
    "apart": _("that less the difference of the means"),
    "note": _("to be known"),
    "evidence": _("shown by"),
    "sum_before": _("sum per step BEFORE"),
    "sum_after": _("sum per step AFTER"),
    "types_before": _("types BEFORE"),
    "types_after": _("types AFTER"),
    "rows": _("rows"),
    "runs": _("runs × values"),
}
EXPLAIN_HEADS = {
    "run": _("Measured outside the profile"),
    "attribution": _("The mean step taken apart"),
    "match": _("Likely the same work"),
    "worse": _("Worse in AFTER"),
    "disagreement": _("Statistics disagree"),
}
EXPLAIN_LIST = {
    "run": _("Figures of runs outside the profile"),
    "attribution": _("What the change is made of"),
    "match": _("Operator types that likely match"),
    "worse": _("Worse in AFTER"),
    "disagreement": _("Statistics that disagree"),
}
SECTIONS = {
    "attribution": _("What the change is made of"),
    "matches": _("Operator types that likely match"),
    "worse": _("Worse in AFTER"),
}
