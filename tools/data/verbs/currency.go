package verbs

import (
	"strings"

	"catena/query"
	"catena/table"
	"catena/tools"
)

func convertCurrency() Verb {
	return Verb{
		Name:  "convert_currency",
		Title: "Convert amounts to one currency",
		Description: "Converts amounts in several currencies to one, exactly, by rates that stand in a table: " +
			"each by the " +
			"rate of its own currency, and of its date where rates have one (the latest on or before it). " +
			"The rate and its date stand beside the amount. Use it before amounts in several currencies are " +
			"added or compared.",
		Tables: []string{"data", "rates"},
		Properties: schema{
			"data":  data("The amounts."),
			"value": column("The column of amounts."),
			"currency": column(
				"The column of data that names the currency; found without it where it is known.",
			),
			"date":          column("The column of dates by which rates are chosen; needed where rates have dates."),
			"rates":         tools.DataSchema("One row for each currency, or currency and date."),
			"rate":          column("The column of rates: how much of the target one unit of the currency is."),
			"rate_currency": column("The column of rates that names the currency."),
			"rate_date":     column("The column of dates of the rates; without it rates hold for all dates."),
			"to": schema{
				"type":        "string",
				"minLength":   1,
				"maxLength":   16,
				"description": "The target, as the currency columns name it: USD.",
			},
			"inverse": schema{
				"type":        "boolean",
				"default":     false,
				"description": "The rates are units of the currency for one of the target.",
			},
		},
		Required: []string{"data", "value", "rates", "rate", "rate_currency", "to"},
		Columns:  []table.Column{{Name: "exchange_rate", Type: table.Decimal}},
		Example: map[string]any{
			"data":          "revenue",
			"value":         "revenue",
			"currency":      "currency",
			"date":          "month",
			"rates":         "fx",
			"rate":          "usd_per_unit",
			"rate_currency": "currency",
			"rate_date":     "month",
			"to":            "USD",
		},
		build: (*ask).convert,
	}
}

// conversion is what a call of convert_currency names.
type conversion struct {
	data, rates    relation
	value          Column
	currency, date string // of data; date is "" without one
	rate           Column
	of, since      string // of rates: the currency and the date
	to             string
}

func (a *ask) convert() (*Answer, error) {
	v, err := a.conversion()
	if err != nil {
		return nil, err
	}
	if err := a.oneRate(v); err != nil {
		return nil, err
	}
	taken := namesOf(v.data.columns)
	rate := fresh("exchange_rate", taken)
	since := fresh("rate_date", taken)
	out := fresh(v.value.Name+"_"+strings.ToLower(v.to), taken)
	col, do := query.Col, query.Do
	is := do("eq", col(v.currency), word(v.to))
	amount := do("mul", col(v.value.Name), col(rateColumn))
	if a.Flag("inverse") {
		amount = do("div", col(v.value.Name), do("nullif", col(rateColumn), whole(0)))
	}
	converted := query.Case{Branches: []query.Branch{{When: is, Then: col(v.value.Name)}}, Else: amount}
	columns := append(
		refs(taken...),
		query.Named{
			As:   rate,
			Expr: query.Case{Branches: []query.Branch{{When: is, Then: whole(1)}}, Else: col(rateColumn)},
		},
	)
	if v.since != "" {
		columns = append(columns, query.Named{As: since, Expr: query.Case{
			Branches: []query.Branch{{When: do("not", is), Then: col(sinceColumn)}}}})
	}
	q := v.joined().With(query.Project{Columns: append(columns, query.Named{As: out, Expr: converted})})
	none, err := a.counts(q.With(query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count",
		Where: do("and", do("is_null", col(out)), do("not", do("is_null", col(v.value.Name))))}}}))
	if err != nil {
		return nil, err
	}
	if none[0] > 0 {
		a.note("%s %s no rate and %s not converted.", rows(none[0]), have(none[0]), was(none[0]))
	}
	if v.since != "" {
		a.note("Each amount is converted by the latest rate on or before its %s; rate_date says which.", v.date)
	}
	return &Answer{Name: "converted", Title: v.value.label() + " in " + v.to, Notes: a.notes, Query: q,
		Units: map[string]string{out: v.to}}, nil
}

