package data

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// neighbours keeps the rows that stand some rows behind, or before, those that meet a filter, in the order that the rows have now.
func (r *queryRun) neighbours() error {
	b := r.q.Beside
	if b == nil {
		return nil
	}
	if len(b.Filter) == 0 {
		return queryErrorf("beside needs a filter that says which rows the wanted ones stand by")
	}
	test, err := compileAll(r.t, b.Filter)
	if err != nil {
		return err
	}
	var rows []int
	for row := range r.t.Rows() {
		at := row + b.Offset
		if test(row) && at >= 0 && at < r.t.NumRows() && !test(at) { // several in a row are one: what is wanted stands beside them all
			rows = append(rows, at)
		}
	}
	slices.Sort(rows)
	r.t, err = r.t.Take(slices.Compact(rows))
	return err
}

// readColumn reads the numbers, or the years, in the cells of a column.
func (r *queryRun) readColumn(d plan.Derived, values []table.Value) error {
	name, _ := d.Left.(string)
	c, err := r.t.Lookup(name)
	if err != nil {
		return err
	}
	if m, several := mixed(r.t, c); several && d.Op == "number" {
		r.told(r.t.Column(c).Name, m)
		copy(values, m.numbers)
		return nil
	}
	point := decimalPoint(r.t, c)
	for row := range r.t.Rows() {
		v := r.t.Value(row, c)
		at, isTime := v.Time()
		switch {
		case v.IsNull():
		case d.Op == "year" && isTime:
			values[row] = table.IntValue(int64(at.Year()))
		case d.Op == "year":
			values[row] = yearIn(v.Text())
		case v.Type().Numeric():
			values[row] = v
		default:
			values[row] = numberIn(v.Text(), point)
		}
	}
	return nil
}

// numberIn reads the first number of a text: "W 27–14" is 27, "1st" 1, "1,234 km" 1234. A time is its seconds: "1:02.5" is 62.5.
func numberIn(s string, point byte) table.Value {
	if v, ok := textNumber(s, point); ok {
		return v
	}
	s = strings.ReplaceAll(s, "\u2212", "-")
	i := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' })
	if i < 0 {
		return table.NullValue
	}
	end := i
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || strings.IndexByte(".,:", s[end]) >= 0 && end+1 < len(s) && s[end+1] >= '0' && s[end+1] <= '9') {
		end++
	}
	if i > 0 && s[i-1] == '-' && (i == 1 || s[i-2] == ' ') {
		i--
	}
	text := plainDigits(s[i:end], point)
	if strings.Contains(text, ":") {
		return secondsOf(text)
	}
	v, err := table.ParseDecimal(text)
	if err != nil {
		return table.NullValue
	}
	return v
}

// secondsOf reads 1:02, 1:02.5 and 2:01:02.
func secondsOf(s string) table.Value {
	total := 0.0
	for _, part := range strings.Split(s, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return table.NullValue
		}
		total = total*60 + n
	}
	return table.FloatValue(total)
}

// yearIn reads the first number of four digits that may be a year, 1000 to 2999.
func yearIn(s string) table.Value {
	for i := 0; i < len(s); i++ {
		if !digit(s, i) || i > 0 && digit(s, i-1) {
			continue
		}
		n := 0
		for digit(s, i+n) {
			n++
		}
		if n == 4 && (s[i] == '1' || s[i] == '2') {
			year, err := strconv.ParseInt(s[i:i+4], 10, 64)
			if err == nil {
				return table.IntValue(year)
			}
		}
	}
	return table.NullValue
}

func digit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
