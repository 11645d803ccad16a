"""Every fixed text of the report and of the terminal, in English, which is the message id of its translations.

Tables only: id -> text. ``%(name)s`` is filled by ``wording`` after translation; ``**`` marks what is set bold. A code
that a ``Reason`` can carry has its sentence in ``REASONS``; texts of the templates stand in the templates.
"""

from __future__ import annotations

from reportgen.report import messages_cases, messages_change, messages_gates, messages_runs
from reportgen.report import messages_statistics as statistics
from reportgen.report.translations import mark as _
from reportgen.report.translations import mark_plural as _n

# --------------------------------------------------------------------------------------------- words
VERDICTS = {
    "met": _("met"),
    "not_met": _("not met"),
    "undecided": _("undecided"),
    "not_comparable": _("not comparable"),
    "not_applicable": _("does not apply"),
}
STANDINGS = {
    "same": _("same"),
    "identity": _("identity"),
    "allowed": _("allowed"),
    "declared": _("declared"),
    "bias": _("biasing"),
    "unknown": _("unknown"),
    "blocking": _("blocking"),
    "comparable": _("comparable"),
    "with_reservations": _("comparable with reservations"),
    "cannot_be_shown": _("comparability cannot be shown"),
    "not_comparable": _("not comparable"),
    "after_alone": _("no BEFORE was agreed"),
}
APPLICABILITIES = {
    "applies": _("applies"),
    "does_not_apply": _("does not apply"),
    "cannot_decide": _("cannot be decided"),
    "not_enforceable": _("cannot be enforced"),
}
BANDS = {
    "within_reference": _("within reference"),
    "no_statement": _("no official statement"),
    "needs_attention": _("needs attention"),
    "ideal": _("called ideal"),
    "normal": _("called normal"),
    "example-abnormal": _("as in the source's abnormal example"),
    "communication-bottleneck": _("communication bottleneck"),
    "no-bottleneck-at-first-look": _("no bottleneck at first look"),
    "slow-rank-exists": _("a slow rank exists"),
    "link-problem-or-small-volume": _("link problem or little traffic"),
    "packets-fine": _("packets are large enough"),
    "packets-too-small": _("packets are too small"),
    "reported": _("reported by the tool"),
    "inside_baseline": _("within the own baseline"),
    "outside_baseline": _("outside the own baseline"),
}
NEVER = {
    "dead code": _("the tool's code can never reach it"),
    "worked example": _("a worked example, no limit"),
    "condition without rule": _("a list of conditions whose rule file is not published"),
    "no public copy": _("no public copy of it was found"),
    "contradicted": _("official texts contradict it"),
    "not performance": _("it is not about performance"),
    "one chip": _("its numbers fit one generation of chips"),
}
CIRCUMSTANCES = {
    "ccu": _("collectives on the CCU"),
    "kv_cache": _("KV cache"),
    "modelarts_dedicated_pool": _("dedicated pool of ModelArts"),
    "onnx_model": _("model from ONNX"),
    "parallel_load": _("several inferences at a time"),
    "quantised_inference": _("quantised inference"),
    "rec_sdk": _("job of Rec SDK"),
    "version_upgrade": _("upgrade of versions"),
}
CIRCUMSTANCE = {True: _("%(name)s: yes"), False: _("%(name)s: no")}
PRODUCTS = {
    "Atlas 200I/500 A2": _("Atlas 200I/500 A2"),
    "Atlas inference series": _("Atlas inference series"),
    "Atlas training series": _("Atlas training series"),
    "Atlas A2": _("Atlas A2"),
    "Atlas A3": _("Atlas A3"),
    "Ascend 950": _("Ascend 950"),
}
FAMILIES = {
    "time": _("time"),
    "pmu": _("pmu"),
    "memory": _("memory"),
    "communication": _("communication"),
    "counts": _("counts"),
}
MISSING = {
    "not_collected": _("not collected"),
    "not_recorded": _("not recorded"),
    "unreadable": _("unreadable"),
    "not_applicable": _("does not exist"),
}
CHANGES = {"added": _("added"), "removed": _("removed"), "changed": _("changed"), "same": _("unchanged")}
STATUSES = statistics.STATUSES
SPEED = statistics.SPEED
STATUS_BOTH_ZERO = statistics.STATUS_BOTH_ZERO
STATUSES_BRIEF = statistics.STATUSES_BRIEF
TOLD_APART = {
    "yes": _("difference demonstrated"),
    "no": _("no difference demonstrated"),
    "cannot be known": _("cannot be known"),
}
TOLD_APART_BRIEF = {
    "yes": _("demonstrated"),
    "no": _("not demonstrated"),
    "cannot be known": _("cannot be known"),
}
"""Below a head that says of what."""
CHECKS = {
    "agrees": _("agrees"),
    "consistent": _("consistent"),
    "contradicts": _("contradicts"),
    "cannot be seen": _("cannot be seen"),
}
BASES = {
    "step window": _("start to start of steps"),
    "device span": _("device span, not a step"),
    "envelope": _("from the first start to the last end"),
    "time-weighted": _("time-weighted"),
    "cycle-weighted": _("cycle-weighted"),
    "sampled": _("largest sample; the true peak may lie higher"),
    "whole capture": _("over the whole capture"),
    "busy-weighted": _("weighted by the time with a kernel running"),
    "last end - first start": _("last end minus first start"),
    "sum of durations": _("sum of durations"),
    "as recorded": _("as recorded"),
    "cycles over time": _("cycles over time"),
    "all tasks": _("over all device tasks"),
    "neither": _("of neither known definition"),
}
STATISTICS = {
    "median": _("median"),
    "mean": _("mean"),
    "max": _("maximum"),
    "maximum": _("maximum"),
    "min": _("minimum"),
    "total": _("total"),
    "count": _("count"),
    "share": _("share"),
    "weighted": _("weighted mean"),
    "std": _("standard deviation"),
}
WITH_STATISTIC = messages_change.FIGURE_OF
COUNTED = {"counts": _("count"), "memory": _("peak")}
METHODS = {
    "hodges-lehmann": _("Hodges-Lehmann ratio with its rank interval, widened for autocorrelation"),
    "corrected-t": _("t interval of the mean of logarithms, corrected for autocorrelation"),
    "one-side-mean": _(
        "t interval of the mean of logarithms, corrected for autocorrelation, moved out to that of the mean"
    ),
    "hodges-lehmann-mean": _(
        "Hodges-Lehmann ratio with its rank interval, widened for autocorrelation, moved out to the t interval of the "
        "ratio of the means"
    ),
    "corrected-t-mean": _(
        "t interval of the mean of logarithms, corrected for autocorrelation, moved out to that of the ratio of the "
        "means"
    ),
    "one-side-median": _(
        "t interval of the mean of logarithms, corrected for autocorrelation, moved out to the rank interval of the "
        "median"
    ),
    "one-side-weighted": _(
        "t interval of the mean of logarithms, corrected for autocorrelation, moved out to that of the quotient of sums"
    ),
    "single": _("ratio of two values, without interval"),
    "fieller": _("Fieller interval of the ratio of the means of captures"),
    "captures": _("t interval of the mean of captures"),
}
ESTIMATES = {
    "hodges-lehmann": _("Hodges-Lehmann estimate"),
    "corrected-t": _("ratio of the geometric means"),
    "": _("quotient of both values"),
}
"""Which estimate of AFTER / BEFORE was judged, by the method of its interval."""
ESTIMATED = _(
    "Judged is the %(estimate)s of AFTER / BEFORE over all values of both sides; the quotient of the two values "
    "printed (%(statistic)s), %(quotient)s, is worked out another way and is not judged."
)
GROUPS = {
    "not_given": _("Not given by any official source"),
    "not_recorded": _("Not recorded"),
    "not_measured": _("Not measured"),
    "not_shown": _("Not shown"),
    "time": _("Time"),
    "shares": _("Shares of step time"),
    "pmu": _("AI Core units"),
    "memory": _("Peak memory"),
    "communication": _("Communication"),
    "counts": _("Counts"),
}
SERIES_TITLES = {
    "memory_allocated": _("allocated"),
    "memory_reserved": _("reserved"),
    "ai_core_frequency": _("AI Core clock"),
}
MEASURED_FROM = {
    "one": _("Measured from %(kinds)s."),
    "both": _("Measured from %(before)s in BEFORE and from %(after)s in AFTER."),
}
KERNELS_FROM = {"db": _("the database"), "csv": _("the csv table"), "json": _("the trace")}
KINDS_OF_FILE = {"db": _("the database (db)"), "csv": _("csv tables"), "json": _("json files")}
LAYOUTS = {
    "msprof_text": _("msprof, text export"),
    "torch_text": _("torch_npu, text export"),
    "msprof_db": _("msprof, database"),
    "torch_db": _("torch_npu, database"),
    "msprof_json": _("msprof, trace"),
    "torch_json": _("torch_npu, trace"),
}

# --------------------------------------------------------------------------------------------- metrics
METRICS = {
    "step_time": _("step time"),
    "device_span": _("device span"),
    "computing": _("computing time"),
    "communication": _("communication time"),
    "communication_not_overlapped": _("communication not overlapped"),
    "free": _("free time"),
    "computing_share": _("computing share"),
    "communication_not_overlapped_share": _("share of communication not overlapped"),
    "free_share": _("free share"),
    "aic_mac_ratio": "aic_mac_ratio",
    "aic_mte2_ratio": "aic_mte2_ratio",
    "aiv_vec_ratio": "aiv_vec_ratio",
    "aiv_mte2_ratio": "aiv_mte2_ratio",
    "aiv_mte2_bound_share": _("vector time bound by MTE2"),
    "memory_bound": "memory_bound",
    "memory_bound_share": _("time of memory-bound kernels"),
    "cube_utilization_elapsed": _("cube occupancy, elapsed time"),
    "cube_utilization_task": _("cube occupancy, task time"),
    "pmu_clock": _("clock by PMU cycles"),
    "ai_core_frequency": _("AI Core clock"),
    "ai_core_frequency_drop": _("largest drop of the clock by operator"),
    "collective_elapse": _("collectives, elapsed"),
    "collective_transit": _("collectives, transit"),
    "collective_wait": _("collectives, wait"),
    "collective_synchronization": _("collectives, synchronisation"),
    "collective_idle": _("collectives, idle"),
    "collective_wait_ratio": _("wait ratio of collectives"),
    "collective_synchronization_ratio": _("synchronisation ratio of collectives"),
    "link_bandwidth": _("bandwidth"),
    "link_size": _("data moved"),
    "link_transit": _("transit time"),
    "link_large_packet_share": _("share of large packets"),
    "group_communication_not_overlapped": _("communication of a group not overlapped"),
    "module_peak_reserved": _("peak memory reserved by a module"),
    "host_api_time": _("host API time"),
    "host_api_calls": _("host API calls"),
    "graph_iteration_time": _("graph iteration time"),
    "graph_iteration_interval": _("interval of graph iterations"),
    "kernel_time": _("total kernel time"),
    "kernel_call": _("time of one kernel call"),
    "ai_cpu_time": _("AI CPU time"),
    "kernel_count": _("kernel count"),
    "kernel_count_per_step": _("kernel count per step"),
    "ai_cpu_count": _("AI CPU kernel count"),
    "communication_count": _("communication operator count"),
    "row_count": _("rows of the kernel table"),
    "row_time": _("sum of all row durations"),
    "kernel_busy": _("time with a kernel running"),
    "kernel_call_mean": _("mean time of one kernel call"),
    "published_computing": _("computing, as published"),
    "published_communication": _("communication, as published"),
    "published_communication_not_overlapped": _("communication not overlapped, as published"),
    "published_overlapped": _("overlapped, as published"),
    "published_free": _("free, as published"),
    "published_stage": _("stage, as published"),
    "published_bubble": _("bubble, as published"),
    "published_preparing": _("preparing, as published"),
    "peak_allocated": _("peak memory allocated"),
    "peak_reserved": _("peak memory reserved"),
    "latency": _("latency"),
    "qps": "QPS",
    "throughput": _("throughput"),
    "lane_computing": _("computing, overlap analysis of the exporter"),
    "lane_communication": _("communication, overlap analysis of the exporter"),
    "lane_communication_not_overlapped": _("communication not overlapped, overlap analysis of the exporter"),
    "lane_free": _("free, overlap analysis of the exporter"),
    "published_host_step": _("step on the host, as published"),
}
PARTS = {
    "peak_allocated": _("peak memory allocated (%(part)s)"),
    "peak_reserved": _("peak memory reserved (%(part)s)"),
    "module_peak_reserved": _("peak memory reserved, module %(part)s"),
    "collective_elapse": _("%(part)s, elapsed"),
    "collective_transit": _("%(part)s, transit"),
    "collective_wait": _("%(part)s, wait"),
    "collective_synchronization": _("%(part)s, synchronisation"),
    "collective_idle": _("%(part)s, idle"),
    "link_size": _("data moved over %(part)s"),
    "pmu_clock": _("clock by PMU cycles (%(part)s)"),
    "graph_iteration_time": _("graph iteration time, model %(part)s"),
    "graph_iteration_interval": _("interval of graph iterations, model %(part)s"),
    "group_communication_not_overlapped": _("communication of group %(part)s not overlapped"),
    "": _("%(metric)s of %(part)s"),
    "memory_bound": _("memory_bound (%(part)s)"),
}
ONE_GROUP = _("communication of the one group not overlapped")
SHORT = {
    "computing": _("computing"),
    "communication": _("communication"),
    "free": _("free"),
    "kernel_count": _("kernels"),
    "kernel_count_per_step": _("kernels per step"),
    "communication_not_overlapped": _("comm. not overlapped"),
    "communication_not_overlapped_share": _("comm. not overlapped, share"),
    "peak_allocated": _("allocated"),
    "peak_reserved": _("reserved"),
    "kernel_call": _("one call"),
    "collective_elapse": _("elapsed"),
    "collective_transit": _("transit"),
    "collective_wait": _("wait"),
    "collective_synchronization": _("synchronisation"),
    "collective_idle": _("idle"),
}
KINDS = {
    "ttft": _("time to first token"),
    "tpot": _("time per output token"),
    "itl": _("inter-token latency"),
    "e2e": _("end to end"),
    "prefill": _("prefill"),
    "decode": _("decode"),
    "npu_compute": "NPU_compute_time",
    "requests_per_s": _("requests per second"),
    "samples_per_s": _("samples per second"),
    "output_tokens_per_s": _("output tokens per second"),
    "total_tokens_per_s": _("input and output tokens per second"),
    "tokens_per_s_global": _("tokens per second, whole job"),
    "tokens_per_s_per_rank": _("tokens per second and rank"),
    "tokens_per_s_per_package": _("tokens per second and package"),
}
KIND = _("%(metric)s (%(kind)s)")

