"""Report pages in files and in notebooks."""

from __future__ import annotations

import html
import os
from collections.abc import Callable


def save(page: Callable[[], str] | None, path: str | os.PathLike[str]) -> None:
    """Writes a page, one file that needs no other."""
    if page is None:
        raise ValueError("an answer that was stored has no page: ask the machine again")
    text = page()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def frame(page: Callable[[], str] | None, height: int = 720) -> str | None:
    """A page inside a notebook."""
    if page is None:
        return None
    return (
        f'<iframe srcdoc="{html.escape(page(), quote=True)}" width="100%" height="{height}" '
        'style="border: 1px solid #8884; border-radius: 6px" sandbox="allow-scripts"></iframe>'
    )
