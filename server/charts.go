package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/formatter/picture"
	"catena/tools"
)

// withPNG are charts with PNG beside their SVG.
func withPNG(charts []tools.Chart) []tools.Chart {
	out := slices.Clone(charts)
	for i, c := range out {
		if data, media := ChartPicture(c); media == mediaPNG {
			out[i].PNG, out[i].Media = data, media
		}
	}
	return out
}

// getChart gives a chart of a run's answer, or its picture where the path has an ending.
func (s *Core) getChart(c *gin.Context) {
	name := c.Param("chart")
	ending := path.Ext(name)
	chart, err := s.findChart(c, strings.TrimSuffix(name, ending))
	if err != nil {
		s.Fail(c, err)
		return
	}
	if ending == "" {
		WriteJSON(c, http.StatusOK, chart)
		return
	}
	var data []byte
	media := mediaPNG
	switch {
	case ending == ".svg":
		data, media = []byte(chart.SVG), mediaSVG
	case ending == ".png" && chart.SVG != "":
		data, err = drawn(chart.SVG)
	case ending == ".png" && chart.MediaType == mediaPNG:
		data = chart.PNG
	}
	if err == nil && len(data) == 0 {
		err = fmt.Errorf("chart %q: %w", Clip(name, 40), fs.ErrNotExist)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	c.Data(http.StatusOK, media, data)
}

// findChart finds a chart by the number that its links have.
func (s *Core) findChart(c *gin.Context, number string) (chat.AnswerChart, error) {
	info, err := s.wholeRun(c.Request.Context(), c.Param("id"))
	if err != nil {
		return chat.AnswerChart{}, err
	}
	var answer struct {
		Charts []chat.AnswerChart `json:"charts"`
	}
	if len(info.Response) > 0 {
		if err := json.Unmarshal(info.Response, &answer); err != nil {
			return chat.AnswerChart{}, fmt.Errorf("server: the answer of run %s cannot be read: %w", c.Param("id"), err)
		}
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(answer.Charts) {
		return chat.AnswerChart{}, fmt.Errorf("chart %q: %w", Clip(number, 40), fs.ErrNotExist)
	}
	return answer.Charts[n-1], nil
}

// The kinds of pictures of charts.
const (
	mediaPNG = "image/png"
	mediaSVG = "image/svg+xml"
)

// ChartPicture is the picture of a chart and its kind: what another server gave, else the chart drawn as PNG, as models
// take no SVG. An SVG that is no drawing of ours stays one. Nil where there is none.
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
