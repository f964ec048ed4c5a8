"""The index of a workspace finds what is in its files, as they are now."""

from __future__ import annotations

from pathlib import Path

from sdfviewer.files.finder import Finder
from sdfviewer.files.search import find_including
from sdfviewer.language.text_map import Unit
from sdfviewer.language.workspace import INDEXED, WorkspaceIndex

PART = '<sdf version="1.9">\n  <!-- 𝔘 --><model name="part"><link name="base"/></model>\n</sdf>\n'
WORLD = '<sdf version="1.9"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>\n'


def indexed(folder: Path, **settings: object) -> WorkspaceIndex:
    index = WorkspaceIndex(**settings)  # type: ignore[arg-type]
    for progress in index.scan([folder]):
        assert 0 <= progress.done <= progress.total
    return index


def test_symbols_of_files_that_nobody_has_opened_are_found(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(PART, encoding="utf-8")
    (tmp_path / "broken.sdf").write_text("<sdf><model name='half", encoding="utf-8")
    (tmp_path / "notes.txt").write_text(PART, encoding="utf-8")
    index = indexed(tmp_path)
    assert len(index) == 2
    ((_, found),) = index.find("base", 10)
    assert (found.path.name, found.name, found.tag, found.around, found.line) == ("part.sdf", "base", "link", "part", 1)
    line = PART.split("\n")[1]
    assert line.encode("utf-16-le")[2 * found.start : 2 * found.end].decode("utf-16-le") == "base"
    assert index.find("base", 10, without={found.path}) == []
    ((_, wide),) = indexed(tmp_path, unit=Unit.UTF32).find("base", 10)
    assert line[wide.start : wide.end] == "base"


def test_only_what_has_changed_is_read_again(tmp_path: Path) -> None:
    part, world = tmp_path / "part.sdf", tmp_path / "world.sdf"
    part.write_text(PART, encoding="utf-8")
    world.write_text(WORLD, encoding="utf-8")
    index = indexed(tmp_path)
    assert not index.update(part)
    part.write_text(PART.replace('"base"', '"chassis"'), encoding="utf-8")
    assert index.update(part)
    assert index.find("base", 10) == []
    assert [found.name for _, found in index.find("chass", 10)] == ["chassis"]
    part.unlink()
    assert list(index.scan([tmp_path]))[-1].total == 1
    assert index.find("chass", 10) == []


def test_a_file_may_be_added_while_another_thread_searches(tmp_path: Path) -> None:
    (tmp_path / "part.sdf").write_text(PART, encoding="utf-8")
    index = indexed(tmp_path)
    lamp = tmp_path / "lamp.sdf"
    lamp.write_text('<sdf version="1.9"><light name="base" type="point"/></sdf>', encoding="utf-8")

    class Query(str):
        """Adds a file, with a tag that no other has, as soon as somebody looks at the query."""

        def lower(self) -> str:
            index.update(lamp)
            return super().lower()

    assert [found.path.name for _, found in index.find(Query("base"), 10)] == ["part.sdf"]
    assert {found.tag for _, found in index.find("base", 10)} == {"link", "light"}


def test_the_files_that_include_one_are_those_of_a_search_without_an_index(tmp_path: Path) -> None:
    for number in range(5):
        include = f"<include><uri>part_{number - 1}.sdf</uri></include>" if number else ""
        text = f'<sdf version="1.9"><model name="m"><link name="l"/>{include}</model></sdf>'
        (tmp_path / f"part_{number}.sdf").write_text(text, encoding="utf-8")
    index = indexed(tmp_path)
    with_index = find_including(tmp_path / "part_1.sdf", [tmp_path], Finder(), uris_of=index.uris_of)
    without = find_including(tmp_path / "part_1.sdf", [tmp_path], Finder())
    names = {document.path.name for document in without.documents}
    assert names == {document.path.name for document in with_index.documents} == {f"part_{n}.sdf" for n in (2, 3, 4)}
    # A file that was changed after it was indexed counts as it is.
    (tmp_path / "part_2.sdf").write_text('<sdf version="1.9"/>', encoding="utf-8")
    again = find_including(tmp_path / "part_1.sdf", [tmp_path], Finder(), uris_of=index.uris_of)
    assert again.documents == ()


def test_memory_is_bounded(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"part_{number:02}.sdf").write_text(PART, encoding="utf-8")
        (tmp_path / f"world_{number:02}.sdf").write_text(WORLD, encoding="utf-8")
    index = indexed(tmp_path, most_symbols=10)
    assert index.is_full
    assert len(index.find("", 100)) <= 12
    assert index.uris_of(tmp_path / "world_19.sdf") == ("part.sdf",)


def test_every_corpus_file_is_indexed(corpus: Path) -> None:
    index = indexed(corpus)
    files = {
        path.resolve()
        for path in corpus.rglob("*")
        if path.is_file() and path.name.lower().endswith(INDEXED) and not any(part[0] == "." for part in path.parts[1:])
    }
    assert len(index) == len(files)


def test_the_links_of_a_robot_are_found_in_its_folder(collection: Path) -> None:
    best = indexed(collection / "strider_description").find("left_calf_link", 5)[0][1]
    assert best.name == "left_calf_link"
