"""Goals on repeats, on runs outside the profile and on typed values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from judged.goals import (
    AFTER,
    AS_DELTA,
    AS_RATIO,
    BEFORE,
    BROKEN,
    CONTRADICTS,
    FAST,
    LATENCY,
    MS,
    NINE,
    NO_PAIR,
    NOT_MET,
    ONE_STEP,
    RATIO,
    SLOW,
    UNDECIDED,
    WRONG,
    Setup,
    agreed,
    goal,
    measured,
    missing,
    of,
    one,
    repeats,
    row,
    run,
    typed,
)
from reportgen.model import Reason, Side, VerdictWord, Workload

TWELVE = tuple(n * MS // 100 for n in (9012, 8744, 9391, 8808, 9270, 9055, 8913, 9188, 8999, 9127, 8861, 9343))
"""Times of twelve steps, 90.12 ms first, each on its own."""
EDITED = (*TWELVE[:5], 95 * MS, *TWELVE[6:])
"""The same with the sixth, 90.55 ms, edited."""
RUNS: dict[str, Setup] = {
    # --- repeats
    "three captures of AFTER": Setup(
        rows=(row(BEFORE, repeats(Side.AFTER, 90 * MS, 91 * MS, 92 * MS)),), value=of(91 * MS)
    ),
    "two captures of AFTER": Setup(
        goals=(goal(limit=of(200 * MS)),), rows=(row(BEFORE, repeats(Side.AFTER, 90 * MS, 91 * MS)),),
        outcome=UNDECIDED, code="few_values",
    ),
    "the ratio of three captures each": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(row(repeats(Side.BEFORE, 199 * MS, 200 * MS, 201 * MS), repeats(Side.AFTER, 90 * MS, 91 * MS, 92 * MS)),),
        value=None,
    ),
    "the delta of three captures each": Setup(
        goals=(goal(**AS_DELTA),),
        rows=(row(repeats(Side.BEFORE, 199 * MS, 200 * MS, 201 * MS), repeats(Side.AFTER, 90 * MS, 91 * MS, 92 * MS)),),
        value=of(-109 * MS),
    ),
    "the ratio of captures whose BEFORE is 0": Setup(
        goals=(goal(**AS_RATIO),),
        rows=(row(repeats(Side.BEFORE, 0, 0, 0), repeats(Side.AFTER, 90 * MS, 91 * MS, 92 * MS)),),
        outcome=UNDECIDED, code="before_zero",
    ),
    "captures of AFTER without BEFORE": Setup(
        goals=(goal(**AS_RATIO),), rows=(row(None, repeats(Side.AFTER, 90 * MS, 91 * MS)),), outcome=UNDECIDED,
        code="part_not_on_this_side",
    ),
    "captures without a value": Setup(
        rows=(row(repeats(Side.BEFORE, MS, MS),
                  replace(repeats(Side.AFTER, MS, MS), summary=missing("captures_lack_value", n="1", of="2", names="x"))
                  ),),
        outcome=UNDECIDED, code="captures_lack_value", args={"n": "1", "of": "2", "names": "x"},
    ),
    "one of the captures lacks the statistic": Setup(
        goals=(goal(statistic="std"),), rows=(row(BEFORE, repeats(Side.AFTER, 90 * MS, 91 * MS)),), outcome=UNDECIDED,
        code="statistic_not_available", args={"statistic": "std"},
    ),
    "the largest step of each of three captures": Setup(
        rule="simple", goals=(goal(statistic="max", limit=of(91 * MS)),),
        rows=(row(BEFORE, repeats(Side.AFTER, 90 * MS, 91 * MS, 92 * MS)),), value=of(91 * MS), margin=of(0),
    ),
    "a count of three captures is that of the worst": Setup(
        goals=(goal(metric="kernel_count", statistic="count", limit=one("34")),),
        rows=(row(repeats(Side.BEFORE, 40, 41, metric="kernel_count", unit="1"),
                  repeats(Side.AFTER, 33, 34, 35, metric="kernel_count", unit="1")),),
        outcome=NOT_MET, code="beyond_limit", value=one("35"), margin=one("-1"),
    ),
    "a ratio of counts takes the BEFORE that flatters least": Setup(
        goals=(goal(metric="kernel_count", statistic="count", subject="ratio", limit=one("0.9")),),
        rows=(row(repeats(Side.BEFORE, 40, 50, metric="kernel_count", unit="1"),
                  repeats(Side.AFTER, 36, 35, metric="kernel_count", unit="1")),),
        value=one("0.9"), margin=one("0"),
    ),
    "a lower limit of counts takes the smallest": Setup(
        goals=(goal(metric="kernel_count", statistic="count", direction="at_least", subject="delta",
                    limit=one("-15")),),
        rows=(row(repeats(Side.BEFORE, 40, 50, metric="kernel_count", unit="1"),
                  repeats(Side.AFTER, 36, 35, metric="kernel_count", unit="1")),),
        value=one("-15"), margin=one("0"),
    ),
    "a capture of BEFORE lacks the largest step, AFTER alone is asked for": Setup(
        rule="simple", goals=(goal(statistic="max"),),
        rows=(row(replace(repeats(Side.BEFORE, MS), each=(measured(Side.BEFORE, ONE_STEP),)),
                  repeats(Side.AFTER, 90 * MS, 91 * MS)),),
        value=of(Fraction(181, 2) * MS), margin=of(Fraction(19, 2) * MS),
    ),
    "another statistic of captures": Setup(
        rule="simple", goals=(goal(metric="kernel_count_per_step", statistic="max", limit=one("35")),),
        rows=(row(None, repeats(Side.AFTER, 33, 35, metric="kernel_count_per_step", unit="1")),), value=one("35"),
        margin=one("0"),
    ),
    # --- logs
    "the median of a run's steps": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST),), value=of(Fraction(181, 2) * MS),
        reservations=("single_run",),
    ),
    "the first step is warm-up, step 3 saves a checkpoint": Setup(
        goals=(goal(limit=of(95 * MS)),), workload=Workload(checkpoint_steps=("3",)),
        runs=(run(Side.AFTER, (900 * MS, *FAST[:2], 500 * MS, *FAST[2:])),), value=of(Fraction(181, 2) * MS),
    ),
    "logs of a pair that is not comparable": Setup(
        runs=(run(Side.AFTER, FAST),), outcome=UNDECIDED, code="pair_not_comparable", args={"keys": "sample.level"},
        value=of(Fraction(181, 2) * MS), **NO_PAIR,
    ),
    "logs of the profiled case, which contradicts": Setup(
        runs=(run(Side.AFTER, FAST),), checks=(WRONG,), outcome=UNDECIDED, code="workload_contradicts",
        args=CONTRADICTS, value=of(Fraction(181, 2) * MS),
    ),
    "logs of another case, and the profiled one contradicts": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST),), checks=(WRONG,), profiled=False,
        value=of(Fraction(181, 2) * MS),
    ),
    "a log without the statistic": Setup(
        goals=(replace(LATENCY, statistic="p90"),),
        runs=(run(Side.AFTER, metric="latency", kind="ttft", figures={"mean": 40 * MS}, name="r.json"),),
        outcome=UNDECIDED, code="statistic_not_logged", args={"statistic": "p90", "file": "r.json"},
    ),
    "a log of means asked for a median": Setup(
        runs=(run(Side.AFTER, FAST, weights=(10,) * 8, name="m.log"),), outcome=UNDECIDED, code="interval_means",
        args={"statistic": "median", "file": "m.log"},
    ),
    "a log whose step numbers jump by three": Setup(
        runs=(run(Side.AFTER, FAST, labels=("1", "2", "3", "4", "7", "8", "9", "10"), name="m.log"),),
        outcome=UNDECIDED, code="log_steps_missing", args={"n": "2", "file": "m.log"},
    ),
    "a log whose lines are ten steps apart": Setup(
        goals=(goal(limit=of(95 * MS)),),
        runs=(run(Side.AFTER, FAST, labels=("1", "10", "20", "30", "40", "50", "60", "65")),),
        value=of(Fraction(181, 2) * MS),
    ),
    "a log of means asked for its mean": Setup(
        rule="simple", goals=(goal(statistic="mean", limit=of(95 * MS)),),
        runs=(run(Side.AFTER, (90 * MS, 94 * MS), weights=(3, 1)),), value=of(91 * MS), margin=of(4 * MS),
    ),
    "the largest, the smallest and the 90th percentile of a log": Setup(
        rule="simple",
        goals=(goal(statistic="max"), goal(id="G2", statistic="min", limit=of(87 * MS)),
               goal(id="G3", statistic="p90", limit=of(94 * MS))),
        runs=(run(Side.AFTER, FAST),), value=of(94 * MS), margin=of(6 * MS), word=VerdictWord.MET,
    ),
    "a log whose every step is left out": Setup(
        workload=Workload(checkpoint_steps=tuple(map(str, range(8)))), runs=(run(Side.AFTER, FAST, name="m.log"),),
        outcome=UNDECIDED, code="statistic_not_logged", args={"statistic": "median", "file": "m.log"},
    ),
    "a figure of the producer": Setup(
        rule="simple", goals=(LATENCY,),
        runs=(run(Side.AFTER, metric="latency", kind="ttft", figures={"mean": 40 * MS}),), value=of(40 * MS),
        margin=of(10 * MS), reservations=("single_run_bare", "no_interval_simple"),
    ),
    "a figure of the producer, guarded": Setup(
        goals=(LATENCY,), runs=(run(Side.AFTER, metric="latency", kind="ttft", figures={"mean": 40 * MS}),),
        outcome=UNDECIDED, code="no_interval_once",
    ),
    "a log that contradicts itself": Setup(
        runs=(run(Side.AFTER, FAST, identities=(BROKEN,), name="m.log"),), outcome=UNDECIDED,
        code="log_contradicts_itself",
        args={"file": "m.log", "identity": "I2", "found": "500", "expected": "512"},
    ),
    "a log that says itself that it is no real workload": Setup(
        runs=(run(Side.AFTER, FAST, warnings=(Reason.of("log_not_a_real_workload", line="3"),), name="m.log"),),
        outcome=UNDECIDED, code="log_no_real_workload", args={"file": "m.log"},
    ),
    "a log that is a witness alone": Setup(
        runs=(run(Side.AFTER, FAST, warnings=(Reason.of("log_witness_only"),)),), margin=of(8 * MS), value=of(90 * MS)
    ),
    "the same log twice": Setup(
        runs=(run(Side.AFTER, FAST, name="a.log"), run(Side.AFTER, FAST, name="a.log")), outcome=UNDECIDED,
        code="log_given_twice", args={"file": "a.log", "other": "a.log"},
    ),
    "the same figures under another name": Setup(
        runs=(run(Side.AFTER, FAST, name="a.log"), run(Side.AFTER, FAST, name="b.log")), outcome=UNDECIDED,
        code="log_given_twice", args={"file": "a.log", "other": "b.log"},
    ),
    "the same times under another name, one of twelve edited": Setup(
        runs=(run(Side.AFTER, TWELVE, name="a.log"), run(Side.AFTER, EDITED, name="b.log")),
        outcome=UNDECIDED, code="log_times_shared", args={"file": "a.log", "other": "b.log", "n": "11", "of": "12"},
    ),
    "two definitions": Setup(
        rule="simple", goals=(goal(**AS_RATIO),),
        runs=(run(Side.BEFORE, SLOW, definitions="a"), run(Side.AFTER, FAST, definitions="b")), outcome=UNDECIDED,
        code="definitions_differ", args={"sets": "a, b"}, word=VerdictWord.NOT_COMPARABLE,
    ),
    "two definitions in the runs of AFTER": Setup(
        rule="simple", goals=(goal(limit=of(95 * MS)),),
        runs=(run(Side.AFTER, SLOW, definitions="a"), run(Side.AFTER, FAST, definitions="b")), outcome=UNDECIDED,
        code="definitions_differ", args={"sets": "a, b"}, word=VerdictWord.UNDECIDED,
    ),
    "two definitions, and a goal on AFTER that is not met": Setup(
        rule="simple", goals=(goal(**AS_RATIO), goal(id="G2", limit=of(MS))),
        runs=(run(Side.BEFORE, SLOW, definitions="a"), run(Side.AFTER, FAST, definitions="b")), outcome=UNDECIDED,
        code="definitions_differ", args={"sets": "a, b"}, word=VerdictWord.NOT_MET,
    ),
    "two definitions, and a goal on AFTER that is met": Setup(
        rule="simple", goals=(goal(limit=of(95 * MS)), goal(**AS_RATIO, id="G2")),
        runs=(run(Side.BEFORE, SLOW, definitions="a"), run(Side.AFTER, FAST, definitions="b")),
        word=VerdictWord.NOT_COMPARABLE,
    ),
    "a goal that asks for one whose runs are not comparable": Setup(
        rule="simple", goals=(goal(limit=of(95 * MS), subject_to=("G2",)), goal(**AS_RATIO, id="G2")),
        runs=(run(Side.BEFORE, SLOW, definitions="a"), run(Side.AFTER, FAST, definitions="b")), outcome=UNDECIDED,
        code="subject_to_not_comparable", args={"goal": "G2"}, word=VerdictWord.NOT_COMPARABLE,
    ),
    "two definitions, and it asks for a goal that is not met": Setup(
        rule="simple", goals=(goal(**AS_RATIO, subject_to=("G2",)), goal(id="G2", limit=of(MS))),
        runs=(run(Side.BEFORE, SLOW, definitions="a"), run(Side.AFTER, FAST, definitions="b")), outcome=NOT_MET,
        code="subject_to_not_met", args={"goal": "G2"}, word=VerdictWord.NOT_MET,
    ),
    "one run profiled, the other not": Setup(
        rule="simple", goals=(goal(**AS_RATIO),), runs=(run(Side.BEFORE, SLOW, profiled=True), run(Side.AFTER, FAST)),
        outcome=UNDECIDED, code="profiled_mixed", word=VerdictWord.NOT_COMPARABLE,
    ),
    "one run profiled, and of the other nobody says": Setup(
        rule="simple", goals=(goal(**AS_RATIO),),
        runs=(run(Side.BEFORE, SLOW, profiled=True), run(Side.AFTER, FAST, profiled=None)),
        outcome=UNDECIDED, code="profiled_of_some",
        args={"file": run(Side.AFTER, FAST, profiled=None).run.file.path}, word=VerdictWord.UNDECIDED,
    ),
    "a profiled run": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST, profiled=True),), reservations=("profiled_run",)
    ),
    "a run of which nobody says whether it was profiled": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST, profiled=None),),
        reservations=("profiled_not_stated",),
    ),
    "called unprofiled, and it ran while AFTER was captured": Setup(
        runs=(run(Side.AFTER, FAST, name="m.log", began=of(50), ended=of(150)),), times=(100, 200), outcome=UNDECIDED,
        code="log_inside_capture", args={"file": "m.log", "side": "before"},
    ),
    "it ran before the captures": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST, began=of(50), ended=of(100)),), times=(100, 200)
    ),
    "nobody says whether it was profiled, and it ran while AFTER was captured": Setup(
        goals=(goal(limit=of(95 * MS)),), times=(100, 200),
        runs=(run(Side.AFTER, FAST, profiled=None, began=of(50), ended=of(150)),), reservations=("profiled_run",),
    ),
    "it says when it ran, and the captures do not": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST, began=of(50), ended=of(150)),)
    ),
    "typed as 92 ms, logged as 90.5 ms": Setup(
        rule="simple", runs=(run(Side.AFTER, FAST),),
        external=(typed(Side.AFTER, 92 * MS, metric="step_time", kind="", statistic="median"),), outcome=UNDECIDED,
        code="typed_contradicts_log", args={"side": "after", "typed": "92000000 ns", "logged": "90500000 ns"},
    ),
    "typed as 91 ms, which is 90.5 ms to the last digit typed": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST),),
        external=(typed(Side.AFTER, 91 * MS, metric="step_time", kind="", statistic="median"),),
        value=of(Fraction(181, 2) * MS),
    ),
    "a log of one side, and a goal that needs both": Setup(
        goals=(goal(**AS_RATIO),), rows=(RATIO,), runs=(run(Side.AFTER, FAST, name="m.log"),), outcome=UNDECIDED,
        code="log_of_one_side", args={"file": "m.log", "side": "after"},
    ),
    "step times in the log of one side, and latencies alone in that of the other": Setup(
        goals=(goal(**AS_RATIO),), rows=(RATIO,),
        runs=(run(Side.BEFORE, SLOW, name="b.log"),
              run(Side.AFTER, metric="latency", kind="ttft", figures={"mean": 5}, name="a.json")),
        outcome=UNDECIDED, code="log_without_figure",
        args={"files": "a.json", "side": "after", "other": "b.log", "other_side": "before"},
    ),
    "the ratio of one run each, by its estimate": Setup(
        goals=(goal(**AS_RATIO),), runs=(run(Side.BEFORE, SLOW), run(Side.AFTER, FAST)),
        reservations=("single_run",),
    ),
    "the ratio of the means of one run each is their quotient": Setup(
        rule="simple", goals=(goal(statistic="mean", **AS_RATIO),),
        runs=(run(Side.BEFORE, SLOW), run(Side.AFTER, FAST)),
        value=one("181/401"), margin=of(Fraction(1, 2) - Fraction(181, 401), "1"),
    ),
    "the delta of one run each": Setup(
        rule="simple", goals=(goal(**AS_DELTA),), runs=(run(Side.BEFORE, SLOW), run(Side.AFTER, FAST)),
        value=of(-110 * MS), margin=of(10 * MS),
    ),
    "the ratio of runs whose BEFORE is 0": Setup(
        rule="simple", goals=(replace(LATENCY, **AS_RATIO),),
        runs=tuple(run(side, metric="latency", kind="ttft", figures={"mean": value})
                   for side, value in ((Side.BEFORE, 0), (Side.AFTER, 5))),
        outcome=UNDECIDED, code="before_zero",
    ),
    "the ratio of three runs each": Setup(
        goals=(replace(LATENCY, **AS_RATIO),),
        runs=tuple(run(side, metric="latency", kind="ttft", figures={"mean": value * MS})
                   for side, values in ((Side.BEFORE, (199, 200, 201)), (Side.AFTER, (89, 90, 91)))
                   for value in values),
    ),
    "two runs each": Setup(
        goals=(replace(LATENCY, subject="ratio", limit=one("5")),),
        runs=tuple(run(side, metric="latency", kind="ttft", figures={"mean": value * MS})
                   for side, values in ((Side.BEFORE, (199, 200)), (Side.AFTER, (89, 90))) for value in values),
        outcome=UNDECIDED, code="few_values",
    ),
    "a log of five steps that drift": Setup(  # r = 4 / 10, r_c = 0.84, n_eff = 5 / 3.864: see tests/test_samples.py
        goals=(goal(limit=of(200 * MS)),),
        runs=(run(Side.AFTER, tuple(100 * MS + step for step in range(5))),), outcome=UNDECIDED,
        code="few_independent_values", args={"n": "5", "rho": "0.84", "effective": "1.2"},
    ),
    "simple: a log of five steps that drift": Setup(
        rule="simple", goals=(goal(limit=of(200 * MS)),),
        runs=(run(Side.AFTER, tuple(100 * MS + step for step in range(5))),), value=of(100 * MS + 2),
        reservations=("single_run_bare", "no_interval_simple"),
    ),
    "one run against two": Setup(
        goals=(goal(**AS_RATIO),),
        runs=(run(Side.BEFORE, SLOW), run(Side.AFTER, FAST), run(Side.AFTER, TWELVE)), outcome=UNDECIDED,
        code="no_interval_once",
    ),
    "steps alike to the last digit": Setup(
        runs=(run(Side.AFTER, NINE),), outcome=UNDECIDED, code="no_spread_guarded"
    ),
    "a run of one step": Setup(
        runs=(run(Side.AFTER, NINE[:1]),), outcome=UNDECIDED, code="no_interval_guarded"
    ),
    "a mean of latencies of requests": Setup(
        goals=(LATENCY,),
        runs=(run(Side.AFTER, tuple(n * MS for n in (30, 34, 32, 36)), metric="latency", kind="ttft"),),
        value=of(33 * MS),
    ),
    "latencies of which one is 0": Setup(
        goals=(LATENCY,), runs=(run(Side.AFTER, (0, 34 * MS, 32 * MS, 36 * MS), metric="latency", kind="ttft"),),
        outcome=UNDECIDED, code="no_interval_zero",
    ),
    "a statistic that no log has": Setup(
        goals=(goal(statistic="std"),), runs=(run(Side.AFTER, FAST, name="m.log"),), outcome=UNDECIDED,
        code="statistic_not_logged", args={"statistic": "std", "file": "m.log"},
    ),
    "another statistic was typed than is asked for": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST),),
        external=(typed(Side.AFTER, 50 * MS, metric="step_time", kind="", statistic="mean"),),
        value=of(Fraction(181, 2) * MS),
    ),
    # --- a value agreed in the place of BEFORE, AFTER alone, logs of the command line
    "the ratio to an agreed value": Setup(
        goals=(goal(**AS_RATIO),), fixed=(agreed(of(200 * MS)),), value=one("0.45"), margin=one("0.04"),
        reservations=("baseline_fixed",),
    ),
    "the delta to an agreed value": Setup(
        goals=(goal(**AS_DELTA),), fixed=(agreed(of(200 * MS)),), value=of(-110 * MS), margin=of(8 * MS),
        reservations=("baseline_fixed",),
    ),
    "the ratio to an agreed value, and AFTER has none": Setup(
        goals=(goal(**AS_RATIO),), rows=(), fixed=(agreed(of(200 * MS)),), outcome=UNDECIDED,
        code="metric_not_measured", args={"metric": "step_time", "part": ""},
    ),
    "the ratio of a typed value to an agreed one": Setup(
        rule="simple", goals=(replace(LATENCY, **AS_RATIO),), external=(typed(Side.AFTER, 40 * MS),),
        fixed=(agreed(of(100 * MS), "latency", "ttft", "mean"),), value=one("0.4"), margin=one("0.1"),
        reservations=("baseline_fixed", "hand_typed"),
    ),
    "an agreed value does not touch a goal on AFTER": Setup(fixed=(agreed(of(200 * MS)),), margin=of(8 * MS)),
    "no BEFORE was agreed": Setup(rows=(row(None, AFTER),), alone=True, margin=of(8 * MS)),
    "a log of the command line, of a case without a capture": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.AFTER, FAST, agreed=False, name="m.log"),), profiled=False,
        value=of(Fraction(181, 2) * MS), reservations=("log_by_option",),
    ),
    "a log of the command line never takes the place of the capture": Setup(
        runs=(run(Side.AFTER, FAST, agreed=False, name="m.log"),), value=of(90 * MS), margin=of(8 * MS),
        reservations=("log_not_agreed",),
    ),
    "a log of the command line beside a typed value": Setup(
        goals=(LATENCY,), external=(typed(Side.AFTER, 40 * MS),), rule="simple", margin=of(10 * MS),
        runs=(run(Side.AFTER, metric="latency", kind="ttft", figures={"mean": 30 * MS}, agreed=False),),
    ),
    "a log of BEFORE beside a goal on AFTER": Setup(
        goals=(goal(limit=of(95 * MS)),), runs=(run(Side.BEFORE, SLOW), run(Side.AFTER, FAST)),
        value=of(Fraction(181, 2) * MS),
    ),
    "a log of BEFORE of another definition is not put beside": Setup(
        goals=(goal(limit=of(95 * MS)),),
        runs=(run(Side.BEFORE, SLOW, definitions="other"), run(Side.AFTER, FAST)), value=of(Fraction(181, 2) * MS),
    ),
    # --- typed values
    "typed, guarded": Setup(
        goals=(LATENCY,), external=(typed(Side.AFTER, 40 * MS),), outcome=UNDECIDED, code="no_interval_typed"
    ),
    "typed, simple": Setup(
        goals=(LATENCY,), external=(typed(Side.AFTER, 40 * MS),), rule="simple", margin=of(10 * MS),
        reservations=("hand_typed", "no_interval_simple"),
    ),
    "typed for BEFORE alone": Setup(
        goals=(LATENCY,), external=(typed(Side.BEFORE, 40 * MS),), rule="simple", outcome=UNDECIDED,
        code="no_external_value",
        args={"metric": "latency", "side": "after", "kind": "ttft", "statistic": "mean"},
    ),
    "typed for both, as a delta": Setup(
        goals=(replace(LATENCY, **AS_DELTA),),
        external=(typed(Side.BEFORE, 150 * MS), typed(Side.AFTER, 40 * MS)), rule="simple", value=of(-110 * MS),
        margin=of(10 * MS),
    ),
    "typed for both, as a ratio": Setup(
        goals=(replace(LATENCY, **AS_RATIO),), external=(typed(Side.BEFORE, 100 * MS), typed(Side.AFTER, 40 * MS)),
        rule="simple", value=one("0.4"), margin=one("0.1"),
    ),
    "typed as 0 for BEFORE": Setup(
        goals=(replace(LATENCY, **AS_RATIO),), external=(typed(Side.BEFORE, 0), typed(Side.AFTER, 40 * MS)),
        rule="simple", outcome=UNDECIDED, code="before_zero",
    ),
    "typed beside a step time of the profile": Setup(
        goals=(goal(kind="logged"),), external=(typed(Side.AFTER, 40 * MS, metric="step_time", kind="logged",
                                                      statistic="median"),),
        rule="simple", value=typed(Side.AFTER, 40 * MS).value, margin=of(60 * MS),
    ),
}  # fmt: skip
