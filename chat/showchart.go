package chat

import (
	"fmt"

	"catena/tools"
)

// showChart adds a chart.
func (t *turn) showChart(c tools.Chart) {
	chart := AnswerChart{Title: c.Title, SVG: c.SVG, PNG: c.PNG, MediaType: c.Media, VegaLite: c.VegaLite, Table: c.Table, Alt: c.Alt}
	chart.Links = chartLinks(t.req.RunID, len(t.resp.Charts)+1, c)
	t.resp.Charts = append(t.resp.Charts, chart)
	text := c.Alt
	if c.Title != "" {
		text = fmt.Sprintf("**%s** (chart): %s", escape(c.Title), escape(c.Alt))
	}
	t.say(text)
	t.send(Payload{
		Type: ActivitySnapshot, MessageID: fmt.Sprintf("%s-chart-%d", t.req.RunID, len(t.resp.Charts)), ActivityType: ActivityChart, Content: &chart,
	})
}

// chartLinks are where the pictures of a chart of a run can be read, below the server's root.
func chartLinks(run string, n int, c tools.Chart) map[string]string {
	base := fmt.Sprintf("/api/v1/runs/%s/charts/%d", run, n)
	switch {
	case c.SVG != "":
		return map[string]string{"svg": base + ".svg", "png": base + ".png"}
	case c.Media == "image/png" && len(c.PNG) > 0:
		return map[string]string{"png": base + ".png"}
	}
	return nil
}
