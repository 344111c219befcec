package picture

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrForeign is wrapped by the errors for SVG that Drawing.SVG does not write.
var ErrForeign = errors.New("it is no drawing of ours")

// Bounds of what Parse reads.
const (
	maxBytes = 8 << 20
	maxPlace = 1e5
)

// node is any element of XML.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

// Parse reads what Drawing.SVG wrote. Whatever else an SVG may hold is refused, not passed over: a picture without it
// would show something else. Errors wrap ErrForeign.
func Parse(svg string) (Drawing, error) {
	var root node
	if len(svg) > maxBytes {
		return Drawing{}, fmt.Errorf("picture: more than %d MiB: %w", maxBytes>>20, ErrForeign)
	}
	if err := xml.Unmarshal([]byte(svg), &root); err != nil {
		return Drawing{}, fmt.Errorf("picture: %w: %w", ErrForeign, err)
	}
	a := attributesOf(root)
	d := Drawing{Width: int(a.number("width")), Height: int(a.number("height"))}
	a.expect("viewBox", fmt.Sprintf("0 0 %d %d", d.Width, d.Height))
	for _, known := range rootAttributes {
		a.expect(known[0], known[1])
	}
	a.expect("xmlns", namespace)
	if err := a.end("svg"); err != nil {
		return Drawing{}, err
	}
	for _, n := range root.Nodes {
		if err := d.add(n); err != nil {
			return Drawing{}, err
		}
	}
	return d, nil
}

// readers read the elements of shapes.
var readers = map[string]func(a *attributes, n node) Shape{
	"rect": func(a *attributes, n node) Shape {
		return Rect{X: a.number("x"), Y: a.number("y"), Width: a.number("width"), Height: a.number("height"),
			Fill: a.take("fill"), Tip: a.tip(n)}
	},
	"circle": func(a *attributes, n node) Shape {
		return Circle{X: a.number("cx"), Y: a.number("cy"), Radius: a.number("r"), Fill: a.take("fill"), Tip: a.tip(n)}
	},
	"path": func(a *attributes, n node) Shape {
		a.expect("fill", "none")
		p := Path{Points: a.points("d"), Stroke: a.take("stroke")}
		if a.has("stroke-width") {
			p.Width = a.number("stroke-width")
			a.expect("stroke-linejoin", "round")
		}
		a.childless(n)
		return p
	},
	"text": func(a *attributes, n node) Shape {
		t := Text{Text: n.Text, Fill: a.take("fill"), Anchor: Anchor(a.take("text-anchor"))}
		if a.has("transform") {
			t.X, t.Y, t.Turn = a.turned("transform")
		} else {
			t.X, t.Y = a.number("x"), a.number("y")
		}
		if a.has("font-size") {
			t.Size = a.number("font-size")
		}
		if t.Bold = a.has("font-weight"); t.Bold {
			a.expect("font-weight", "600")
		}
		a.childless(n)
		return t
	},
}

// add reads an element of the root.
func (d *Drawing) add(n node) error {
	name := n.XMLName.Local
	a := attributesOf(n)
	switch name {
	case "title":
		d.Title = n.Text
		a.expect("id", "t")
		a.childless(n)
		return a.end(name)
	case "desc":
		d.Description = n.Text
		a.expect("id", "d")
		a.childless(n)
		return a.end(name)
	}
	read := readers[name]
	if read == nil {
		return fmt.Errorf("picture: element %.40q: %w", name, ErrForeign)
	}
	d.Shapes = append(d.Shapes, read(a, n))
	return a.end(name)
}

// attributes are those of an element that have not been read, and what was wrong first.
type attributes struct {
	left map[string]string
	err  error
}

func attributesOf(n node) *attributes {
	a := &attributes{left: make(map[string]string, len(n.Attrs))}
	if n.XMLName.Space != namespace {
		a.wrong("namespace", n.XMLName.Space)
	}
	for _, attr := range n.Attrs {
		a.left[attr.Name.Local] = attr.Value
	}
	return a
}

func (a *attributes) wrong(name, value string) {
	if a.err == nil {
		a.err = fmt.Errorf("picture: %.40s %.40q: %w", name, value, ErrForeign)
	}
}

func (a *attributes) has(name string) bool {
	_, ok := a.left[name]
	return ok
}

func (a *attributes) take(name string) string {
	v := a.left[name]
	delete(a.left, name)
	return v
}

func (a *attributes) expect(name, want string) {
	if got := a.take(name); got != want {
		a.wrong(name, got)
	}
}

func (a *attributes) number(name string) float64 { return a.parse(name, a.take(name)) }

func (a *attributes) parse(name, text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if inside := math.Abs(v) <= maxPlace; err != nil || !inside {
		a.wrong(name, text)
		return 0
	}
	return v
}

// points reads the d of a path: M x y L x y ...
func (a *attributes) points(name string) []Point {
	text := a.take(name)
	rest, ok := strings.CutPrefix(text, "M")
	if !ok {
		a.wrong(name, text)
		return nil
	}
	var out []Point
	for part := range strings.SplitSeq(rest, "L") {
		x, y, _ := strings.Cut(part, " ")
		out = append(out, Point{a.parse(name, x), a.parse(name, y)})
	}
	return out
}

// turned reads translate(x y) rotate(degrees).
func (a *attributes) turned(name string) (x, y, turn float64) {
	text := a.take(name)
	rest, ok := strings.CutPrefix(text, "translate(")
	rest, end := strings.CutSuffix(rest, ")")
	place, degrees, cut := strings.Cut(rest, ") rotate(")
	if !ok || !end || !cut {
		a.wrong(name, text)
		return 0, 0, 0
	}
	left, top, _ := strings.Cut(place, " ")
	return a.parse(name, left), a.parse(name, top), a.parse(name, degrees)
}

// tip reads the title in a shape.
func (a *attributes) tip(n node) string {
	if len(n.Nodes) == 0 {
		return ""
	}
	t := n.Nodes[0]
	if len(n.Nodes) > 1 || t.XMLName.Local != "title" || len(t.Attrs)+len(t.Nodes) > 0 {
		a.wrong("element in", n.XMLName.Local)
	}
	return t.Text
}

func (a *attributes) childless(n node) {
	if len(n.Nodes) > 0 {
		a.wrong("element", n.Nodes[0].XMLName.Local)
	}
}

// end refuses what was not read.
func (a *attributes) end(element string) error {
	for name, value := range a.left {
		a.wrong(element+" "+name, value)
	}
	return a.err
}
