package query

import (
	"fmt"

	"catena/table"
)

// field is one of a type and nothing else that is known.
func field(t table.Type) Field { return Field{Column: table.Column{Type: t}} }

// gives is the rule of a function whose type does not go by its arguments.
func gives(t table.Type) rule {
	return func([]Field) (Field, string) { return field(t), "" }
}

func first(args []Field) (Field, string) { return args[0], "" }

func second(args []Field) (Field, string) { return args[1], "" }

func counted([]Field) (Field, string) {
	return Field{Column: table.Column{Type: table.Int}, Adds: AddsFlow}, ""
}

// comparable asks that values compare with the first, and gives a condition.
func comparable(args []Field) (Field, string) {
	out := field(table.Bool)
	for _, b := range args[1:] {
		if fault := compareFault(args[0], b); fault != "" {
			return out, fault
		}
	}
	return out, ""
}

// firstCompared is the first of two that compare.
func firstCompared(args []Field) (Field, string) {
	return args[0], compareFault(args[0], args[1])
}

// compareFault says why two values do not compare, "" where they do.
func compareFault(a, b Field) string {
	ca, cb := classOf(a.Type), classOf(b.Type)
	switch {
	case ca == classNull, cb == classNull:
		return ""
	case ca != cb:
		return fmt.Sprintf("%s does not compare with %s", typeName(a.Type), typeName(b.Type))
	case ca == classNumber:
		return unitFault(a, b)
	}
	return ""
}

// unitFault says that two amounts are in different units, "" where they are not.
func unitFault(a, b Field) string {
	if a.Unit == "" || b.Unit == "" || a.Unit == b.Unit {
		return ""
	}
	return fmt.Sprintf("%s and %s are different units", a.Unit, b.Unit)
}

// class is what types have in common for comparisons and arithmetic.
type class uint8

const (
	classNull class = iota
	classBool
	classNumber
	classText
	classMoment // Date and DateTime
	classClock  // Time
	classLength // Duration
)

var classes = [...]class{
	table.Null: classNull, table.Bool: classBool, table.Int: classNumber, table.Float: classNumber,
	table.Decimal: classNumber,
	table.Text:    classText, table.JSON: classText, table.Date: classMoment, table.DateTime: classMoment,
	table.Time: classClock, table.Duration: classLength,
}

func classOf(t table.Type) class { return classes[t] }

// typeNames say a type in a sentence.
var typeNames = [...]string{
	table.Null: "nothing", table.Bool: "a condition", table.Int: "an integer", table.Float: "a number",
	table.Decimal: "a decimal", table.Text: "a text",
	table.Date: "a date", table.DateTime: "a date and time", table.Time: "a time of day",
	table.Duration: "a length of time", table.JSON: "JSON",
}

func typeName(t table.Type) string { return typeNames[t] }

// arithmetic is the type that an operation of two classes has; what is not here is a fault. Numbers go by promoted.
type operands struct{ a, b class }

var (
	sumTypes = map[operands]table.Type{
		{classMoment, classNumber}: table.Date, {classNumber, classMoment}: table.Date,
		{classMoment, classLength}: table.DateTime, {classLength, classMoment}: table.DateTime,
		{classClock, classLength}: table.Time, {classLength, classLength}: table.Duration,
	}
	differenceTypes = map[operands]table.Type{
		{classMoment, classNumber}: table.Date, {classMoment, classLength}: table.DateTime,
		{classMoment, classMoment}: table.Duration, {classLength, classLength}: table.Duration,
		{classClock, classLength}: table.Time, {classClock, classClock}: table.Duration,
	}
	productTypes = map[operands]table.Type{
		{classLength, classNumber}: table.Duration,
		{classNumber, classLength}: table.Duration,
	}
	quotientTypes = map[operands]table.Type{
		{classLength, classNumber}: table.Duration,
		{classLength, classLength}: table.Float,
	}
)

func sums(args []Field) (Field, string) { return combined(args, sumTypes, "added to") }

func differences(args []Field) (Field, string) {
	if args[0].Type == table.Date && args[1].Type == table.Date {
		return field(table.Int), "" // days
	}
	return combined(args, differenceTypes, "taken from")
}

// combined is the sum or difference: of one unit, and as additive as both are.
func combined(args []Field, types map[operands]table.Type, doing string) (Field, string) {
	a, b := args[0], args[1]
	out, fault := operated(args, types, doing)
	if fault == "" && a.Type.Numeric() && b.Type.Numeric() {
		fault = unitFault(a, b)
		out.Unit = cmpOr(a.Unit, b.Unit)
		if a.Adds == b.Adds {
			out.Adds = a.Adds
		}
	}
	return out, fault
}

func products(args []Field) (Field, string) {
	out, fault := operated(args, productTypes, "multiplied by")
	a, b := dimension(args[0]), dimension(args[1])
	if a == "" || b == "" {
		out.Unit = cmpOr(a, b)
	}
	if out.Type == table.Decimal {
		out.Scale = min(args[0].Scale+args[1].Scale, table.MaxDigits)
	}
	return out, fault
}

