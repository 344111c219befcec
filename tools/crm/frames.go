package crm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"catena/table"
)

// cents reads an amount with up to two decimals, exactly.
func cents(s string) (int, error) {
	whole, part, _ := strings.Cut(s, ".")
	if len(part) > 2 {
		return 0, fmt.Errorf("%q has more than two decimals", s)
	}
	n, err := strconv.Atoi(whole + (part + "00")[:2])
	if err != nil {
		return 0, fmt.Errorf("%q is no amount", s)
	}
	return n, nil
}

// dollars writes cents as an amount.
func dollars(n int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

// percent is 100*part/whole with one decimal, rounded half away from zero; "" of nothing, which is null in a frame.
func percent(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
}

// texts makes a series of texts; "" becomes null.
func texts(name string, list []string) series.Series {
	values := make([]any, len(list))
	for i, s := range list {
		if s != "" {
			values[i] = s
		}
	}
	return series.New(values, series.String, name)
}

// first is the first n rows of a frame, or all.
func first(df dataframe.DataFrame, n int) dataframe.DataFrame {
	if n <= 0 || n >= df.Nrow() {
		return df
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return df.Subset(rows)
}

// sum adds the integers of a column. gota's own Sum goes through doubles.
func sum(df dataframe.DataFrame, name string) (int, error) {
	col := df.Col(name)
	total := 0
	for i := range col.Len() {
		n, err := col.Elem(i).Int()
		if err != nil {
			return 0, fmt.Errorf("crm: column %s, row %d: %w", name, i+1, err)
		}
		total += n
	}
	return total, nil
}

// hints are the types that FromGota needs to read texts back as what they are: those of the source's columns that the frame
// still has, and the extra ones.
func hints(df dataframe.DataFrame, source []table.Column, extra ...table.Column) []table.Column {
	var out []table.Column
	for _, name := range df.Names() {
		for _, c := range append(append([]table.Column{}, extra...), source...) {
			if c.Name == name {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// The columns that the tools compute.
var (
	ytdColumn   = table.Column{Name: "revenue_ytd_usd", Type: table.Decimal, Scale: 2, Unit: "USD"}
	percentType = table.Column{Type: table.Decimal, Scale: 1, Unit: "%"}
)

func percentColumn(name string) table.Column {
	c := percentType
	c.Name = name
	return c
}
