"""The ``${CaseName}.log`` of ModelZoo training scripts: lines ``Key = value``, the oldest format of acceptance.

What FPS counts stands in the shell script that wrote the file, which has to be given as well.
Source: docs/logs.md, training.
"""

from __future__ import annotations

import re

from reportgen.model import LoggedValue, Reason, Run
from reportgen.run_logs import documents, load, numbers
from reportgen.run_logs.placed import Placed
from reportgen.run_logs.text import Log, bare

VALUES = {
    "ActualFPS": ("throughput", "samples_per_s", "mean", "samples/s"),
    "E2ETrainingTime": ("duration", "", "total", "s"),
    "TrainAccuracy": ("accuracy", "", "last", "count"),
    "ActualLoss": ("loss", "", "last", "count"),
}
"""Key -> metric, kind, statistic and written unit."""
STATED = {
    "Network": "model",
    "RankSize": "ranks",
    "BatchSize": "batch_size",
    "DeviceType": "cpu",
    "CaseName": "case",
}
"""Key -> canonical name."""
SCRIPT_DEFINED = ("TrainingTime",)
"""1 / FPS or batch / FPS, as the script pleases; not read."""
_PAIR = re.compile(r"\s{0,8}([A-Za-z0-9]{2,40})\s{0,8}=\s{0,8}(\S.{0,400})")
_FINAL = re.compile(r"Final Performance images/sec\s{0,8}:\s{0,8}([0-9.]{1,40})")
_BYTES = re.compile(rb"ActualFPS\s{0,8}=|Final Performance images/sec\s{0,8}:")


def sniff(log: Log) -> bool:
    """Whether a file is such a log, or the screen of such a script."""
    return log.holds(_BYTES)


def read(log: Log) -> tuple[Run, ...]:
    """The run of the file.

    Raises:
        CaptureError: ``log_unreadable``, ``log_value``, ``log_mixed``; as ``Log.lines``.
    """
    values: dict[str, LoggedValue] = {}
    rows: list[tuple[str, str, str]] = []
    unread: list[str] = []
    for line in log.lines():
        text, place = bare(line.text), f"line {line.number}"
        final = _FINAL.search(text)
        pair = _PAIR.fullmatch(text.rstrip())
        key, written = ("ActualFPS", final[1]) if final is not None else (pair[1], pair[2]) if pair else ("", "")
        if key in VALUES and not line.ended:
            documents.unreadable(log.at(line.number), "ends within a line: its last figure may be cut")
        if key in VALUES:
            metric, kind, statistic, unit = VALUES[key]
            one = numbers.figure(written.strip(), unit)
            if (one is None or one.value <= 0) and key == "ActualFPS":
                documents.no_figure(written, f"{place}, {key}", log.at(line.number))
            if one is None:
                continue
            value = Placed(one, f"{place}, {key}").logged(metric, kind, statistic)
            if key in values and values[key].value.value != value.value.value:
                documents.two_runs(log.at(line.number), f"gives {key} again, with another figure")
            values.setdefault(key, value)
        elif key in STATED:
            if any(name == STATED[key] and held != written for name, held, _ in rows):
                documents.two_runs(log.at(line.number), f"gives {key} again, otherwise")
            rows.append((STATED[key], written, f"{place}, {key}"))
        elif key in SCRIPT_DEFINED:
            unread.append(key)
    if "ActualFPS" not in values:
        documents.unreadable(log.at(), "holds no ActualFPS")
    return (
        Run(
            producer="modelzoo",
            version="",
            definitions="modelzoo_script",
            file=log.record,
            context=load.stated(rows),
            values=tuple(values.values()),
            left_out=load.unread(unread),
            warnings=(Reason.of("modelzoo_script_formula"),),
        ),
    )
