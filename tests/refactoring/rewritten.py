"""Compares a file with what it was rewritten to: frames, bodies and joints, under their new names."""

from __future__ import annotations

import numpy as np

from sdfviewer.document.document import Document, parse_document
from sdfviewer.document.edits import Edit
from sdfviewer.formats.load import Loader
from sdfviewer.model.comparison.frames import FrameComparison
from sdfviewer.model.kinematics.forward import Kinematics
from sdfviewer.model.model import Model

TOLERANCE = 1e-9


#: Problems that leave it open what a file means, so that no rewritten file means the same: which of two frames of one
#: name is meant, which number, whether an include is read, what '::' in a name separates. Two ends of a joint in one
#: link are an error only where the model is not nested, so flattening makes one of what was a warning.
UNCERTAIN = frozenset(
    {
        "duplicate-name",
        "urdf-duplicate-name",
        "bad-value",
        "merge-unsupported",
        "models-too-deep",
        "separator-in-name",
        "joint-parent-is-child",
    }
)


def is_certain(model: Model) -> bool:
    """Return whether a file means one thing only, so that it can be compared with what it is rewritten to."""
    return UNCERTAIN.isdisjoint(each.rule.name for each in model.diagnostics)


def load(document: Document, loader: Loader) -> Model:
    model = loader.load(document)
    assert model is not None
    return model


def written(document: Document, edit: Edit) -> Document:
    """Return the rewritten document, read anew."""
    return parse_document(document.edited(edit.replacements).text, document.path)


def errors(model: Model) -> list[str]:
    return [each.message for each in model.diagnostics if each.is_error]


def assert_same(before: Model, after: Model, renamed: tuple[tuple[str, str], ...] = ()) -> None:
    """Check that nothing moves, at any positions of the joints, and that everything is still there."""
    assert FrameComparison(before, after, renamed).moved() == []
    assert len(errors(after)) <= len(errors(before)), errors(after)
    names = dict(renamed)
    rows = [after.rows_by_name[names.get(name, name)] for name in before.names]
    then, now = Kinematics(before), Kinematics(after)
    columns = [
        next(
            column
            for column, dof in enumerate(now.dofs)
            if (dof.joint.name, dof.axis) == (names.get(old.joint.name, old.joint.name), old.axis)
        )
        for old in then.dofs
    ]
    assert len(now.dofs) == len(then.dofs)
    generator = np.random.default_rng(5)
    for _ in range(3):
        q = then.follow(generator.uniform(-1, 1, len(then.dofs)))
        q_now = np.empty(len(now.dofs))
        q_now[columns] = q
        np.testing.assert_allclose(now.follow(q_now), q_now, atol=TOLERANCE)
        poses, poses_now = then.poses(q), now.poses(q_now)[rows]
        defined = np.isfinite(poses).all(axis=(1, 2))
        np.testing.assert_allclose(poses_now[defined], poses[defined], atol=TOLERANCE)
