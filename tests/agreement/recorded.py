"""Files with what libsdformat says of them: a folder, or an archive of one, that holds ``expected.jsonl``.

A line of ``expected.jsonl`` is a JSON object: ``file``, relative to the folder; ``valid``, what ``gz sdf --check``
says; ``codes``, how often each error of libsdformat was given; ``root_frame``, ``world`` or ``__model__``; and
``frames``, each with its name from the root of the file, its kind and its pose (x, y, z in metres, then the quaternion
w, x, y, z) in the root frame, null where it cannot be resolved. Frames name the body that they are fixed to, joints
have the unit vectors of their axes in the frame of the joint.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: 1 200 generated models and worlds, with the answers of libsdformat 17.
GENERATED = HERE / "generated.tar.gz"
#: The files of the repository that stand for real ones, with the answers of libsdformat.
COLLECTION = HERE.parent / "collection"
ANSWERS = "expected.jsonl"
#: Where public repositories keep the models that their files include.
MODEL_PATHS = {
    "ArduPilot+ardupilot_gazebo": ("models",),
    "PX4+PX4-gazebo-models": ("models",),
    "gazebosim+gz-sim": ("test/worlds/models",),
    "gazebosim+sdformat": ("test/integration/model",),
    "osrf+gazebo_models": ("",),
    "osrf+vrx": ("vrx_gz/models",),
}
#: The models that the files of other repositories take for granted, and the repositories that do not.
_COMMON, _ALONE = "osrf+gazebo_models", frozenset({"gazebosim+sdformat", "osrf+gazebo_models"})

Answer = dict[str, Any]


@dataclass(frozen=True)
class Recorded:
    """Files with what libsdformat says of them.

    Attributes
    ----------
    folder
        Where the files are.
    answers
        One for each file, in the order of the file that holds them.
    """

    folder: Path
    answers: tuple[Answer, ...]

    def batches(self, most: int = 40) -> Iterator[tuple[list[Path], list[Answer]]]:
        """Yield answers to files whose includes are looked up in the same folders, and these folders."""
        places = cache(partial(model_paths, self.folder))
        for paths, answers in groupby(self.answers, lambda answer: places(str(answer["file"]).split("/")[0])):
            group = list(answers)
            for first in range(0, len(group), most):
                yield paths, group[first : first + most]


def model_paths(folder: Path, repository: str) -> list[Path]:
    """Return the folders of models that the files of a repository in a folder include."""
    found = [folder / repository / place for place in MODEL_PATHS.get(repository, ("models",))]
    if repository not in _ALONE:
        found.append(folder / _COMMON)
    return [each for each in found if each.is_dir()]


def open_recorded(path: Path, scratch: Path, every: int = 1) -> Recorded:
    """Return the recorded answers in a folder or an archive.

    Parameters
    ----------
    path
        The folder, or a ``.tar.gz`` of it.
    scratch
        An empty folder, into which an archive is unpacked.
    every
        Take every so many-th file only.

    Raises
    ------
    FileNotFoundError
        If there is no ``expected.jsonl``.
    """
    if path.is_file():
        with tarfile.open(path) as archive:
            answers = _read_answers(_content(archive, archive.getmember(ANSWERS)))[::every]
            wanted = {answer["file"] for answer in answers}
            for member in archive:
                if member.name in wanted:
                    (scratch / member.name).write_bytes(_content(archive, member))
        return Recorded(scratch, tuple(answers))
    answers = _read_answers((path / ANSWERS).read_bytes())
    return Recorded(path, tuple(answer for answer in answers if (path / answer["file"]).is_file())[::every])


def _read_answers(text: bytes) -> list[Answer]:
    return [json.loads(line) for line in text.decode("utf-8").splitlines()]


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member)
    assert file is not None, f"{member.name} is no file"
    return file.read()
