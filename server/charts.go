package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/formatter/picture"
	"catena/tools"
)

// The kinds of pictures of charts.
const (
	mediaPNG = "image/png"
	mediaSVG = "image/svg+xml"
)

// seen is the picture of a chart and its kind: what another server gave, else the chart drawn as PNG, as models take no
// SVG. An SVG that is no drawing of ours stays one. Nil where there is none.
func seen(c tools.Chart) (data []byte, media string) {
	switch {
	case len(c.PNG) > 0:
		return c.PNG, orElse(c.Media, mediaPNG)
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

// withPNG are charts with PNG beside their SVG.
func withPNG(charts []tools.Chart) []tools.Chart {
	out := slices.Clone(charts)
	for i, c := range out {
		if data, media := seen(c); media == mediaPNG {
			out[i].PNG, out[i].Media = data, media
		}
	}
	return out
}

// drawnCharts are the charts of an answer as tools gave them.
func drawnCharts(charts []chat.AnswerChart) []tools.Chart {
	out := make([]tools.Chart, len(charts))
	for i, c := range charts {
		out[i] = tools.Chart{Title: c.Title, SVG: c.SVG, PNG: c.PNG, Media: c.MediaType, Alt: c.Alt}
	}
	return out
}

// maxPictures bounds the pictures in the text of an answer, in bytes: clients send the text again with every message
// that follows.
const maxPictures = 512 << 10

// pictureMedia are the kinds of pictures that stand in texts.
var pictureMedia = []string{mediaPNG, "image/jpeg", "image/gif", "image/webp"}

// withPictures is the text of an answer with its charts behind it, for protocols that have no place for pictures but
// Markdown. They stand in the text itself: a link would need a key that the page which shows the answer does not have.
// A picture beyond the bound is left to its words, which the text has.
func withPictures(resp chat.Response) string {
	text, left := strings.TrimRight(resp.Response, "\n"), maxPictures
	for _, c := range drawnCharts(resp.Charts) {
		data, media := seen(c)
		size := base64.StdEncoding.EncodedLen(len(data))
		if size == 0 || size > left || !slices.Contains(pictureMedia, media) {
			continue
		}
		left -= size
		text += fmt.Sprintf("\n\n![%s](data:%s;base64,%s)", caption(c.Title), media, base64.StdEncoding.EncodeToString(data))
	}
	if left == maxPictures {
		return resp.Response
	}
	return text
}

// markdownPicture is a picture in Markdown.
var markdownPicture = regexp.MustCompile(`!\[[^\]\n]*\]\([^)\s]*\)`)

// caption is a title that cannot end the name of a picture.
func caption(title string) string {
	const most = 200
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]()\\`<>!*_", r) || r < ' ' {
			return ' '
		}
		return r
	}, title)
	return orElse(strings.TrimSpace(clip(plain, most)), "Chart")
}

// getChart gives a chart of a run's answer, or its picture where the path has an ending.
func (s *Server) getChart(c *gin.Context) {
	name := c.Param("chart")
	ending := path.Ext(name)
	chart, err := s.findChart(c, strings.TrimSuffix(name, ending))
	if err != nil {
		s.fail(c, err)
		return
	}
	if ending == "" {
		writeJSON(c, http.StatusOK, chart)
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
		err = fmt.Errorf("chart %q: %w", clip(name, 40), fs.ErrNotExist)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	c.Data(http.StatusOK, media, data)
}

// findChart finds a chart by the number that its links have.
func (s *Server) findChart(c *gin.Context, number string) (chat.AnswerChart, error) {
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
		return chat.AnswerChart{}, fmt.Errorf("chart %q: %w", clip(number, 40), fs.ErrNotExist)
	}
	return answer.Charts[n-1], nil
}