// conversion reads the arguments.
func (a *ask) conversion() (v conversion, err error) {
	if v.data, err = a.relation("data"); err != nil {
		return v, err
	}
	if v.rates, err = a.relation("rates"); err != nil {
		return v, err
	}
	if v.value, err = a.number(v.data, "value"); err != nil {
		return v, err
	}
	if v.rate, err = a.number(v.rates, "rate"); err != nil {
		return v, err
	}
	v.to = a.Text("to")
	currency := a.Text("currency")
	if currency == "" {
		currency = v.value.UnitBy
	}
	if currency == "" {
		return v, wrong("currency", "name the column that says the currency of %s", v.value.Name)
	}
	for _, c := range []struct {
		argument, name string
		of             relation
		to             *string
	}{
		{"currency", currency, v.data, &v.currency}, {"rate_currency", a.Text("rate_currency"), v.rates, &v.of},
		{"date", a.Text("date"), v.data, &v.date}, {"rate_date", a.Text("rate_date"), v.rates, &v.since},
	} {
		if c.name == "" {
			continue
		}
		found, err := c.of.column(c.argument, c.name)
		if err != nil {
			return v, err
		}
		if dated := strings.HasSuffix(c.argument, "date"); dated && !found.Type.Temporal() {
			return v, wrong(c.argument, "%s holds %s, and dates are needed", found.Name, kind(found))
		}
		*c.to = found.Name
	}
	if (v.date == "") != (v.since == "") {
		return v, wrong("date", "date and rate_date go together: give both, or none where rates hold for all dates")
	}
	return v, nil
}

// oneRate asks that a currency has one rate at a time.
func (a *ask) oneRate(v conversion) error {
	key := []Pair{{Left: v.of}}
	if v.since != "" {
		key = append(key, Pair{Left: v.since})
	}
	n, err := a.counts(repeated(v.rates, key, func(p Pair) string { return p.Left }))
	if err == nil && n[0] > 0 {
		return wrong("rates", "%s of the rates %s, so which one holds is not clear%s", keyCount(n[0]), repeats(n[0]),
			map[bool]string{true: ": name rate_date", false: ""}[v.since == ""])
	}
	return err
}

// Columns of the rates beside the amounts.
const (
	rateColumn  = "\x00rate"
	ofColumn    = "\x00currency"
	sinceColumn = "\x00since"
	untilColumn = "\x00until"
)

// joined puts the rate of each amount beside it: that of its currency, from its date until the next one's.
func (v conversion) joined() query.Query {
	col, do := query.Col, query.Do
	columns := []query.Named{{As: ofColumn, Expr: col(v.of)}, {As: rateColumn, Expr: col(v.rate.Name)}}
	on := do("eq", col(v.currency), col(ofColumn))
	if v.since == "" {
		return v.data.With(query.Join{Kind: query.Left, With: v.rates.With(query.Project{Columns: columns}), On: on})
	}
	columns = append(columns, query.Named{As: sinceColumn, Expr: col(v.since)})
	next := query.WindowColumn{As: untilColumn, Func: "lead", Args: []query.Expr{col(sinceColumn)},
		Partition: []query.Expr{col(ofColumn)}, Order: ascending(sinceColumn)}
	with := v.rates.With(query.Project{Columns: columns},
		query.Filter{Where: do("not", do("is_null", col(sinceColumn)))},
		query.Window{Columns: []query.WindowColumn{next}})
	return v.data.With(
		query.Join{Kind: query.Left, With: with, On: do("and", on, do("le", col(sinceColumn), col(v.date)),
			do("or", do("is_null", col(untilColumn)), do("lt", col(v.date), col(untilColumn))))},
	)
}
