package picture

import (
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// The fonts are part of the program, so that a picture is the same on every machine. They have Latin, Greek and
// Cyrillic letters.
var (
	regular = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })
	bold    = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gobold.TTF) })
)

// line is a text set in a font: its glyphs, left to right.
type line struct {
	font   *sfnt.Font
	size   fixed.Int26_6
	buf    sfnt.Buffer
	glyphs []glyph
	width  float64
}

type glyph struct {
	index sfnt.GlyphIndex // 0 is a box, for a character that the font lacks
	x     float64
}

// set measures a text at a size in pixels. What has no width of its own, such as joiners, is left out.
func set(text string, size float64, heavy bool) (*line, error) {
	of := regular
	if heavy {
		of = bold
	}
	f, err := of()
	if err != nil {
		return nil, err
	}
	l := &line{font: f, size: fixed.Int26_6(size * 64)}
	for _, r := range norm.NFC.String(text) {
		if unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Cc) {
			continue
		}
		index, err := f.GlyphIndex(&l.buf, r)
		if err != nil {
			return nil, err
		}
		advance := l.size // a box: as wide as most characters that the font lacks
		if index != 0 {
			if advance, err = f.GlyphAdvance(&l.buf, index, l.size, font.HintingNone); err != nil {
				return nil, err
			}
		}
		l.glyphs = append(l.glyphs, glyph{index, l.width})
		l.width += float64(advance) / 64
	}
	return l, nil
}

// Width is how wide a text is at a size, in user units, in the fonts of the PNG; those of a reader's screen are about
// as wide.
func Width(text string, size float64, heavy bool) float64 {
	l, err := set(text, size, heavy)
	if err != nil {
		return float64(len(text)) * size // the fonts are constants: it cannot happen
	}
	return l.width
}

// Fit cuts a text to a width, with an ellipsis where something was cut.
func Fit(text string, size float64, heavy bool, width float64) string {
	const most = 400 // more characters fit nowhere
	r := []rune(text)
	if len(r) <= most && Width(text, size, heavy) <= width {
		return text
	}
	low, high := 0, min(len(r), most) // low fits
	for low < high {
		mid := (low + high + 1) / 2
		if Width(string(r[:mid])+"…", size, heavy) <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return string(r[:low]) + "…"
}
