"""Put faults into the writers one by one, and look whether reading back finds each.

``packaging/faulty_writers.sh`` does so in a copy of the tree and prints a table; with ``--write`` it also writes the
one in docs/reliability.md. A fault is a line of a writer that is replaced: a sign, a unit, a dropped element, a
swapped frame, a default. The tests do the same at night, and each time look whether the lines are still there.
"""

# ruff: noqa: E501
from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_COPY = ROOT / "build" / "faulty_writers"
_COPIED = ("sdfviewer", "tests", "resources")
_DOCS = ROOT / "docs" / "reliability.md"
_MARKS = "<!-- writers -->\n", "<!-- /writers -->"
_URDF, _PARTS, _SDF = "export/urdf.py", "export/urdf_parts.py", "export/urdf_to_sdformat.py"
_MJCF, _MJCF_PARTS = "export/mjcf.py", "export/mjcf_parts.py"
_INLINED, _MIRRORED = "refactoring/composition/inlining.py", "refactoring/mirroring.py"
_RAISE, _LOWER = "refactoring/versions/raising.py", "refactoring/versions/lower_joints.py"
#: What stands before a sentence about a difference; and all digits of a number but the first three decimals.
_SAID = re.compile(r".*(?:error of sdfviewer: |(?=this would change)|:\d+: (?='))|(?<=not found)(?= from) from .*")
_NUMBER = re.compile(r"(\d\.\d{3})\d+(?!e)")


@dataclass(frozen=True)
class Fault:
    """A text of a writer, what replaces it, and the writers that it is looked for in."""

    name: str
    file: str
    old: str
    new: str
    writers: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


