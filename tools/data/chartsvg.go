package data

import (
	"fmt"
	"html"
	"math"
	"strings"
	"time"
)

// The drawing's geometry, in user units of the SVG.
const (
	chartWidth, chartHeight = 760, 436
	marginLeft, marginRight = 84, 20
	marginTop, marginBottom = 48, 88
	plotWidth               = chartWidth - marginLeft - marginRight
	plotHeight              = chartHeight - marginTop - marginBottom
	legendRow               = 18
	maxLabel                = 22 // characters of a tick's label
	ticksWanted             = 5
)

// palette is Okabe and Ito's, which people with any colour vision can tell apart (jfly.uni-koeln.de/color), without yellow.
var palette = []string{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#7F7F7F"}

// drawing is an SVG on its way.
type drawing struct {
	strings.Builder
	c          *chart
	low, high  float64 // of the vertical axis
	left, wide float64 // of the horizontal axis, for lines and points
}

// svg draws the chart as a complete document: title and description for screen readers, no script, no reference to
// anything outside. Every text that came with the data is escaped.
func (c *chart) svg() string {
	d := &drawing{c: c}
	d.scale()
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="12">`,
		chartWidth, chartHeight+d.legendHeight(), chartWidth, chartHeight+d.legendHeight())
	fmt.Fprintf(d, `<title id="t">%s</title><desc id="d">%s</desc>`, esc(c.title), esc(c.alt))
	fmt.Fprintf(d, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="24" font-size="16" font-weight="600" fill="#111">%s</text>`, marginLeft, esc(clip(c.title, 80)))
	d.vertical()
	if c.kind == "bar" {
		d.categories()
		d.bars()
	} else {
		d.horizontal()
		d.lines()
	}
	d.legend()
	d.WriteString("</svg>")
	return d.String()
}

// esc escapes for SVG text and drops what XML 1.0 cannot hold.
func esc(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff || r >= 0xd800 && r <= 0xdfff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?")))
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// scale finds the range of the axes. Bars start at zero, always; lines do unless all values are far from it.
func (d *drawing) scale() {
	low, high := math.Inf(1), math.Inf(-1)
	left, right := math.Inf(1), math.Inf(-1)
	for _, s := range d.c.series {
		for _, p := range s.points {
			low, high = min(low, p.y), max(high, p.y)
			left, right = min(left, p.x), max(right, p.x)
		}
	}
	if d.c.kind == "bar" || low > 0 && low < (high-low)*2 {
		low = min(low, 0)
	}
	high = max(high, low)
	if d.c.kind == "bar" {
		high = max(high, 0)
	}
	if high == low {
		high = low + max(1, math.Abs(low)*0.1)
	}
	ticks := niceTicks(low, high)
	d.low, d.high = min(low, ticks[0]), max(high, ticks[len(ticks)-1])
	d.left, d.wide = left, right-left
	if d.wide == 0 {
		d.left, d.wide = left-0.5, 1
	}
}

func (d *drawing) y(v float64) float64 { return marginTop + plotHeight*(d.high-v)/(d.high-d.low) }
func (d *drawing) x(v float64) float64 { return marginLeft + plotWidth*(v-d.left)/d.wide }

// niceTicks are round values (1, 2 or 5 times a power of ten apart) that enclose low and high.
func niceTicks(low, high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/ticksWanted)))
	for _, m := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*m) <= ticksWanted+1 {
			step *= m
			break
		}
	}
	var out []float64
	for i := math.Floor(low / step); i*step < high+step && len(out) < 20; i++ {
		out = append(out, i*step)
	}
	return out
}

func (d *drawing) vertical() {
	for _, v := range niceTicks(d.low, d.high) {
		if v < d.low || v > d.high {
			continue
		}
		color := "#e5e5e5"
		if v == 0 {
			color = "#888"
		}
		fmt.Fprintf(d, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="%s"/><text x="%d" y="%.1f" text-anchor="end" fill="#444">%s</text>`,
			marginLeft, chartWidth-marginRight, d.y(v), d.y(v), color, marginLeft-6, d.y(v)+4, short(v))
	}
	fmt.Fprintf(d, `<text transform="translate(16 %d) rotate(-90)" text-anchor="middle" fill="#444">%s</text>`, marginTop+plotHeight/2, esc(clip(d.c.yLabel, 44)))
	fmt.Fprintf(d, `<text x="%d" y="%d" text-anchor="middle" fill="#444">%s</text>`, marginLeft+plotWidth/2, chartHeight-8, esc(clip(d.c.xLabel, 60)))
}

// short writes a tick's number: 1.2M, 350k, 0.05.
func short(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(v) >= u.size {
			return trimZeros(fmt.Sprintf("%.2f", v/u.size)) + u.name
		}
	}
	if math.Abs(v) < 1e-9 {
		return "0"
	}
	return fmt.Sprintf("%.4g", v)
}

func trimZeros(s string) string { return strings.TrimRight(strings.TrimRight(s, "0"), ".") }

// categories labels the bars, slanted where they are many or long.
func (d *drawing) categories() {
	n := len(d.c.categories)
	each := float64(plotWidth) / float64(n)
	longest := 0
	for _, s := range d.c.categories {
		longest = max(longest, len([]rune(clip(s, maxLabel))))
	}
	for i, s := range d.c.categories {
		at := marginLeft + (float64(i)+0.5)*each
		y := marginTop + plotHeight + 16
		if float64(longest)*6.5 < each {
			fmt.Fprintf(d, `<text x="%.1f" y="%d" text-anchor="middle" fill="#444">%s</text>`, at, y, esc(clip(s, maxLabel)))
			continue
		}
		fmt.Fprintf(d, `<text transform="translate(%.1f %d) rotate(-30)" text-anchor="end" font-size="10" fill="#444">%s</text>`, at+4, y-4, esc(clip(s, maxLabel)))
	}
}

func (d *drawing) bars() {
	n, k := float64(len(d.c.categories)), float64(len(d.c.series))
	slot := plotWidth / n
	wide := slot * 0.8 / k
	for i, s := range d.c.series {
		for _, p := range s.points {
			top, bottom := d.y(max(p.y, 0)), d.y(min(p.y, 0))
			fmt.Fprintf(d, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>`,
				marginLeft+p.x*slot+slot*0.1+float64(i)*wide, top, max(wide-1, 0.5), max(bottom-top, 0.5), palette[i%len(palette)], esc(tip(s.name, p)))
		}
	}
}

