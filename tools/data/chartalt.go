package data

import (
	"fmt"
	"strings"

	"catena/internal/text"
)

// maxTold is how many values of a chart are told in words.
const maxTold = 12

// describe writes the text for who cannot see the chart, as on a terminal: what is drawn, the highest, the lowest, and all values
// where they are few.
func (c *chart) describe() {
	n := 0
	var high, low point
	var highIn, lowIn string
	for _, s := range c.series {
		for _, p := range s.points {
			if n == 0 || p.y > high.y {
				high, highIn = p, s.name
			}
			if n == 0 || p.y < low.y {
				low, lowIn = p, s.name
			}
			n++
		}
	}
	of := func(p point, series string) string {
		if series != "" {
			return p.value + " at " + p.label + ", " + series
		}
		return p.value + " at " + p.label
	}
	kind := map[string]string{"bar": "Bar chart", "line": "Line chart", "scatter": "Scatter chart"}[c.kind]
	c.alt = fmt.Sprintf("%s of %s by %s, %s; highest %s; lowest %s.", kind, c.yLabel, c.xLabel, text.Count(n, "value"), of(high, highIn), of(low, lowIn))
	if len(c.series) > 1 {
		c.alt = strings.Replace(c.alt, ";", fmt.Sprintf(" in %d groups;", len(c.series)), 1)
	}
	if n > 2 && n <= maxTold {
		var told []string
		for _, s := range c.series {
			for _, p := range s.points {
				told = append(told, tip(s.name, p))
			}
		}
		c.alt += " All values: " + strings.Join(told, "; ") + "."
	}
}