# id -> (definition, formula); formulas are free of language
GLOSSARY = {
    "step_time": (
        _("From the start of a step to the start of the next; median of the kept steps unless a goal says otherwise."),
        "start(k+1) − start(k)",
    ),
    "device_span": (
        _("Without step markers: from the first start to the last end of computing and communication. Not a step."),
        "max(end) − min(start)",
    ),
    "computing": (
        _("Time in which at least one kernel runs that is not communication; overlaps count once."),
        "|computing|",
    ),
    "communication_not_overlapped": (
        _("Time in which only communication runs, so that computing does not hide it."),
        "|computing ∪ communication| − |computing|",
    ),
    "communication": (
        _("Time in which at least one communication operator runs; overlaps count once."),
        "|communication|",
    ),
    "free": (
        _("Time of a step in which the device neither computes nor communicates."),
        "|window| − |computing ∪ communication|",
    ),
    "computing_share": (_("Sum of computing over the sum of the steps."), "Σ computing / Σ step time"),
    "communication_not_overlapped_share": (
        _("Sum of communication not overlapped over the sum of the steps."),
        "Σ communication not overlapped / Σ step time",
    ),
    "free_share": (_("Sum of free time over the sum of the steps."), "Σ free / Σ step time"),
    "kernel_count": (
        _("Kernels of AI Core and vector core in the kernel table; AI CPU and communication are counted apart."),
        "count",
    ),
    "kernel_count_per_step": (_("Kernels of a step."), "count / steps"),
    "ai_cpu_count": (_("Kernels that ran on the AI CPU."), "count"),
    "ai_cpu_time": (_("Sum of the durations of AI CPU kernels; they may overlap."), "Σ duration"),
    "kernel_time": (_("Sum of kernel durations; on several streams it exceeds the time that passes."), "Σ duration"),
    "kernel_call": (_("Duration of one call of a kernel; median over all calls."), "end − start"),
    "kernel_call_mean": (_("Mean duration of one call of a kernel."), "Σ duration / count"),
    "kernel_busy": (_("Time in which at least one kernel runs; overlaps count once."), "|kernels|"),
    "row_count": (_("All rows of the kernel table, AI CPU and communication among them."), "count"),
    "row_time": (_("Sum of the durations of all rows of the kernel table."), "Σ duration"),
    "communication_count": (_("Large communication operators in the kernel table."), "count"),
    "peak_allocated": (
        _("Largest amount allocated by a component. Peaks of components occur at different moments: never add them."),
        "max",
    ),
    "peak_reserved": (_("Largest amount reserved by a component, allocated or not."), "max"),
    "aic_mac_ratio": (_("Share of AI Core time in which the matrix unit works."), "Σ(ratio * time) / Σ time"),
    "aic_mte2_ratio": (_("Share of AI Core time in which data moves in from memory."), "Σ(ratio * time) / Σ time"),
    "aiv_vec_ratio": (_("Share of vector core time in which the vector unit works."), "Σ(ratio * time) / Σ time"),
    "aiv_mte2_ratio": (_("Share of vector core time in which data moves in from memory."), "Σ(ratio * time) / Σ time"),
    "aiv_mte2_bound_share": (
        _("Share of vector core time spent in operators whose aiv_mte2_ratio is above the limit of its source."),
        "Σ time(aiv_mte2_ratio > limit) / Σ time",
    ),
    "memory_bound": (
        _("Time of moving data in over the time of computing. A quotient, not a share: it may exceed 1."),
        "Σ mte2 / Σ max(mac, vec)",
    ),
    "memory_bound_share": (
        _(
            "Share of AI Core time in kernels whose own memory_bound is above the limit of its source, where cube and "
            "vector units share one core. Kernels that compute nothing are left out."
        ),
        "Σ time(mte2 / max(mac, vec) > limit) / Σ time",
    ),
    "cube_utilization_elapsed": (
        _("How far the cube cores are occupied over the time that passes. It does not say how busy the MAC units are."),
        "Σ cycles / (elapsed × cores × clock)",
    ),
    "cube_utilization_task": (
        _("How far the cube cores are occupied while their tasks run. It does not say how busy the MAC units are."),
        "Σ cycles / (Σ duration × cores × clock)",
    ),
    "pmu_clock": (
        _("Clock of the cores computed back from cycles and times; blocks that run one after another count as waves."),
        "Σ cycles of a wave / Σ time",
    ),
    "ai_core_frequency": (
        _("Recorded clock of the AI Cores, weighted by the time with a kernel running: idle time does not count."),
        "∫ f dt / |kernels|",
    ),
    "ai_core_frequency_drop": (
        _(
            "How far the recorded clock lay below the nominal when the calls of an operator started, as a mean over "
            "its calls; of the operator where it is largest. Below 0 the clock was above the nominal."
        ),
        "max Σ(nominal − f) / (nominal × n)",
    ),
    "collective_elapse": (
        _("Time of the collectives of a step, start to end; median over steps. Transit, wait and idle add up to it."),
        "Σ elapse",
    ),
    "collective_transit": (_("Time in which the collectives of a step move data; median over steps."), "Σ transit"),
    "collective_wait": (
        _("Time in which the collectives of a step wait for other ranks; median over steps."),
        "Σ wait",
    ),
    "collective_synchronization": (
        _("The part of the wait that lies before the first transit; median over steps."),
        "Σ synchronization",
    ),
    "collective_idle": (
        _("Time in which the collectives of a step neither move data nor wait; median over steps."),
        "Σ idle",
    ),
    "collective_wait_ratio": (_("Wait over wait and transit, by sums."), "Σ wait / (Σ wait + Σ transit)"),
    "collective_synchronization_ratio": (
        _("Synchronisation over synchronisation and transit, by sums."),
        "Σ synchronization / (Σ synchronization + Σ transit)",
    ),
    "link_bandwidth": (_("Data moved over a kind of link by the time it took; 1 GB is 10^9 B."), "Σ size / Σ transit"),
    "link_size": (_("Data moved over a kind of link. SDMA repeats HCCS: never add the two."), "Σ size"),
    "link_transit": (
        _("Time of moving data over a kind of link; links work at once, so it may exceed the time that passes."),
        "Σ transit",
    ),
    "link_large_packet_share": (
        _("Share of the packets of a kind of link that the vendor's tool calls large."),
        "Σ large packets / Σ packets",
    ),
    "group_communication_not_overlapped": (
        _("Time in which only communication of one group runs. Groups overlap: their sum may exceed the whole."),
        "|computing ∪ group| − |computing|",
    ),
    "module_peak_reserved": (_("Largest amount reserved by a module of the software stack."), "max"),
    "host_api_time": (
        _("Sum of the durations of host API calls of a level. Calls nest, so it is no time that passes."),
        "Σ duration",
    ),
    "host_api_calls": (_("Host API calls of a level."), "count"),
    "graph_iteration_time": (
        _("Duration of one iteration of a graph; the gap to the next is not in it."),
        "end − start",
    ),
    "graph_iteration_interval": (
        _("From the end of one iteration of a graph to the end of the next."),
        "end(k+1) − end(k)",
    ),
}
TERMS = {
    "interval": (
        _("95% interval"),
        _("Made by a method that covers the true value in 95 of 100 cases; it holds for these captures only."),
    ),
    "told_apart": (
        _("difference demonstrated"),
        _("The interval of AFTER / BEFORE excludes 1: the captures of the two sides differ. It does not say why."),
    ),
    "worst_rank": (
        _("worst rank"),
        _("A goal over several ranks is judged on the rank whose AFTER value is worst; the rank is named."),
    ),
    "witnessed": (
        _("witnessed"),
        _("Another part of the capture says the same number. Without a witness a count or peak carries a reservation."),
    ),
    "reservation": (
        _("reservation"),
        _("A difference or gap that does not forbid comparing, but has to be known when the verdict is read."),
    ),
}

# names of cross-checks; one on a single step, or on one type of collective, has it in brackets behind
WITNESSES = {
    "op_statistic_count": _("number of kernels in op_statistic"),
    "op_statistic_total": _("kernel time in op_statistic"),
    "rows_with_task": _("rows that have their task in task_time"),
    "tasks_without_row": _("named tasks of task_time without a row"),
    "steps_in_step_trace": _("steps in step_trace_time"),
    "step_trace_computing": _("computing in step_trace_time"),
    "step_trace_communication": _("communication in step_trace_time"),
    "step_trace_communication_not_overlapped": _("communication not overlapped in step_trace_time"),
    "stamps_after_start": _("no kernel before the start of the capture"),
    "stamps_before_end": _("no kernel after the end of the capture"),
    "operator_memory_peak": _("largest total in operator_memory"),
    "records_after_start": _("no record before the start of the capture"),
    "records_before_end": _("no record after the end of the capture"),
    "collective_count": _("communication rows of the kernel table"),
    "collective_elapse": _("time of the communication rows of the kernel table"),
    "communication_statistic_count": _("number of collectives in communication_statistic"),
    "communication_statistic_total": _("time of collectives in communication_statistic"),
    "collective_parts": _("elapse time of an operator as the sum of its parts"),
    "collective_start": _("no collective outside the start and end of the capture"),
    "link_operators": _("operators that transferred and have traffic"),
    "group_rows": _("communication rows whose group is told"),
    "rows_in_csv": _("rows that are found in the csv table"),
    "rows_of_csv": _("rows of the csv table"),
    "durations_in_csv": _("durations in the csv table"),
    "rows_in_db": _("rows that are found in the database"),
    "rows_of_db": _("rows of the database"),
    "durations_in_db": _("durations in the database"),
    "rows_in_json": _("rows that are found in the trace"),
    "rows_of_json": _("rows of the trace"),
    "durations_in_json": _("durations in the trace"),
    "lane_computing": _("computing in the overlap analysis of the exporter"),
    "lane_communication": _("communication in the overlap analysis of the exporter"),
    "lane_communication_not_overlapped": _("communication not overlapped in the overlap analysis of the exporter"),
    "pmu_rows": _("kernel rows with PMU values"),
    "from_db": _("the same value from the database"),
    "from_csv": _("the same value from csv"),
    "from_json": _("the same value from json"),
    "steps_in_csv": _("rows in the same step as in the csv table"),
    "steps_in_db": _("rows in the same step as in the database"),
    "published_parts": _("the published parts of a step add up to its stage"),
}
ON_STEP = _("%(name)s, step %(step)s")
OF_TYPE = _("%(name)s, %(type)s")

