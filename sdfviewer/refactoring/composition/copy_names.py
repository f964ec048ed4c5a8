"""How copied elements are called in the file that they are written into."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sdfviewer.document.edits import Replacements, set_attribute
from sdfviewer.document.element import Element
from sdfviewer.formats.registry import format_of
from sdfviewer.formats.sdformat.members import why_invalid_name
from sdfviewer.formats.urdf.new_elements import NAMED_IN_GAZEBO
from sdfviewer.model.kinds import Kind
from sdfviewer.model.model import Model
from sdfviewer.model.names import free_name_among
from sdfviewer.refactoring.editable import RefactoringError
from sdfviewer.refactoring.limb import Mirror


@dataclass(frozen=True)
class CopyNames:
    """How copies are called.

    Attributes
    ----------
    find, replace
        What becomes what in names; empty for nothing.
    suffix
        What is written behind a name that has nothing to replace.
    given
        Names of copies by those of the originals, which go before.
    """

    find: str = ""
    replace: str = ""
    suffix: str = ""
    given: Mapping[str, str] = field(default_factory=dict)

    def wanted(self, name: str) -> str:
        """Return what the copy of something is called if that is free."""
        return self.given.get(name) or self.swapped(name) or name + self.suffix

    def free(self, name: str, taken: Collection[str]) -> str:
        """Return what the copy of something is called: with a number where that is taken."""
        return free_name_among(self.wanted(name), taken, 1)

    def swapped(self, name: str) -> str | None:
        """Return a name with the replacement, None where it has nothing to replace."""
        return Mirror(-1, find=self.find, replace=self.replace).swapped(name)

    def of_rows(self, items: Sequence[Element], other: Model, taken: Collection[str]) -> dict[int, str]:
        """Return the names of elements and of what follows them, by their rows in the model they are copied from.

        Raises
        ------
        RefactoringError
            If a given name is taken or invalid.
        """
        found: dict[int, str] = {}
        taken = set(taken)
        for item in items:
            row = other.rows_by_element.get(id(item))
            if row is None:
                for each in item.children if item.tag == "gazebo" else ():
                    inner = other.rows_by_element.get(id(each))
                    if inner is not None and other.kinds[inner] in (Kind.JOINT, Kind.LINK, Kind.FRAME):
                        found[inner] = self.free(other.local_names[inner], taken)
                        taken.add(found[inner])
                continue
            if item.tag != "include" and "name" not in item.attributes:
                continue  # a visual of a URDF needs none
            old = other.local_names[row]
            name = self.given.get(old) or self.free(old, taken)
            if name in taken:
                raise RefactoringError(f"the name '{name}' is taken")
            if why := why_invalid_name(name):
                raise RefactoringError(f"the name '{name}' {why}")
            taken.add(name)
            found[row] = name
            known = format_of(other.document)
            if known is not None and name != old:
                found.update(known.names_that_follow(other, row, name))
            if self.find:
                inside = ((each, self.swapped(other.local_names[each])) for each in other.inside(row)[1:])
                found.update((each, name) for each, name in inside if name is not None and each not in found)
        return found

    def of_others(self, items: Sequence[Element], other: Model, around: Element) -> Replacements:
        """Return the edits of names that are no rows': of a gripper or transmission, and of what a ``<gazebo>`` holds.

        Parameters
        ----------
        around
            The element that gets the copies.
        """
        edits: Replacements = ()
        for item in items:
            if id(item) in other.rows_by_element:
                continue
            if item.tag in ("gripper", "transmission"):
                named, beside = [item], around.findall(item.tag)
            elif item.tag == "gazebo":
                named, beside = item.findall(*NAMED_IN_GAZEBO), list(around.descendants())
            else:
                continue
            for each in named:
                taken = {inner.given_name for inner in beside if inner.tag == each.tag}
                if (name := each.given_name) or each is item:
                    edits += set_attribute(other.document, each, "name", self.free(name, taken))
        return edits
