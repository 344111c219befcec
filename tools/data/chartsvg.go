package data

import (
	"fmt"
	"math"
	"strings"
	"time"

	"catena/formatter/picture"
)

// The drawing's geometry, in user units of the picture.
const (
	chartWidth              = 760
	marginLeft, marginRight = 84, 20
	marginTop, plotHeight   = 48, 300
	plotWidth               = chartWidth - marginLeft - marginRight
	below, belowSlanted     = 50, 88 // the plot: the labels and the name of the axis
	legendRow               = 18
	edge                    = 2   // between a text and the edge of the picture
	slant                   = 30  // degrees of the labels of bars that are many or long
	slantedRoom             = 100 // for such a label: what the margin below has, above the name of the axis
	ticksWanted             = 5
)

// palette is Okabe and Ito's, which people with any colour vision can tell apart (jfly.uni-koeln.de/color), without
// yellow.
var palette = []string{"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#7F7F7F"}

// drawing is a chart on its way to a picture.
type drawing struct {
	picture.Drawing
	c          *chart
	low, high  float64 // of the vertical axis
	left, wide float64 // of the horizontal axis, for lines and points
	slanted    bool    // the labels of the bars
	bottom     int     // of the chart without its legend
}

// Colours and sizes of what is written.
const (
	inkTitle, inkText, inkLegend = "#111", "#444", "#222"
	inkAxis, inkGrid             = "#888", "#e5e5e5"
	titleSize, slantedSize       = 16, 10
)

// svg draws the chart as a complete document: see picture.Drawing.SVG.
func (c *chart) svg() string {
	d := &drawing{c: c, Drawing: picture.Drawing{Width: chartWidth, Title: c.title, Description: c.alt}}
	d.slanted = c.kind == barChart && d.widest() > plotWidth/float64(len(c.categories))-8
	d.bottom = marginTop + plotHeight + below
	if d.slanted {
		d.bottom = marginTop + plotHeight + belowSlanted
	}
	d.Height = d.bottom + d.legendHeight()
	d.scale()
	d.add(picture.Rect{Width: chartWidth, Height: float64(d.Height), Fill: "#fff"})
	d.add(picture.Text{X: marginLeft, Y: 24, Size: titleSize, Bold: true, Fill: inkTitle, Text: picture.Fit(c.title, titleSize, true, plotWidth)})
	d.vertical()
	if c.kind == barChart {
		d.categories()
		d.bars()
	} else {
		d.horizontal()
		d.lines()
	}
	d.legend()
	return d.SVG()
}

func (d *drawing) add(s picture.Shape) { d.Shapes = append(d.Shapes, s) }

// across draws a straight line.
func (d *drawing) across(x1, y1, x2, y2 float64, color string) {
	d.add(picture.Path{Points: []picture.Point{{X: x1, Y: y1}, {X: x2, Y: y2}}, Stroke: color})
}

// centred writes a text around x, or as near to it as the edges of the picture allow.
func (d *drawing) centred(x, y float64, text string) {
	half := picture.Width(text, picture.DefaultSize, false)/2 + edge
	x = min(max(x, half), chartWidth-half)
	d.add(picture.Text{X: x, Y: y, Anchor: picture.Middle, Fill: inkText, Text: text})
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
	if d.c.kind == barChart || low > 0 && low < (high-low)*2 {
		low = min(low, 0)
	}
	high = max(high, low)
	if d.c.kind == barChart {
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
		color := inkGrid
		if v == 0 {
			color = inkAxis
		}
		d.across(marginLeft, d.y(v), chartWidth-marginRight, d.y(v), color)
		d.add(picture.Text{X: marginLeft - 6, Y: d.y(v) + 4, Anchor: picture.End, Fill: inkText, Text: d.c.tick(v)})
	}
	d.add(picture.Text{X: 16, Y: marginTop + plotHeight/2, Turn: -90, Anchor: picture.Middle, Fill: inkText,
		Text: picture.Fit(d.c.yLabel, picture.DefaultSize, false, plotHeight)})
	d.centred(marginLeft+plotWidth/2, float64(d.bottom)-8, picture.Fit(d.c.xLabel, picture.DefaultSize, false, plotWidth))
}

