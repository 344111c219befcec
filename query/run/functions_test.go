package run_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

var (
	null   = query.Lit(table.NullValue)
	yes    = query.Lit(table.BoolValue(true))
	no     = query.Lit(table.BoolValue(false))
	leap   = day(2024, 2, 29)
	moment = query.Lit(table.DateTimeValue(time.Date(2024, 3, 10, 14, 30, 15, 250_000_000, time.UTC)))
	berlin = query.Lit(table.DateTimeIn(time.Date(2024, 6, 30, 23, 30, 0, 0, time.UTC), "Europe/Berlin"))
)

func day(y int, m time.Month, d int) query.Expr { return query.Lit(table.DateValue(y, m, d)) }
func flt(f float64) query.Expr                  { return query.Lit(table.FloatValue(f)) }

func dec(s string) query.Expr {
	v, err := table.ParseDecimal(s)
	if err != nil {
		panic(err)
	}
	return query.Lit(v)
}

func cast(e query.Expr, t table.Type, scale int32) query.Expr {
	return query.Cast{Expr: e, Type: t, Scale: scale}
}

// functionCases are calls with what they give.
var functionCases = []struct {
	want string
	e    query.Expr
}{
	{
		"true",
		do("eq", num(1), dec("1.00")),
	}, {"true", do("lt", num(1<<53), flt(1<<53+2))}, {"false", do("eq", num(1<<53+1), flt(1<<53))},
	{"true", do("eq", leap, txt("2024-02-29"))}, {"null", do("eq", num(1), null)}, {"true", do("same", null, null)},
	{
		"false",
		do("same", num(1), null),
	}, {"false", do("and", null, no)}, {"null", do("and", null, yes)}, {"true", do("or", null, yes)},
	{"null", do("not", null)}, {"true", do("in", num(2), num(1), num(2), null)}, {"null", do("in", num(3), num(1), null)},
	{"false", do("in", num(3), num(1), num(2))}, {"true", do("between", dec("1.5"), num(1), num(2))},
	{"true", do("like", txt("a%b"), txt(`a\%b`), txt(`\`))}, {"false", do("like", txt("ABC"), txt("a%"))},
	{"true", do("ilike", txt("ABC"), txt("a_c"))}, {"true", do("like", txt("ä\nb"), txt("_%b"))},
	{"true", do("matches", txt("abc"), txt("^a.c$"))}, {"true", do("contains", txt("abc"), txt("b"))},

	{
		"9223372036854775808",
		do("add", num(math.MaxInt64), num(1)),
	}, {"-9223372036854775809", do("sub", num(math.MinInt64), num(1))},
	{"85070591730234615847396907784232501249", do("mul", num(math.MaxInt64), num(math.MaxInt64))},
	{
		"0.30",
		do("add", dec("0.1"), dec("0.20")),
	}, {"0.0200", do("mul", dec("0.10"), dec("0.20"))}, {"3", do("sub", leap, day(2024, 2, 26))},
	{
		"2024-03-01",
		do("add", leap, num(1)),
	}, {"0.3333333333333333", do("div", num(1), num(3))}, {"null", do("div", num(1), num(0))},
	{"0.1", do("div", dec("0.1"), num(1))}, {"-2", do("idiv", num(-7), num(3))}, {"-1", do("mod", num(-7), num(3))},
	{"9223372036854775807", do("idiv", do("add", num(math.MaxInt64), num(math.MaxInt64)), num(2))},
	{"-6148914691236517204", do("idiv", do("mul", num(math.MaxInt64), num(2)), num(-3))},
	{"null", do("idiv", do("add", num(math.MaxInt64), num(1)), num(0))}, {"0", do("idiv", num(1), do("add", num(math.MaxInt64), num(1)))},
	{
		"0.50",
		do("mod", dec("2.50"), num(1)),
	}, {"null", do("mod", num(1), num(0))}, {"9223372036854775808", do("neg", num(math.MinInt64))},
	{
		"9223372036854775808",
		do("abs", num(math.MinInt64)),
	}, {"-1", do("sign", dec("-0.5"))}, {"-2", do("floor", dec("-1.5"))},
	{
		"-1",
		do("ceil", dec("-1.5")),
	}, {"3", do("round", dec("2.5"))}, {"-3", do("round", flt(-2.5))}, {"1.24", do("round", dec("1.235"), num(2))},
	{
		"1",
		do("round", flt(1.005), num(2)),
	}, {"0.13", do("round", flt(0.125), num(2))}, {"1300", do("round", num(1250), num(-2))},
	{
		"null",
		do("ln", num(0)),
	}, {"null", do("sqrt", num(-1))}, {"8", do("power", num(2), num(3))}, {"3", do("log", num(2), num(8))},
	{"2", do("least", num(2), null, num(3))}, {"3.5", do("greatest", num(2), null, dec("3.5"))},

	{
		"a1",
		do("concat", txt("a"), null, num(1)),
	}, {"null", do("join_text", txt("a"), null)}, {"äbc", do("lower", txt("ÄBC"))},
	{
		"cbä",
		do("reverse", txt("äbc")),
	}, {"3", do("length", txt("äbc"))}, {"bc", do("substring", txt("äbcd"), num(2), num(2))},
	{
		"cd",
		do("substring", txt("äbcd"), num(-2)),
	}, {"a", do("substring", txt("abc"), num(0), num(2))}, {"b", do("split", txt("a,b,c"), txt(","), num(2))},
	{
		"null",
		do("split", txt("a"), txt(","), num(2)),
	}, {"2", do("position", txt("äb"), txt("b"))}, {"0", do("position", txt("a"), txt("b"))},
	{
		"xxx",
		do("repeat", txt("x"), num(3)),
	}, {"00a", do("lpad", txt("a"), num(3), txt("0"))}, {"a--", do("rpad", txt("a"), num(3), txt("-"))},
	{"b", do("trim", txt("xbx"), txt("x"))}, {"A", do("chr", num(65))}, {"65", do("ascii", txt("A"))},
	{"a-c", do("regexp_replace", txt("abc"), txt("b+"), txt("-"))}, {"axc", do("replace", txt("abc"), txt("b"), txt("x"))},

	{
		"2024-02-01",
		do("trunc", txt("month"), leap),
	}, {"2024-02-26", do("trunc", txt("week"), leap)}, {"2024-01-01", do("trunc", txt("quarter"), leap)},
	{
		"2024-03-10T14:00:00",
		do("trunc", txt("hour"), moment),
	}, {"4", do("part", txt("weekday"), leap)}, {"9", do("part", txt("week"), leap)},
	{
		"60",
		do("part", txt("yearday"), leap),
	}, {"7", do("part", txt("month"), berlin)}, {"1", do("part", txt("hour"), berlin)},
	{"1", do("diff", txt("month"), day(2024, 1, 31), leap)}, {"1", do("diff", txt("month"), day(2024, 1, 29), leap)},
	{
		"3",
		do("diff", txt("year"), day(2020, 3, 1), day(2024, 2, 29)),
	}, {"-1", do("diff", txt("day"), leap, day(2024, 2, 28))},
	{
		"2024-02-29",
		do("shift", txt("month"), num(1), day(2024, 1, 31)),
	}, {"2025-02-28", do("shift", txt("year"), num(1), leap)},
	{
		"2024-03-10T13:30:15.25",
		do("shift", txt("hour"), num(-1), moment),
	}, {"10.03.2024 14:30", do("format_time", txt("%d.%m.%Y %H:%M"), moment)},
	{"null", do("make_date", num(2023), num(2), num(29))}, {"2024-02-29", do("make_date", num(2024), num(2), num(29))},
	{"2460369.5", do("days", leap)}, {"86400", do("epoch", day(1970, 1, 2))}, {"1710081015.25", do("epoch", moment)},

	{
		"2",
		do("coalesce", null, num(2), num(3)),
	}, {"2.0", do("coalesce", num(2), dec("3.5"))}, {"null", do("nullif", num(1), num(1))},
	{"-10", do("bin", num(-3), num(10))}, {"5", do("bin", num(14), num(10), num(5))},
	{
		"12",
		cast(txt(" 12.0 "), table.Int, -1),
	}, {"null", cast(txt("x"), table.Int, -1)}, {"1.24", cast(dec("1.235"), table.Decimal, 2)},
	{
		"1.5",
		cast(txt("1.5"), table.Decimal, -1),
	}, {"2", cast(flt(2.9), table.Int, -1)}, {"null", cast(txt("2023-02-29"), table.Date, -1)},
	{
		"2024-02-29T00:00:00",
		cast(leap, table.DateTime, -1),
	}, {"2024-07-01", cast(berlin, table.Date, -1)}, {"true", cast(txt("yes"), table.Bool, -1)},
}

// TestFunctions computes each case as a constant, and once more of columns.
func TestFunctions(t *testing.T) {
	for i, c := range functionCases {
		constant := query.Query{}.With(query.Project{Columns: []query.Named{{As: "x", Expr: c.e}}})
		for k, q := range []query.Query{constant, ofColumns(c.e)} {
			res, err := run.Run(context.Background(), q, nil)
			if err != nil {
				t.Errorf("%d, %v: %v", i, c.e, err)
				continue
			}
			if got := shown(res.Table); got != c.want {
				t.Errorf("%d (%d), %v: %s, want %s", i, k, c.e, got, c.want)
			}
		}
	}
}

// ofColumns computes a call with its arguments as columns, but for units of time and patterns, which are constants.
func ofColumns(e query.Expr) query.Query {
	call, ok := e.(query.Call)
	if !ok || slices.Contains([]string{"trunc", "part", "diff", "shift"}, call.Func) {
		return query.Query{}.With(query.Project{Columns: []query.Named{{As: "x", Expr: e}}})
	}
	var args []query.Named
	var list []query.Expr
	for i, a := range call.Args {
		if l, isText := a.(query.Literal); isText && l.Value.Type() == table.Text && call.Func == "eq" || l.Value.IsNull() {
			list = append(list, a)
			continue
		}
		if call.Func == "round" && i == 1 {
			list = append(list, a)
			continue
		}
		name := fmt.Sprint("a", i)
		args, list = append(args, query.Named{As: name, Expr: a}), append(list, col(name))
	}
	return query.Query{}.With(
		query.Derive{Columns: args},
		query.Project{Columns: []query.Named{{As: "x", Expr: do(call.Func, list...)}}},
	)
}

// TestAllFunctions: what the algebra knows is what is computed.
func TestAllFunctions(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range functionCases {
		if call, ok := c.e.(query.Call); ok {
			tested[call.Func] = true
		}
	}
	q := query.From("orders")
	for _, name := range query.Functions() {
		_, err := run.Run(context.Background(), q.With(query.Filter{Where: do(name)}), tables(t))
		if err != nil && strings.Contains(err.Error(), "there is no function") {
			t.Error(err)
		}
	}
	for _, name := range query.Aggregates() {
		_, err := run.Run(
			context.Background(),
			q.With(query.Group{Aggregates: []query.Aggregate{{As: "x", Func: name}}}),
			tables(t),
		)
		if err != nil && strings.Contains(err.Error(), "there is no aggregate") {
			t.Error(err)
		}
	}
	for _, name := range query.Windows() {
		w := query.WindowColumn{As: "x", Func: name, Args: []query.Expr{col("id")}}
		_, err := run.Run(context.Background(), q.With(query.Window{Columns: []query.WindowColumn{w}}), tables(t))
		if err != nil &&
			strings.Contains(err.Error(), "there is no window") {
			t.Error(err)
		}
	}
}

// TestAggregates over 1 2 2 4, with a null, as integers, decimals and floats.
func TestAggregates(t *testing.T) {
	tab := run.TableMap{
		"t": made(
			t,
			"i:int f:float d:dec y:int b:bool s:text",
			"4 4 4 7 true d",
			"1 1 1 1 true a",
			"2 2 2 3 false b",
			"     ",
			"2 2 2 3 true c",
		),
	}
	a := func(f string, args ...query.Expr) query.Aggregate {
		return query.Aggregate{As: "x", Func: f, Args: args}
	}
	order := []query.SortKey{{Expr: col("i")}}
	list, last := a("list", col("s"), txt("+")), a("last", col("s"))
	list.Order, last.Order = order, order
	distinct := a("sum", col("i"))
	distinct.Distinct = true
	where := a("count")
	where.Where = col("b")
	for _, c := range []struct {
		want string
		a    query.Aggregate
	}{
		{"5", a("count")},
		{"4", a("count", col("i"))},
		{"9", a("sum", col("i"))},
		{"9.00", a("sum", col("d"))},
		{"9", a("sum", col("f"))},
		{"2.25", a("mean", col("i"))},
		{"2.25", a("mean", col("d"))},
		{"2.25", a("mean", col("f"))},
		{"2", a("median", col("i"))},
		{"2", a("median", col("d"))}, {"2.5", a("quantile", col("f"), flt(0.75))}, {"2", a("mode", col("d"))},
		{"1", a("min", col("i"))},
		{"d", a("max", col("s"))},
		{"1.2583057392117916", a("stddev", col("i"))},
		{"1.5833333333333333", a("variance", col("d"))},
		{"1.1875", a("variance_pop", col("f"))},
		{"2", a("slope", col("y"), col("i"))},
		{"-1", a("intercept", col("y"), col("d"))},
		{"1", a("corr", col("y"), col("f"))},
		{"2.7777777777777777", a("weighted_mean", col("i"), col("i"))},
		{"true", a("any", col("b"))},
		{"false", a("every", col("b"))},
		{"a+b+c+d", list}, {"null", last}, {"d", a("first", col("s"))}, {"7", distinct}, {"3", where},
	} {
		res, err := run.Run(context.Background(), query.From("t").With(query.Group{Aggregates: []query.Aggregate{c.a}}), tab)
		if err != nil {
			t.Errorf("%s: %v", c.a.Func, err)
			continue
		}
		got := shown(res.Table)
		if c.a.Func == "mode" {
			got = strings.TrimSuffix(got, ".00")
		}
		if got != c.want {
			t.Errorf("%s %v: %s, want %s", c.a.Func, c.a.Args, got, c.want)
		}
	}
}