FAULTS = (
    Fault("URDF: the sign of an axis", _URDF, "format_number(value) for value in axis.tolist()", "format_number(-value) for value in axis.tolist()", ("urdf-1.0",)),
    Fault("URDF: limits in degrees", _URDF, '"upper": _limit(written.upper)', '"upper": _limit(math.degrees(written.upper))', ("urdf-1.0",)),
    Fault("URDF: the lower limit of a joint is left out", _URDF, '{"lower": _limit(written.lower), "upper"', '{"upper"', ("urdf-1.0",)),
    Fault("URDF: effort and velocity swapped", _URDF, '{"effort": _limit(written.effort), "velocity": _limit(written.velocity)}', '{"effort": _limit(written.velocity), "velocity": _limit(written.effort)}', ("urdf-1.0",)),
    Fault("URDF: the offset of a mimic joint is left out", _URDF, 'line = followers.gains[column], followers.offsets[column]', "line = followers.gains[column], 0.0", ("urdf-1.0",)),
    Fault("URDF: a frame is measured the other way", _URDF, "X_LF = transforms.invert(model.X_RootF[body]) @ model.X_RootF[row]", "X_LF = transforms.invert(model.X_RootF[row]) @ model.X_RootF[body]", ("urdf-1.0",)),
    Fault("URDF: a link is held at the root instead of where it is", _URDF, "X_PL = transforms.invert(self._pose_of(root)) @ self._model.X_RootF[row]", "X_PL = transforms.invert(self._pose_of(root)) @ self._pose_of(root)", ("urdf-1.0",)),
    Fault("URDF: a swapped joint keeps its direction", _URDF, "axis * (-1.0 if carrier.backwards else 1.0)", "axis", ("urdf-1.0",)),
    Fault("URDF: friction is written as damping", _URDF, '(("damping", dynamics.damping), ("friction", dynamics.friction))', '(("damping", dynamics.friction), ("friction", dynamics.friction))', ("urdf-1.0",)),
    Fault("URDF: the mass in grams", _PARTS, '{"value": repr(mass)}', '{"value": repr(mass * 1000)}', ("urdf-1.0",)),
    Fault("URDF: the sign of a product of inertia", _PARTS, '"ixz": xz', '"ixz": -xz', ("urdf-1.0",)),
    Fault("URDF: the place of the centre of mass is left out", _PARTS, "[*where, *element(\"mass\"", "[*element(\"mass\"", ("urdf-1.0",)),
    Fault("URDF: the scale of a mesh is left out", _PARTS, "if shape.scale != (1.0, 1.0, 1.0):", "if False:", ("urdf-1.0",)),
    Fault("URDF: white where a colour is transparent", _PARTS, 'element("color", {"rgba": format_numbers(colour)})', 'element("color", {"rgba": format_numbers((*colour[:3], 1.0))})', ("urdf-1.0",)),
    Fault("URDF: visuals only, no collisions", _PARTS, "model.rows_in(row, *SHAPED):", "model.rows_in(row, Kind.VISUAL):", ("urdf-1.0",)),
    Fault("URDF: gravity of a link turned on and off", "export/gazebo_options.py", "_word(not parse_bool(gravity))", "_word(parse_bool(gravity))", ("urdf-1.0",)),
    Fault("URDF: sensors are left out", "export/gazebo_options.py", "lines += copies(model, part, [model.elements[part]])", "lines += []", ("urdf-1.0",)),
    Fault("URDF: a bundle names another file", "export/bundle.py", "self.written[geometry] = named = WrittenMesh(self.prefix + written.file, written.scale)", "self.written[geometry] = WrittenMesh(self.prefix + written.file, written.scale); named = WrittenMesh(self.prefix + written.file + 'x', written.scale)", ("bundle-urdf",)),
    Fault("SDFormat of a URDF: stiffness and damping of contacts swapped", "formats/urdf/robot.py", '"kp": "surface/contact/ode/kp",\n    "kd": "surface/contact/ode/kd"', '"kp": "surface/contact/ode/kd",\n    "kd": "surface/contact/ode/kp"', ("1.12",)),
    Fault("SDFormat of a URDF: an unlimited joint gets a limit", _SDF, "if math.isfinite(value)}", "} | {\"upper\": min(values[\"upper\"], 3.0)}", ("1.12",)),
    Fault("SDFormat of a URDF: a joint is measured from the model", _SDF, '"__model__" if joint.parent == ROOT else parent)', '"__model__")', ("1.12",)),
    Fault("SDFormat of a URDF: a frame is attached to the wrong link", _SDF, '{"name": names[row], "attached_to": names[joint.parent]}', '{"name": names[row], "attached_to": names[min(self._carried)]}', ("1.12",)),
    Fault("SDFormat of a URDF: the multiplier of a mimic joint", _SDF, '"multiplier": axis.mimic.multiplier', '"multiplier": -axis.mimic.multiplier', ("1.12",)),
    Fault("SDFormat of a URDF: the mass of merged links counts once", "formats/urdf/merge.py", "body.mass += merged.mass", "body.mass = body.mass or merged.mass", ("merge-fixed",)),
    Fault("raised: an axis in the model frame taken for one in its own", _RAISE, "if axis.expressed_in == joint.row or axis.expressed_in < 0:", "if True:", ("1.12",)),
    Fault("raised: gravity of the world is left out", _RAISE, "if world.find(moved.tag) is None:", "if False:", ("1.12",)),
    Fault("lowered: no limit becomes a limit of zero", _LOWER, '"upper": "1e16"', '"upper": "0"', ("1.7", "1.9")),
    Fault("lowered: degrees are kept as numbers of radians", "refactoring/versions/lowering.py", "edits += write_pose_text(document, pose, convert(numbers, own, new))", "pass", ("1.7", "1.8")),
    Fault("forms: a pose is measured the wrong way", "refactoring/forms.py", "transforms.invert(model.X_RootF[target]) @ model.X_RootF[row] if moved", "transforms.invert(model.X_RootF[row]) @ model.X_RootF[target] if moved", ("element-relative", "model-absolute")),
    Fault("inlined: the pose of an include is left out", "refactoring/composition/inlining.py", "edits += _put(document, top, outer, pose, before)", "pass", ("standalone", "flat")),
    Fault("MJCF: the sign of an axis", _MJCF, "(-1.0 if backwards else 1.0)).tolist())", "(1.0 if backwards else -1.0)).tolist())", ("mjcf",)),
    Fault("MJCF: limits in degrees", _MJCF, 'words["range"] = number_list((axis.lower, upper))', 'words["range"] = number_list((math.degrees(axis.lower), math.degrees(upper)))', ("mjcf",)),
    Fault("MJCF: an anchor of a joint at its link", _MJCF, '''lines = element("joint", {"name": name, "type": kind, "pos": pos, "axis": axis, **limits})''', '''lines = element("joint", {"name": name, "type": kind, "axis": axis, **limits})''', ("mjcf",)),
    Fault("MJCF: a slide is written as a hinge", _MJCF, 'kind = "slide" if joint.type == "prismatic" else "hinge"', 'kind = "hinge"', ("mjcf",)),
    Fault("MJCF: damping is left out", _MJCF, "if dynamics.damping > 0:", "if False:", ("mjcf",)),
    Fault("MJCF: the order of the products of inertia", _MJCF, "number_list((xx, yy, zz, xy, xz, yz))", "number_list((xx, yy, zz, yz, xz, xy))", ("mjcf",)),
    Fault("MJCF: the mass in grams", _MJCF, '''"mass": repr(inertial.mass), "fullinertia"''', '''"mass": repr(inertial.mass * 1000), "fullinertia"''', ("mjcf",)),
    Fault("MJCF: a body is measured from the world", _MJCF, "X_PL = transforms.invert(X_RootP) @ X_RootL", "X_PL = X_RootL", ("mjcf",)),
    Fault("MJCF: a quaternion in the other order", _MJCF_PARTS, 'number_list(transforms.matrix_to_quaternion(X[:3, :3]).tolist())', 'number_list(np.roll(transforms.matrix_to_quaternion(X[:3, :3]), -1).tolist())', ("mjcf",)),
    Fault("MJCF: the scale of a mesh is left out", _MJCF_PARTS, '{} if scale == (1.0, 1.0, 1.0) else {"scale": number_list(scale)}', '{}', ("mjcf", "bundle-mjcf")),
    Fault("MJCF: the gain of a mimic joint is left out", _MJCF, "number_list((offset, gain, 0, 0, 0))", "number_list((offset, 1, 0, 0, 0))", ("mjcf",)),
    Fault("MJCF: collisions are left out", _MJCF_PARTS, "if kind is Kind.COLLISION:", "if kind is Kind.COLLISION and moves:\n            return []\n        if kind is Kind.COLLISION:", ("mjcf",)),
    Fault("mirrored: the sign of an axis", "refactoring/mirroring.py", "X_RootR @ self._S @ X_RF @ self._S @ (np", "X_RootR @ X_RF @ (np", ("mirror",)),
    Fault("split off: the pose of the model is left out", "refactoring/composition/inlining.py", "    if pose is not None:\n        lines +=", "    if False:\n        lines +=", ("split-off",)),
    Fault("save as: relative paths stay as they are", "refactoring/composition/moved_uris.py", "edits = named.renamed(document, uri) if uri != named.uri else ()", "edits = ()", ("save-as",)),
    Fault("save as: what is named is not copied", "scene/copied_files.py", "            _write_copy(copy.source, copy.target)\n", "", ("save-as-copied",)),
    Fault("inlined: the name of an include is left out", _INLINED, 'edits = set_attribute(document, top, "name", name) if name else ()', 'edits: Replacements = ()', ("standalone",)),
    Fault("inlined: what an include makes static stays as it was", _INLINED, "edits += _put(document, top, outer, child, None)", "pass", ("standalone",)),
    Fault("inlined: a plugin of an include is left out", _INLINED, "edits += insert_child(document, top, element_source(outer, child))", "pass", ("standalone",)),
    Fault("flattened: another link is the canonical one", "refactoring/composition/flatten.py", 'return set_attribute(model.document, element, "canonical_link", dissolution.name_in(holder, link))', "return ()", ("flat",)),
    Fault("mirrored: the sign of a product of inertia", _MIRRORED, 'if "xyz"[self._i] in product.tag[1:]:', "if False:", ("mirror",)),
    Fault("mirrored: what is in a link stays where it is", _MIRRORED, "            edits += self._flipped(written)\n        else:", "            pass\n        else:", ("mirror",)),
    Fault("mirrored: limits are those of another axis", _MIRRORED, "sign = self._turning_sign(model.joints[number].type)", "sign = 1.0", ("mirror",)),
    Fault("split off: relative paths stay as they are", "refactoring/composition/inlining.py", "_new_file(model, element, tuple(edit for each in moved for edit in each.replacements))", "_new_file(model, element, ())", ("split-off",)),
    Fault("split off: the model has another name", "refactoring/composition/inlining.py", "<name>{escape(name)}</name>", "<name>{escape(name)}_2</name>", ("split-off",)),
    Fault("bundle of SDFormat: another file is named", "export/bundle.py", "edits += use.renamed(document, written.file)", 'edits += use.renamed(document, written.file + "x")', ("bundle-sdformat",)),
    Fault("bundle of MJCF: another file is named", _MJCF_PARTS, '"file": file, "inertia"', '"file": file + "x", "inertia"', ("bundle-mjcf",)),
    Fault("defaults: a frame is attached to something else", "refactoring/forms.py", 'edits += set_attribute(model.document, element, "attached_to", model.name_in(scope, scope))', 'edits += set_attribute(model.document, element, "attached_to", model.name_in(scope, next(iter(model.canonical_links.values()), scope)))', ("write_defaults",)),
    Fault("shortened: a pose has three decimals", "refactoring/forms.py", "short = format_number(value)", "short = format_number(round(value, 3))", ("shorten_poses",)),
    Fault("forms: a link is measured from its joint by the joint's numbers", "refactoring/forms.py", "X_RF = transforms.invert(model.X_RootF[target]) @ model.X_RootF[row] if moved else None", "X_RF = model.raw_poses[row] if moved else None", ("element-relative",)),
    Fault("MJCF: a light shines the other way", _MJCF_PARTS, "direction = X_LF[:3, :3] @ towards", "direction = -X_LF[:3, :3] @ towards", ("mjcf",)),
    Fault("MJCF: friction of another collision", _MJCF_PARTS, "number_list((collision.surface.mu, 0.005, 0.0001))", "number_list((1.0, 0.005, 0.0001))", ("mjcf",)),
    Fault("MJCF: gravity of a link counts after all", _MJCF, '{"gravcomp": "1"} if', '{} if', ("mjcf",)),
    Fault("save as: a copy of a mesh has another name", "refactoring/composition/moved_uris.py", "return relative_uri(self.target, self.folder)", "return relative_uri(self.target, self.folder.parent)", ("save-as-copied",)),
)  # fmt: skip