func tip(series string, p point) string {
	if series != "" {
		return series + ", " + p.label + ": " + p.value
	}
	return p.label + ": " + p.value
}

// horizontal draws the ticks of a numeric or time axis.
func (d *drawing) horizontal() {
	y := marginTop + plotHeight
	label := func(at float64, s string) {
		fmt.Fprintf(d, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#888"/><text x="%.1f" y="%d" text-anchor="middle" fill="#444">%s</text>`,
			d.x(at), d.x(at), y, y+5, d.x(at), y+18, esc(s))
	}
	if d.c.timeAxis {
		for _, t := range timeTicks(d.left, d.left+d.wide) {
			label(t.at, t.label)
		}
		return
	}
	for _, v := range niceTicks(d.left, d.left+d.wide) {
		if v >= d.left && v <= d.left+d.wide {
			s := short(v)
			if v == math.Trunc(v) && math.Abs(v) < 10_000 {
				s = fmt.Sprintf("%.0f", v) // years
			}
			label(v, s)
		}
	}
}

type timeTick struct {
	at    float64
	label string
}

// timeTicks are at most eight starts of years, quarters, months or days.
func timeTicks(from, to float64) []timeTick {
	const most = 8
	a, b := time.Unix(int64(from), 0).UTC(), time.Unix(int64(to), 0).UTC()
	months := (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month()) + 1
	var out []timeTick
	if months <= 3 {
		step := max(1, int(b.Sub(a).Hours()/24)/most+1)
		for t := time.Date(a.Year(), a.Month(), a.Day(), 0, 0, 0, 0, time.UTC); !t.After(b); t = t.AddDate(0, 0, step) {
			if !t.Before(a) {
				out = append(out, timeTick{float64(t.Unix()), t.Format("Jan 2")})
			}
		}
		return out
	}
	step := 1
	for _, s := range []int{1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200} {
		if step = s; months/s <= most {
			break
		}
	}
	layout := "Jan 2006"
	if step >= 12 {
		layout = "2006"
	}
	for i := (a.Year()*12 + int(a.Month()) - 1 + step - 1) / step * step; ; i += step {
		t := time.Date(i/12, time.Month(i%12+1), 1, 0, 0, 0, 0, time.UTC)
		if t.After(b) {
			return out
		}
		if !t.Before(a) {
			out = append(out, timeTick{float64(t.Unix()), t.Format(layout)})
		}
	}
}

func (d *drawing) lines() {
	for i, s := range d.c.series {
		color := palette[i%len(palette)]
		if d.c.kind == "line" && len(s.points) > 1 {
			var path strings.Builder
			for j, p := range s.points {
				fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(j, 1)], d.x(p.x), d.y(p.y))
			}
			fmt.Fprintf(d, `<path d="%s" fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round"/>`, path.String(), color)
		}
		radius := 3.0
		if d.c.kind == "line" && len(s.points) > 60 {
			radius = 1.2
		}
		for _, p := range s.points {
			fmt.Fprintf(d, `<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"><title>%s</title></circle>`, d.x(p.x), d.y(p.y), radius, color, esc(tip(s.name, p)))
		}
	}
}

// legendHeight is what the names of the groups need below the plot.
func (d *drawing) legendHeight() int {
	if d.c.group == "" || len(d.c.series) < 2 {
		return 0
	}
	return (len(d.c.series)+2)/3*legendRow + 8
}

func (d *drawing) legend() {
	if d.legendHeight() == 0 {
		return
	}
	for i, s := range d.c.series {
		x, y := marginLeft+(i%3)*(plotWidth/3), chartHeight+8+i/3*legendRow
		fmt.Fprintf(d, `<rect x="%d" y="%d" width="12" height="12" fill="%s"/><text x="%d" y="%d" fill="#222">%s</text>`,
			x, y, palette[i%len(palette)], x+18, y+10, esc(clip(s.name, 30)))
	}
}
