"""What the files of both sides state of their runs: load, options, arguments. What differs has to be agreed.

A key that nobody knows is compared like any other. Source: docs/tricks.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.comparability.settings import Permissions
from reportgen.model import Held, LoggedRun, Reason, Side
from reportgen.run_conditions.facts import RunFact, held, stand

IDENTITY = frozenset(
    {
        "accuracy", "date", "end_time", "epochs", "first_time", "iterations", "iterations_planned", "label",
        "last_time", "local_time",
        "loss_scale", "model_abbreviation", "rtfx", "device",
        "argument.exp_name", "argument.experiment_name", "argument.local_rank", "argument.master_addr",
        "argument.master_port", "argument.node_rank", "argument.rank", "argument.run_name", "argument.start_time",
    }
)  # fmt: skip
"""Keys that name a moment, a place or a result: never compared."""
GIVEN_OR_NOT = frozenset({"argument.save", "argument.tensorboard_dir", "argument.wandb_project"})
"""Keys of which it matters whether something is given, not what: where checkpoints and curves are written to."""
ONLY_BIASES = frozenset(
    {
        "argument.exit_interval", "argument.log_interval", "argument.train_iters", "epochs_asked", "log_interval",
        "loop", "samples", "seed", "argument.seed", "steps", "steps_asked", "endpoint_type",
    }
)  # fmt: skip
"""Keys that say how long a run was, how often it wrote, or which random numbers it drew."""
NOTHING = ("", "None", "none", "null", "False", "false")
"""Values that say that nothing is given."""


def compare(
    case: str, before: Sequence[LoggedRun], after: Sequence[LoggedRun], granted: Permissions, *, witness: bool = False
) -> Iterator[RunFact]:
    """Every key that the runs of either side state, those alike left out but for the load.

    Args:
        before, after: runs of one definition set, at least one of each side.
        granted: what may differ.
        witness: whether they are logs of servers, which goals on any run of the case rest on.
    """
    definitions = "" if witness else before[0].run.definitions
    told = [_told(runs) for runs in (before, after)]
    one_producer = len({one.run.producer for one in (*before, *after)}) == 1
    if not one_producer and not witness:
        names = tuple(_held(runs, _producers(runs), "") for runs in (before, after))
        why = Reason.of("run_producers_differ")
        yield stand(case, "producer", (names[0], names[1]), granted, definitions=definitions, reason=why, stops=False)
    yield from _dumps(case, (before, after), told, granted, definitions)
    for key in dict.fromkeys((*told[0], *told[1])):
        if key in IDENTITY or key.startswith("probe_"):
            continue
        values = [side.get(key) for side in told]
        if None in values and (not one_producer or _undumped(key, told)):
            continue
        equal = values[0] == values[1]
        yield from _moved(case, key, (before, after), values, granted, definitions) if equal else ()
        if equal and key not in LOAD:
            continue
        sides = tuple(_held(runs, value, key) for runs, value in zip((before, after), values, strict=True))
        yield stand(
            case,
            key,
            (sides[0], sides[1]),
            granted,
            definitions=definitions,
            equal=equal,
            stops=key not in ONLY_BIASES,
            each=(_each(before, key), _each(after, key)),
        )


def _moved(
    case: str,
    key: str,
    sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    values: Sequence[str | None],
    granted: Permissions,
    definitions: str,
) -> Iterator[RunFact]:
    """A path of one name in two directories: whether it is the same model or data set is not shown."""
    found = [{one.directories for run in runs for one in run.run.context if one.key == key} for runs in sides]
    if key not in GIVEN_OR_NOT and found[0] != found[1]:
        held_by = tuple(_held(runs, value, key) for runs, value in zip(sides, values, strict=True))
        why = Reason.of("run_directories_differ", key=key)
        yield stand(
            case,
            f"{key}.directory",
            (held_by[0], held_by[1]),
            granted,
            definitions=definitions,
            reason=why,
            stops=False,
        )


LOAD = ("max_concurrency", "request_rate", "num_prompts", "requests_asked", "global_batch_size", "batch_size")
"""Keys of the load; they are shown where they are alike too."""


def _told(runs: Sequence[LoggedRun]) -> dict[str, str]:
    """Key -> its values over the runs of a side; a run that does not state it shows as ``-``."""
    found: dict[str, dict[str, None]] = {}
    each = [{one.key: one.written for one in run.run.context} for run in runs]
    for key in dict.fromkeys(key for one in each for key in one):
        for one in each:
            found.setdefault(key, {}).setdefault(_value(key, one.get(key)))
    return {key: " / ".join(values) for key, values in found.items()}


def _each(runs: Sequence[LoggedRun], key: str) -> list[str | None]:
    """What each run states of a key; None of one that does not."""
    stated = [next((one.written for one in run.run.context if one.key == key), None) for run in runs]
    return [None if written is None else _value(key, written) for written in stated]


def _value(key: str, written: str | None) -> str:
    if written is None:
        return "-"
    if key in GIVEN_OR_NOT:
        return "not given" if written in NOTHING else "given"
    return written


def _held(runs: Sequence[LoggedRun], value: str | None, key: str) -> Held:
    places = [next((one.locator for one in run.run.context if one.key == key), "whole file") for run in runs]
    return held(runs, value, places)


def _producers(runs: Sequence[LoggedRun]) -> str:
    return " / ".join(dict.fromkeys(run.run.producer for run in runs))


def _is_argument(key: str) -> bool:
    return key.startswith("argument.")


def _undumped(key: str, told: Sequence[dict[str, str]]) -> bool:
    """Whether a key is an argument, and a side holds no arguments at all."""
    return _is_argument(key) and not all(any(map(_is_argument, side)) for side in told)


def _dumps(
    case: str,
    sides: tuple[Sequence[LoggedRun], Sequence[LoggedRun]],
    told: Sequence[dict[str, str]],
    granted: Permissions,
    definitions: str,
) -> Iterator[RunFact]:
    """Sides whose files hold no arguments, where their producer prints them: what was started is not shown.

    Servers print theirs too; facts of their logs are of no definition set.
    """
    if definitions and not definitions.startswith(DUMPING):
        return
    counts = [sum(map(_is_argument, side)) for side in told]
    if all(counts):
        return
    texts = [str(count) if count else None for count in counts]
    values = tuple(_held(runs, text, "") for runs, text in zip(sides, texts, strict=True))
    lacking = next(side for side, count in zip(Side, counts, strict=True) if not count)
    why = Reason.of("run_arguments_missing" if any(counts) else "run_arguments_missing_both", side=lacking)
    key = "arguments" if definitions else "server_arguments"
    yield stand(
        case, key, (values[0], values[1]), granted, definitions=definitions, reason=why, stops=any(counts),
        declarable=True,
    )  # fmt: skip


DUMPING = ("megatron",)
"""Beginnings of definition sets whose producers print their arguments at the start."""
