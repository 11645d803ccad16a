"""Results and logs of runs whose figures agree with each other, written by hand arithmetic; and a quick judge of them.

A trick is one change to such a file; its honest twin is the file without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

from reportgen import comparability
from reportgen.accuracy import judge_accuracy
from reportgen.contract import read_target
from reportgen.elsewhere import Elsewhere, look_elsewhere
from reportgen.errors import ReportgenError
from reportgen.judge import Evidence, judge
from reportgen.model import (
    Comparability,
    Difference,
    Evaluation,
    Goal,
    Judgement,
    LoggedRun,
    Outcome,
    Quantity,
    RunComparison,
    Standing,
    Target,
    Verdict,
    VerdictWord,
)
from reportgen.precision import precision_signs
from reportgen.run_comparisons import Ground, compare_figures
from reportgen.run_conditions import RunFact, compare_runs
from reportgen.run_inputs import read_inputs, results_beside


# ------------------------------------------------------------------------------------------------ files
def served(
    seconds: str | Fraction = "40",
    *,
    requests: int = 200,
    output: int = 25600,
    inputs: int = 204800,
    failed: int = 0,
    ttfts: Sequence[float] = (),
    **more: Any,
) -> str:
    """A result of ``vllm bench serve``: its throughputs are counts over seconds; ``more`` replaces or adds keys."""
    spent, allowed = Fraction(seconds), Fraction(more.get("max_concurrency") or 16)
    found: dict[str, Any] = {
        "date": "20260101-100000", "backend": "openai-chat", "model_id": "Qwen3-8B", "num_prompts": requests + failed,
        "request_rate": "inf", "max_concurrency": 16, "duration": float(spent), "completed": requests, "failed": failed,
        "total_input_tokens": inputs, "total_output_tokens": output,
        "request_throughput": float(requests / spent), "output_throughput": float(output / spent),
        "total_token_throughput": float((inputs + output) / spent), "num_warmups": "16",
        "mean_tpot_ms": time_of_a_token(15 * allowed / 16, spent, requests, output, ttfts),
    }  # fmt: skip
    if ttfts:
        exact = sorted(Fraction(str(one)) for one in ttfts)
        found |= {
            "ttfts": list(ttfts), "output_lens": [output // requests] * len(ttfts), "errors": [""] * len(ttfts),
            "mean_ttft_ms": float(sum(exact) * 1000 / len(exact)),
            "median_ttft_ms": float((exact[(len(exact) - 1) // 2] + exact[len(exact) // 2]) * 500),
        }  # fmt: skip
    return json.dumps({key: value for key, value in {**found, **more}.items() if value is not None})


def time_of_a_token(under_way: Fraction, spent: Fraction, requests: int, output: int, ttfts: Sequence[float]) -> float:
    """Mean ms of every token after the first, when so many requests are under way on average.

    Each then lasts under_way x spent / requests; its first token takes the mean of the list, or 0.3 s.
    """
    first = Fraction(sum(map(Fraction, ttfts)) / len(ttfts)) if ttfts else Fraction(3, 10)
    rest = max(under_way * spent / requests - first, Fraction(1, 1000))
    return round(float(rest / max(output // requests - 1, 1)) * 1000, 4)


STEADY = tuple(0.30 + 0.01 * (n % 5) for n in range(200))
"""Times to the first token in s that do not depend on when they were."""
COLD = (*(9.0 - n for n in range(8)), *STEADY[8:])
"""The same with a first wave that waited for a compilation."""


def server(*windows: tuple[float, int], arguments: str = "'enable_prefix_caching': True, 'max_num_seqs': 64") -> str:
    """The log of a vLLM server: (hit rate in %, requests running) every ten seconds."""
    start = "(APIServer pid=1) INFO 01-01 07:00:00 [utils.py:253] non-default args: "
    lines = [f"{start}{{'model': 'Qwen3-8B', {arguments}}}\n"]
    for n, (rate, running) in enumerate(windows or ((0.0, 16), (0.0, 16))):
        lines.append(
            f"(APIServer pid=1) INFO 01-01 07:{n // 6:02d}:{n % 6}7 [loggers.py:259] Engine 000: Avg prompt "
            f"throughput: 5983.1 tokens/s, Avg generation throughput: 640.2 tokens/s, Running: {running} reqs, "
            f"Waiting: 0 reqs, GPU KV cache usage: 4.1%, Prefix cache hit rate: {rate}%\n"
        )
    return "".join(lines)


ARGUMENTS = {
    "micro_batch_size": "1", "seq_length": "4096", "save": "/data/out", "save_interval": "100", "eval_interval": "100",
    "load_format": "auto", "fix_router": "False", "recompute_granularity": "full", "bf16": "True",
}  # fmt: skip


def megatron(
    times: Sequence[str],
    *,
    size: int = 128,
    arguments: Mapping[str, str] | None = None,
    head: str = "",
    skipped: Sequence[int] = (),
    flops: str = "",
    samples: Mapping[int, int] | None = None,
    first: int = 1,
) -> str:
    """A log of the Megatron family, a line each step, its clock running with the times.

    Args:
        times: of the steps, in ms.
        arguments: changes to the dump of arguments; an empty dict keeps it, None leaves it out.
        head: what stands before the lines.
        skipped: iterations that were skipped.
        flops: TFLOP/s of every step, as printed.
        samples: iteration -> consumed samples, where it is not size times iteration.
        first: number of the first iteration.
    """  # fmt: skip
    text = head
    if arguments is not None:
        text += "------------------------ arguments ------------------------\n"
        dumped = {**ARGUMENTS, **arguments}
        text += "".join(f"  {key} {'.' * (48 - len(key))} {value}\n" for key, value in dumped.items())
        text += "-------------------- end of arguments ---------------------\n"
    elapsed = Fraction(0)
    for n, ms in enumerate(times, first):
        elapsed += Fraction(ms) / 1000
        rate = f" throughput per GPU (TFLOP/s/GPU): {flops} |" if flops else ""
        text += (
            f" [2026-01-01 10:{int(elapsed // 60):02d}:{int(elapsed % 60):02d}] iteration {n:8d}/    2000 |"
            f" consumed samples: {(samples or {}).get(n, size * n):12d} | elapsed time per iteration (ms): {ms} |{rate}"
            f" learning rate: 1.250000E-06 | global batch size: {size:5d} | lm loss: 9.876543E+00 | loss scale: 1.0 |"
            f" grad norm: 3.210 | number of skipped iterations: {int(n in skipped):3d} |"
            " number of nan iterations:   0 |\n"
        )
    return text


def fsdp2(times: Sequence[str], *, tokens: int = 32768, size: int = 8, mfu_factor: str = "1") -> str:
    """A log of MindSpeed-LLM FSDP2: tokens of a step over its time, and an MFU that goes with it."""
    text, elapsed = "", Fraction(0)
    for n, ms in enumerate(times, 1):
        elapsed += Fraction(ms) / 1000
        rate = Fraction(tokens) * 1000 / Fraction(ms)
        mfu = rate / 560 * Fraction(mfu_factor)
        text += (
            f"INFO [2026-01-01 10:{int(elapsed // 60):02d}:{int(elapsed % 60):02d}] >>  iteration {n:8d}/    2000 |"
            f" consumed samples: {size * n:10d} | consumed tokens: {tokens * n:10d} | elapsed time per iteration (ms):"
            f" {ms} | tokens/s: {float(rate):.2f} | mfu: {float(mfu):.2f} | learning rate: 9.999978E-06 |"
            f" global batch size: {size:5d} | lm loss: 1.232217E+00 | grad norm: 4.346 |\n"
        )
    return text


# ------------------------------------------------------------------------------------------------ a quick judge
Content = str | Mapping[str, str]
"""What a log is: the text of a file, or a folder as its files by path, of which the target names the first."""


@dataclass(frozen=True, kw_only=True)
class Runs:
    """Files of both sides, and what was agreed."""

    before: tuple[Content, ...] = ()
    """Texts of BEFORE's files; of a folder its files by path."""
    after: tuple[Content, ...] = ()
    """Of AFTER's."""
    goal: Mapping[str, str] = field(default_factory=dict)
    """Changes to the goal."""
    rule: str = "simple"
    """Decision rule."""
    agreed: str = ""
    """Further lines at the head of the target: ``may_differ``."""
    tables: str = ""
    """Further tables: ``[[declared]]``."""
    workload: str = ""
    """Further lines of the agreed workload."""
    of_case: str = ""
    """Further tables of the case: ``[[case.accuracy]]``."""
    typed: tuple[tuple[str, str], ...] = ()
    """(side, value) typed into the target for the goal's metric, kind and statistic."""
    profiled: tuple[bool, bool] = (False, False)
    """What the target says of the runs of BEFORE and of AFTER."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Files that lie beside and that the target does not name."""

    def with_(self, **changes: Any) -> Runs:
        """The same with changes."""
        return replace(self, **changes)


