package crm

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"catena/table"
	"catena/tools"
)

func revenueByRegionTool() tools.Tool {
	return define("get_revenue_by_region", "Revenue by region",
		"Revenue of each region this year (year to date) in US dollars: clients, revenue, share of the total, growth against last year. Use it to compare regions or see where revenue comes from.",
		object{"properties": object{}},
		[]table.Column{{Name: "region", Type: table.Text}, {Name: "clients", Type: table.Int}, ytdColumn, percentColumn("share_of_total"), percentColumn("growth_percent")},
		revenueByRegion)
}

func revenueByRegion(d *demo, _ tools.Call) (answer, error) {
	// Growth compares whole months only: the present month is not over.
	end := time.Date(d.asOf.Year(), d.asOf.Month(), 1, 0, 0, 0, 0, time.UTC)
	now, then, err := d.wholeMonths(end)
	if err != nil {
		return answer{}, err
	}
	all, err := sum(d.clients, "ytd_cents")
	if err != nil {
		return answer{}, err
	}
	n := len(regions)
	counts, sums := make([]int, n), make([]int, n)
	amounts, shares, growths := make([]string, n), make([]string, n), make([]string, n)
	for i, r := range regions {
		df := inPlace(d.clients, placeOf(r))
		if sums[i], err = sum(df, "ytd_cents"); err != nil {
			return answer{}, err
		}
		counts[i], amounts[i], shares[i] = df.Nrow(), dollars(sums[i]), percent(sums[i], all)
		growths[i] = percent(now[r]-then[r], then[r])
	}
	df := dataframe.New(series.New(regions, series.String, "region"), series.New(counts, series.Int, "clients"), texts(ytdColumn.Name, amounts),
		texts("share_of_total", shares), texts("growth_percent", growths), series.New(sums, series.Int, "cents")).
		Arrange(dataframe.RevSort("cents")).Drop("cents")
	a := answer{frame: df, types: hints(df, nil, ytdColumn, percentColumn("share_of_total"), percentColumn("growth_percent")), name: "revenue_by_region",
		title: "Revenue by region this year", signed: []string{"growth_percent"}}
	if end.Month() > time.January {
		a.notes = append(a.notes, fmt.Sprintf("Growth compares January to %s with the same months of %d.", end.AddDate(0, -1, 0).Month(), d.asOf.Year()-1))
	}
	return a, nil
}

// wholeMonths sums the cents of each region over the months of this year before end, and over the same months of last year.
func (d *demo) wholeMonths(end time.Time) (now, then map[string]int, err error) {
	now, then = map[string]int{}, map[string]int{}
	month, region, amount := d.revenue.Col("month"), d.revenue.Col("region"), d.revenue.Col("cents")
	thisEnd, lastEnd := end.Format(time.DateOnly), end.AddDate(-1, 0, 0).Format(time.DateOnly)
	this, last := end.Format("2006-"), end.AddDate(-1, 0, 0).Format("2006-")
	for i := range amount.Len() {
		n, err := amount.Elem(i).Int()
		if err != nil {
			return nil, nil, fmt.Errorf("crm: cents: %w", err)
		}
		if n < 0 {
			continue // no revenue was posted
		}
		switch m := month.Elem(i).String(); {
		case strings.HasPrefix(m, this) && m < thisEnd:
			now[region.Elem(i).String()] += n
		case strings.HasPrefix(m, last) && m < lastEnd:
			then[region.Elem(i).String()] += n
		}
	}
	return now, then, nil
}
