package data

import (
	"cmp"
	"fmt"
	"slices"
)

// bound keeps what can be read, and sorts lines along x.
func (c *chart) bound() {
	if len(c.series) > maxLines {
		weight := func(s chartSeries) (w float64) {
			for _, p := range s.points {
				w += abs(p.y)
			}
			return w
		}
		slices.SortStableFunc(c.series, func(a, b chartSeries) int { return cmp.Compare(weight(b), weight(a)) })
		c.notes = append(c.notes, fmt.Sprintf("The chart shows the %d largest of %d groups.", maxLines, len(c.series)))
		c.series = c.series[:maxLines]
	}
	if c.kind == barChart && len(c.categories) > maxBars {
		c.keepBars()
	}
	for i := range c.series {
		s := &c.series[i]
		if c.kind != barChart {
			slices.SortStableFunc(s.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
		}
		if len(s.points) > maxPoints {
			c.notes = append(
				c.notes,
				fmt.Sprintf("The chart shows every %dth of %d points.", len(s.points)/maxPoints+1, len(s.points)),
			)
			s.points = thin(s.points, len(s.points)/maxPoints+1)
		}
	}
}

func thin(list []point, step int) []point {
	var out []point
	for i := 0; i < len(list); i += step {
		out = append(out, list[i])
	}
	return out
}

// keepBars keeps the categories with the greatest sums, in their order.
func (c *chart) keepBars() {
	sums := make([]float64, len(c.categories))
	for _, s := range c.series {
		for _, p := range s.points {
			sums[int(p.x)] += abs(p.y)
		}
	}
	order := make([]int, len(sums))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	c.notes = append(
		c.notes,
		fmt.Sprintf("The chart shows the %d largest of %d values of %s.", maxBars, len(order), c.x),
	)
	keep := order[:maxBars]
	slices.Sort(keep)
	place := map[int]int{}
	var names []string
	for i, old := range keep {
		place[old], names = i, append(names, c.categories[old])
	}
	for i := range c.series {
		var points []point
		for _, p := range c.series[i].points {
			if n, ok := place[int(p.x)]; ok {
				p.x = float64(n)
				points = append(points, p)
			}
		}
		c.series[i].points = points
	}
	c.categories = names
}