SCORE = """[[case.accuracy]]
name = "MMLU"
kind = "score"
before = "71.2"
after = "71.0"
tolerance = "0.5"
before_file = "before.score"
before_locator = "line 1"
after_file = "after.score"
after_locator = "line 2"
"""
"""A criterion of accuracy that is met: 71.2 - 0.5 = 70.7."""
SCORES = {"before.score": "71.2\n", "after.score": "MMLU\n71.0\n"}
"""Its files."""
RATE = {
    "metric": "throughput", "kind": "output_tokens_per_s", "statistic": "mean", "direction": "at_least",
    "subject": "ratio", "limit": "120%",
}  # fmt: skip
STEP = {"metric": "step_time", "statistic": "median", "direction": "at_most", "subject": "ratio", "limit": "85%"}


@dataclass(frozen=True, kw_only=True)
class Found:
    """What came of it."""

    word: VerdictWord
    """Of the verdict."""
    judgement: Judgement
    """Of the goal."""
    facts: dict[str, Difference]
    """Compared facts of the runs by their name."""

    @property
    def codes(self) -> set[str]:
        """Reasons that the goal and the compared facts carry, without those of facts that are the same."""
        open_facts = {one.reason.code for one in self.facts.values() if one.standing is not Standing.SAME}
        return {self.judgement.reason.code, *(one.code for one in self.judgement.reservations), *open_facts}


