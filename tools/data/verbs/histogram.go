package verbs

import (
	"math"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// Bounds of a histogram's bins.
const (
	usualBins = 10
	mostBins  = 200
)

func histogram() Verb {
	return Verb{
		Name:  "histogram",
		Title: "Histogram",
		Description: "Counts how many values of a column of numbers lie in each of some intervals of equal " +
			"width, with their share; empty intervals are shown too. Bounds are round numbers. Use it for a " +
			"distribution, a frequency table, how values are spread, bins or buckets.",
		Tables: []string{"data"},
		Properties: schema{
			"data":  data("What to look at."),
			"value": column("The column of numbers."),
			"bins":  integer("About how many intervals; 10 without it.", 1, mostBins),
			"width": schema{
				"type":             "number",
				"exclusiveMinimum": 0,
				"description":      "The width of an interval, in place of bins.",
			},
		},
		Required: []string{"data", "value"},
		Columns: []table.Column{
			{Name: "lower_bound", Type: table.Float},
			{Name: "upper_bound", Type: table.Float},
			{Name: "rows", Type: table.Int},
			{Name: "share", Type: table.Float},
		},
		Example: map[string]any{"data": "clients", "value": "contracts", "width": 5},
		build:   (*ask).histogram,
	}
}

func (a *ask) histogram() (*Answer, error) {
	r, c, _, err := a.spread("")
	if err != nil {
		return nil, err
	}
	value := query.Col(c.Name)
	found, err := a.tables.Run(a.ctx, r.With(query.Group{Aggregates: []query.Aggregate{
		{As: "least", Func: "min", Args: []query.Expr{value}},
		{As: "most", Func: "max", Args: []query.Expr{value}},
		{As: "missing", Func: "count", Where: query.Do("is_null", value)},
	}}))
	if err != nil {
		return nil, err
	}
	least, there := found.Value(0, 0).Float()
	most, _ := found.Value(0, 1).Float()
	if !there || found.Value(0, 0).IsNull() {
		return nil, wrong("value", "%s has no value", c.Name)
	}
	if n, _ := found.Value(0, 2).Int(); n > 0 {
		a.note("%s without a value of %s %s left out.", rows(int(n)), c.Name, was(int(n)))
	}
	b, err := a.bins(least, most)
	if err != nil {
		return nil, err
	}
	b.cover(found.Value(0, 0), found.Value(0, 1))
	return &Answer{
		Name:  "histogram",
		Title: "Distribution of " + c.label(),
		Notes: a.notes,
		Query: b.query(r, value),
	}, nil
}

func was(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// bins are intervals of one width: step is a whole number of units of 10^exp, as the first bound is.
type bins struct {
	first, step int64
	exp         int
	count       int
}

// steps are the widths that people read easily, by ten to some power.
var steps = []int64{1, 2, 5, 10}

// bins are those that hold all values, with round bounds.
func (a *ask) bins(least, most float64) (bins, error) {
	var b bins
	if w, given := number(a.Args["width"]); given {
		mantissa, exp, ok := exact(w)
		if !ok {
			return b, wrong("width", "%v is no width: give a number above 0 of at most 15 digits", a.Args["width"])
		}
		b.step, b.exp = mantissa, exp
	} else {
		want := float64(a.Int("bins", usualBins))
		width := (most - least) / want
		if width == 0 {
			width = math.Max(math.Abs(least), 1) / 10
		}
		b.exp = int(math.Floor(math.Log10(width)))
		for _, b.step = range steps {
			if float64(b.step)*math.Pow10(b.exp) >= width*(1-1e-12) {
				break
			}
		}
	}
	width := float64(b.step) * math.Pow10(b.exp)
	low, high := math.Floor(least/width), math.Floor(most/width)
	if math.Abs(low) > 1e15 || math.Abs(high) > 1e15 {
		return b, wrong("width", "%g is too small for values up to %g", width, most)
	}
	b.first, b.count = int64(low), int(min(high-low, mostBins))+1
	if b.count > mostBins {
		return b, wrong("width", "intervals of %g are more than %d: give a greater width", width, mostBins)
	}
	return b, nil
}

// cover moves the bounds, which were found in floats, so that the extreme values lie inside.
func (b *bins) cover(least, most table.Value) {
	if table.Compare(least, b.bound(0)) < 0 {
		b.first, b.count = b.first-1, b.count+1
	}
	for b.count > 1 && table.Compare(least, b.bound(1)) >= 0 {
		b.first, b.count = b.first+1, b.count-1
	}
	if table.Compare(most, b.bound(b.count)) >= 0 {
		b.count++
	}
	for b.count > 1 && table.Compare(most, b.bound(b.count-1)) < 0 {
		b.count--
	}
}

// exact is a number above 0 as a whole number and a power of ten.
func exact(f float64) (mantissa int64, exp int, ok bool) {
	digits := strconv.FormatFloat(f, 'f', -1, 64)
	before, behind, _ := strings.Cut(digits, ".")
	mantissa, err := strconv.ParseInt(before+behind, 10, 64)
	return mantissa, -len(behind), err == nil && mantissa > 0 && mantissa < 1e15
}

// bound is the lower bound of the n-th interval, exactly.
func (b bins) bound(n int) table.Value {
	units := (b.first + int64(n)) * b.step
	if b.exp == 0 {
		return table.IntValue(units)
	}
	if b.exp < 0 {
		return table.DecimalValue(units>>63, uint64(units), int32(-b.exp))
	}
	v, err := table.ParseDecimal(strconv.FormatInt(units, 10) + strings.Repeat("0", b.exp))
	if i, whole := v.Int(); err == nil && whole {
		return table.IntValue(i)
	}
	return v
}

// query counts the rows of each interval: one row of counts, which becomes a row for each.
func (b bins) query(r relation, value query.Expr) query.Query {
	var counts []query.Aggregate
	var list [][]query.Expr
	for i := range b.count {
		name := "n" + strconv.Itoa(i)
		counts = append(counts, query.Aggregate{
			As:   name,
			Func: "count",
			Where: query.Do(
				"and",
				query.Do("ge", value, query.Lit(b.bound(i))),
				query.Do("lt", value, query.Lit(b.bound(i+1))),
			),
		})
		list = append(list, []query.Expr{query.Lit(b.bound(i)), query.Lit(b.bound(i + 1)), query.Col(name)})
	}
	return r.With(
		query.Group{Aggregates: counts},
		query.Unpivot{As: []string{"lower_bound", "upper_bound", "rows"}, Rows: list},
		query.Window{
			Columns: []query.WindowColumn{{As: "share", Func: "share", Args: []query.Expr{query.Col("rows")}}},
		},
	)
}
