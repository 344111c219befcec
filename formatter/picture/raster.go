package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"
)

// ErrSize is wrapped by the errors for drawings that are too large to be a PNG, or empty.
var ErrSize = errors.New("a picture has 1 to 1200 by 1 to 800 units")

// Bounds of a PNG. It has two pixels for each user unit, so that it is sharp on dense screens and models can read its
// labels.
const (
	maxWidth, maxHeight = 1200, 800
	pixels              = 2
)

// PNG draws the picture on white. The same drawing gives the same bytes on the same platform. Characters that the fonts
// lack are boxes. It takes some tens of milliseconds of one processor; errors are for drawings that are too large
// (ErrSize) or have colours that are none.
func (d Drawing) PNG() ([]byte, error) {
	wide, high := d.Width >= 1 && d.Width <= maxWidth, d.Height >= 1 && d.Height <= maxHeight
	if !wide || !high {
		return nil, fmt.Errorf("picture: %d by %d: %w", d.Width, d.Height, ErrSize)
	}
	c := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, d.Width*pixels, d.Height*pixels))}
	draw.Draw(c.RGBA, c.Rect, image.White, image.Point{}, draw.Src)
	for _, s := range d.Shapes {
		if err := s.draw(c); err != nil {
			return nil, fmt.Errorf("picture: %w", err)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, c.indexed()); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return out.Bytes(), nil
}

// canvas is the paper. What draws is given its RGBA: of other types of image the standard library sets pixel by pixel.
type canvas struct {
	*image.RGBA
	inks []color.RGBA // each once
}

// maxInks is how many colours have a palette together. With more, their edges would look rough.
const maxInks = 32

// indexed is the picture with a palette: white, and each ink in even steps from white to itself, which are what the
// edges of shapes have. It takes a third of the bytes.
func (c *canvas) indexed() image.Image {
	if len(c.inks) == 0 || len(c.inks) > maxInks {
		return c.RGBA
	}
	shades := color.Palette{color.RGBA{0xff, 0xff, 0xff, 0xff}}
	for _, ink := range c.inks {
		steps := (256 - 1) / len(c.inks)
		mix := func(v uint8, i int) uint8 { return uint8((int(v)*i + 0xff*(steps-i) + steps/2) / steps) }
		for i := 1; i <= steps; i++ {
			shades = append(shades, color.RGBA{mix(ink.R, i), mix(ink.G, i), mix(ink.B, i), 0xff})
		}
	}
	out := image.NewPaletted(c.Rect, shades)
	near := map[color.RGBA]uint8{}
	last, index := color.RGBA{0xff, 0xff, 0xff, 0xff}, uint8(0)
	for i := range out.Pix {
		p := color.RGBA{c.Pix[4*i], c.Pix[4*i+1], c.Pix[4*i+2], c.Pix[4*i+3]}
		if p != last {
			var known bool
			if index, known = near[p]; !known {
				index = uint8(shades.Index(p))
				near[p] = index
			}
			last = p
		}
		out.Pix[i] = index
	}
	return out
}

// outline is a closed shape, or several, in pixels. Parts that overlap must turn the same way, or they cancel each
// other out.
type outline struct{ ops []op }

// op goes to a point: after a move, along a line, or along a curve with one or two control points before it.
type op struct {
	move   bool
	points []Point
}

func (o *outline) move(to Point)        { o.ops = append(o.ops, op{true, []Point{to}}) }
func (o *outline) line(points ...Point) { o.ops = append(o.ops, op{false, points}) }

func (o *outline) polygon(points ...Point) {
	o.move(points[0])
	for _, p := range points[1:] {
		o.line(p)
	}
}

// circle turns as the sides of a stroke do.
func (o *outline) circle(at Point, r float64) {
	const k = 0.5522847498 // a curve with its control points so far out is a quarter of a circle within 0.03 %
	o.move(Point{at.X + r, at.Y})
	for _, q := range [][2]Point{{{1, 0}, {0, -1}}, {{0, -1}, {-1, 0}}, {{-1, 0}, {0, 1}}, {{0, 1}, {1, 0}}} {
		from, to := q[0], q[1]
		place := func(x, y float64) Point { return Point{at.X + r*x, at.Y + r*y} }
		o.line(place(from.X+k*to.X, from.Y+k*to.Y), place(to.X+k*from.X, to.Y+k*from.Y), place(to.X, to.Y))
	}
}

// bounds is the smallest box of whole pixels around all points.
func (o *outline) bounds() image.Rectangle {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, op := range o.ops {
		for _, p := range op.points {
			low, high = Point{min(low.X, p.X), min(low.Y, p.Y)}, Point{max(high.X, p.X), max(high.Y, p.Y)}
		}
	}
	return image.Rect(int(math.Floor(low.X)), int(math.Floor(low.Y)), int(math.Ceil(high.X)), int(math.Ceil(high.Y)))
}