def _write(root: Path, name: str, content: Content) -> str:
    """Write a log; the name of the file that the target names."""
    files = {f"{name}.txt": content} if isinstance(content, str) else {f"{name}/{at}": x for at, x in content.items()}
    for at, text in files.items():
        (root / at).parent.mkdir(parents=True, exist_ok=True)
        (root / at).write_text(text, encoding="utf-8")
    return next(iter(files))


def write_target(root: Path, runs: Runs) -> str:
    """Write the files of runs; the text of the target that names them."""
    root.mkdir(parents=True, exist_ok=True)
    goal = {"id": "G", **runs.goal}
    text = f'schema = 1\ndecision_rule = "{runs.rule}"\n{runs.agreed}\n[contract]\nreference = "T"\n{runs.tables}\n'
    text += '[[case]]\nid = "C"\nclause = "1"\n[case.workload]\ncheckpoint_steps = "none"\n'
    text += f"{runs.workload}\n[[case.goal]]\n"
    text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in goal.items())
    for side, files, profiled in zip(("before", "after"), (runs.before, runs.after), runs.profiled, strict=True):
        for n, content in enumerate(files):
            name = _write(root, f"{side}{n}", content)
            text += f'[[case.log]]\nside = "{side}"\nfile = "{name}"\nprofiled = {str(profiled).lower()}\n'
    for side, value in runs.typed:
        (root / "typed.txt").write_text("as published\n", encoding="utf-8")
        words = {key: goal[key] for key in ("metric", "kind", "statistic") if key in goal}
        text += f'[[case.external]]\nside = "{side}"\nvalue = "{value}"\nconditions = "c"\nfile = "typed.txt"\n'
        text += 'locator = "line 1"\n' + "".join(f'{key} = "{word}"\n' for key, word in words.items())
    text += runs.of_case
    for name, content in runs.beside.items():
        (root / name).write_text(content, encoding="utf-8")
    return text


def decide(root: Path, runs: Runs, pair: Evaluation) -> Found:
    """The judgement of a goal on runs, as the product makes it, on a pair that was captured alike."""
    found, facts = judged(root, write_target(root, runs), pair)
    return Found(
        word=found.word, judgement=found.judgements[0], facts={one.difference.spelling: one.difference for one in facts}
    )


class Judge:
    """Judges files against the same pair, each in a directory of its own."""

    def __init__(self, root: Path, pair: Evaluation) -> None:
        self.root, self.pair, self.tried = root, pair, count()

    def met(self, runs: Runs) -> bool:
        """Whether the goal is met; a file that is refused meets nothing."""
        try:
            found = decide(self.root / str(next(self.tried)), runs, self.pair)
        except ReportgenError:
            return False
        return found.judgement.outcome is Outcome.MET


