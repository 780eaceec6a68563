#!/usr/bin/env python3
"""Makes DejaVuSans-subset.ttf from DejaVuSans.ttf (2.37).

    pip install fonttools
    python3 subset_font.py /path/to/DejaVuSans.ttf DejaVuSans-subset.ttf

Besides dropping what the pictures never show, it moves outlines to suit the
only reader of this file, the `ab_glyph` text of plotters 0.3. That draws each
glyph flush left, as if it had no left bearing, and puts the baseline a seventh
of the text height too high. A contour without area at x = 0 keeps the bearing;
a shift downwards brings the baseline to where the SVG backend has it.
"""

import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

CHARACTERS = [
    *range(0x20, 0x7F),  # Basic Latin
    *range(0xA0, 0x100),  # Latin-1: ± × ÷ · and accented letters
    *range(0x2010, 0x2016),  # dashes
    *range(0x2018, 0x201F),  # quotes
    *map(ord, "•…←↑→↓−≠≤≥μπσ�"),
]
BASELINE_SHIFT = -340  # of 2048 units an em


def shifted(name, glyphs):
    """The glyph without components, moved down, its left bearing kept."""
    drawing = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(drawing)
    pen = TTGlyphPen(None)
    drawing.replay(TransformPen(pen, (1, 0, 0, 1, 0, BASELINE_SHIFT)))
    if drawing.value:
        for step in (pen.moveTo, pen.lineTo, pen.lineTo):
            step((0, BASELINE_SHIFT))
        pen.closePath()
    return pen.glyph()


def main(source, target):
    font = TTFont(source, recalcTimestamp=False)
    options = Options(
        hinting=False, layout_features=[], legacy_kern=True, notdef_outline=True, name_IDs=["*"]
    )
    options.drop_tables += ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "gasp"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)

    glyphs, metrics = font["glyf"], font["hmtx"]
    drawn = font.getGlyphSet()
    moved = {name: shifted(name, drawn) for name in font.getGlyphOrder()}
    for name, glyph in moved.items():
        glyph.recalcBounds(glyphs)
        glyphs[name] = glyph
        metrics[name] = (metrics[name][0], getattr(glyph, "xMin", 0))
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