def copy_program(folder: Path) -> None:
    """Copy the program and its tests to a new folder, where faults can be put into it."""
    for name in _COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def with_fault(fault: Fault, folder: Path = ROOT) -> str:
    """Return the text of a module of the program in a folder, with a fault put into it."""
    text = (folder / "sdfviewer" / fault.file).read_text(encoding="utf-8")
    assert text.count(fault.old) == 1, f"{fault.name}: its text is {text.count(fault.old)} times in {fault.file}"
    return text.replace(fault.old, fault.new)


def first_difference(fault: Fault, folder: Path) -> str:
    """Return the first difference that a copy of the program finds with a fault in it; empty where it finds none."""
    file = folder / "sdfviewer" / fault.file
    sound, words = file.read_bytes(), [word for name in fault.writers for word in ("--to", name)]
    file.write_text(with_fault(fault, folder), encoding="utf-8", newline="")
    command = [sys.executable, "-m", "tests.writers", "--first", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    file.write_bytes(sound)
    could_run = done.returncode == 0 or (done.returncode == 1 and done.stdout)
    assert could_run, done.stderr
    return done.stdout.partition("\n")[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.writers.faulty", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="faults whose name contains this")
    parser.add_argument("--write", action="store_true", help="write the table in docs/reliability.md")
    options = parser.parse_args()
    chosen = [fault for fault in FAULTS if options.only in fault.name]
    shutil.rmtree(_COPY, ignore_errors=True)
    copy_program(_COPY)
    rows, missed = [], 0
    for fault in chosen:
        found = first_difference(fault, _COPY)
        missed += not found
        said = _SAID.sub("", found) or "**nothing**"
        print(f"{'found ' if found else 'MISSED'}  {fault.name}: {said}", flush=True)
        short = _NUMBER.sub(r"\1", said)
        rows.append(f"| {fault.name} | {short} |")
    print(f"{len(chosen) - missed} of {len(chosen)} faults found")
    if options.write and not options.only:
        text = _DOCS.read_text(encoding="utf-8")
        before, after = text.partition(_MARKS[0])[0], text.partition(_MARKS[1])[2]
        table = "\n".join(["", "| fault | what is found first |", "|---|---|", *rows, "", ""])
        _DOCS.write_text(before + _MARKS[0] + table + _MARKS[1] + after, encoding="utf-8", newline="")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
