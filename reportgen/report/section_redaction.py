"""What the report says of what was replaced by labels."""

from __future__ import annotations

from reportgen.report.translations import mark
from reportgen.report.view import Context

KINDS = {
    "host": mark("hosts"),
    "user": mark("users"),
    "ip": mark("IP addresses"),
    "mac": mark("MAC addresses"),
    "path": mark("paths"),
    "email": mark("e-mail addresses"),
    "serial": mark("serial numbers"),
}
"""Kinds of labels in words."""


def redaction(context: Context) -> str:
    """How many of each kind were replaced; empty when nothing was asked to be."""
    block = context.report.redaction
    if block is None:
        return ""
    places = dict(block.places)
    kinds = context.series(
        context.text(
            "%(kind)s: %(count)s, in %(places)s places",
            kind=context.text(KINDS[kind]),
            count=count,
            places=places.get(kind, 0),
        )
        for kind, count in block.counts
        if kind in KINDS
    )
    return context.text(
        "Labels stand for what tells of machines and people; digests are those of the originals: %(kinds)s. "
        "report.json holds a commitment for each label; the map of the labels stays with its owner.",
        kinds=kinds,
    )