# --------------------------------------------------------------------------------------------- places and formulas
# locators of origins, part by part: (pattern, text); names stay as they are
LOCATORS = (
    (r"column Input Data Types of AI_CORE and MIX_AIC rows", _("column Input Data Types of AI_CORE and MIX_AIC rows")),
    (r"column all", _("all columns")),
    (r"columns (?P<names>.+)", _("columns %(names)s")),
    (r"column (?P<names>.+)", _("column %(names)s")),
    (r"line (?P<line>\d+)", _("line %(line)s")),
    (r"line (?P<line>\d+), (?P<name>.+)", _("line %(line)s, %(name)s")),
    (r"lines (?P<lines>\d+-\d+)", _("lines %(lines)s")),
    (r"lines (?P<lines>\d+-\d+), (?P<name>.+)", _("lines %(lines)s, %(name)s")),
    (r"lines (?P<first>\d+) and (?P<last>\d+), (?P<name>.+)", _("lines %(first)s and %(last)s, %(name)s")),
    (r"rows with type (?P<name>.+)", _("rows with type %(name)s")),
    (r"rows with name (?P<name>.+)", _("rows with name %(name)s")),
    (r"rows (?P<rows>\d+-\d+|\d+(?:, \d+)*)", _("rows %(rows)s")),
    (r"rows (?P<rows>[\d, ]+ \.\.\. \d+), (?P<n>\d+) in all", _("rows %(rows)s, %(n)s in all")),
    (r"row (?P<row>\d+)", _("row %(row)s")),
    (r"(?P<n>\d+) rows of the device", _("%(n)s rows of the device")),
    (r"(?P<n>\d+) rows of (?P<table>.+)", _("%(n)s rows of %(table)s")),
    (r"(?P<n>\d+) of (?P<of>\d+) rows", _("%(n)s of %(of)s rows")),
    (r"(?P<n>\d+) rows, (?P<above>\d+) above", _("%(n)s rows, %(above)s above")),
    (r"(?P<n>\d+) rows?", _("%(n)s rows")),
    (r"component (?P<name>.+)", _("component %(name)s")),
    (r"module (?P<name>.+)", _("module %(name)s")),
    (r"model (?P<name>.+)", _("model %(name)s")),
    (r"level (?P<name>.+)", _("level %(name)s")),
    (r"link (?P<name>.+)", _("link %(name)s")),
    (r"events (?P<name>.+)", _("events %(name)s")),
    (r"definition (?P<name>.+)", _("definition %(name)s")),
    (r"(?P<n>\d+) names", _("%(n)s names")),
    (r"(?P<n>\d+) steps", _("%(n)s steps")),
    (r"(?P<n>\d+) operators of (?P<steps>\d+) steps", _("%(n)s operators of %(steps)s steps")),
    (
        r"(?P<kind>\S+): (?P<n>\d+) operators of (?P<steps>\d+) steps",
        _("%(kind)s: %(n)s operators of %(steps)s steps"),
    ),
    (r"name and group of (?P<n>\d+) operators", _("name and group of %(n)s operators")),
    (r"at most (?P<value>[\d.e+-]+(?: \w+)?)", _("at most %(value)s")),
    (r"all rows", _("all rows")),
    (r"whole file", _("whole file")),
)
FORMULAS = {
    text: text
    for text in (
        _("as written"),
        _("as recorded"),
        _("typed by hand"),
        _("distinct ids"),
        _("multisets of (type, shapes, dtypes)"),
        _("dtype with the largest sum of durations"),
        _("as recorded; the lowest and highest of each stretch"),
        _("largest value of each stretch"),
        _("largest total at an allocation"),
        _("group of each operator"),
        _("count of calls"),
        _("count of captures"),
        _("count of runs"),
        _("count of kernel rows"),
        _("count of AI CPU rows"),
        _("count of communication operators"),
        _("count of rows"),
        _("count, sum, mean, median of duration"),
        _("median duration of a kernel row"),
        _("sum / count of kernel rows"),
        _("union of kernel rows"),
        _("sum of durations"),
        _("sum of durations of kernel rows"),
        _("sum of durations of AI CPU rows"),
        _("sum of durations of all rows"),
        _("sum of durations, as published"),
        _("median over steps, as published"),
        _("median over steps of kernel rows"),
        _("median over steps of end - start on the host"),
        _("median over steps of the sum over operators"),
        _("mean over steps of the sum over operators"),
        _("mean of max(end) - min(start) of each step"),
        _("median of max(end) - min(start) of each step"),
        _("median of iteration times"),
        _("integral of f dt over the union of kernel rows / its length"),
        _("mte2 / max(mac, vec) as written"),
        _("the row that holds when a call starts"),
        _("as its producer wrote"),
    )
}
"""Formulas of origins that are words: each is its own text."""
FORMULA_PATTERNS = (
    (r"maximum of (?P<n>\d+) values", _("maximum of %(n)s values")),
    (r"median over windows of (?P<rule>.+)", _("median over windows of %(rule)s")),
    (r"median of (?P<rule>\S+\[k.*\] - .+)", _("median of %(rule)s")),
    (r"mean over windows of (?P<rule>.+)", _("mean over windows of %(rule)s")),
    (r"mean of (?P<rule>\S+\[k.*\] - .+)", _("mean of %(rule)s")),
    (
        r"sum (?P<what>.+) of rows with ratio above (?P<limit>\S+) / sum (?P<whole>.+)",
        _("sum %(what)s of rows with ratio above %(limit)s / sum %(whole)s"),
    ),
    (
        r"sum (?P<what>.+) of rows with mte2 / max\(mac, vec\) above (?P<limit>\S+) / sum (?P<whole>.+)",
        _("sum %(what)s of rows with mte2 / max(mac, vec) above %(limit)s / sum %(whole)s"),
    ),
    (
        r"operator (?P<name>.+), the largest of (?P<n>\d+): (?P<rule>.+)",
        _("operator %(name)s, the largest of %(n)s: %(rule)s"),
    ),
    (r"left out by the warm-up rule: no. (?P<left>.+)", _("left out by the warm-up rule: no. %(left)s")),
    (r"left out as checkpoint steps: no. (?P<left>.+)", _("left out as checkpoint steps: no. %(left)s")),
    (r"left out on reading: no. (?P<left>.+)", _("left out on reading: no. %(left)s")),
    (r"above (?P<limit>\S+)", _("above %(limit)s")),
)
STATISTIC_OF = _("%(what)s of %(n)s values")
FORMULA_WORDS = {
    word: word
    for word in (
        _("sum"),
        _("sum of durations"),
        _("f at start"),
        _("nominal"),
        _("calls"),
        _("total time"),
        _("last end"),
        _("first start"),
        _("step time"),
        _("communication not overlapped"),
        _("not overlapped"),
        _("large packets"),
        _("transit time"),
        _("packets"),
        _("computing"),
        _("communication"),
        _("synchronization"),
        _("transit"),
        _("elapsed"),
        _("elapse"),
        _("wait"),
        _("idle"),
        _("size"),
        _("cycles of a wave"),
        _("cycles"),
        _("cores"),
        _("clock"),
        _("steps"),
        _("window"),
        _("group"),
        _("count"),
        _("duration"),
        _("limit"),
        _("stage"),
        _("bubble"),
        _("free"),
        _("start"),
        _("end"),
        _("time"),
        _("ratio"),
    )
}
"""Words between the symbols of a formula: each is its own text."""
OPTIONS = {
    text: text
    for text in (
        _("schedule(active=2 or more), step()"),
        _("torch_npu.profiler, schedule(active=2 or more)"),
        _("msprof --hccl=on; msprof --export=on --clear=off, then msprof --analyze=on"),
    )
}
"""Options of the tools that hold words of ours; others stand as they are."""

# --------------------------------------------------------------------------------------------- facts
FACTS = {
    "chip": _("chip"),
    "ai_core_num": _("number of AI Cores"),
    "aiv_num": _("number of vector cores"),
    "aic_frequency": _("nominal AI Core clock (MHz)"),
    "driver": _("driver"),
    "cann": "CANN",
    "torch_npu": "torch_npu",
    "level": _("profiler level"),
    "aic_metrics": _("AI Core metrics"),
    "export_type": _("export type"),
    "schedule": _("schedule"),
    "ranks": _("ranks"),
    "steps": _("steps"),
    "workload": _("workload"),
    "framework": _("framework"),
    "backend": _("backend"),
    "phase": _("phase"),
    "model": _("model"),
    "batch_size": _("batch size"),
    "dtype": _("data type"),
    "sequence_length": _("sequence length"),
    "load": _("load"),
    "cpu": _("CPU resources"),
    "checkpoint_steps": _("checkpoint steps"),
    "product": _("product"),
    "circumstances": _("circumstances"),
    "producers": _("producers"),
    "clock": _("clock"),
    "cores": _("cores"),
    "producer": _("producer"),
    "same_capture": _("same capture"),
    "ranks_complete": _("completeness of ranks"),
    "step_markers": _("step markers"),
    "step_count": _("number of steps"),
    "completeness": _("completeness"),
    "last_line": _("last line"),
    "capture_aborted": _("end of the capture"),
    "capture_data_loss": _("loss of data"),
    "accuracy": _("accuracy"),
    "causation": _("cause of the change"),
    "only_listed_captures": _("other runs"),
    "unprofiled_step_time": _("step time without profiling"),
    **messages_runs.FACTS,
}
PLACES = {
    "captures": _("captures"),
    "capture": _("capture"),
    "layout": _("layout"),
    "kernel table": _("kernel table"),
    "start clock": _("start clock"),
    "durations of all kernels": _("durations of all kernels"),
    "start of collection": _("start of collection"),
    "memory": _("memory"),
}
PLACE_OF_CASE = messages_runs.PLACE_OF_CASE
KEY_NEEDED, OF_FACTS = messages_runs.KEY_NEEDED, messages_runs.OF_FACTS
PLACE_OF_RANK = _("%(place)s, rank %(rank)s")
HELD = {
    "not witnessed": _("not witnessed"),
    "capture_aborted": _("aborted"),
    "capture_data_loss": _("data lost"),
}
MATCHED_SHARE = _("matched %(share)s")
AGREED = {
    "training": _("training"),
    "offline inference": _("offline inference"),
    "online inference": _("online inference"),
    "serving": _("serving"),
    "none": _("none"),
}
# platform_version as info.json records it -> family; format reference, table of tags
CHIPS = {"0": "310", "1": "910A", "4": "310P", "5": "910B / Atlas A2 / Atlas A3", "7": "310B", "15": "950"}
CHIP = _("%(id)s, %(name)s family")

