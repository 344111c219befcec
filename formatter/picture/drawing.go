// Package picture draws. A Drawing is shapes and texts on white paper. It is written as SVG, which screens scale, and
// as PNG, for those that take no SVG, as the APIs of models do. Its own SVG is read back, so that one kept text has
// both.
package picture

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// DefaultSize is the size of a text that has none, in user units.
const DefaultSize = 12

// Drawing is what a picture shows. Shapes are drawn in their order, later ones over earlier ones. Its methods change
// nothing and may be called at once.
type Drawing struct {
	Width, Height int // in user units: pixels of a screen at its natural size
	Title         string
	Description   string // for who cannot see it
	Shapes        []Shape
}

// Shape is one of Rect, Circle, Path and Text. Colours are written #rgb or #rrggbb.
type Shape interface {
	svg(b *strings.Builder)
	draw(c *canvas) error
}

// Rect is a filled rectangle.
type Rect struct {
	X, Y, Width, Height float64
	Fill                string
	Tip                 string // shown where a pointer rests on it; "" is none
}

// Circle is a filled circle.
type Circle struct {
	X, Y, Radius float64
	Fill         string
	Tip          string
}

// Path is a line from point to point.
type Path struct {
	Points []Point
	Stroke string
	Width  float64 // 0 is 1
}

// Point is a place, y downwards.
type Point struct{ X, Y float64 }

// Text is one line of text.
type Text struct {
	X, Y   float64 // of the anchor, on the baseline
	Text   string
	Size   float64 // 0 is DefaultSize
	Bold   bool
	Anchor Anchor
	Turn   float64 // degrees around the anchor, clockwise
	Fill   string
}

// Anchor says which part of a text stands at its place; "" is the start.
type Anchor string

// The anchors.
const (
	Start  Anchor = ""
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// SVG writes a complete document: title and description for screen readers, no script, no reference to anything
// outside. Every text is escaped.
func (d Drawing) SVG() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="%s" viewBox="0 0 %d %d" width="%d" height="%d"`, namespace, d.Width, d.Height,
		d.Width, d.Height)
	for _, a := range rootAttributes {
		fmt.Fprintf(&b, ` %s="%s"`, a[0], a[1])
	}
	fmt.Fprintf(&b, `><title id="t">%s</title><desc id="d">%s</desc>`, escape(d.Title), escape(d.Description))
	for _, s := range d.Shapes {
		s.svg(&b)
	}
	b.WriteString("</svg>")
	return b.String()
}

const namespace = "http://www.w3.org/2000/svg"

// rootAttributes are those of the root that are the same in every drawing.
var rootAttributes = [][2]string{{"role", "img"}, {"aria-labelledby", "t d"}, {"font-family", "system-ui, sans-serif"},
	{"font-size", "12"}}

func (r Rect) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"`, number(r.X), number(r.Y), number(r.Width),
		number(r.Height), escape(r.Fill))
	closeTag(b, "rect", r.Tip)
}

func (c Circle) svg(b *strings.Builder) {
	fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" fill="%s"`, number(c.X), number(c.Y), number(c.Radius),
		escape(c.Fill))
	closeTag(b, "circle", c.Tip)
}

func closeTag(b *strings.Builder, name, tip string) {
	if tip == "" {
		b.WriteString("/>")
		return
	}
	fmt.Fprintf(b, `><title>%s</title></%s>`, escape(tip), name)
}

func (p Path) svg(b *strings.Builder) {
	b.WriteString(`<path d="`)
	for i, at := range p.Points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(number(at.X) + " " + number(at.Y))
	}
	fmt.Fprintf(b, `" fill="none" stroke="%s"`, escape(p.Stroke))
	if p.Width != 0 {
		fmt.Fprintf(b, ` stroke-width="%s" stroke-linejoin="round"`, number(p.Width))
	}
	b.WriteString("/>")
}

func (t Text) svg(b *strings.Builder) {
	if t.Turn == 0 {
		fmt.Fprintf(b, `<text x="%s" y="%s"`, number(t.X), number(t.Y))
	} else {
		fmt.Fprintf(b, `<text transform="translate(%s %s) rotate(%s)"`, number(t.X), number(t.Y), number(t.Turn))
	}
	if t.Anchor != Start {
		fmt.Fprintf(b, ` text-anchor="%s"`, escape(string(t.Anchor)))
	}
	if t.Size != 0 {
		fmt.Fprintf(b, ` font-size="%s"`, number(t.Size))
	}
	if t.Bold {
		b.WriteString(` font-weight="600"`)
	}
	fmt.Fprintf(b, ` fill="%s">%s</text>`, escape(t.Fill), escape(t.Text))
}

// number writes a length with one decimal: a tenth of a pixel is less than anybody sees.
func number(v float64) string {
	v = math.Round(v*10) / 10
	return strconv.FormatFloat(v+0, 'f', -1, 64) // + 0: there is no -0
}

// escape escapes for XML and drops what XML 1.0 cannot hold.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?")))
}