// tick writes a number of the vertical axis.
func (c *chart) tick(v float64) string {
	if c.percent != 0 {
		return short(v*c.percent) + "%"
	}
	return short(v)
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

// widest is the width of the longest label of the bars.
func (d *drawing) widest() (wide float64) {
	for _, s := range d.c.categories {
		wide = max(wide, picture.Width(picture.Fit(s, picture.DefaultSize, false, plotWidth), picture.DefaultSize, false))
	}
	return wide
}

// categories labels the bars, slanted where they are many or long.
func (d *drawing) categories() {
	each := float64(plotWidth) / float64(len(d.c.categories))
	for i, s := range d.c.categories {
		at := marginLeft + (float64(i)+0.5)*each
		if !d.slanted {
			d.centred(at, marginTop+plotHeight+16, s)
			continue
		}
		room := min(slantedRoom, (at-edge)/math.Cos(slant*math.Pi/180))
		d.add(picture.Text{X: at + 4, Y: marginTop + plotHeight + 12, Turn: -slant, Anchor: picture.End, Size: slantedSize, Fill: inkText,
			Text: picture.Fit(s, slantedSize, false, room)})
	}
}

func (d *drawing) bars() {
	n, k := float64(len(d.c.categories)), float64(len(d.c.series))
	slot := plotWidth / n
	wide := slot * 0.8 / k
	for i, s := range d.c.series {
		for at, p := range s.points {
			top, bottom := d.y(max(p.y, 0)), d.y(min(p.y, 0))
			bar := picture.Rect{X: marginLeft + p.x*slot + slot*0.1 + float64(i)*wide, Y: top, Width: max(wide-1, 0.5),
				Height: max(bottom-top, 0.5), Fill: palette[i%len(palette)], Tip: tip(s.name, p)}
			if !d.c.unfinished(s, at) {
				d.add(bar)
				continue
			}
			bar.Fill = "#fff"
			d.add(bar)
			left, right, end := bar.X, bar.X+bar.Width, bar.Y+bar.Height
			d.dashed(palette[i%len(palette)], picture.Point{X: left, Y: end}, picture.Point{X: left, Y: top},
				picture.Point{X: right, Y: top}, picture.Point{X: right, Y: end})
		}
	}
}

// unfinished reports whether a point of a series is of a period that is not over: the last of all.
func (c *chart) unfinished(s chartSeries, at int) bool {
	if !c.open {
		return false
	}
	last := s.points[at].x
	for _, other := range c.series {
		for _, p := range other.points {
			last = max(last, p.x)
		}
	}
	return s.points[at].x == last
}

// dashed draws straight dashes from point to point.
func (d *drawing) dashed(color string, points ...picture.Point) {
	const dash, period = 6, 10
	for i := range len(points) - 1 {
		from, to := points[i], points[i+1]
		long := math.Hypot(to.X-from.X, to.Y-from.Y)
		on := func(at float64) picture.Point {
			return picture.Point{X: from.X + (to.X-from.X)*at/long, Y: from.Y + (to.Y-from.Y)*at/long}
		}
		for at := 0.0; at < long; at += period {
			d.add(picture.Path{Points: []picture.Point{on(at), on(min(at+dash, long))}, Stroke: color, Width: 2})
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
	const y = marginTop + plotHeight
	label := func(at float64, s string) {
		d.across(d.x(at), y, d.x(at), y+5, inkAxis)
		d.centred(d.x(at), y+18, s)
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
		if d.c.kind == lineChart && len(s.points) > 1 {
			path := picture.Path{Stroke: color, Width: 2}
			for _, p := range s.points {
				path.Points = append(path.Points, picture.Point{X: d.x(p.x), Y: d.y(p.y)})
			}
			if last := len(path.Points) - 1; d.c.unfinished(s, last) {
				d.dashed(color, path.Points[last-1:]...)
				path.Points = path.Points[:last]
			}
			if len(path.Points) > 1 {
				d.add(path)
			}
		}
		radius := 3.0
		if d.c.kind == lineChart && len(s.points) > 60 {
			radius = 1.2
		}
		for _, p := range s.points {
			d.add(picture.Circle{X: d.x(p.x), Y: d.y(p.y), Radius: radius, Fill: color, Tip: tip(s.name, p)})
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
	const column = plotWidth / 3
	for i, s := range d.c.series {
		x, y := float64(marginLeft+(i%3)*column), float64(d.bottom+8+i/3*legendRow)
		d.add(picture.Rect{X: x, Y: y, Width: 12, Height: 12, Fill: palette[i%len(palette)]})
		d.add(picture.Text{X: x + 18, Y: y + 10, Fill: inkLegend, Text: picture.Fit(s.name, picture.DefaultSize, false, column-30)})
	}
}