# --------------------------------------------------------------------------------------------- reasons
REASONS = {
    **messages_change.REASONS,
    **messages_runs.REASONS,
    # settings
    "setting_equal": _("Recorded on both sides with the same value."),
    "setting_identity": _("Names a run, a machine or a moment: shown, not compared."),
    "setting_differs": _("%(key)s differs."),
    "setting_unknown": _("%(key)s is not recorded in %(side)s."),
    "setting_unknown_both": _("%(key)s is recorded on neither side."),
    "setting_ungraded_differs": _(
        "%(key)s differs and is in no row of our table of settings, so it blocks everything. "
        "If it is harmless, allow it with --allow %(key)s=REASON."
    ),
    "setting_ungraded_one_side": _(
        "%(key)s is recorded in %(side)s only and is in no row of our table of settings, so it blocks everything. "
        "If it is harmless, allow it with --allow %(key)s=REASON."
    ),
    "setting_optional_one_side": _("%(key)s is recorded in %(side)s only; its writer may leave it out."),
    "fact_not_recorded": _("No file of the captures records %(fact)s."),
    "allowed_by_target": _("%(key)s may differ: the target says so."),
    "allowed_by_option": _("%(key)s was allowed on the command line: %(why)s."),
    "declared_by": _("%(key)s: declared as %(value)s by %(signer)s (%(role)s), %(date)s."),
    "declared_none_by_name": _(
        "%(key)s: declared as %(value)s by %(signer)s (%(role)s), %(date)s; what the captures show speaks against it: "
        "no operator type and no kernel name is in common (BEFORE: %(before)s; AFTER: %(after)s)."
    ),
    "declared_partly_by_name": _(
        "%(key)s: declared as %(value)s by %(signer)s (%(role)s), %(date)s; operator types or kernel names in common "
        "hold only %(before)s of the kernel time of BEFORE and %(after)s of that of AFTER."
    ),
    "same_capture": _("Both sides are the same capture (%(what)s): there is nothing to compare."),
    "same_capture_again": _("Two captures of %(side)s are the same one (%(what)s): it is no repeat."),
    "ranks_differ": _("The ranks differ: %(before)s in BEFORE, %(after)s in AFTER."),
    "ranks_not_recorded": _("The rank is recorded on neither side; the sides are paired by device, or one with one."),
    "ranks_incomplete": _("%(side)s holds %(seen)s of %(expected)s ranks."),
    "chip_not_recorded": _("Neither side records the chip."),
    "producers_differ": _(
        "The numbers come from different producers, which do not agree: %(before)s in BEFORE, %(after)s in AFTER."
    ),
    "steps_fewer_than_schedule": _("%(side)s holds %(seen)s of the %(expected)s steps that its schedule asked for."),
    # workload
    "workload_same": _("Operator types, shapes and data types are the same on both sides."),
    "workload_partly": _(
        "The same operator types, shapes and data types hold %(before)s of the kernel time of BEFORE and %(after)s "
        "of that of AFTER; the rest was changed."
    ),
    "workload_types_changed": _(
        "Operator types found on both sides share no shapes and data types (%(types)s): BEFORE %(before)s, "
        "AFTER %(after)s."
    ),
    "workload_no_common_triple": _("No operator type has the same shapes and data types on both sides."),
    "workload_no_common_type": _("No operator type is found on both sides, so nothing shows the same workload."),
    "workload_not_recorded": _(
        "Operator types and shapes are not recorded in %(side)s, so it cannot be seen which work was done: "
        "capture at level 1, or have the parties declare the workload."
    ),
    "workload_none_by_name": _(
        "No operator type and no kernel name is in common (BEFORE: %(before)s; AFTER: %(after)s), and types or shapes "
        "are not recorded in %(side)s: capture at level 1; a declaration of the workload by the parties would stand "
        "against this."
    ),
    "workload_partly_by_name": _(
        "Operator types or kernel names in common hold %(before)s of the kernel time of BEFORE and %(after)s of that "
        "of AFTER, and types or shapes are not recorded in %(side)s, so it cannot be seen which work was done: capture "
        "at level 1, or have the parties declare the workload."
    ),
    "workload_small_match": _(
        "Only %(before)s of the kernel time of BEFORE and %(after)s of that of AFTER is the same work."
    ),
    "workload_contradicts": _("The target says %(agreed)s for %(fact)s, the captures show %(seen)s."),
    # captures
    "check_failed": _("%(side)s fails a cross-check (%(name)s): %(found)s found, %(expected)s expected."),
    "completeness_not_witnessed": _("Nothing else in %(side)s witnesses that this is complete."),
    "capture_aborted": _("The capture was aborted: its end is not recorded, so counts may be incomplete."),
    "capture_aborted_side": _("%(side)s was aborted: its end is not recorded, so counts may be incomplete."),
    "capture_data_loss_side": _("The collector recorded a loss of data in %(side)s, so counts may be incomplete."),
    "settings_file_missing": _("%(file)s is missing in %(side)s."),
    "step_missing": _("Step %(step)s is missing in %(side)s."),
    "step_counts_differ": _(
        "BEFORE holds %(before)s steps and AFTER %(after)s: only figures per step may be compared."
    ),
    "step_markers_one_side": _("Only one side has step markers: %(before)s steps in BEFORE, %(after)s in AFTER."),
    "capture_data_loss": _("The collector recorded a loss of data (%(file)s), so counts may be incomplete."),
    "last_line_without_end": _("The last line of %(file)s has no line end: the file may have been cut."),
    "sub_ns_digits": _("%(column)s of %(file)s is written finer than a nanosecond; it was rounded to the nanosecond."),
    "pmu_unreadable": _("Column %(column)s could not be read and is left out: %(why)s."),
    "ai_cpu_not_told_apart": _("In %(file)s AI CPU helpers cannot be told from kernels, so counts may hold both."),
    "table_missing": _("%(table)s is not there."),
    "table_sliced": _("%(table)s is cut into slices and was not read."),
    "table_unreadable": _("%(table)s cannot be read: %(why)s."),
    "trace_cut": _("The trace is cut and was not searched to its end."),
    "not_read_yet": _("This version does not read it yet."),
    "other_export": _("It belongs to another export; the newest complete one was read."),
    "rows_outside_steps": _("%(n)s rows lie outside every step and are left out of values per step."),
    "warmup_dropped": _("Left out as warm-up: steps %(steps)s."),
    "checkpoint_dropped": _("Left out as checkpoint steps: %(steps)s."),
    "counts_per_step_differ": _("The number of kernels is not the same in every step."),
    "no_step_markers": _("The capture has no step markers."),
    "one_step_only": _("The capture holds one step only."),
    "device_span_used": _("Without step markers the device span stands in place of the step time; it is not a step."),
    "single_kernel_shares": _("One kernel is the whole span, so shares say nothing."),
    "pmu_not_collected": _("AI Core metrics were not collected."),
    "source_without_counters": _(
        "The kernels were read from %(kernels)s, which does not carry AI Core metrics; another source of this capture"
        " does."
    ),
    "source_without_steps": _(
        "The kernels were read from %(kernels)s, which does not carry steps; another source of this capture does."
    ),
    "choose_source": _(
        "inspect %(option)s reads them from %(kernels)s; a pair is read from the first source that both sides have."
    ),
    "level0_zero_times": _("At level 0 the times per unit are written as 0 and mean that they were not collected."),
    "pmu_other_columns": _("PMU data were collected as %(columns)s ..., from which this ratio cannot be formed."),
    "mixed_kernels": _("Calls of unlike kernels are no one sample; see the operator types."),
    "after_earlier_than_before": _(
        "AFTER was captured before BEFORE (%(after)s, %(before)s); the sides may be swapped."
    ),
    "signed_after_capture": _("The target was signed on %(signed)s, after the capture of %(captured)s."),
    "settings_file_unrecognised": _("%(file)s holds no known key on the side %(side)s, so nothing of it can be shown."),
    "step_order": _("The step ids of %(side)s do not grow with time: step %(step)s comes out of turn."),
    "interval_without_estimate": _(
        "The interval does not contain the value: the values are skewed, or a mix of unlike ones. It decides nothing."
    ),
    "describes_the_load": _(
        "On a capture of a service %(metric)s describes the load and the settings; it is shown and not judged."
    ),
    "sampled_peak_lower_bound": _("The peak is the largest of samples: the true one may lie higher."),
    "no_kernel_ran": _("No kernel ran."),
    "no_communication_rows": _(
        "The kernel table has no communication rows; that does not mean that nothing was communicated."
    ),
    "all_steps_left_out": _("Every step was left out as warm-up or checkpoint."),
    "window_of_no_length": _("The window has no length."),
    "core_not_used": _("The %(core)s units were not used."),
    "export_again": _("Export the capture again."),
    "needs_option": _("Capture again with %(option)s."),
    "part_not_on_this_side": _("This side has no such component or rank."),
    "operator_not_on_this_side": _("%(type)s is not found on both sides."),
    "no_sample": _("The value is no mean of a sample."),
    # comparing
    "one_value_each": _("One value on each side: no interval can be stated, so a difference cannot be known."),
    "one_value_on_a_side": _("One value on a side: no interval can be stated, so a difference cannot be known."),
    "one_value": _("One value: no interval can be stated."),
    "non_positive": _("A value is 0, so no ratio and no interval can be stated."),
    "value_without_sample": _("A total is no sample: no interval can be stated."),
    "unlike_calls": _(
        "The calls of the two sides are on other shapes or dtypes, or in other shares of them: calls that are not "
        "alike are not compared one by one."
    ),
    "small_type": _("Less than %(limit)s of kernel time on both sides: not tested."),
    "many_types_tested": _(
        "Many operator types were tested; at %(level)s, which allows for that, no difference is demonstrated."
    ),
    "basis_differs": _("Bounded in different ways: %(before)s in BEFORE, %(after)s in AFTER."),
    "call_counts_differ": _(
        "%(before)s calls in BEFORE, %(after)s in AFTER, and no steps explain it: totals get no verdict."
    ),
    "totals_of_different_steps": _(
        "%(before)s steps in BEFORE, %(after)s in AFTER: totals get no verdict, figures per step do."
    ),
    "few_values": _("Only two or three values on a side: only large differences can be told."),
    "few_independent_values": _(
        "%(n)s values in a row, neighbours of which resemble each other (correlation %(rho)s), are worth %(effective)s "
        "independent ones: of fewer than 2 no interval is stated."
    ),
    "interval_includes_one": _("The interval of AFTER / BEFORE includes 1: no difference demonstrated."),
    "interval_excludes_one": _("The interval of AFTER / BEFORE excludes 1: the captures of the two sides differ."),
    "high_autocorrelation": _(
        "Successive values resemble each other (correlation %(rho)s): an interval made of them is still too narrow."
    ),
    "below_resolution": _(
        "The difference is smaller than what the rounding of the recorded digits can make: no difference demonstrated."
    ),
    "exact_equal": _("An exact value, not a sample: equal."),
    "exact_differs": _("An exact value, not a sample: different."),
    "both_zero": _("0 on both sides: equal."),
    "before_zero": _("BEFORE is 0, so a relative change does not exist."),
    "captures_lack_value": _("%(n)s of %(of)s captures have no value: %(names)s."),
    "captures_measured_differently": _("The captures of this side were measured in different ways: %(bases)s."),
    "captures_differ": _(
        "The captures of this side hold different counts: %(values)s; one of them stands for the side."
    ),
    "totals_of_different_captures": _(
        "The captures of this side hold different numbers of steps, so totals are not averaged."
    ),
    "two_captures": _("Two captures on a side: only large changes can be told."),
    "one_capture_on_a_side": _(
        "Several captures on one side and one on the other: how much single captures vary is not known there."
    ),
    "captures_alike": _(
        "All captures of a side give the same value to the last digit, which does not show how they vary: a difference "
        "cannot be known."
    ),
    "captures_scatter": _(
        "The captures of a side vary so much that no interval of AFTER / BEFORE can be stated: a difference cannot be "
        "known."
    ),
    "values_missing": _("A side has no value."),
    "change_of_share": _("The change of a share or a ratio is given as its delta."),
    "operator_added": _("Found in AFTER only."),
    "operator_removed": _("Found in BEFORE only."),
    # judging
    "all_goals_met": _("All goals are met."),
    "goal_not_met": _("Goal %(goal)s is not met."),
    "goal_undecided": _("Goal %(goal)s is undecided."),
    "runs_not_comparable": _("The runs that goal %(goal)s would be judged on are not comparable."),
    "no_goals": _("The target names no goal, so there is nothing to judge."),
    "pair_not_comparable": _("The sides are not comparable because of %(keys)s."),
    "pair_cannot_be_shown": _("It cannot be shown that the sides are comparable because of %(keys)s."),
    "family_blocked": _("Metrics of the family %(family)s are not judged because of %(keys)s."),
    "within_limit": _("Within the limit."),
    "beyond_limit": _("Beyond the limit."),
    "interval_crosses_limit": _("The interval contains the limit; the estimate lies %(side)s."),
    "no_interval_guarded": _(
        "The guarded rule needs an interval, and none can be stated: "
        "it takes at least 4 values (steps or calls) on the judged side."
    ),
    "no_interval_zero": _("The guarded rule needs an interval, and none can be stated: a value of a side is 0."),
    "no_interval_one_capture": _(
        "The guarded rule needs an interval, and one capture beside several does not show how much captures vary: "
        "it takes at least 3 captures of each side."
    ),
    "no_interval_scatter": _(
        "The guarded rule needs an interval, and none can be stated: "
        "the captures or runs of a side vary so much that their mean may be 0."
    ),
    "no_interval_once": _(
        "The guarded rule needs an interval, and one run or capture gives none for this statistic: "
        "it takes at least 3 runs or captures of each side."
    ),
    "no_interval_typed": _(
        "The guarded rule needs an interval, and a value typed by hand has none: "
        "name the logs or result files of at least 3 runs of each side in its place."
    ),
    "no_spread_guarded": _(
        "The guarded rule needs an interval, and none can be stated: "
        "all or most values of a side are alike to the last digit written, which does not show how they spread."
    ),
    "no_interval_simple": _("Decided on the estimate alone; no uncertainty can be stated."),
    "at_limit_simple": _("The estimate lies at the limit itself, where the simple rule errs half of the time."),
    "metric_not_measured": _("%(metric)s was not measured."),
    "statistic_not_available": _("The statistic (%(statistic)s) cannot be had from what was recorded."),
    "no_external_value": _("%(metric)s is measured outside the profile, and the target gives no value for %(side)s."),
    "hand_typed": _("The value was typed into the target by hand."),
    "no_capture_for_case": _("The captures were not taken of case %(case)s."),
    "subject_to_not_met": _("It also asks for goal %(goal)s, which is not met."),
    "subject_to_undecided": _("It also asks for goal %(goal)s, which is undecided."),
    "subject_to_not_comparable": _("It also asks for goal %(goal)s, which is not comparable."),
    # official rules
    "framework_unknown": _("The target does not say which framework runs."),
    "backend_unknown": _("The target does not say which backend runs."),
    "backend_outside": _("The rule is not of backend %(backend)s."),
    "framework_outside": _("The rule is not of framework %(framework)s."),
    "phase_unknown": _("The target does not say which phase runs."),
    "phase_excluded": _("The source excludes the phase %(phase)s in words."),
    "phase_outside": _("The rule is not of the phase %(phase)s."),
    "steps_unknown": _("Without steps there is no share of a step."),
    "checkpoint_steps_not_stated": _("The target does not say which steps save a checkpoint."),
    "wait_events_found": _(
        "MEM_WAIT_VALUE or CAPTURE_WAIT occurs in %(side)s (%(file)s), so free time holds waiting as well."
    ),
    "wait_events_not_searchable": _("No file of %(side)s shows whether MEM_WAIT_VALUE or CAPTURE_WAIT occurs."),
    "product_excluded": _("The source excludes %(product)s."),
    "product_outside": _("The rule is not of %(product)s."),
    "product_open": _("The chip may be of %(products)s; state the product in the target."),
    "product_unknown": _(
        "Which product series ran is not recorded; keep info.json, or a chip of another series than those known."
    ),
    "product_contradicts": _("The target says %(agreed)s, the chip is of %(seen)s."),
    "circumstance_excluded": _("The source excludes this: %(name)s."),
    "circumstance_outside": _("The target says that this is not so: %(name)s."),
    "circumstance_unknown": _("The target does not say whether this is so: %(name)s."),
    "covered_by": _("Rule %(rule)s stands in its place here."),
    "never_enforced": _("Nobody can apply it: %(why)s."),
    "no_number_given": _("The source gives no number, only a direction."),
    "not_measured_here": _("Its quantity, as the source means it, is not measured in this report."),
    "pair_not_alike": _("The two captures were not taken alike."),
    "pair_cannot_be_shown_alike": _("It cannot be shown that the two captures were taken alike."),
    "one_rank": _("It needs several ranks of one capture; one was captured."),
    "world_size_unknown": _("How many ranks the job has is not recorded in %(side)s; state ranks in the target."),
    "ranks_missing": _("It needs every rank; %(side)s holds %(seen)s of %(expected)s."),
    "level_unknown": _("The profiler level is not recorded."),
    "level_outside": _("It needs level 1 or more; recorded is %(level)s."),
    "aic_metrics_unknown": _("Which AI Core metrics were collected is not recorded."),
    "aic_metrics_outside": _("It reads columns of PipeUtilization; collected was %(metrics)s."),
    "aic_metrics_other": _("It needs PipeUtilization; recorded is %(metrics)s."),
    "aic_mode_unknown": _("Whether AI Core data were collected by task is not recorded."),
    "aic_mode_outside": _("It needs data by task; recorded is %(mode)s."),
    "cores_and_clock_unknown": _("Core count or nominal clock is not recorded; keep info.json."),
    "rated_clock_unknown": _("The nominal clock is not recorded; keep info.json."),
    "rated_clock_outside": _("The rule is of chips with another nominal clock than %(mhz)s MHz."),
    "clock_not_sampled": _("%(side)s holds no samples of the AI Core clock that can be read."),
    "clock_unwatched": _("Whether changes of the clock were recorded in %(side)s is not shown."),
    "clock_changed": _("The clock changed while kernels ran in %(side)s."),
    "inflation_unknown": _("Whether profiling was minimal is not recorded."),
    "profiling_not_minimal": _(
        "Profiling was not minimal (%(on)s), so end-to-end, communication and dispatch times are inflated."
    ),
    "shapes_unknown": _("Input shapes were not recorded on both sides."),
    "operator_state_unknown": _("Whether operators are static or dynamic is not read."),
    "product_version_unknown": _("It is of certain product versions, and no capture records them."),
    "gc_unknown": _("Whether garbage collection was watched is not recorded."),
    "gc_not_watched": _("Garbage collection was not watched (gc_detect_threshold not set), so nothing follows."),
    "host_api_unknown": _("Whether host calls were captured is not recorded."),
    "link_matrix_not_read": _(
        "It needs the bandwidth between pairs of ranks (communication matrix), which is not read."
    ),
    "theoretical_bandwidth_unknown": _("The theoretical bandwidth of this chip's links is not given by a source."),
    "text_capture": _("It is of captures with a database of the profiler; these have none."),
    "whole_application": _("It is of captures of one operator by msprof op; these are of an application."),
    "first_rule_not_read": _("It is read after rule %(rule)s, which was not read."),
    "first_rule_not_so": _("It is read only where rule %(rule)s says: %(band)s."),
    "value_at_limit": _("The value of %(side)s lies exactly at a limit, and the source does not say what holds there."),
    "scope_matches": _("All that is known of the job lies in the scope of the rule."),
    # what a pair of captures does not show
    "accuracy_not_shown": _("No evidence of accuracy is attached: this report cannot say whether accuracy was kept."),
    "attach_accuracy": _("Attach the result of an accuracy comparison."),
    "unprofiled_step_time_missing": _("Times hold while profiling; what profiling adds to them is unknown."),
    "attach_training_log": _("Give the step time of a run without profiling in the target, with its log."),
    "not_measured": _("It is not in a profile, and the target gives no value."),
    "attach_result_file": _("Give the value in the target, with the result file it comes from."),
    "declare_only": _(
        "No profiler records %(key)s: it can only be declared by the parties in the target ([[declared]])."
    ),
    "recapture_only": _("Capture both sides again so that %(key)s is shown: nobody may declare it."),
    "declare_or_recapture": _("Capture both sides so that %(key)s is recorded, or have the parties declare it."),
    "causation": _("The captures differ; that a certain change is the cause is not shown."),
    "only_listed_captures": _("The figures hold for the captures listed, not for other models, loads or machines."),
    "cores_not_recorded": _("The capture does not record %(keys)s of its chip."),
    "keep_info_json": _("Keep device_N/info.json.N of the PROF directory with the capture."),
    "one_kind_of_core": _("Cube and vector units share one core on this chip; %(metric)s is not defined there."),
    "memory_bound_without_computing": _(
        "No computing was recorded, so there is no quotient; the exporter writes 0 here."
    ),
    "memory_bound_of_several": _("Only the quotients of %(n)s kernels are read; quotients cannot be combined."),
    "memory_bound_transfers_only": _(
        "%(n)s of %(of)s kernels transfer data and compute nothing; their transfers are counted."
    ),
    "cores_apart": _(
        "Cube and vector cores are apart on this chip; the source of %(metric)s does not define it there."
    ),
    "memory_bound_share_left_out": _(
        "%(n)s of %(of)s kernels compute nothing, so they have no quotient and are left out."
    ),
    "memory_bound_share_at_limit": _(
        "%(n)s of %(of)s kernels are at the limit itself, of which the source says nothing; they do not count as above."
    ),
    "pmu_clock_unknown": _("The clock cannot be computed: %(n)s rows need %(key)s or a number of blocks."),
    "pmu_clock_rows_left_out": _("%(n)s of %(of)s rows are left out: their number of blocks or of cores is not known."),
    "pmu_clock_off_nominal": _(
        "%(n)s of %(of)s rows ran more than %(tolerance)s%% off the nominal %(nominal)s MHz: lowest "
        "%(lowest)s MHz (row %(lowest_row)s), highest %(highest)s MHz (row %(highest_row)s)."
    ),
    "frequency_out_of_range": _("%(file)s holds a clock of %(mhz)s MHz, at which no chip runs."),
    "frequency_not_of_device": _("%(file)s holds no clock that is certainly of this device."),
    "frequency_below_nominal": _(
        "Kernels ran below the nominal %(nominal)s MHz for %(share)s%% of busy time; lowest %(lowest)s MHz, "
        "%(changes)s changes."
    ),
    "frequency_changes_not_collected": _("The clock is flat at %(nominal)s MHz, but its changes were not collected."),
    "frequency_changes_unknown": _(
        "The clock is flat at %(nominal)s MHz; whether its changes were collected is not recorded."
    ),
    "frequency_dies_differ": _(
        "The dies of device %(device)s in %(file)s ran at different frequencies; the lower one is taken."
    ),
    "frequency_of_one_die": _(
        "%(file)s holds the clock of several dies; that of the lowest die is read and %(n)s rows of others "
        "are left out, since the kernel table does not say on which die a kernel ran."
    ),
    "iterations_left_out": _("%(rows)s iterations of %(file)s have no end or no time (N/A) and are left out."),
    "collective_far_above_median": _(
        "%(n)s collectives took more than %(factor)s times the median of their kind; the longest, %(name)s "
        "in step %(step)s, took %(elapse)s against %(others)s: ranks may have begun profiling at different "
        "times."
    ),
    "steps_without_collectives": _("Steps %(steps)s have no collectives recorded and are not in the sample."),
    "no_transit_or_wait": _("Neither transit nor wait was recorded, so there is no ratio."),
    "table_without_rows": _("%(table)s holds no rows."),
    "sdma_repeats_hccs": _("SDMA repeats the traffic of HCCS: never add the two."),
    "no_link_traffic": _("No link carried any traffic."),
    "link_without_time": _("No transit time was recorded, so there is no bandwidth."),
    "packets_not_recorded": _("No packets were recorded for this link."),
    "parts_left_out": _("Only the %(most)s largest are shown; %(n)s more are left out."),
    "groups_not_told": _("The groups of the communication operators cannot be told."),
    "group_rows_not_told": _("The group of %(n)s of %(of)s communication rows cannot be told; they are in no group."),
    "no_module_holds_memory": _("No module held any memory."),
    "api_calls_nest": _("Calls nest and threads run side by side: the sum of durations is no elapsed time."),
    "no_api_calls": _("The table of host API calls is empty."),
    "no_graph_iterations": _("The capture has no table of graph iterations; runs of single operators have none."),
    "no_successive_iterations": _("There are no two successive iterations."),
    "first_iteration_left_out": _("Iteration %(iteration)s, the first, is left out."),
    "iterations_not_successive": _("Iterations are missing in %(n)s places; no interval spans them."),
    "sources_differ": _(
        "The value is taken from %(before)s in BEFORE and from %(after)s in AFTER: two sources are not compared."
    ),
    "excluded_by_option": _("Kernels called %(pattern)s are left out on both sides (--exclude): %(why)s."),
    "free_over_all_tasks": _(
        "Free as published here spans all device tasks, not only computing and communication: it is not compared."
    ),
    "trace_communication_left_out": _(
        "%(rows)s events of the communication lane of %(file)s are neither a task nor recognised as an "
        "operator; they are left out of its kernels."
    ),
    # main bottleneck
    "shares_describe_the_load": _(
        "On a capture of a service the shares describe the load and the settings: no bottleneck is named."
    ),
    "first_rule_exceeded": _("The first rule exceeded in the order of the guide: free, then communication."),
    "no_limit_exceeded": _("By order: no limit is exceeded, and the source gives no number for computing."),
    "share_in_no_statement": _("The guide makes no statement on %(metric)s in this range."),
    "largest_share_no_limit": _("The largest of the three shares of the slowest rank; no official limit applies."),
    "largest_share_tied": _("Two shares are equally large."),
    "slowest_rank_unknown": _("In %(side)s it cannot be told which rank is the slowest."),
    "bottleneck_moved": _("The main bottleneck moved."),
    "bottleneck_same": _("The main bottleneck is the same on both sides."),
    "bottleneck_not_told": _("That of %(side)s is not told."),
    "computes_longer": _("The pipe that computes was busy for longer than MTE2."),
    "transfers_longer": _("MTE2 was busy for longer than the pipe that computes."),
    "pipes_tied": _("Both pipes were busy for equally long."),
    "not_time_weighted": _("%(metric)s is weighted by cycles, not by time."),
    "every_pipe_within_limit": _("No pipe is busy for more than the limit."),
    "nothing_told_inside": _("Nothing can be told inside computing."),
    # signs that official cases describe
    "sign_pmu_missing": _("PMU data were asked for; the kernel table has no column of them."),
    "sign_pmu_zero": _("PMU data were asked for; every cell of them is empty or 0."),
    "sign_data_lost": _("The collector recorded lost data."),
    "sign_storage_limit": _(
        "storage_limit is recorded as %(value)s; whether it was asked for, and whether it was reached, is not."
    ),
    "sign_inflating_switch": _("Switches that lengthen a step while it is profiled: %(names)s."),
    "sign_format_nhwc": _("Operators with NHWC tensors (%(types)s)."),
    "sign_one_block_reduce": _("Reducing operators that run on one core, Block Dim 1 (%(types)s)."),
    "sign_serving": _("The agreed phase is serving: another scope than this analysis of one machine."),
    "sign_iteration_ids_missing": _("step_trace lacks the column %(column)s."),
    # runs measured outside the profile
    "single_run": _(
        "A single run: its interval is that of its own values, the variation between runs was not assessed."
    ),
    "runs_at_one_time": _(
        "By their own clocks %(files)s ran at one time: they shared the machine, or one of the times is not theirs."
    ),
    "single_run_bare": _("A single run: the variation between runs was not assessed."),
    "profiled_not_stated": _("Whether a profiler ran during the runs is not stated."),
    "profiled_run": _("The runs were profiled; their times hold while profiling."),
    "profiled_mixed": _("One run was profiled and the other was not: they are not compared."),
    "profiled_of_some": _(
        "Whether %(file)s was profiled is stated nowhere, and of other runs it is: they are not compared."
    ),
    "definitions_differ": _("The figures follow different definitions (%(sets)s): they are not compared."),
    "log_contradicts_itself": _(
        "%(file)s contradicts itself (identity %(identity)s): %(found)s as stated, %(expected)s by its other figures."
    ),
    "log_given_twice": _(
        "%(file)s and %(other)s are one run given twice (same file, or same figures): it is no repeat, and it is not "
        "held against itself."
    ),
    "log_times_shared": _(
        "%(n)s of the %(of)s times of %(file)s and of %(other)s that can be set side by side are the same (as written, "
        "by one factor or shift for all, or in another order): runs that were measured twice do not agree so. Neither "
        "counts as a run of its own."
    ),
    "typed_contradicts_log": _(
        "The target gives a value typed by hand and logs of %(side)s, and they contradict each other: %(typed)s as "
        "typed, %(logged)s in the logs."
    ),
    "log_of_one_side": _(
        "%(file)s, a run of %(side)s outside the profile, speaks of this goal, and the target names no log for the "
        "other side that the goal needs. A log is held against no profile and no typed value: name logs of both sides, "
        "or none."
    ),
    "log_without_figure": _(
        "%(files)s, named for %(side)s, gives no figure of the metric of this goal, and %(other)s, a run of "
        "%(other_side)s, does. A log is held against no profile and no typed value: name a log of %(side)s that gives "
        "it, or none for either side."
    ),
    "operators_of_first_capture": _(
        "Operator types are read of the first capture of each side alone: with repeats no goal on one type is judged."
    ),
    "log_no_real_workload": _("%(file)s says itself that it is no real workload."),
    "log_inside_capture": _(
        "%(file)s is called unprofiled, and its run overlaps in time with the capture of %(side)s."
    ),
    "statistic_not_logged": _("%(file)s does not hold this statistic (%(statistic)s)."),
    "interval_means": _(
        "The lines of %(file)s are means of several steps: of those only a mean can be formed, not this "
        "statistic (%(statistic)s)."
    ),
    "measured_outside": _("Measured outside the profile."),
    "log_lines_twice": _("%(n)s lines stand in the file twice, to the last digit; each is used once."),
    "log_records_cut": _(
        "%(n)s records are cut or run into other text (the first in line %(line)s); their doubtful figures "
        "are not used."
    ),
    "log_lines_too_long": _("%(n)s lines are longer than 1 MiB; what stands beyond is not read."),
    "log_other_runs": _("The file holds %(n)s further runs, each shown on its own."),
    "log_ramp_up": _(
        "%(n)s lines (iterations %(first)s to %(last)s) have other batch sizes (%(sizes)s) than the last "
        "line; they are left out."
    ),
    "log_skipped": _("%(n)s lines tell of skipped or NaN iterations (%(iterations)s); they are left out."),
    "log_skipped_iterations": _(
        "Iterations were skipped or gave NaN in %(n)s lines: those did less work. Leave out the same on both sides."
    ),
    "log_partial_lines": _(
        "%(n)s lines (the first is line %(line)s) lack a figure that the other lines of their run have; they are left "
        "out."
    ),
    "log_interval_unknown": _("%(n)s lines are left out: of how many iterations each is the mean cannot be told."),
    "log_lines_missing": _(
        "Lines are missing in %(n)s places: iteration numbers jump by more than the interval of logging."
    ),
    "log_interval_mean": _(
        "A line is the mean of %(interval)s iterations: %(n)s lines are no single steps, and a checkpoint is "
        "smeared over its line."
    ),
    "log_running_mean": _("%(n)s figures are printed as now/mean; the first one is used, the running mean is not."),
    "log_values_unreadable": _("%(n)s values are no numbers and are not used."),
    "log_not_a_real_workload": _(
        "Line %(line)s says that a router or a sequence length is fixed for tests: this is no real workload."
    ),
    "log_memory_early": _(
        "Memory was printed once, after iteration %(after)s, by %(ranks)s ranks: a peak up to there, not of the run."
    ),
    "log_memory_since_start": _("Memory is the peak over all ranks since the process began, initialisation included."),
    "log_lists_differ": _("The lists %(keys)s do not go together, one is missing or shorter: they are not used."),
    "log_lists_unreadable": _("The lists %(keys)s hold something that is no number and are not used."),
    "log_figures_missing": _(
        "Without %(keys)s, which its producer always writes beside the other figures, this result is not whole."
    ),
    "log_figures_unreadable": _(
        "%(n)s lines (the first is line %(line)s) give under %(key)s no number above 0: this log is not whole."
    ),
    "log_failed_requests": _("%(n)s failed requests are left out of the lists."),
    "log_requests_failed": _("%(n)s requests failed; the producer's latencies are of the others alone."),
    "log_withheld": _("%(n)s values are withheld: their keys name a secret or a machine."),
    "log_texts_not_kept": _("The answers' texts are not kept."),
    "log_keys_unread": _("Not used, since nothing here is known of them: %(keys)s."),
    "log_speculative": _(
        "Tokens were speculated: a chunk holds several tokens, so the gap between chunks is no time per output token."
    ),
    "log_block_cut": _("The block that begins in line %(line)s has no last line; what is missing is not known."),
    "log_two_decimals": _("A copy of the screen, rounded to two decimals, without the requests behind it."),
    "log_no_service": _("Measured offline in one process: no queue, no network, no service."),
    "log_witness_only": _("A server's log is no result: it shows what load really ran, in windows of some seconds."),
    "log_dummy_weights": _(
        "The weights are random (load_format=dummy): of speed alone it can tell, of accuracy nothing."
    ),
    "log_requests_waited": _("Up to %(n)s requests waited in the server."),
    "log_prefix_cache_hits": _(
        "The prefix cache was hit in %(windows)s windows: part of the prompts was not computed."
    ),
    "log_settings_changed": _("A later line states these otherwise: %(keys)s. The first is kept."),
    "log_last_row": _("The last row, line %(line)s, has no line end and may be cut; it is not used."),
    "log_checkpoint_rows": _("%(n)s steps are marked as checkpoints and left out: %(steps)s."),
    "log_warm_up_rows": _("%(n)s steps are marked as warm-up and left out: %(steps)s."),
    "log_part_missing": _("%(file)s is not there; what it would hold is missing."),
    "log_empty_rows": _("%(n)s rows are statistics of no request; their zeros are not used."),
    "log_not_measured": _("%(column)s is 0 throughout: it was not measured."),
    "log_short_steps": _(
        "%(n)s of %(of)s steps took less than half of the median time (no. %(steps)s): they did other work, or their "
        "times were edited."
    ),
    "log_mean_above_p99": _(
        "The mean of %(what)s (%(mean)s) lies above its P99 (%(p99)s): a few values decide it. A goal has to "
        "name the statistic."
    ),
    "log_context_differs": _(
        "%(key)s is %(here)s in the results and %(there)s in the configuration beside them: it may be another run's."
    ),
    "log_context_several": _("%(n)s configurations that disagree stand beside the results; none is used."),
    "log_profiled_run": _(
        "The run was made with the profiler switched on: its times are not those of an unprofiled run."
    ),
    "log_clock_seconds": _(
        "Times are differences of a clock that shows whole seconds; the producer's own smoothed or running "
        "figures are not used."
    ),
    "log_resolution_coarse": _("What is written can show no difference smaller than %(resolution)s."),
    "log_whole_run_means": _("Means of the whole run: warm-up, evaluation and saving are in them."),
    "log_steps_without_update": _("%(n)s steps overflowed and updated nothing."),
    "log_epoch_lines": _("%(n)s lines of whole epochs are not used, since the steps are there."),
    "aisbench_stable_with_failures": _(
        "%(n)s requests failed: AISBench's code then mixes up its lists of requests for the stable stage, so "
        "its figures cannot be relied on."
    ),
    "aisbench_stable_too_short": _(
        "The longest request took %(longest)s, not less than a third of the %(duration)s of the stable stage: "
        "AISBench's own documents call its throughput credible only then."
    ),
    "aisbench_stable_unproven": _(
        "Whether the stable stage is long enough cannot be told: the longest request is not among the statistics."
    ),
    "aisbench_no_input_tokens": _("No input token was counted: multi-modal input counts none."),
    "aisbench_retries": _("Up to %(n)s retries of a request hide failures."),
    "mindie_rows_inferred": _(
        "The table has seven rows without names; that they are average, max, min, P75, P90, P99 and N is "
        "inferred, and their order bears it out."
    ),
    "om_excludes_copies": _(
        "NPU_compute_time is the model on the NPU alone: copies to and from the device and the work before "
        "and after are not in it. It is no latency of a service."
    ),
    "om_batch_guessed": _(
        "The batch size was not stated: the tool guesses it from the model, and throughput rests on it."
    ),
    "om_input_zeros": _("No input was given: the tool then feeds zeros."),
    "om_input_unknown": _("Whether real data were fed cannot be seen; by default the input is zeros."),
    "om_one_inference": _("One inference alone: --loop is 1 by default."),
    "om_several_summaries": _(
        "The log holds %(n)s summaries, of several devices or calls; each is a run, and its throughput is "
        "that of one process."
    ),
    "verl_tokens_vary": _("The number of tokens changes from step to step: judge throughput, not the time of a step."),
    "mindspore_epoch_means": _("Each value is the mean of an epoch."),
    "mindspore_first_epoch": _("The first epoch holds the compilation of the graph, and there is no other."),
    "modelzoo_script_formula": _(
        "What FPS counts is defined in the shell script that wrote the file: give the script too, and hold it "
        "against the other side's."
    ),
    **messages_cases.REASONS,
    **statistics.REASONS,
}
REASONS |= messages_gates.REASONS
BOTTLENECKS = {
    "free": _("host dispatch (free)"),
    "communication": _("communication"),
    "computing": _("computing"),
    "none": _("not told"),
}
DECIDED_BY = {
    "first rule exceeded": _("first rule exceeded"),
    "no limit exceeded": _("no limit exceeded"),
    "largest share": _("largest share, no official limit"),
    "not told": _("not told"),
}
INSIDE = {
    "compute bound": _("compute bound"),
    "transfer bound": _("transfer bound"),
    "cannot be told": _("cannot be told"),
}
INSIDE_CORES = {"cube": _("inside computing: cube"), "vector": _("inside computing: vector")}
PIPE_NAMES = {"aic_mac_ratio": "MAC", "aic_mte2_ratio": "MTE2", "aiv_vec_ratio": "VEC", "aiv_mte2_ratio": "MTE2"}
LOW_LOAD = {
    "every_pipe_within_limit": _(
        "No pipe is busy above %(limit)s, the limit of a tool's source (%(source)s, per task)."
    ),
    "nothing_told_inside": _("Nothing can be told inside computing."),
}
TRIED_FIRST = _("What the official guide tries first (%(scope)s): %(order)s")
BOTTLENECK_LINE = _("Main bottleneck: %(before)s in BEFORE, %(after)s in AFTER.")