@dataclass(frozen=True, kw_only=True)
class Read:
    """A target with its files read, and what decides whether its runs may be held against each other."""

    target: Target
    """What was agreed."""
    logged: tuple[LoggedRun, ...]
    """Its runs."""
    facts: tuple[RunFact, ...]
    """Their compared facts."""
    shown: Comparability
    """Of the pair, with those facts."""
    pair: Evaluation
    """The captures."""

    def verdict(self, target: Target | None = None) -> Verdict:
        """The verdict on the target, or on another one that names the same runs.

        No captures are looked at again: signs of another precision are those of logs, settings and the change list.
        """
        asked = target or self.target
        return judge(
            Evidence(
                target=asked, facts=(*self.pair.before, *self.pair.after), comparability=self.shown,
                metrics={metric.id: metric for metric in self.pair.metrics}, comparisons=self.pair.comparisons,
                operators=self.pair.operators, workload_checks=(), runs=self.logged, run_facts=self.facts,
                accuracy=judge_accuracy(asked), precision=precision_signs(asked, ((), ()), self.logged, self.shown),
            ),
            (),
        )  # fmt: skip

    def figures(self) -> tuple[RunComparison, ...]:
        """Every figure that the runs of both sides give."""
        return compare_figures(
            Ground(
                cases=self.target.cases, target=self.target, runs=self.logged, run_facts=self.facts,
                facts=(*self.pair.before, *self.pair.after), comparability=self.shown,
            )
        )  # fmt: skip


def read(root: Path, text: str, pair: Evaluation) -> Read:
    """A target whose files lie in the same folder."""
    (root / "target.toml").write_text(text, encoding="utf-8")
    target = read_target(root / "target.toml")
    logged = read_inputs(target)
    besides = results_beside(target, (), logged)
    facts = compare_runs(target.cases, logged, besides, comparability.permissions(target))
    shown = comparability.with_facts(pair.comparability, [one.difference for one in facts])
    return Read(target=target, logged=logged, facts=facts, shown=shown, pair=pair)


def judged(root: Path, text: str, pair: Evaluation) -> tuple[Verdict, tuple[RunFact, ...]]:
    """The verdict on a target whose files lie in the same folder, and the compared facts of its runs."""
    found = read(root, text, pair)
    return found.verdict(), found.facts


def elsewhere(root: Path, runs: Runs, pair: Evaluation) -> Elsewhere:
    """What is worse beside the goal, as the report lists it."""
    told = tuple(decide(root, runs, pair).facts.values())
    target = read_target(root / "target.toml")
    shown = comparability.with_facts(pair.comparability, told)
    facts = (*pair.before, *pair.after)
    return look_elsewhere(pair.metrics, pair.comparisons, read_inputs(target), target, facts, shown)


def figures(root: Path, runs: Runs, pair: Evaluation) -> dict[Name, RunComparison]:
    """Every figure that the runs of both sides give, by metric, kind and statistic."""
    return {name_of(one): one for one in read(root, write_target(root, runs), pair).figures()}


Name = tuple[str, str, str]
"""Metric, kind and statistic of a figure of runs."""


def name_of(one: RunComparison) -> Name:
    """The name of a figure of runs."""
    return one.comparison.metric, one.comparison.dimensions.part, one.statistic


def held_to_goals(root: Path, runs: Runs, pair: Evaluation) -> dict[Name, tuple[RunComparison, Judgement]]:
    """Every figure of runs with the judgement of a guarded goal on it: at most 100 % of BEFORE, of a rate at least.

    A target's own goal on a figure keeps its side condition. Goals are put behind the reading of the target, which
    takes none on memory, failed requests, MFU and stages of a step.
    """
    found = read(root, write_target(root, runs), pair)
    (case,) = found.target.cases
    rows = found.figures()
    goals = []
    for n, one in enumerate(rows):
        metric, kind, statistic = name_of(one)
        agreed = [g for g in case.goals if (g.metric, g.kind, g.statistic) == (metric, kind, statistic)]
        goals.append(
            Goal(
                id=str(n), clause="1", metric=metric, part="", statistic=statistic, kind=kind,
                direction="at_most" if one.better == "lower" else "at_least", subject="ratio",
                limit=Quantity(value=1, unit="1"), side_condition="; ".join(g.side_condition for g in agreed),
                subject_to=(), origin=case.goals[0].origin,
            )
        )  # fmt: skip
    asked = replace(found.target, decision_rule="guarded", cases=(replace(case, goals=tuple(goals)),))
    judgements = found.verdict(asked).judgements
    return {name_of(one): (one, judgement) for one, judgement in zip(rows, judgements, strict=True)}
