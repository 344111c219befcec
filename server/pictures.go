package server

import (
	"cmp"

	"catena/chat"
	"catena/formatter/picture"
	"catena/tools"
)

// The kinds of pictures of charts.
const (
	mediaPNG = "image/png"
	mediaSVG = "image/svg+xml"
)

// ChartPicture is the picture of a chart and its kind: what another server gave, else the chart drawn as PNG, as models take no
// SVG. An SVG that is no drawing of ours stays one. Nil where there is none.
func ChartPicture(c tools.Chart) (data []byte, media string) {
	switch {
	case len(c.PNG) > 0 && c.Media == mediaSVG:
		c.SVG = string(c.PNG)
	case len(c.PNG) > 0:
		return c.PNG, cmp.Or(c.Media, mediaPNG)
	case c.SVG == "":
		return nil, ""
	}
	if data, err := drawn(c.SVG); err == nil {
		return data, mediaPNG
	}
	return []byte(c.SVG), mediaSVG
}

// drawn is a PNG of a drawing of ours.
func drawn(svg string) ([]byte, error) {
	d, err := picture.Parse(svg)
	if err != nil {
		return nil, err
	}
	return d.PNG()
}

// ChartsOf are the charts of an answer as tools gave them.
func ChartsOf(charts []chat.AnswerChart) []tools.Chart {
	out := make([]tools.Chart, len(charts))
	for i, c := range charts {
		out[i] = tools.Chart{Title: c.Title, SVG: c.SVG, PNG: c.PNG, Media: c.MediaType, Alt: c.Alt}
	}
	return out
}