SIDES = {
    "before": "BEFORE",
    "after": "AFTER",
    "both": _("BEFORE and AFTER"),
    "inside": _("inside the limit"),
    "beyond": _("beyond the limit"),
}

# --------------------------------------------------------------------------------------------- the verdict sentence
VALUE = {
    "after": _("AFTER %(metric)s is **%(value)s**%(spread)s."),
    "outside": _("AFTER %(metric)s, measured outside the profile, is **%(value)s**%(spread)s."),
    "delta": _("%(metric)s, AFTER − BEFORE, is **%(value)s**%(spread)s."),
    "ratio": _("%(metric)s, AFTER / BEFORE, is **%(value)s**%(spread)s."),
}
SPREAD = {
    "interval": _(", 95%% interval %(interval)s (%(runs)s)"),
    "interval_alone": _(", 95%% interval %(interval)s"),
    "one_value": _("; with one value on a side no interval can be stated"),
    "none": _("; no interval can be stated"),
    "count": _(" (a count)"),
    "peak": _(" (a peak)"),
    "single": "",
}
CLAUSE = {"number": _(" (clause %(clause)s)"), "words": _(" (%(clause)s)")}
# (outcome, direction, which end decided): whole sentences, so that no language has to compose them
LIMITS = {
    ("met", "at_most", "interval"): _(
        "The upper bound is %(margin)s below the agreed limit of **%(limit)s**%(clause)s: **met**."
    ),
    ("met", "at_least", "interval"): _(
        "The lower bound is %(margin)s above the agreed limit of **%(limit)s**%(clause)s: **met**."
    ),
    ("met", "at_most", "point"): _("This is %(margin)s below the agreed limit of **%(limit)s**%(clause)s: **met**."),
    ("met", "at_least", "point"): _("This is %(margin)s above the agreed limit of **%(limit)s**%(clause)s: **met**."),
    ("met", "at_most", "equal"): _("It is not above the agreed limit of **%(limit)s**%(clause)s: **met**."),
    ("met", "at_least", "equal"): _("It is not below the agreed limit of **%(limit)s**%(clause)s: **met**."),
    ("not_met", "at_most", "interval"): _(
        "The lower bound is %(margin)s above the agreed limit of **%(limit)s**%(clause)s: **not met**."
    ),
    ("not_met", "at_least", "interval"): _(
        "The upper bound is %(margin)s below the agreed limit of **%(limit)s**%(clause)s: **not met**."
    ),
    ("not_met", "at_most", "point"): _(
        "This is %(margin)s above the agreed limit of **%(limit)s**%(clause)s: **not met**."
    ),
    ("not_met", "at_least", "point"): _(
        "This is %(margin)s below the agreed limit of **%(limit)s**%(clause)s: **not met**."
    ),
    ("not_met", "at_most", "equal"): _("The agreed limit is **%(limit)s**%(clause)s: **not met**."),
    ("not_met", "at_least", "equal"): _("The agreed limit is **%(limit)s**%(clause)s: **not met**."),
}
# (direction, where the estimate lies)
CROSSED = {
    ("at_most", "inside"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate is %(near)s below it, "
        "the upper bound %(far)s above it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_most", "beyond"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate is %(near)s above it, "
        "the lower bound %(far)s below it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_least", "inside"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate is %(near)s above it, "
        "the lower bound %(far)s below it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_least", "beyond"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate is %(near)s below it, "
        "the upper bound %(far)s above it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_most", "at"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate lies at it, the upper bound "
        "%(far)s above it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_least", "at"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate lies at it, the lower bound "
        "%(far)s below it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_most", "touching"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate is %(near)s above it, "
        "the lower bound lies at it. **Undecided**: not to be used as met or as not met."
    ),
    ("at_least", "touching"): _(
        "The interval contains the agreed limit of **%(limit)s**%(clause)s: the estimate is %(near)s below it, "
        "the upper bound lies at it. **Undecided**: not to be used as met or as not met."
    ),
}
"""(direction, where the estimate lies) -> how far it and the other end are from the limit; ``touching``: that end is at
it."""
OTHERWISE = {
    "undecided": _(
        "The agreed limit is **%(limit)s**%(clause)s. **Undecided**: %(why)s. Not to be used as met or as not met."
    ),
    "not_met": _("The agreed limit is **%(limit)s**%(clause)s. **Not met**: %(why)s."),
    "undecided_so": _(
        "The agreed limit is **%(limit)s**%(clause)s. **Undecided**: not to be used as met or as not met."
    ),
    "unlike": _(
        "The agreed limit is **%(limit)s**%(clause)s. **Not comparable**: no verdict on this change is given; each "
        "side's value stands alone."
    ),
}
# by what the limit holds for; the same reason is not said twice
NO_VALUE = {
    "after": _("AFTER %(metric)s has no value: %(why)s."),
    "delta": _("%(metric)s, AFTER − BEFORE, has no value: %(why)s."),
    "ratio": _("%(metric)s, AFTER / BEFORE, has no value: %(why)s."),
}
# what BEFORE was; "less" and "more" say which way AFTER went
COMPARED = {
    "less": _("BEFORE was %(before)s: a reduction of %(change)s."),
    "more": _("BEFORE was %(before)s: an increase of %(change)s."),
    "less_not_enough": _("BEFORE was %(before)s: a reduction of %(change)s, which does not reach the limit."),
    "more_not_enough": _("BEFORE was %(before)s: an increase of %(change)s, which does not reach the limit."),
    "equal": _("BEFORE was %(before)s: no change."),
    "not_demonstrated": _("BEFORE was %(before)s; no difference is demonstrated."),
}
UNWITNESSED = _("Completeness is not witnessed for %(names)s.")
PROVIDED = _("This holds provided that what was declared is true (%(keys)s).")
AGAINST = {
    "declared_none_by_name": _("%(key)s: no operator type and no kernel name is in common"),
    "declared_partly_by_name": _(
        "%(key)s: types or names in common hold %(before)s of the kernel time of BEFORE, %(after)s of that of AFTER"
    ),
}
"""What the captures show against a declaration, in the verdict's sentence."""
OTHERS = {
    "not_met": _("Also not met: %(goals)s."),
    "undecided": _("Also undecided: %(goals)s."),
    "not_comparable": _("Also not comparable: %(goals)s."),
}
MEASURE_AGAIN = _("To get a verdict: measure again, both sides alike.")

