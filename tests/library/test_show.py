"""Tests of showing a model in a notebook and, from a script, in the window."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sdfviewer


@pytest.fixture
def arm(examples: Path) -> sdfviewer.Model:
    return sdfviewer.load(examples / "arm.sdf")


@pytest.fixture
def in_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    import sdfviewer.library.notebook_view  # noqa: F401  # its packages ask for the real IPython

    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def test_a_model_is_a_page_in_a_frame(arm: sdfviewer.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    html = arm._repr_html_()
    assert html.startswith("<iframe")
    assert 'sandbox="allow-scripts"' in html
    assert html.count("<") == 2  # all of the page is in an attribute

    def refuse(*_: object) -> str:
        raise sdfviewer.SdfViewerError("the page is <too> large")

    monkeypatch.setattr(sdfviewer.Model, "to_html", refuse)
    assert "the page is &lt;too&gt; large" in arm._repr_html_()


@pytest.mark.usefixtures("in_notebook")
def test_a_view_is_a_page_where_no_widgets_are_shown(arm: sdfviewer.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found in JupyterLab without the extension for widgets, and in HTML of nbconvert without a network."""
    from sdfviewer.library import notebook_view

    outputs: list[dict[str, str]] = []
    monkeypatch.setattr(notebook_view, "display", lambda bundle, **_: outputs.append(bundle))
    view = sdfviewer.show(arm, height=321)
    assert view is not None
    view._ipython_display_()
    page, widget = outputs
    assert "application/vnd.jupyter.widget-view+json" in widget
    assert "application/vnd.jupyter.widget-view+json" not in page  # it would be preferred to the page
    assert page["text/html"].startswith("<iframe")
    assert f'data-sdfviewer="{view.key}"' in page["text/html"]
    assert "height: 321px" in page["text/html"]
    assert view.key in view.get_state()["key"]


@pytest.mark.usefixtures("in_notebook")
def test_a_view_has_positions_and_a_selection(arm: sdfviewer.Model) -> None:
    view = sdfviewer.show(arm, q={"joint_1": 0.5})
    assert view is not None
    assert view.q["joint_1"] == 0.5
    assert list(view.q) == list(arm.dof_names)
    changes: list[Any] = []
    view.observe(lambda change: changes.append(change["new"]), "positions")
    view.q = np.full(len(arm.dofs), 0.1)
    assert changes == [[pytest.approx(0.1)] * len(arm.dofs)]
    view.q = None
    assert view.positions == list(arm.q0)
    assert view.selected is None
    view.selected = "grasp"
    assert view.selected == arm.frame("grasp")
    view.selected_row = arm._row_of("palm")  # what a click sends
    assert view.selected == arm.link("palm")
    view.selected = None
    assert view.selected is None
    with pytest.raises(sdfviewer.UnknownNameError, match="did you mean 'grasp'"):
        view.selected = "grsp"
    with pytest.raises(sdfviewer.InvalidValueError, match="one configuration"):
        view.q = np.zeros((2, len(arm.dofs)))
    with pytest.raises(sdfviewer.UnknownNameError, match="joint_1"):
        view.q = {"joint_11": 0.5}


def test_a_script_opens_the_window(
    arm: sdfviewer.Model, examples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda words, **_: started.append(words))
    assert sdfviewer.show(arm) is None
    assert sdfviewer.show(examples / "arm.sdf") is None
    assert [words[-1] for words in started] == [str((examples / "arm.sdf").absolute())] * 2
    with pytest.raises(sdfviewer.SdfViewerError, match="has no file"):
        sdfviewer.show(sdfviewer.load('<sdf version="1.10"><model name="m"><link name="a"/></model></sdf>'))
    path = tmp_path / "arm.sdf"
    path.write_bytes((examples / "arm.sdf").read_bytes())
    document = sdfviewer.open_document(path)
    with document.edit() as edit:
        edit.set_pose("grasp", xyz=(0, 0, 0.3))
    with pytest.raises(sdfviewer.SdfViewerError, match="unsaved edits"):
        sdfviewer.show(document)
    document.save()
    assert sdfviewer.show(document) is None
