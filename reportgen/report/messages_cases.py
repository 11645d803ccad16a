"""Texts on cases, on what AFTER is held against, and on logs of the command line; merged into ``messages``."""

from __future__ import annotations

from reportgen.report.translations import mark as _

REASONS = {
    "baseline_fixed": _(
        "Held against the agreed value %(value)s (%(source)s) in the place of BEFORE; nothing is known of its "
        "uncertainty, and the interval is that of AFTER alone."
    ),
    "no_before_agreed": _("No BEFORE was agreed."),
    "mean_over_fewer": _("Only %(n)s of %(of)s agreed cases have a ratio; lacking: %(lacking)s."),
    "mean_of_zero": _("A ratio is 0, or the mean is beyond what can be computed."),
    "log_not_agreed": _(
        "The log %(file)s of %(side)s was given on the command line, not in the target; it does not take the place of "
        "the captures or of typed values."
    ),
    "log_by_option": _("The log %(file)s was given on the command line, not in the target."),
}
FIXED_GOALS = {
    ("at_most", "delta"): _("change of %(metric)s (AFTER − agreed value) at most %(limit)s"),
    ("at_least", "delta"): _("change of %(metric)s (AFTER − agreed value) at least %(limit)s"),
    ("at_most", "ratio"): _("%(metric)s, AFTER / agreed value, at most %(limit)s"),
    ("at_least", "ratio"): _("%(metric)s, AFTER / agreed value, at least %(limit)s"),
}
FIXED_SUBJECTS = {"delta": _("AFTER − agreed value"), "ratio": _("AFTER / agreed value")}
FIXED_VALUES = {
    "delta": _("%(metric)s, AFTER − agreed value, is **%(value)s**%(spread)s."),
    "ratio": _("%(metric)s, AFTER / agreed value, is **%(value)s**%(spread)s."),
}
# a value that runs outside the profile give and that is not judged, by what the limit holds for
NOT_JUDGED = {
    "after": _("AFTER %(metric)s is not judged: %(why)s."),
    "delta": _("%(metric)s, AFTER − BEFORE, is not judged: %(why)s."),
    "ratio": _("%(metric)s, AFTER / BEFORE, is not judged: %(why)s."),
    "fixed": _("%(metric)s against the agreed value is not judged: %(why)s."),
}
FIXED_NO_VALUE = {
    "delta": _("%(metric)s, AFTER − agreed value, has no value: %(why)s."),
    "ratio": _("%(metric)s, AFTER / agreed value, has no value: %(why)s."),
}
REQUIRED = _("%(metric)s, %(statistic)s: %(limit)s")
REQUIRED_OF = _("%(metric)s, %(statistic)s, %(subject)s: %(limit)s")
NO_FIGURE = _("none")
LOG_METRIC = _("metric")
LOG_STATISTIC = _("statistic")
LOGS = _("Measured outside the profile: each run on its own (all values, warm-up too)")
RUN_FIGURES = _("Measured outside the profile: figures that both sides give, steps left out as for goals; not judged")
NO_RUN_FIGURES = _("Measured outside the profile: no figure that the runs of both sides give.")
LONE_RUNS = _("Measured outside the profile: files of which no figure is held against the other side")
RUN_HEADS = (
    _("metric"), "BEFORE", "AFTER", _("change, 95% interval"), "AFTER / BEFORE", _("runs × values"),
    _("what may be said"),
)  # fmt: skip
