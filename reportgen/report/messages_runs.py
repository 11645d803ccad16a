"""Texts on how the runs outside the profile were made, and on a BEFORE below its maker's defaults; see ``messages``."""

from __future__ import annotations

from reportgen.report.translations import mark as _

FACTS = {
    "output_length": _("tokens of an answer"),
    "input_length": _("tokens of a prompt"),
    "output_length_spread": _("tokens of single answers"),
    "input_length_spread": _("tokens of single prompts"),
    "load_reached": _("requests under way on average, of those allowed"),
    "tokens_per_step": _("tokens of a step"),
    "samples_per_step": _("samples of a step"),
    "flops_per_step": _("operations of a step as the producer counts them"),
    "single_token_answers": _("answers of one token"),
    "failed_requests": _("failed requests"),
    "max_concurrency": _("requests allowed at once"),
    "request_rate": _("request rate"),
    "num_prompts": _("number of prompts"),
    "requests_asked": _("number of requests asked for"),
    "global_batch_size": _("global batch size"),
    "failed_requests_at_most": _("share of failed requests allowed"),
    "warm_up": _("warm-up"),
    "steps_left_out": _("steps left out"),
    "steps_shown": _("steps that the log shows"),
    "steps_apart": _("steps from one line of the log to the next"),
    "relations": _("relations by which the figures of a log are checked"),
    "arguments": _("arguments the run was started with"),
    "server_arguments": _("arguments the server was started with"),
    "server_log": _("log of the server"),
    "prefix_cache_hits": _("prefix cache hits"),
    "dummy_weights": _("random weights"),
    "server_windows": _("windows of the server's log"),
    "server_ran_more": _("requests running in the server"),
    "one_server_start": _("one start of the server"),
    "results_beside": _("results beside the named ones"),
    "below_default": _("settings below the default"),
}
"""Names of compared facts."""
KEY_NEEDED = (
    "runs_not_alike", "runs_not_shown_alike", "runs_not_alike_nor_shown", "run_fact_differs", "run_fact_one_side",
    "gate_not_listed", "gate_unlisted",
)  # fmt: skip
"""Reasons that ask for a key in the target: behind the name of a fact they print its key."""
OF_FACTS = (
    "batch_differs", "batch_one_side", "gate_not_known", "precision_log", "log_of_another_load", "log_context_differs",
    "run_directories_differ",
)  # fmt: skip
"""Reasons whose ``key`` is a compared fact of runs, printed by its name."""
OPEN_ON = {
    ("facts", "before"): _("among the runs of BEFORE"),
    ("facts", "after"): _("among the runs of AFTER"),
    ("facts", "before/after"): _("among the runs of each side"),
    ("unstated", "before"): _("not stated by BEFORE"),
    ("unstated", "after"): _("not stated by AFTER"),
    ("unstated", "before/after"): _("not stated by either side"),
}
"""(argument of a reason, sides) -> where its fact is open."""
PLACE_OF_CASE = _("runs of case %(case)s")
REASONS = {
    "runs_not_alike": _(
        "The runs were not made alike: %(facts)s. Where this is the agreed change, name it in the change list "
        "([[change]] keys), in may_differ, or in the side condition of the goal."
    ),
    "runs_not_shown_alike": _(
        "The runs are not shown to be alike: %(unstated)s. Give files that state it; where it was agreed to differ, "
        "name it in the change list ([[change]] keys), in may_differ, or in the side condition of the goal."
    ),
    "runs_not_alike_nor_shown": _(
        "The runs were not made alike: %(facts)s. Nor are they shown to be alike in the following: %(unstated)s. What "
        "is agreed is to be named in the change list ([[change]] keys), in may_differ, or in the side condition of the "
        "goal."
    ),
    "case_runs_not_alike": _("Runs of case %(case)s, which were not made alike: %(facts)s."),
    "runs_differ": _("The interval of AFTER / BEFORE excludes 1: the runs differ."),
    "one_figure_each": _(
        "One run on each side gives this figure once: no interval can be stated, so a difference cannot be known."
    ),
    "one_run_against_several": _(
        "One run on one side and several on the other: how much single runs vary is not known there."
    ),
    "run_values_alike": _(
        "All or most values of a side are alike to the last digit written, which does not show how they spread: a "
        "difference cannot be known."
    ),
    "runs_scatter": _(
        "The runs of a side vary so much that no interval of AFTER / BEFORE can be stated: a difference cannot be "
        "known."
    ),
    "memory_reaches_apart": _(
        "The memory of the two sides is the highest value up to other iterations, or over other numbers of ranks."
    ),
    "run_without_figures": _("It gives no figure that could be held against the other side."),
    "run_without_partner": _("No run of %(side)s gives a figure of what it tells: %(figures)s."),
    "two_runs": _("Two runs on a side: only large changes can be told."),
    "run_fact_differs": _("%(key)s differs between the runs."),
    "run_fact_one_side": _("%(key)s is not stated by every run of %(side)s."),
    "run_relations_differ": _(
        "The logs of the two sides do not let their figures be checked by the same relations: BEFORE %(before)s, AFTER "
        "%(after)s. What one of them lacks was not printed, or was taken out."
    ),
    "run_steps_apart": _(
        "From one line of the log to the next it is %(before)s steps in BEFORE and %(after)s in AFTER: how long the "
        "steps between them took is not shown."
    ),
    "run_steps_shown": _(
        "The logs do not show the same steps: BEFORE's shows %(before)s, AFTER's %(after)s. What one of them lacks may "
        "have been cut off: give both logs whole, or name steps_shown in may_differ."
    ),
    "run_steps_shown_of": _(
        "The logs do not show the same steps: BEFORE's shows iterations %(before)s of %(before_of)s, AFTER's %(after)s "
        "of %(after_of)s. What one of them lacks may have been cut off: give both logs whole, or name steps_shown in "
        "may_differ."
    ),
    "run_producers_differ": _(
        "The results were written by different programs: what only one of them states is not compared."
    ),
    "run_arguments_missing": _(
        "The log of one side alone holds the arguments that its run was started with: what differs cannot be shown."
    ),
    "run_arguments_missing_both": _(
        "None of the logs holds the arguments that its run was started with: whether they were the same is not shown."
    ),
    "log_steps_missing": _(
        "%(file)s lacks %(n)s lines between its first and its last step, as the numbers of the steps show: what they "
        "held is not known. Give the whole log."
    ),
    "run_directories_differ": _(
        "%(key)s has one name and lies in two directories: that it is the same on both sides is not shown."
    ),
    "log_of_two_cells": _(
        "%(file)s is one run, and case %(case)s of the same matrix names it too: no run is of two cells."
    ),
    "log_of_two_cases": _("%(file)s is one run, and cases %(cases)s rest on it."),
    "log_of_another_load": _("%(file)s states %(key)s %(stated)s, and the case was agreed for %(axis)s %(agreed)s."),
    "log_series_several": _(
        "%(file)s tells this quantity under several keys (%(places)s), none of which is of the whole run."
    ),
    "run_lengths_not_stated": _("How long prompts and answers were is stated on neither side."),
    "run_single_token_answers": _(
        "Answers of one token on average: a rate of tokens is then one of requests, and no time lies between tokens."
    ),
    "run_load_not_reached": _(
        "All requests were sent at once, and in some runs alone less than a quarter of those allowed were under way on "
        "average (requests per second × mean latency): the load differs, or one of these figures is wrong."
    ),
    "run_load_apart": _(
        "All requests were sent at once, and on average twice as many of those allowed were under way in some runs as "
        "in others (requests per second × mean latency): the load differs, whatever was stated."
    ),
    "run_load_not_reached_both": _(
        "All requests were sent at once, and less than a quarter of those allowed were under way on average (requests "
        "per second × mean latency): the client was the bottleneck, or one of these figures is wrong."
    ),
    "run_failed_requests": _(
        "Requests failed; their times are left out, and a service that fails more is not faster. More of them in AFTER "
        "have to be agreed."
    ),
    "failures_over_ceiling": _("%(failed)s of the requests of %(file)s failed; agreed are at most %(agreed)s."),
    "run_failures_not_stated": _("How many requests failed is not stated by every run."),
    "run_cold_one_side": _(
        "One side began cold: its first requests (BEFORE %(before)s, AFTER %(after)s of them) were slower than its "
        "others, those of the other side were not. A cold run is not held against a warm one."
    ),
    "run_cold_both": _(
        "Both sides began cold: their first requests (BEFORE %(before)s, AFTER %(after)s of them) were slower than "
        "the others, and are in the figures."
    ),
    "run_warm_up_not_stated": _(
        "Whether both runs were warmed up alike cannot be told: single requests are not given, and the runs do not "
        "state one warm-up. Measure again with --save-detailed or --metadata num_warmups=N, or let the parties "
        "declare warm_up."
    ),
    "run_steps_left_out": _("Not the same number of steps was left out of the times of the two sides."),
    "run_server_not_witnessed": _(
        "Without the server's log of each side nothing witnesses cache hits, the load that really ran and the options "
        "of the server."
    ),
    "run_prefix_cache_hits": _(
        "The prefix cache was hit (windows with hits / windows; highest rate): part of the prompts was not computed. "
        "Restart the server or reset its cache before each run, and measure in the order A B B A."
    ),
    "run_dummy_weights": _(
        "The server ran with random weights (load_format=dummy): performance only, and not the agreed model."
    ),
    "run_server_ran_more": _(
        "Up to %(running)s requests ran in the server, and the client allowed %(allowed)s: others used the server, "
        "or the log is of another run."
    ),
    "run_server_windows_missing": _(
        "The server's log lacks windows while requests were running (missing / expected): what ran in them is not "
        "witnessed."
    ),
    "run_one_server_start": _(
        "Both sides were measured on one start of the server: what BEFORE asked may still have been cached in AFTER."
    ),
    "run_results_beside": _(
        "Beside the named results lie %(n)s more of the same tool, which the target does not name: the named ones may "
        "be chosen. Name all of them, or let the parties declare results_beside with the rule of the choice."
    ),
    "before_below_default": _(
        "BEFORE is below its default in %(keys)s, and AFTER is not: part of the change is the return to the default."
    ),
    "both_below_default": _("Both sides are below their default in %(keys)s: neither shows what is usual."),
    "after_below_default": _("AFTER is below its default in %(keys)s."),
}
"""Reason code -> sentence."""
TOLD_WHY = {
    "one_figure_each": _("no interval"),
    "one_run_against_several": _("one run on a side"),
    "run_values_alike": _("values alike"),
    "runs_scatter": _("runs vary too much"),
    "interval_without_estimate": _("skewed values or a mix of unlike ones"),
}
"""Why nothing is told of a figure of runs, in a few words."""
METHODS = {
    "hodges-lehmann": _("of one run each: Hodges-Lehmann ratio of its steps or requests, with its rank interval"),
    "corrected-t": _("of one run each: ratio of the geometric means of its steps or requests, t interval"),
    "hodges-lehmann-mean": _(
        "of one run each: Hodges-Lehmann ratio of its steps or requests with its rank interval, moved out to the t "
        "interval of the ratio of the means"
    ),
    "corrected-t-mean": _(
        "of one run each: ratio of the geometric means of its steps or requests, t interval, moved out to that of the "
        "ratio of the means"
    ),
    "fieller": _("of several runs: ratio of the means of the runs, Fieller interval"),
    "captures": _("of several runs: t interval of the mean of the runs"),
    "one-side": _("of one run: t interval of the mean of the logarithms of its steps or requests"),
    "one-side-mean": _(
        "of one run: t interval of the mean of the logarithms of its steps or requests, moved out to that of their mean"
    ),
    "one-side-median": _(
        "of one run: t interval of the mean of the logarithms of its steps or requests, moved out to the rank interval "
        "of their median"
    ),
}
"""How an interval of a figure of runs is made."""
OF_TIME = _("time %(interval)s")
"""The interval of a change of time, beside a change of speed."""
