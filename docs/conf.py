"""Settings of the documentation site, which packaging/docs.sh builds. generate.py makes some of its pages."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import generate  # noqa: E402

import sdfviewer  # noqa: E402

generate.write_pages(Path(__file__).parent)

project = "sdfviewer"
version = release = sdfviewer.__version__
project_copyright = "the sdfviewer authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"sdfviewer {sdfviewer.__version__}"
html_favicon = "../resources/icons/sdfviewer.svg"
# What is copied of an example is what somebody types.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
html_theme_options = {"source_directory": "docs/"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
exclude_patterns = ["_build"]
html_extra_path = ["gallery_pages"]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"
suppress_warnings = ["myst.xref_missing"]
