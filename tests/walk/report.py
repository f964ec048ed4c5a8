"""The report of a walk, and sheets of its pictures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tests.walk.story import Outcome

_LABEL, _GAP = 22, 8


def as_record(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as it is written to JSON."""
    record = asdict(outcome)
    del record["story"]
    story = outcome.story
    return {"story": story.name, "topic": story.topic, "about": story.about, **record}


def write_report(outcomes: Sequence[Outcome], about: dict[str, Any], folder: Path) -> None:
    """Write ``report.json`` and ``report.txt``."""
    stories = [as_record(each) for each in outcomes]
    (folder / "report.json").write_text(json.dumps({**about, "stories": stories}, indent=1), encoding="utf-8")
    (folder / "report.txt").write_text("\n".join(_lines(outcomes, about)) + "\n", encoding="utf-8")


def _lines(outcomes: Sequence[Outcome], about: dict[str, Any]) -> list[str]:
    told = [each for each in outcomes if not each.skipped]
    failed = sum(len(each.failed) for each in told)
    longest = max((each.passes[0].milliseconds for each in told if each.passes), default=0.0)
    lines = [
        "  ".join(f"{key}: {value}" for key, value in about.items()),
        f"{len(told)} stories told, {len(outcomes) - len(told)} skipped; "
        f"{sum(len(each.passed) for each in told)} checks passed, {failed} failed; longest pass {longest:.0f} ms",
        "",
        f"{'story':32} {'checks':>9} {'longest passes [ms]':24} {'time':>6}",
    ]
    for each in outcomes:
        passes = " ".join(f"{one.milliseconds:.0f}" for one in each.passes)
        checks = "skipped" if each.skipped else f"{len(each.passed)}/{len(each.passed) + len(each.failed)}"
        lines.append(f"{each.story.name:32} {checks:>9} {passes:24} {each.seconds:5.1f}s")
    lines += ["", "FAILED"]
    for each in told:
        lines += [f"{each.story.name}: not so: {sentence}" for sentence in each.failed]
    lines += ["", "LONG PASSES (over 50 ms)"]
    for each in told:
        lines += [
            f"{each.story.name}: {one.milliseconds:.0f} ms at “{one.step}”"
            for one in each.passes
            if one.milliseconds > 50
        ]
    lines += ["", "NOTES"]
    for each in outcomes:
        if each.skipped:
            lines.append(f"{each.story.name}: skipped: {each.skipped}")
        lines += [f"{each.story.name}: {note}" for note in each.notes]
    return lines


def write_sheets(folder: Path) -> int:
    """Put the pictures of a folder on sheets of four, with their names below; return how many sheets there are."""
    for old in folder.glob("sheet_*.png"):
        old.unlink()
    pictures = sorted(each for each in folder.glob("[0-9]*.png"))
    font = ImageFont.load_default(14)
    sheets = [pictures[first : first + 4] for first in range(0, len(pictures), 4)]
    for number, sheet in enumerate(sheets, 1):
        _draw_sheet(sheet, font).save(folder / f"sheet_{number:02}.png", compress_level=1)
    return len(sheets)


def _draw_sheet(pictures: Sequence[Path], font: Any) -> Image.Image:
    images = [_scaled(Image.open(path).convert("RGB")) for path in pictures]
    width, height = images[0].size
    sheet = Image.new("RGB", (2 * width + _GAP, 2 * (height + _LABEL)), "black")
    pen = ImageDraw.Draw(sheet)
    for number, (path, image) in enumerate(zip(pictures, images, strict=True)):
        x, y = number % 2 * (width + _GAP), number // 2 * (height + _LABEL)
        sheet.paste(image, (x, y))
        pen.text((x + 4, y + height + 2), path.stem, fill="white", font=font)
    return sheet


def _scaled(image: Image.Image) -> Image.Image:
    """Return a picture at its size, a larger one than 1366 pixels at two thirds of it."""
    if image.width <= 1366:
        return image
    return image.resize((image.width * 2 // 3, image.height * 2 // 3), Image.Resampling.LANCZOS)