// fill draws the inside of an outline. What lies outside of the paper is cut off.
func (c *canvas) fill(o *outline, hex string) error {
	ink, err := colorOf(hex)
	if err != nil {
		return err
	}
	if len(o.ops) == 0 {
		return nil
	}
	if !slices.Contains(c.inks, ink) {
		c.inks = append(c.inks, ink)
	}
	box := o.bounds().Intersect(c.Rect)
	if box.Empty() {
		return nil
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(p Point) (x, y float32) {
		return float32(p.X - float64(box.Min.X)), float32(p.Y - float64(box.Min.Y))
	}
	for i, step := range o.ops {
		to := step.points
		x, y := at(to[len(to)-1])
		switch {
		case step.move:
			if i > 0 {
				z.ClosePath()
			}
			z.MoveTo(x, y)
		case len(to) == 1:
			z.LineTo(x, y)
		case len(to) == 2:
			ax, ay := at(to[0])
			z.QuadTo(ax, ay, x, y)
		default:
			ax, ay := at(to[0])
			bx, by := at(to[1])
			z.CubeTo(ax, ay, bx, by, x, y)
		}
	}
	z.ClosePath()
	z.Draw(c.RGBA, box, image.NewUniform(ink), image.Point{})
	return nil
}

// colorOf reads #rgb and #rrggbb.
func colorOf(hex string) (color.RGBA, error) {
	digits, ok := strings.CutPrefix(hex, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !ok || len(digits) != 6 {
		return color.RGBA{}, fmt.Errorf("%.20q is no colour of the form #rrggbb", hex)
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}, nil
}

func (r Rect) draw(c *canvas) error {
	left, top, right, bottom := r.X*pixels, r.Y*pixels, (r.X+r.Width)*pixels, (r.Y+r.Height)*pixels
	var o outline
	o.polygon(Point{left, top}, Point{right, top}, Point{right, bottom}, Point{left, bottom})
	return c.fill(&o, r.Fill)
}

func (c Circle) draw(on *canvas) error {
	var o outline
	o.circle(Point{c.X * pixels, c.Y * pixels}, c.Radius*pixels)
	return on.fill(&o, c.Fill)
}

// draw strokes each part of the path as a box, with a disc on each corner.
func (p Path) draw(c *canvas) error {
	half := p.Width * pixels / 2
	if half == 0 {
		half = pixels / 2.0
	}
	var o outline
	for i := 1; i < len(p.Points); i++ {
		a, b := Point{p.Points[i-1].X * pixels, p.Points[i-1].Y * pixels},
			Point{p.Points[i].X * pixels, p.Points[i].Y * pixels}
		long := math.Hypot(b.X-a.X, b.Y-a.Y)
		if long == 0 {
			continue
		}
		x, y := -(b.Y-a.Y)/long*half, (b.X-a.X)/long*half
		o.polygon(Point{a.X + x, a.Y + y}, Point{b.X + x, b.Y + y}, Point{b.X - x, b.Y - y}, Point{a.X - x, a.Y - y})
		if i > 1 {
			o.circle(a, half)
		}
	}
	return c.fill(&o, p.Stroke)
}

// draw sets the text glyph by glyph, turned around its anchor.
func (t Text) draw(c *canvas) error {
	size := t.Size
	if size == 0 {
		size = DefaultSize
	}
	l, err := set(t.Text, size*pixels, t.Bold)
	if err != nil {
		return err
	}
	back := map[Anchor]float64{Middle: l.width / 2, End: l.width}[t.Anchor]
	sin, cos := math.Sincos(t.Turn * math.Pi / 180)
	var o outline
	for _, g := range l.glyphs {
		segments, err := l.font.LoadGlyph(&l.buf, g.index, l.size, nil)
		if err != nil {
			return err
		}
		for _, s := range segments {
			points := make([]Point, 0, 3)
			for _, p := range s.Args[:segmentPoints[s.Op]] {
				x, y := g.x-back+float64(p.X)/64, float64(p.Y)/64
				points = append(points, Point{t.X*pixels + x*cos - y*sin, t.Y*pixels + x*sin + y*cos})
			}
			o.ops = append(o.ops, op{s.Op == sfnt.SegmentOpMoveTo, points})
		}
	}
	return c.fill(&o, t.Fill)
}

// segmentPoints is how many points a segment of a glyph has.
var segmentPoints = map[sfnt.SegmentOp]int{
	sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3,
}
