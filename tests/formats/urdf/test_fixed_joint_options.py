"""Options for fixed joints where libsdformat does not read them, and where they belong."""

from __future__ import annotations

import pytest

from sdfviewer.document.document import parse_document
from sdfviewer.formats.load import Loader
from sdfviewer.refactoring.fix_offers import offer_fixes

JOINT = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/>{}</joint>'
TEXT = '<robot name="r"><link name="a"/><link name="b"/>{}</robot>'
OPTION = "<preserveFixedJoint>true</preserveFixedJoint>"


def check(text: str) -> list[tuple[str, str]]:
    """Return message and text after its first fix of each problem of an option."""
    document = parse_document(text)
    diagnostics = Loader(offer_fixes=offer_fixes).load_with_diagnostics(document)[1]
    return [
        (each.message, document.edited(each.fixes[0].replacements).text if each.fixes else "")
        for each in diagnostics
        if each.rule.name in ("urdf-option-without-effect", "urdf-misspelt")
    ]


@pytest.mark.parametrize(
    ("inside", "beside", "where"),
    [(OPTION, "", "in a <joint>"), ("", f'<gazebo reference="b">{OPTION}</gazebo>', "in the <gazebo> of link 'b'")],
)
def test_an_option_is_moved_into_the_extension_of_its_joint(inside: str, beside: str, where: str) -> None:
    ((message, after),) = check(TEXT.format(JOINT.format(inside) + beside))
    assert where in message
    assert '<gazebo reference="j">' in message
    assert f'<gazebo reference="j">{OPTION}</gazebo>' in after
    assert not check(after)


def test_without_a_reference_nobody_knows_which_joint_is_meant() -> None:
    ((message, after),) = check(TEXT.format(JOINT.format("") + f"<gazebo>{OPTION}</gazebo>"))
    assert "without a reference" in message
    assert not after


def test_a_misspelt_option_is_reported() -> None:
    extension = f'<gazebo reference="j">{OPTION}</gazebo>'
    wrong = extension.replace("preserveFixedJoint", "preserveFixedJoin")
    ((message, after),) = check(TEXT.format(JOINT.format("") + wrong))
    assert "did you mean 'preserveFixedJoint'?" in message
    assert extension in after
