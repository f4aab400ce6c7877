"""The Python of the book, of the READMEs and of the notebooks runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = [ROOT / "docs" / "book" / "src" / "python.md", ROOT / "README.md"]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_the_blocks_of_a_document_run_one_after_the_other(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.M | re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(path), "exec"), names)


def test_there_are_six_notebooks() -> None:
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}})
    client.execute()