NOT_COMPARABLE = {
    "workload": _("The two sides did not run the same workload: %(facts)s. The target does not let this differ."),
    "settings": _("The two sides were not captured alike: %(facts)s. The target does not let this differ."),
    "workload_fixed": _("The two sides did not run the same workload: %(facts)s. No target can let this differ."),
    "settings_fixed": _("The two sides were not captured alike: %(facts)s. No target can let this differ."),
    "same": _("%(facts)s."),
}
NO_VERDICT = _(
    "**No verdict on any change is given**; the figures below stand alone and must not be subtracted or divided."
)
TO_GET_ONE = {
    "settings": _("To get a verdict: capture both sides alike, or have the parties put these keys on the signed list."),
    "fixed": _("To get a verdict: capture both sides alike; no list can let %(fixed)s differ."),
    "mixed": _(
        "To get a verdict: capture both sides alike; the signed list can let %(keys)s differ, but not %(fixed)s."
    ),
    "workload": _("To get a verdict: capture the agreed workload on both sides."),
    "workload_mixed": _(
        "To get a verdict: capture the agreed workload on both sides, and %(keys)s alike, or have the parties put these"
        " keys on the signed list."
    ),
    "workload_fixed": _("To get a verdict: capture the agreed workload on both sides, and both alike (%(fixed)s)."),
    "same": _("To get a verdict: give two different captures."),
}
STILL_UNKNOWN = _("The list does not lift what is unknown: %(keys)s.")
CANNOT_BE_SHOWN = _("Comparability cannot be shown: %(facts)s. **Undecided**: not to be used as met or as not met.")
REMEDIES = {
    "declare": _("Remedy: capture again so that this is recorded, or have both parties declare it in the target."),
    "mixed": _(
        "Remedy: capture again so that this is recorded; both parties may declare it in the target, but not %(fixed)s."
    ),
    "fixed": _("Remedy: capture again so that this is recorded; no declaration stands in for it."),
}
NAMES_MORE = _n("%(names)s and %(n)s more", "%(names)s and %(n)s more")
BOTH_VALUES = _("%(key)s is %(before)s in BEFORE and %(after)s in AFTER")
NOT_RECORDED_IN = {
    "before": _("%(key)s is not recorded in BEFORE"),
    "after": _("%(key)s is not recorded in AFTER"),
    "both": _("%(key)s is recorded on neither side"),
}
AND_MORE = _n("%(facts)s; and %(n)s more", "%(facts)s; and %(n)s more")

