package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample has every kind of shape.
func sample() Drawing {
	return Drawing{Width: 200, Height: 100, Title: `A <b> & "c"`, Description: "All of it.", Shapes: []Shape{
		Rect{Width: 200, Height: 100, Fill: "#fff"},
		Rect{X: 10, Y: 20.5, Width: 30, Height: 40, Fill: "#0072B2", Tip: "a: <1>"},
		Circle{X: 100, Y: 50, Radius: 8, Fill: "#E69F00", Tip: "b"},
		Circle{X: 130, Y: 50, Radius: 1.2, Fill: "#E69F00"},
		Path{Points: []Point{{10, 90}, {190, 90}}, Stroke: "#888"},
		Path{Points: []Point{{150, 80}, {170, 40}, {190, 80}}, Stroke: "#009E73", Width: 4},
		Text{X: 10, Y: 14, Text: "Title & more", Size: 14, Bold: true, Fill: "#111"},
		Text{X: 195, Y: 99, Text: "End", Anchor: End, Fill: "#444"},
		Text{X: 60, Y: 60, Text: "Turned", Anchor: Middle, Turn: -90, Fill: "#444"},
	}}
}

func TestReadsWhatItWrote(t *testing.T) {
	want := sample()
	got, err := Parse(want.SVG())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the SVG has beyond the shapes of a drawing is refused: a PNG without it would show something else.
func TestForeign(t *testing.T) {
	ours := sample().SVG()
	if _, err := Parse(ours); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"element":        {"</svg>", "<ellipse/></svg>"},
		"script":         {"</svg>", "<script>1</script></svg>"},
		"attribute":      {"<circle ", `<circle opacity="0" `},
		"root attribute": {"<svg ", `<svg onload="x" `},
		"namespace":      {namespace, "http://example.org/other"},
		"number":         {`cx="100"`, `cx="NaN"`},
		"far away":       {`cx="100"`, `cx="1e9"`},
		"curve":          {"L190 90", "C190 90"},
		"turn":           {"rotate(-90)", "scale(2)"},
		"nested":         {"</text>", "<title>x</title></text>"},
		"cut off":        {"</svg>", ""},
		"view":           {`viewBox="0 0 `, `viewBox="5 5 `},
	} {
		if !strings.Contains(ours, change[0]) {
			t.Fatalf("%s: nothing to change", name)
		}
		if _, err := Parse(strings.Replace(ours, change[0], change[1], 1)); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"", "x", "<svg/>", `<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`, strings.Repeat(" ", maxBytes+1)} {
		if _, err := Parse(text); !errors.Is(err, ErrForeign) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func decoded(t *testing.T, d Drawing) (image.Image, []byte) {
	t.Helper()
	b, err := d.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img, b
}

// dark counts the pixels of a box, in user units, that are not white.
func dark(img image.Image, x0, y0, x1, y1 int) (n int) {
	for y := y0 * pixels; y < y1*pixels; y++ {
		for x := x0 * pixels; x < x1*pixels; x++ {
			if c, _ := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA); c != (color.RGBA{255, 255, 255, 255}) {
				n++
			}
		}
	}
	return n
}

func TestPNG(t *testing.T) {
	img, b := decoded(t, sample())
	if got := img.Bounds(); got != image.Rect(0, 0, 400, 200) {
		t.Errorf("bounds %v", got)
	}
	if _, again := decoded(t, sample()); !bytes.Equal(b, again) {
		t.Error("the same drawing has other bytes the second time")
	}
	blue, orange, green := color.RGBA{0, 0x72, 0xb2, 255}, color.RGBA{0xe6, 0x9f, 0, 255}, color.RGBA{0, 0x9e, 0x73, 255}
	white, grey := color.RGBA{255, 255, 255, 255}, color.RGBA{0x88, 0x88, 0x88, 255}
	for name, probe := range map[string]struct {
		x, y int // in pixels
		want color.RGBA
	}{
		"corner": {0, 0, white}, "in the bar": {40, 80, blue}, "left of the bar": {17, 80, white}, "below the bar": {40, 123, white},
		"in the circle": {200, 100, orange}, "its corner": {186, 86, white}, "axis": {100, 180, grey}, "below the axis": {100, 182, white},
		"bend of the line": {340, 80, green}, "in the line": {320, 120, green}, "under the line": {340, 140, white},
	} {
		if got, _ := color.RGBAModel.Convert(img.At(probe.x, probe.y)).(color.RGBA); got != probe.want {
			t.Errorf("%s: %v, want %v", name, got, probe.want)
		}
	}
	for name, box := range map[string][4]int{"title": {10, 2, 95, 18}, "end": {174, 91, 196, 100}, "turned": {51, 38, 64, 82}} {
		if dark(img, box[0], box[1], box[2], box[3]) < 100 {
			t.Errorf("%s is not there", name)
		}
	}
	if dark(img, 70, 38, 90, 82) > 0 {
		t.Error("the turned text is not turned")
	}
}

// Characters that the fonts lack are boxes, and nothing fails; those without a width are nothing.
func TestTexts(t *testing.T) {
	for name, text := range map[string]string{"Latin": "Ångström", "Cyrillic": "Москва", "Greek": "Αθήνα", "CJK": "東京", "emoji": "📈", "Arabic": "مرحبا", "broken": "a\xff"} {
		img, _ := decoded(t, Drawing{Width: 100, Height: 30, Shapes: []Shape{Text{X: 5, Y: 20, Text: text, Fill: "#000"}}})
		if dark(img, 0, 0, 100, 30) < 20 {
			t.Errorf("%s is not there", name)
		}
	}
	if a, b := Width("a\u0301b", 12, false), Width("\u00e1\u200bb", 12, false); a != b {
		t.Errorf("%v, %v", a, b)
	}
	if got := Width("東京", 12, false); got != 24 {
		t.Errorf("boxes are %v wide", got)
	}
}

func TestFit(t *testing.T) {
	long := strings.Repeat("long ", 1000)
	for text, want := range map[string]string{"": "", "short": "short", long: "long long long l…", "ärger": "ärger"} {
		if got := Fit(text, 12, false, 100); got != want {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
	for _, width := range []float64{0, 20, 100, 500} {
		if got := Fit(long, 12, true, width); width > 12 && Width(got, 12, true) > width {
			t.Errorf("%q is wider than %v", got, width)
		}
	}
}

func TestRefusedDrawings(t *testing.T) {
	for _, size := range [][2]int{{0, 10}, {10, 0}, {-1, 10}, {maxWidth + 1, 10}, {10, maxHeight + 1}} {
		if _, err := (Drawing{Width: size[0], Height: size[1]}).PNG(); !errors.Is(err, ErrSize) {
			t.Errorf("%v: %v", size, err)
		}
	}
	for _, fill := range []string{"", "red", "#12", "#12345g", "#1234567", "url(#x)"} {
		if _, err := (Drawing{Width: 10, Height: 10, Shapes: []Shape{Rect{Width: 5, Height: 5, Fill: fill}}}).PNG(); err == nil {
			t.Errorf("colour %q is taken", fill)
		}
	}
	// Shapes beyond the paper, or without any size, are no failure.
	if _, err := (Drawing{Width: 10, Height: 10, Shapes: []Shape{Rect{X: -500, Width: 900, Height: 5, Fill: "#111"}, Circle{X: 99, Fill: "#111"},
		Path{Stroke: "#111"}, Path{Points: []Point{{1, 1}, {1, 1}}, Stroke: "#111"}, Text{Fill: "#111"}}}).PNG(); err != nil {
		t.Error(err)
	}
}

// More colours than a palette has room for are drawn without one.
func TestManyColours(t *testing.T) {
	d := Drawing{Width: 400, Height: 10}
	for i := range 2 * maxInks {
		d.Shapes = append(d.Shapes, Rect{X: float64(i * 4), Width: 4, Height: 10, Fill: "#" + strings.Repeat(string("0123456789abcdef"[i%16]), 4) + string("0123456789abcdef"[i/16]) + "0"})
	}
	if img, _ := decoded(t, d); img.ColorModel() != color.RGBAModel && img.ColorModel() != color.NRGBAModel {
		t.Errorf("%T", img)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample().SVG())
	f.Add(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	f.Fuzz(func(t *testing.T, svg string) {
		d, err := Parse(svg)
		if err != nil {
			return
		}
		_, _ = d.PNG() // it may be refused, and must not panic
		if _, err := Parse(d.SVG()); err != nil {
			t.Errorf("what was read is not read again: %v", err)
		}
	})
}

// BenchmarkPNG is a chart of 40 bars with their labels.
func BenchmarkPNG(b *testing.B) {
	d := Drawing{Width: 760, Height: 420}
	for i := range 40 {
		x := float64(20 + 18*i)
		d.Shapes = append(d.Shapes, Rect{X: x, Y: float64(100 + 5*i), Width: 14, Height: float64(280 - 5*i), Fill: "#2f6fde"},
			Text{X: x, Y: 400, Text: fmt.Sprint("label ", i), Fill: "#222", Turn: -45})
	}
	for b.Loop() {
		if _, err := d.PNG(); err != nil {
			b.Fatal(err)
		}
	}
}
