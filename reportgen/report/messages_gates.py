"""Fixed texts on accuracy, inflation, gates and attachments; ``messages`` takes the sentences of reasons over."""

from __future__ import annotations

from reportgen.report.translations import mark as _
from reportgen.report.translations import mark_plural as _n

REASONS = {
    # accuracy
    "accuracy_score_within": _("AFTER is within the tolerance."),
    "accuracy_score_beyond": _("AFTER is beyond the tolerance."),
    "accuracy_typed_contradicts": _(
        "%(side)s: %(typed)s was typed into the target, and %(file)s holds %(read)s: the target contradicts its file."
    ),
    "accuracy_not_read": _("%(side)s: no value can be read at %(place)s of %(file)s, and none was typed."),
    "accuracy_not_at": _("%(file)s holds no number at %(place)s."),
    "accuracy_too_large": _("%(file)s is larger than %(limit)s bytes, the largest file a score is read from."),
    "accuracy_same_place": _("Both values stand at %(place)s of the same file, %(file)s: nothing was compared."),
    "accuracy_percent": _(
        "Written are %(before)s in BEFORE, %(after)s in AFTER and a tolerance of %(tolerance)s: percentages and plain "
        "numbers are not held against each other."
    ),
    "accuracy_scale": _(
        "The values of the two sides are %(factor)s times apart and more, so that one may be written on another scale."
    ),
    "accuracy_curve_within": _("Every step of the range was compared, and the deviation is within the tolerance."),
    "accuracy_max_beyond": _("The deviation at step %(step)s is beyond the tolerance."),
    "accuracy_mean_beyond": _("The mean deviation is beyond the tolerance."),
    "accuracy_same_file": _("Both curves are of one run of one file, %(file)s: nothing was compared."),
    "accuracy_series": _(
        "The curve of BEFORE is %(before)s and that of AFTER is %(after)s: the target has to name the series."
    ),
    "accuracy_curve_unfit": _("%(file)s is of no real workload, or has steps without update that it does not number."),
    "accuracy_no_common_steps": _("The curves have no step in common within the range."),
    "accuracy_uncounted": _(
        "Iterations in the range were skipped, left out by their reader or gave no finite value: %(before)s in BEFORE, "
        "%(after)s in AFTER."
    ),
    "accuracy_one_sided": _(
        "Steps in the range stand on one side alone: %(before)s in BEFORE only, %(after)s in AFTER only."
    ),
    "accuracy_before_zero": _("BEFORE is 0 at step %(step)s: there is no relative deviation."),
    "accuracy_range": _(
        "The curves do not cover the steps %(first)s to %(last)s: they share %(n)s steps, %(begin)s to %(end)s, "
        "or gaps between them."
    ),
    "curve_missing": _("%(file)s holds no series %(series)s over numbered steps."),
    "curve_several": _("%(file)s holds several such series (%(names)s): the target has to name one."),
    "curve_runs": _("%(file)s holds %(n)s runs: the target has to name one of them, counted from 0."),
    "accuracy_missing": _(
        "The data type or the quantisation differs between the sides and no criterion of accuracy is agreed for the "
        "case, so speed alone is not judged."
    ),
    "accuracy_not_shown_met": _(
        "The data type or the quantisation differs between the sides and the criterion of accuracy %(criterion)s is "
        "not shown to be met, so speed alone is not judged."
    ),
    "accuracy_not_met": _("The agreed criterion of accuracy %(criterion)s is not met."),
    "accuracy_undecided": _("The agreed criterion of accuracy %(criterion)s is undecided."),
    "precision_dtype": _("Data type that holds most cube time: %(before)s in BEFORE, %(after)s in AFTER."),
    "precision_dtype_one_side": _(
        "%(side)s does not record data types of cube kernels, the other side does (%(dtype)s): another one is not "
        "ruled out."
    ),
    "precision_low_dtype": _("Cube kernels of AFTER alone work on %(names)s."),
    "precision_quant_kernels": _("AFTER alone has kernels that quantise (%(n)s types): %(names)s."),
    "precision_setting": _("%(key)s: %(before)s in BEFORE, %(after)s in AFTER."),
    "precision_log": _("The logs state %(key)s: %(before)s in BEFORE, %(after)s in AFTER."),
    "precision_change_list": _("The change list speaks of it: %(what)s."),
    "log_not_finite": _("%(n)s values of %(key)s are no finite number: iterations %(iterations)s."),
    # inflation
    "inflation_no_profiled": _("No profiled value of this side is known."),
    "inflation_no_unprofiled": _("No run of this side is said to be unprofiled and tells of it."),
    "inflation_not_known": _("Not known: it takes the profiled and the unprofiled value of one side."),
    # gates
    "gate_differs": _("Differs: %(keys)s."),
    "gate_unknown": _("Not recorded where it should be, or not recordable: %(keys)s."),
    "gate_biased": _("Differs and is a reservation: %(keys)s."),
    "gate_agreed": _("Agreed or declared by the parties: %(keys)s."),
    "gate_all_equal": _("Equal as far as it is recorded."),
    "gate_nothing_seen": _("Nothing of it is recorded."),
    "gate_not_listed": _("Differs and is not on the change list: %(keys)s."),
    "gate_let_through": _("Not on the change list, let through on the command line: %(keys)s."),
    "gate_unlisted": _("Not on the change list; what it does is not known, so it is a reservation: %(keys)s."),
    "gate_listed": _("On the change list: %(keys)s."),
    "gate_no_difference": _("No difference was found."),
    "batch_differs": _(
        "Logs of case %(case)s state another %(key)s: %(before)s in BEFORE, %(after)s in AFTER; only throughput may be "
        "compared."
    ),
    "batch_one_side": _(
        "Logs of case %(case)s state %(key)s in %(side)s only: the same batch is not shown, and only throughput may be "
        "compared."
    ),
    "gate_no_steps": _("A side has no step times, so no steady steps can be shown."),
    "gate_one_step": _("A side has fewer than two kept steps."),
    "gate_checkpoints_not_stated": _("The target does not say which steps save a checkpoint."),
    "gate_steady": _("Every side has several kept steps; warm-up and checkpoint steps were left out by one rule."),
    "gate_profiled_mixed": _("In case %(case)s some runs of one metric were taken with profiling and others without."),
    "gate_profiled_of_some": _(
        "In case %(case)s it is stated of some runs of one metric whether they were profiled, and not of all."
    ),
    "gate_inflation_known": _("What profiling adds is known on every side."),
    "gate_inflation_negative": _(
        "%(side)s: the profiled step is shorter than the unprofiled one, which profiling does not explain: runs of "
        "one job vary, or capture and run are not of the same job."
    ),
    "gate_minimal": _("Every side was captured with minimal profiling."),
    "gate_inflation_unknown": _("What profiling adds is not known: times of captures hold while profiling."),
    "gate_clock_unknown": _("The clock cannot be held against a rule on every side."),
    "gate_clock_fell": _("%(side)s: the clock fell so far that the source of the advisor reports it."),
    "gate_clock_held": _("On no side did the clock fall so far that the source of the advisor reports it."),
    "gate_complete": _("The kernel tables are witnessed, and no check fails."),
    "gate_row_missing": _("Missing on a side: %(metric)s."),
    "gate_accuracy_missing": _("No criterion of accuracy is agreed for the case of the captures."),
    "gate_accuracy_open": _("A criterion of accuracy is not shown to be met."),
    "gate_rows_there": _("Step time, kernel count, peak memory and accuracy stand on every side."),
    "gate_repeats": _("Every side has repeats."),
    "gate_no_repeats_in": _("In case %(cases)s a side has no repeats: the variation between runs is not shown there."),
    "gate_no_repeats": _("A side has no repeats: the variation between runs is not shown."),
    "gate_not_known": _(
        "Gate %(gate)s cannot be known: the logs of %(side)s alone state %(key)s, so the same work is not shown and "
        "nothing is said of BEFORE against AFTER. Name logs of both sides that state it; only throughput may be "
        "compared without."
    ),
    "gate_failed": _("Gate %(gate)s failed, so nothing is said of BEFORE against AFTER."),
}
"""Reason code -> sentence."""
GATES = {
    "G1": _("same measurement"),
    "G2": _("every difference on the change list"),
    "G3": _("same batch and shapes"),
    "G4": _("steady steps"),
    "G5": _("profiler inflation"),
    "G6": _("clock"),
    "G7": _("complete capture"),
    "G8": _("all basic figures there"),
    "G9": _("repeats"),
    "G10": _("environment variables"),
}
"""Gate -> its title."""
OUTCOMES = {"passed": _("holds"), "failed": _("does not hold"), "cannot be known": _("cannot be known")}
"""Outcome of a gate."""
TOLERANCES = {
    "absolute": _("tolerance %(value)s"),
    "relative": _("tolerance %(value)s of BEFORE"),
    "relative_max": _("any step at most %(value)s"),
    "relative_mean": _("mean at most %(value)s"),
}
"""Kind of tolerance -> how it is printed."""
FACTS = {
    "matched_share": _("share of kernel time that matches"),
    "steps_kept": _("kept steps"),
    "steps_left_out": _("steps left out"),
    "log_steps_kept": _("kept steps, logs"),
    "log_steps_left_out": _("steps left out, logs"),
    "inflation": _("inflation of the step time"),
    "switches_on": _("switches that add time, on"),
    "captures": _("captures"),
    "runs": _("runs"),
}
"""Facts that gates look at, beside settings and metrics."""
LIMIT = {"at_least": _("at least %(limit)s"), "at_most": _("at most %(limit)s")}
CRITERION = _("%(name)s %(outcome)s")
CRITERION_OF_CASES = _n("%(name)s %(outcome)s in %(n)s case", "%(name)s %(outcome)s in %(n)s cases")
CRITERIA_MORE = _n("%(first)s and %(n)s more", "%(first)s and %(n)s more")
ACCURACY_LINE = _("Accuracy: %(criteria)s.")
ACCURACY_WANTING = _("Accuracy: not shown, though data type or quantisation differ.")
ACCURACY_OPEN = _("Accuracy: not shown, and one side does not record its data types.")
OPEN = ("precision_dtype_one_side",)
"""Signs that leave another data type open and show none."""
GATES_LINE = {
    "alone": _("Gates that do not hold: %(gates)s."),
    "section": _("Gates that do not hold (section %(section)s): %(gates)s."),
}
LACKING = {
    "gate_accuracy_missing": _("no criterion of accuracy"),
    "gate_accuracy_open": _("accuracy not shown"),
    "gate_no_repeats": _("no repeats"),
    "gate_no_repeats_in": _("no repeats"),
}
"""Reason of a gate that does not hold -> what is missing, in the words of a line."""
ROW_MISSING = _("no %(metric)s")
ROWS_MISSING = _n("no %(metric)s and %(n)s more", "no %(metric)s and %(n)s more")
GATE = _("%(id)s %(title)s")
EXPLAIN_HEADS = {"accuracy": _("criterion of accuracy"), "inflation": _("profiler inflation"), "gate": _("gate")}
EXPLAIN_LIST = {"accuracy": _("Accuracy"), "inflation": _("Profiler inflation"), "gate": _("Gates")}