# --------------------------------------------------------------------------------------------- around the verdict
RULES_ALONE = {
    "guarded": _("guarded, the whole 95% interval has to be within the limit."),
    "simple": _("simple, the estimate has to be within the limit; at the limit itself it errs half of the time."),
}
"""The same beside the label that says what it is."""
RULES = {
    "guarded": _("Decision rule: guarded, the whole 95% interval has to be within the limit."),
    "simple": _(
        "Decision rule: simple, the estimate has to be within the limit; at the limit itself it errs half of the time."
    ),
}
LIMIT_FROM = {
    "number": _("Limit from %(contract)s, clause %(clause)s."),
    "words": _("Limit from %(contract)s, %(clause)s."),
    "": _("Limit from %(contract)s."),
}
MEASURED = {
    "profile": _("Measured while profiling: %(how)s."),
    "outside": _("Measured outside the profile."),
}
WORST_OF = _("rank %(rank)s, the worst of %(ranks)s")
ONE_RANK = _("rank %(rank)s")
ONE_DEVICE = _("device %(device)s")
BETWEEN_RANKS = _("%(low)s (%(least)s) to %(high)s (%(most)s)")
SAME_ON_RANKS = _("%(value)s on all %(ranks)s ranks")
GOALS = {
    ("at_most", "after"): _("%(metric)s at most %(limit)s"),
    ("at_least", "after"): _("%(metric)s at least %(limit)s"),
    ("at_most", "delta"): _("change of %(metric)s (AFTER − BEFORE) at most %(limit)s"),
    ("at_least", "delta"): _("change of %(metric)s (AFTER − BEFORE) at least %(limit)s"),
    ("at_most", "ratio"): _("%(metric)s, AFTER / BEFORE, at most %(limit)s"),
    ("at_least", "ratio"): _("%(metric)s, AFTER / BEFORE, at least %(limit)s"),
}
SUBJECTS = {"after": "AFTER", "delta": "AFTER − BEFORE", "ratio": "AFTER / BEFORE"}
COMPARABILITY = {
    "after_alone": _("No BEFORE capture was agreed: of the captures AFTER alone is judged, and nothing is compared."),
    "comparable": _("Comparable: all of the %(compared)s facts compared are the same."),
    "with_reservations": _(
        "Comparable with reservations: of %(compared)s facts compared, %(same)s are the same; reservations: %(others)s."
    ),
    "cannot_be_shown": _("Comparability cannot be shown: %(facts)s."),
    "not_comparable": _("Not comparable: %(facts)s."),
}
COUNT_OF = _("%(n)s %(standing)s")
RUNS_APART = _n("The runs of %(n)s case are not comparable.", "The runs of %(n)s cases are not comparable.")
FAMILY_BLOCKED = _("Not judged: metrics of %(families)s, because of %(keys)s.")
RESERVATION = {
    "both": _("%(key)s: %(before)s in BEFORE, %(after)s in AFTER."),
    "before": _("%(key)s: not recorded in BEFORE, %(after)s in AFTER."),
    "after": _("%(key)s: %(before)s in BEFORE, not recorded in AFTER."),
}
GAP_SIDES = {
    "before": _("%(title)s, BEFORE"),
    "after": _("%(title)s, AFTER"),
    "before+after": "%(title)s",
}
NOT_RECORDED = _("not recorded")
EMPTY = _("empty")
NUMBER_RANGES = _n("%(n)s step of one capture", "%(n)s steps of one capture")
CALLS = _n("%(n)s call in one capture", "%(n)s calls in one capture")
INTERVAL_OF = _("Interval: %(runs)s.")
CAPTURES_STEPS = _("%(captures)s captures, %(n)s steps in all")
SUBLINES = {
    "met": _n("the one goal is met", "all %(n)s goals are met"),
    "not_met": _n("%(bad)s of %(n)s goal not met", "%(bad)s of %(n)s goals not met"),
    "undecided": _n("%(bad)s of %(n)s goal undecided", "%(bad)s of %(n)s goals undecided"),
    "not_comparable": _n("%(bad)s of %(n)s goal not comparable", "%(bad)s of %(n)s goals not comparable"),
}
ACCURACY_SUBLINES = {
    "not_met": _n("%(n)s criterion of accuracy not met", "%(n)s criteria of accuracy not met"),
    "undecided": _n("%(n)s criterion of accuracy undecided", "%(n)s criteria of accuracy undecided"),
}
"""Where criteria of accuracy decide and no goal does."""
NO_GOAL_JUDGED = _("no goal is judged")
GOAL_RESERVATIONS = _n(
    "%(n)s more is of a goal, no setting: %(reservations)s.",
    "%(n)s more are of goals, no settings: %(reservations)s.",
)
RESERVATIONS = _n("%(n)s reservation", "%(n)s reservations")
DECLARATIONS = _n("%(n)s declaration", "%(n)s declarations")
COLON = _("%(name)s: %(text)s")
EXPLANATION = _("explanation: %(text)s")
"""Below an error, in a language other than English."""
NO_FAULT = _("%(path)s: no fault; %(cases)s case(s), %(goals)s goal(s), decision rule %(rule)s")
"""A target without a fault."""
LIST = _("%(first)s, %(second)s")
"""Two items of a list of words."""
SERIES = _("%(first)s; %(second)s")
"""Two items of a list of clauses."""
PARENTHESES = _("%(text)s (%(more)s)")

# --------------------------------------------------------------------------------------------- the terminal
TOLD_WHY = {
    "one_value_each": _("one value each"),
    "one_value_on_a_side": _("one value on a side"),
    "few_values": _("few values"),
    "values_missing": _("a side has no value"),
    "before_zero": _("BEFORE is 0"),
    "non_positive": _("a value is 0"),
    "one_capture_on_a_side": _("one capture on a side"),
    "captures_alike": _("values alike"),
    "captures_scatter": _("captures vary too much"),
    "small_type": _("below 1% of kernel time"),
    "unlike_calls": _("unlike calls"),
    "value_without_sample": _("no sample"),
    "sampled_peak_lower_bound": _("a sampled peak"),
    "mixed_kernels": _("unlike kernels"),
    "operator_added": _("AFTER only"),
    "operator_removed": _("BEFORE only"),
    **statistics.TOLD_WHY,
    **messages_runs.TOLD_WHY,
}
EXACTLY = _("%(status)s, exact")
DOUBT_OF = _("%(names)s: %(text)s")
HEADS = {
    "metric": _("metric"),
    "rank": _("rank"),
    "device": _("device"),
    "directory": _("directory"),
    "steps": _("steps"),
    "started": _("started (UTC)"),
    "ended": _("ended (UTC)"),
    "value": _("value"),
    "values": _("values"),
    "basis": _("how"),
    "source": _("from"),
    "checks": _("cross-checks"),
    "delta": _("delta"),
    "change": _("change"),
    "ratio": _("AFTER / BEFORE, 95% interval"),
    "ratio_level": _("AFTER / BEFORE, interval, level"),
    "told": _("difference"),
    "status": _("status"),
    "speed": _("speed, BEFORE / AFTER - 1"),
    "known": "u_B",
    "band": _("agreed band"),
    "needed": _("captures needed"),
    "type": _("operator type or kernel"),
    "core": _("core"),
    "calls": _("calls"),
    "total": _("total"),
    "mean": _("mean"),
    "median": _("median"),
    "calls_before": _("calls BEFORE"),
    "calls_after": _("calls AFTER"),
    "call_before": _("per call BEFORE"),
    "call_after": _("per call AFTER"),
    "step_delta": _("per step, delta"),
    "standing": _("standing"),
    "key": _("key"),
    "blocks": _("blocks"),
    "where": _("where"),
    "goal": _("goal"),
    "interval": _("95% interval"),
    "outcome": _("outcome"),
    "between": _("between ranks"),
    "worst": _("worst"),
}
SECTIONS = {
    **messages_change.SECTIONS,
    "capture": _("Capture"),
    "ranks": _("Ranks"),
    "metrics": _("Metrics"),
    "spread": _("Between ranks: least and largest value"),
    "kinds": _("Collectives by kind"),
    "links": _("Links"),
    "groups": _("Groups"),
    "modules": _("Modules"),
    "host": _("Host API"),
    "missing": _("What cannot be had, and how to get it"),
    "operators": _("Operators"),
    "calls": _("Operators, per-call medians"),
    "unread": _("Not used"),
    "doubts": _("Doubts"),
    "ungraded": _("Keys in no row of our table of settings"),
    "valueless": _("Without a value on either side"),
    "published": _("As published by the exporter, never compared"),
    "different": _("Not the same, heaviest first"),
    "equal": _("The same on both sides"),
    "identity": _("Shown, never compared"),
    "workload": _("Workload"),
    "goals": _("Goals"),
    "reservations": _("Reservations"),
    "bottleneck": _("Main bottleneck"),
    "signs": _("Signs that official cases describe"),
    "not_shown": _("Not measured, not shown"),
}
LACKING = _("%(name)s: %(word)s. %(text)s")
CAPTURE_LINE = _("%(name)s (%(layout)s)")
SECTION_COUNT = _("%(title)s: %(n)s")
ALL_METRICS = _("all metrics")
NOT_COMPARABLE_ROW = _("not comparable: %(why)s")
CANNOT_BE_SHOWN_ROW = _("comparability cannot be shown (%(keys)s)")
NOT_JUDGED_ROW = _("not judged: %(why)s")
NOT_JUDGED = _("not judged")
NO_VERDICT_WORD = _("no verdict")
CHECKS_AGREE = _n("%(n)s agrees", "%(n)s agree")
CHECK_FAILS = _("FAILS: %(name)s, %(found)s against %(expected)s")
NOT_WITNESSED = _("not witnessed")
ALLOW = _(
    "A difference that is harmless is let through by name: --allow %(key)s=REASON, or by the target's change list."
)
ALLOW_MORE = _("So may %(keys)s.")
NOT_LIFTED = _("No --allow and no change list lifts %(keys)s: capture both sides alike.")
NOT_LIFTED_UNKNOWN = _("--allow does not lift what is unknown: %(keys)s.")
UNREAD = {
    "table_missing": _("not there"),
    "not_read_yet": _("not read by this version"),
    "other_export": _("of another export"),
    "table_sliced": _("cut into slices, not read"),
}
EQUAL_VALUES = _("%(before)s | %(after)s")
DIFFERING = _("%(key)s: %(before)s | %(after)s")
MORE_IN_REPORT = _n("%(n)s more in the report.", "%(n)s more in the report.")
MORE_ROWS = _n("%(n)s more; --json lists all.", "%(n)s more; --json lists all.")
MATCHED = _("the same work: %(before)s of the kernel time of BEFORE, %(after)s of that of AFTER")
UNRECORDED = _("not recorded: %(before)s of the kernel time of BEFORE, %(after)s of that of AFTER")
ONLY_IN = {"before": _("only in BEFORE: %(types)s"), "after": _("only in AFTER: %(types)s")}
SMALL_PRINT_OF_RUNS = _(
    "Figures as recorded. A difference is one between these captures, or between these runs; what caused it is not "
    "shown."
)
SMALL_PRINT = _("Figures as recorded. A difference is one between these captures; what caused it is not shown.")

DOCTOR = {
    "found": _("found"),
    "missing": _("missing"),
    "missing_for_bytes": _("missing (the PDF is made, its bytes differ)"),
    "fonts": _("fonts"),
    "cjk": _("CJK fonts for report.html"),
    "cjk_unknown": _("not known: no fc-list here"),
    "cjk_none": _("none found: a Chinese report.html needs them, or --embed-fonts"),
    "pdf": _("can be made"),
    "no_pdf": _("cannot be made; next: %(next)s"),
}

# --------------------------------------------------------------------------------------------- the catalogue
AUTHORITIES = {
    "document": _("official document"),
    "tool source": _("tool source"),
    "case": _("case"),
    "project practice": _("project practice"),
    "third-party platform": _("platform of a third party"),
    "own baseline": _("own baseline"),
}
TAGS = {
    "profiled": _("profiled"),
    "unprofiled": _("unprofiled"),
    "not stated": _("profiling not stated"),
    "mixed": _("partly profiled"),
    "hand-typed": _("typed by hand"),
}
VALUES_COUNT = _("%(n)s values")
VALUE_COUNT = _("%(n)s value")
RUN_STEPS = {
    "alone": _("%(n)s values of a single run, variation between runs not assessed"),
    "stated": _("%(n)s values of a single run"),
}
RUNS = _n("%(n)s run", "%(n)s runs")
BASELINE = _("Own baseline, agreed on %(date)s by %(by)s.")
BASELINES = _("Own baseline, agreed on %(date)s by %(by)s: %(names)s.")
BASELINE_MARKS = {
    "tightened": _("tighter than %(rule)s"),
    "loosened": _("looser than %(rule)s"),
    "other": _("on the other side than %(rule)s"),
}
NAMED = _("%(name)s (%(text)s)")
REST = _("%(n)s more")
BASELINE_DOCUMENT = _("Stated in %(document)s.")
BASELINE_CHANGES = {
    "same": _("It stands in place of %(rule)s with the same limit."),
    "tightened": _("Its limit is tighter than that of the official rule %(rule)s."),
    "loosened": _("Its limit is looser than that of the official rule %(rule)s."),
    "other": _("It limits the other side than the official rule %(rule)s."),
}
VERIFIED = {
    "verbatim": _("the quote was read there"),
    "substance": _("the rule was read there, without a quote kept"),
    "course only": _("no public copy was found; the course is the only source"),
    "contradicted": _("an official text says otherwise"),
}
RELATIONS = {
    "above": _("above %(value)s"),
    "at_least": _("at least %(value)s"),
    "equal": "%(value)s",
    "about": _("about %(value)s"),
    "at_most": _("at most %(value)s"),
    "below": _("below %(value)s"),
    "not_equal": _("other than %(value)s"),
    "multiple_of": _("a multiple of %(value)s"),
    "not_multiple_of": _("no multiple of %(value)s"),
}
STATEMENTS = {
    "requires": _("asks for it"),
    "excludes": _("rules it out"),
    "enumeration": _("lists what there is"),
    "formula": _("gives a formula"),
    "definition": _("defines it"),
    "ordering": _("gives an order"),
    "constraint": _("sets conditions"),
    "direction": _("names a direction without a number"),
    "half_open": _("a range whose end does not belong to it"),
    "all_of": _("all of these have to hold"),
    "combination": _("a combination of these"),
    "check": _("values that are looked for"),
    "outlier": _("an outlier by statistics"),
    "drop": _("any drop"),
    "near": _("the nearer the value, the closer to the limit"),
    "recommended": _("recommended values"),
    "see_source": _("see the source"),
    "none": _("no rule"),
}
EVALUATIONS = {
    "bands": _("read on both captures: the band of each side is shown"),
    "value": _("read on both captures: the value of each side is shown, without a band"),
    "unmeasured": _("whether it applies is decided; its quantity is not measured here"),
    "words": _("whether it applies is decided; it gives no number to hold a value against"),
    "never": _("listed as not enforceable, never read"),
    "defines": _("its number defines a metric; no band is stated"),
    "measured": _("shown as text; the metrics it speaks of are measured"),
    "text": _("shown as text only"),
}
SCOPES = {
    "because": _("why not"),
    "frameworks": _("frameworks"),
    "backends": _("backends"),
    "phases": _("phases"),
    "products": _("products"),
    "circumstances": _("has to be so"),
    "excluded": _("not for"),
    "rated_clock": _("nominal clock"),
    "needs": _("needs"),
    "yields_to": _("gives way to"),
    "follows": _("read after"),
    "also": _("limited by"),
    "undecided_at": _("not decided at exactly"),
    "words": _("in words"),
}
"""Names of what decides whether a rule applies."""
SCOPE_FOLLOWS = _("%(rule)s, where it gives: %(band)s")
NEEDS = {
    "alike": _("both captures taken alike"),
    "all_ranks": _("every rank of the job captured"),
    "checkpoint_steps": _("the target says which steps save a checkpoint"),
    "clock_samples": _("the clock sampled while kernels ran"),
    "clock_steady": _("a clock that did not change while kernels ran"),
    "cores_and_clock": _("core count and nominal clock recorded"),
    "db_capture": _("a database of the profiler among the files"),
    "gc_watched": _("garbage collection watched"),
    "host_api": _("host calls captured"),
    "level1": _("profiler level 1 or higher"),
    "link_matrix": _("bandwidth between pairs of ranks (not read in this version)"),
    "minimal_profiling": _("minimal collection"),
    "no_wait_events": _("no MEM_WAIT_VALUE or CAPTURE_WAIT event"),
    "op_tool": _("a capture of one operator by msprof op (not read in this version)"),
    "operator_state": _("operators static or dynamic (not read in this version)"),
    "pipe_utilization": _("AI Core metrics PipeUtilization"),
    "product_version": _("the version of the product (in no capture)"),
    "several_ranks": _("at least two ranks of one capture"),
    "shapes": _("input shapes recorded"),
    "steps": _("at least two steps on every rank"),
    "task_based": _("AI Core metrics taken by task"),
    "theoretical_bandwidth": _("a chip whose theoretical link bandwidth is known"),
    "torch_capture": _("a capture of a PyTorch job"),
}
"""Facts of both captures that rules need, by word of ``vocabulary.Need``."""
SOURCES_USES = {
    "verdict": _("Verdict: its bands may be stated inside its scope"),
    "reference": _("Reference: shown as orientation"),
    "formula": _("Formula: how a value is computed"),
    "gate": _("Gate: what a capture or a comparison has to fulfil"),
    "consistency check": _("Consistency check: what has to add up"),
    "context": _("Context: shown as text"),
    "none": _("None: must not be applied"),
}
SOURCES_KINDS = {
    "threshold": _("threshold"),
    "constraint": _("constraint"),
    "formula": _("formula"),
    "definition": _("definition"),
    "example only": _("example only"),
    "unspecified": _("no number is given"),
    "between sources": _("sources that differ from each other"),
    "slip": _("an official text that its own figures or code contradict"),
}
SOURCES = {
    "kind": _("kind"),
    "use": _("use"),
    "authority": _("authority"),
    "metrics": _("our metrics"),
    "evaluation": _("in this version"),
    "quantity": _("quantity"),
    "unit": _("unit"),
    "formula": _("formula"),
    "statement": _("statement"),
    "band": _("value or band"),
    "equality": _("exactly at a limit"),
    "product": _("product"),
    "framework": _("framework"),
    "scenario": _("scenario"),
    "phase": _("phase"),
    "excluded": _("does not hold for"),
    "requires": _("needs"),
    "document": _("document title"),
    "version": _("version"),
    "section": _("section"),
    "publisher": _("publisher"),
    "locator": _("place"),
    "quote": _("quote"),
    "verified": _("verified"),
    "course": _("cited by the course"),
    "file": _("in our evidence"),
    "notes": _("notes"),
    "treatment": _("what is made of it"),
}
SOURCES_HEADS = {
    "entry": _("Entry"),
    "rule": _("Rule as the source has it"),
    "scope": _("Scope"),
    "place": _("Where it stands"),
    "notes": _("Notes"),
    "rules": _("Rules"),
    "cited": _("Document"),
    "unspecified": _("Not specified by any source"),
    "contradictions": _("Contradictions"),
    "contradiction": _("Contradiction"),
    "gap": _("Not specified"),
    "machine": _("When it applies, as this version decides it"),
}
SOURCES_COUNTED = {
    "rules": _("rules"),
    "unspecified": _("unspecified items"),
    "contradictions": _("contradictions"),
}
SOURCES_CHECK_HEADS = {
    "check": _("check"),
    "examined": _("looked at"),
    "faults": _("faults"),
}
SOURCES_CHECKS = {
    "ids": _("each id names one thing"),
    "titles": _("titles stand in both languages"),
    "quotes": _("quotes are short, what is verbatim is quoted"),
    "choices": _("our own choices are numbers"),
    "scope": _("scopes of machine rules are sound"),
    "units": _("metrics are known and units fit them"),
    "bands": _("bands are ordered and do not overlap"),
    "citations": _("every cited document is there"),
    "sources_used": _("every document is cited"),
    "entries": _("every rule that an unspecified item names is there"),
    "positions": _("contradictions name entries that are there"),
    "agreement": _("machine rules agree with their entries"),
    "readings": _("every entry that could be taken for a limit says where it applies"),
    "definitions": _("definitions agree with their entries"),
}
SOURCES_UNSPECIFIED = _("What one would look for and no source gives.")
SOURCES_NONE = _("Nothing matches.")
SOURCES_NEAR = _("Did you mean the metric %(metric)s?")
SOURCES_COUNT = _("%(name)s: %(n)s")
SOURCES_NAMED = _("%(name)s: %(text)s")
SOURCES_COUNT_OF = _("%(name)s: %(n)s of %(total)s")
SOURCES_COURSE = _("%(title)s, %(author)s, %(date)s, section %(section)s")
BOTH_ENDS = _("%(low)s and %(high)s")
SOURCES_UNREAD = _("Verdict entries of which this version states no band:")
SOURCES_HOLD = _("%(n)s checks: the catalogue holds.")
SOURCES_DO_NOT_HOLD = _("%(bad)s of %(n)s checks do not hold.")