// quotients are floats, rates by their nature, and have no unit where both sides have the same.
func quotients(args []Field) (Field, string) {
	out, fault := operated(args, quotientTypes, "divided by")
	if out.Type.Numeric() {
		out = Field{Column: table.Column{Type: table.Float}, Adds: AddsRate}
	}
	if dimension(args[1]) == "" {
		out.Unit = dimension(args[0])
	}
	return out, fault
}

// UnitRatio is the unit of shares: 0.15 is 15 %.
const UnitRatio = "ratio"

// dimension is the unit of a factor. That of a ratio is gone once it is multiplied or divided: what was 0.15 may be
// points of percent then.
func dimension(f Field) string {
	if f.Unit == UnitRatio {
		return ""
	}
	return f.Unit
}

// operated is the type of an operation on two values; doing says in a fault what cannot be done.
func operated(args []Field, types map[operands]table.Type, doing string) (Field, string) {
	a, b := args[0], args[1]
	ca, cb := classOf(a.Type), classOf(b.Type)
	switch {
	case ca == classNull:
		return field(b.Type), ""
	case cb == classNull:
		return field(a.Type), ""
	case ca == classNumber && cb == classNumber:
		return promoted(args)
	}
	t, ok := types[operands{ca, cb}]
	if !ok {
		return field(table.Null), fmt.Sprintf("%s and %s: the second cannot be %s the first",
			typeName(a.Type), typeName(b.Type), doing)
	}
	if t == table.Date && (a.Type == table.DateTime || b.Type == table.DateTime) {
		t = table.DateTime
	}
	return field(t), ""
}

// promoted is the number that holds both: an integer, a decimal of the greater scale, or a float.
func promoted(args []Field) (Field, string) {
	out := field(table.Int)
	for _, a := range args {
		switch {
		case a.Type == table.Float:
			out.Type = table.Float
		case a.Type == table.Decimal && out.Type != table.Float:
			out.Type = table.Decimal
		}
		out.Scale = max(out.Scale, a.Scale)
	}
	if out.Type != table.Decimal {
		out.Scale = 0
	}
	return out, ""
}

// magnitude is a number or a length of time.
func magnitude(args []Field) (Field, string) {
	switch classOf(args[0].Type) {
	case classNull, classNumber, classLength:
		return args[0], ""
	}
	return args[0], typeName(args[0].Type) + " is no amount"
}

func wholeNumber(args []Field) (Field, string) {
	out := args[0]
	if out.Type == table.Decimal {
		out.Type, out.Scale = table.Int, 0
	}
	return out, ""
}

// rounded keeps the type: how many digits stay is known when it runs.
func rounded(args []Field) (Field, string) { return args[0], "" }

func shifted(args []Field) (Field, string) { return args[2], "" }

func partOfTime([]Field) (Field, string) {
	return Field{Column: table.Column{Type: table.Int}, Adds: AddsTime}, ""
}

// unified is the type that holds all of the values.
func unified(args []Field) (Field, string) {
	out := args[0]
	for _, a := range args[1:] {
		switch {
		case out.Type == table.Null:
			out = a
			continue
		case a.Type == table.Null:
			continue
		}
		if fault := compareFault(out, a); fault != "" {
			return out, fault
		}
		out = held(out, a)
	}
	return out, ""
}

// held is the field that holds the values of two of one class.
func held(a, b Field) Field {
	out := a
	switch classOf(a.Type) {
	case classNumber:
		n, _ := promoted([]Field{a, b})
		out.Type, out.Scale = n.Type, n.Scale
	case classMoment:
		out.Type = max(a.Type, b.Type)
	}
	out.Unit = cmpOr(a.Unit, b.Unit)
	if a.Adds != b.Adds {
		out.Adds = ""
	}
	return out
}

// notAdditive says what to do in place of a sum of values that do not add up.
var notAdditive = map[Adds]string{
	AddsRate:       "it is a rate, which does not add up: take mean, or weighted_mean",
	AddsIdentifier: "it names something: count or count distinct it",
	AddsTime:       "it is a part of a date: group by it, or take min and max",
}

// averaged is what lies between values: a float of numbers, the type itself of times and lengths.
func averaged(args []Field) (Field, string) {
	out := args[0]
	switch classOf(out.Type) {
	case classNumber:
		out.Type, out.Scale, out.Adds = table.Float, 0, AddsRate
	case classText, classBool:
		return out, typeName(out.Type) + " has no mean"
	}
	return out, ""
}

func ratio(args []Field) (Field, string) {
	_, fault := magnitude(args)
	return Field{Column: table.Column{Type: table.Float, Unit: UnitRatio}, Adds: AddsRate}, fault
}

func changed(args []Field) (Field, string) {
	return differences([]Field{args[0], args[0]})
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
