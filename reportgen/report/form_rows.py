"""What the target gives for the formal form, made into rows of the report."""

from __future__ import annotations

from dataclasses import fields

from reportgen.model import Form
from reportgen.report.document import DeviationRow, FormBlock, RevisionRow


def form_block(form: Form) -> FormBlock:
    """The rows of a target's form; what it does not give stays empty."""
    own = {"revisions", "deviations"}
    return FormBlock(
        **{one.name: getattr(form, one.name) for one in fields(form) if one.name not in own},
        revisions=tuple(RevisionRow(version=r.version, date=r.date, what=r.what, by=r.by) for r in form.revisions),
        deviations=tuple(
            DeviationRow(no=d.no, what=d.what, effect=d.effect, remedy=d.remedy, retest=d.retest)
            for d in form.deviations
        ),
    )