# --------------------------------------------------------------------------------------------- explain
EXPLAIN = {
    **messages_change.EXPLAIN,
    "value": _("value"),
    "exact": _("exactly"),
    "estimate": _("estimate"),
    "missing": _("no value"),
    "remedy": _("how to supply it"),
    "how": _("how"),
    "definition": _("definition"),
    "formula": _("formula"),
    "at": _("reached at"),
    "over": _("made of"),
    "sample": _("single values"),
    "kind_of_change": _("kind of change"),
    "dropped": _("left out"),
    "mean": _("mean"),
    "interval": _("interval"),
    "checks": _("cross-check"),
    "doubts": _("doubts"),
    "delta": _("AFTER - BEFORE"),
    "inflation": _("profiled - unprofiled"),
    "change": _("change"),
    "ratio": _("AFTER / BEFORE"),
    "told": _("difference"),
    "status": _("status"),
    "speed": _("speed, BEFORE / AFTER - 1"),
    "known": "u_B",
    "band": _("agreed band"),
    "needed": _("captures needed"),
    "between": _("between ranks"),
    "blocked": _("no verdict"),
    "goal": _("goal"),
    "agreed": _("agreed"),
    "limit": _("limit"),
    "condition": _("condition"),
    "rule": _("decision rule"),
    "outcome": _("outcome"),
    "why": _("why"),
    "margin": _("margin"),
    "judged_as": _("judged estimate"),
    "quotient": _("arithmetic"),
    "joined": _("joined"),
    "fixed": _("agreed value"),
    "ends": _("its ends"),
    "reservation": _("reservation"),
    "judged": _("judged on"),
    "applies": _("applies"),
    "scope": _("scope"),
    "bands": _("bands"),
    "source": _("document"),
    "quote": _("quote"),
    "place": _("place"),
    "file": _("file"),
    "digest": "SHA-256",
    "size": _("bytes"),
    "used": _("rests on it"),
    "calls": _("calls"),
    "calls_per_step": _("calls per step"),
    "total": _("total time"),
    "total_per_step": _("total time per step"),
    "median": _("one call, median"),
    "call_mean": _("one call, mean"),
}
JOINED = {
    "mean": _("the mean of these values stands for the side"),
    "worst": _("the worst of these values stands for AFTER, and for BEFORE the one that flatters AFTER least"),
}
"""How several captures or runs of a side become one value."""
EXPLAIN_HEADS = {
    **messages_change.EXPLAIN_HEADS,
    "compared": _("Compared"),
    "goals": _("Goals judged on it"),
    "rules": _("Official rules on it"),
    "sources": _("Documents"),
    "origins": _("Where it comes from"),
    "beside": _("Shown beside it: BEFORE and the change, which decide nothing here"),
    "origin": _("Origin"),
    "rule": _("Official rule"),
    "goal": _("Goal"),
    "judged": _("Measured value"),
}
EXPLAIN_LIST = {
    "metric": _("Metrics"),
    "operator": _("Operators"),
    **messages_change.EXPLAIN_LIST,
    "goal": _("Goals"),
    "rule": _("Official rules"),
    "origin": _("Origins"),
}
LEVEL_METHOD = _("%(interval)s, level %(level)s, %(method)s")
CHECKED = {
    True: _("%(name)s: %(found)s found, %(expected)s expected: agrees"),
    False: _("%(name)s: %(found)s found, %(expected)s expected: does not agree"),
}
EXACT_ELSEWHERE = _("its exact value is in report.json")
FROM_KIND = _("measured from %(kinds)s")
OF_MORE = _n("%(n)s more in report.json", "%(n)s more in report.json")

# --------------------------------------------------------------------------------------------- runs measured outside
RUN_METRICS = {
    "loss": _("loss"),
    "grad_norm": _("gradient norm"),
    "mfu": _("MFU as printed"),
    "memory": _("device memory"),
    "core_attn_ratio": _("core attention ratio"),
    "tokens": _("tokens of a step"),
    "tokens_per_step": _("tokens of a step"),
    "samples": _("samples of a step"),
    "samples_per_step": _("samples of a step"),
    "logged": _("logged"),
    "duration": _("duration"),
    "completed": _("requests completed"),
    "failed": _("requests failed"),
    "input_tokens": _("input tokens"),
    "output_tokens": _("output tokens"),
    "all_tokens": _("input and output tokens"),
    "concurrent_requests": _("requests at a time"),
    "running_requests": _("requests running"),
    "waiting_requests": _("requests waiting"),
    "kv_cache_usage": _("KV cache used"),
    "prefix_cache_hit_rate": _("prefix cache hit rate"),
    "acceptance_length": _("acceptance length"),
    "acceptance_rate": _("acceptance rate"),
    "drafts": _("drafts"),
    "draft_tokens": _("draft tokens"),
    "accepted_tokens": _("drafted tokens that were kept"),
    "requests": _("requests"),
    "concurrency": _("requests at a time, mean"),
    "output_characters": _("output characters"),
    "characters_per_token": _("characters per token"),
    "prefill_batch_size": _("batch size of prefill"),
    "decode_batch_size": _("batch size of decode"),
    "stage_time": _("time of a stage"),
    "accuracy": _("accuracy as printed"),
}
RUN_KINDS = {
    "flops_per_s_per_rank": _("model FLOPs per second and rank"),
    "prompt_tokens_per_s": _("input tokens per second"),
    "good_requests_per_s": _("requests per second within the limits set"),
    "allocated": _("allocated"),
    "max_allocated": _("allocated, peak"),
    "reserved": _("reserved"),
    "max_reserved": _("reserved, peak"),
    "input_tokens_per_s": _("input tokens per second"),
    "prefill_tokens_per_s": _("prefill tokens per second"),
    "steps_per_s": _("steps per second"),
    "samples_per_s_per_rank": _("samples per second and rank"),
    "output_tokens_per_s_per_request": _("output tokens per second of one request"),
    "input_tokens_per_s_per_request": _("input tokens per second of one request"),
    "total_tokens_per_s_per_request": _("all tokens per second of one request"),
    "output_tokens_per_s_per_client": _("output tokens per second of one client"),
    "mean_gap_per_request": _("mean gap between tokens of each request"),
    "last_decode": _("last gap between tokens"),
    "max_decode": _("longest gap between tokens of a request"),
    "queue_wait": _("wait in the queue"),
    "prefill_per_input_token": _("first token over input tokens"),
    "h2d": _("copy to the device"),
    "d2h": _("copy from the device"),
    "npu_compute_with_first": _("NPU compute time, the first included"),
    "tokenizer": _("tokenizer"),
    "detokenizer": _("detokenizer"),
}
RUN_SECTIONS = {
    "context": _("What it states"),
    "values": _("Figures it printed"),
    "series": _("Values one after another"),
    "identities": _("Relations its figures have to fulfil"),
    "left_out": _("Left out"),
    "doubts": _("Doubts"),
}
RUN_HEADS = {
    "metric": _("metric"),
    "statistic": _("statistic"),
    "value": _("value"),
    "resolution": _("digits show"),
    "n": _("number of values"),
    "weight": _("iterations per value"),
    "smallest": _("smallest"),
    "middle": _("median"),
    "largest": _("largest"),
    "place": _("place"),
}
IDENTITIES = {
    "I1": _("clock of the lines = sum of the step times"),
    "I2": _("samples consumed = batch size × iterations"),
    "I3": _("tokens consumed / time = tokens per second"),
    "I4": _("MFU × step time / tokens is constant"),
    "I5": _("TFLOP/s × step time is constant"),
    "I7": _("count / duration = throughput"),
    "I8": _("statistics of the lists = statistics printed"),
    "I9": _("output tokens / requests = length asked for"),
    "I13": _("requests per second × mean latency ≤ concurrency"),
    "I6": _("tokens / (time × throughput of a device) = number of devices"),
    "I10": _("count / duration = throughput, mean latency × requests / duration = concurrency"),
    "I11": _("count / duration = throughput, speed / concurrency = speed of a client"),
    "I12": _("batch size / mean time = throughput, statistics of the list = statistics printed"),
    "I15": _("the statistics of one quantity lie in order"),
    "I16": _("longest time of a request ≤ duration of the run"),
    "samples_over_time": _("batch size / time = samples per second"),
    "samples_times_time": _("samples per second × step time is constant"),
    "steps_within_clock": _("sum of the step times ≤ clock of the lines"),
    "tokens_between_lines": _("tokens per second × time, over several lines = tokens consumed"),
    "times_of_step": _("both keys of the time of a step give one time"),
    "steps_of_epoch": _("time of an epoch / time of a step is a whole number"),
    "completed_and_failed": _("requests completed + failed = requests sent"),
    "success_and_failed_are_total": _("requests completed + failed = requests sent"),
    "mean_concurrency_by_first_tokens": _("requests per second × mean time to the first token ≤ concurrency"),
    "concurrency_as_asked": _("concurrency of the summary = that of the arguments"),
}
"""By identity, or by the word of one of its relations that says another thing."""
EXPLAIN_RUN = _("%(side)s, run %(n)s")
RUN_LINE = _("Run %(number)s of %(of)s: %(producer)s %(version)s, definitions %(definitions)s")
RUN_LINE_NO_VERSION = _("Run %(number)s of %(of)s: %(producer)s (version not stated), definitions %(definitions)s")
RUN_FILE = _("%(file)s, %(size)s bytes, SHA-256 %(digest)s")
RUN_MEDIAN_NOTE = _("The median is of the values as they stand, each counted once, none left out as warm-up.")
RUN_MORE = _("%(n)s more in --json")
RUN_IDENTITY = {
    True: _("%(id)s %(what)s [%(word)s]: agrees (%(found)s against %(expected)s, tolerance %(tolerance)s)"),
    False: _(
        "%(id)s %(what)s [%(word)s]: DOES NOT AGREE: %(found)s at %(place)s, %(expected)s from its "
        "other figures, tolerance %(tolerance)s; what rests on it is undecided"
    ),
}
