package query

import (
	"maps"
	"slices"

	"catena/table"
)

// argKind is what an argument of a function must be.
type argKind uint8

const (
	anything   argKind = iota
	condition          // Bool
	number             // Int, Float, Decimal
	whole              // Int
	words              // Text
	moment             // Date, DateTime
	instant            // Date, DateTime, Time
	elapsed            // Date, DateTime, Duration
	unitOfTime         // a literal of text, one of the function's units
)

// kindNames say what an argument must be, in findings.
var kindNames = [...]string{
	anything: "a value", condition: "a condition", number: "a number", whole: "an integer", words: "a text",
	moment: "a date", instant: "a date or time", elapsed: "a date or a length of time", unitOfTime: "a unit of time",
}

// kindTypes are the types that fit a kind; nil fits all. A column of nulls alone fits everything.
var kindTypes = [...][]table.Type{
	condition:  {table.Bool},
	number:     {table.Int, table.Float, table.Decimal},
	whole:      {table.Int},
	words:      {table.Text, table.JSON},
	moment:     {table.Date, table.DateTime},
	instant:    {table.Date, table.DateTime, table.Time},
	elapsed:    {table.Date, table.DateTime, table.Duration},
	unitOfTime: {table.Text},
}

// takes reports whether a value of the type is of the kind.
func (k argKind) takes(t table.Type) bool {
	return t == table.Null || kindTypes[k] == nil || slices.Contains(kindTypes[k], t)
}

// rule is the field that a function gives for fields of arguments that fit it, and what is wrong with them together;
// "" is nothing.
type rule func(args []Field) (out Field, fault string)

// function is what a Call, an Aggregate or a window needs and gives.
type function struct {
	args     []argKind
	optional int  // how many of the last arguments may be missing
	rest     bool // the last argument may be there any number of times
	result   rule
	units    []string // what the argument of kind unitOfTime may be
	// marks are the units of what comes out, by the argument of kind unitOfTime.
	marks map[string]string
}

// argument is the kind of the i-th argument.
func (f *function) argument(i int) argKind {
	return f.args[min(i, len(f.args)-1)]
}

// fits reports whether the function takes n arguments.
func (f *function) fits(n int) bool {
	if n < len(f.args)-f.optional {
		return false
	}
	return n <= len(f.args) || f.rest
}

// partMarks are the units of parts of a time.
var partMarks = map[string]string{
	"isoweekday": table.UnitWeekday,
	"month":      table.UnitMonth,
	"year":       table.UnitYear,
	"isoyear":    table.UnitYear,
}

// Calendar units, and those of clocks, that functions of time take.
var (
	truncUnits = []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second"}
	partUnits  = []string{
		"year",
		"isoyear",
		"quarter",
		"month",
		"week",
		"day",
		"weekday",
		"isoweekday",
		"yearday",
		"hour",
		"minute",
		"second",
	}
)

// functions are those of Call, by name. Null in an argument gives null, but for those of which another thing is said.
//
// Comparisons compare numbers by exact value, texts by bytes and times by instant: eq ne lt le gt ge a b; same a b
// (equal or both null, never null); in a b c ... (null where a equals none and one is null); between a low high (both
// included). like a pattern [escape] has % for any text and _ for one character, ilike the same whatever the case;
// matches has an RE2 pattern. and, or, not are of three values.
//
// add, sub, mul are exact for integers and decimals, and an integer that 64 bits do not hold becomes a decimal; a
// date and an integer are days, two dates give an integer of days, instants and durations give either. div is the
// quotient as a float, rounded once; idiv is that of integers, cut towards zero; mod has the sign of a. All three are
// null by zero, and what mathematics does not define (ln of 0, sqrt of -1) is null. round a [digits] rounds half away
// from zero, of decimals exactly. least and greatest leave nulls out.
//
// concat leaves nulls out, join_text (SQL's ||) does not. substring a from [n] counts characters from 1, and from the
// end where from is negative; split a separator n is the n-th part from 1, null where there is none; position a b is
// where b begins in a, from 1, 0 where it does not; trim, ltrim, rtrim a [characters].
//
// trunc unit t is where t's unit begins (weeks on Monday); part unit t: week is ISO's, weekday 0 for Sunday to 6,
// isoweekday 1 for Monday to 7, second is whole; epoch t is seconds, since 1970 or of a length of time, with their
// fraction; diff unit a b is the whole units from a to b as calendars have them; shift unit n t keeps to the last day
// of a shorter month; format_time layout t is by strftime's letters; make_date is null where there is no such day;
// days t is the Julian day with its fraction.
//
// coalesce is the first value that is not null; nullif a b is null where they are equal, else a; bin a width [origin]
// is the lower bound of the interval of that width in which a lies.
var functions = map[string]*function{
	"eq": compares(), "ne": compares(), "lt": compares(), "le": compares(), "gt": compares(), "ge": compares(),
	"same":    compares(),
	"in":      {args: []argKind{anything, anything}, rest: true, result: comparable},
	"between": {args: []argKind{anything, anything, anything}, result: comparable},
	"and":     {args: []argKind{condition, condition}, rest: true, result: gives(table.Bool)},
	"or":      {args: []argKind{condition, condition}, rest: true, result: gives(table.Bool)},
	"not":     {args: []argKind{condition}, result: gives(table.Bool)},
	"is_null": {args: []argKind{anything}, result: gives(table.Bool)},
	"like":    {args: []argKind{words, words, words}, optional: 1, result: gives(table.Bool)},
	"ilike":   {args: []argKind{words, words, words}, optional: 1, result: gives(table.Bool)},
	"matches": ofTexts(table.Bool), "contains": ofTexts(table.Bool),
	"starts_with": ofTexts(table.Bool), "ends_with": ofTexts(table.Bool),

	"add":  {args: []argKind{anything, anything}, result: sums},
	"sub":  {args: []argKind{anything, anything}, result: differences},
	"mul":  {args: []argKind{anything, anything}, result: products},
	"div":  {args: []argKind{anything, anything}, result: quotients},
	"idiv": {args: []argKind{whole, whole}, result: gives(table.Int)},
	"mod":  {args: []argKind{number, number}, result: promoted},
	"neg":  {args: []argKind{anything}, result: magnitude}, "abs": {args: []argKind{anything}, result: magnitude},
	"sign":  {args: []argKind{number}, result: gives(table.Int)},
	"floor": {args: []argKind{number}, result: wholeNumber}, "ceil": {args: []argKind{number}, result: wholeNumber},
	"round": {args: []argKind{number, whole}, optional: 1, result: rounded},
	"exp":   ofNumbers(1), "ln": ofNumbers(1), "log10": ofNumbers(1), "log2": ofNumbers(1), "sqrt": ofNumbers(1),
	"log": ofNumbers(2), "power": ofNumbers(2), "atan2": ofNumbers(2), "pi": {result: gives(table.Float)},
	"sin": ofNumbers(1), "cos": ofNumbers(1), "tan": ofNumbers(1),
	"asin": ofNumbers(1), "acos": ofNumbers(1), "atan": ofNumbers(1),
	"radians": ofNumbers(1), "degrees": ofNumbers(1),
	"least":    {args: []argKind{anything}, rest: true, result: unified},
	"greatest": {args: []argKind{anything}, rest: true, result: unified},

	"concat":    {args: []argKind{anything}, rest: true, result: gives(table.Text)},
	"join_text": {args: []argKind{anything, anything}, rest: true, result: gives(table.Text)},
	"lower":     ofText(), "upper": ofText(), "reverse": ofText(),
	"trim": ofText(words), "ltrim": ofText(words), "rtrim": ofText(words),
	"length":         {args: []argKind{words}, result: gives(table.Int)},
	"substring":      {args: []argKind{words, whole, whole}, optional: 1, result: gives(table.Text)},
	"replace":        {args: []argKind{words, words, words}, result: gives(table.Text)},
	"regexp_replace": {args: []argKind{words, words, words}, result: gives(table.Text)},
	"split":          {args: []argKind{words, words, whole}, result: gives(table.Text)},
	"position":       ofTexts(table.Int),
	"repeat":         {args: []argKind{words, whole}, result: gives(table.Text)},
	"lpad":           {args: []argKind{words, whole, words}, optional: 1, result: gives(table.Text)},
	"rpad":           {args: []argKind{words, whole, words}, optional: 1, result: gives(table.Text)},
	"chr":            {args: []argKind{whole}, result: gives(table.Text)},
	"ascii":          {args: []argKind{words}, result: gives(table.Int)},

	"trunc":       {args: []argKind{unitOfTime, moment}, units: truncUnits, result: second},
	"part":        {args: []argKind{unitOfTime, instant}, units: partUnits, marks: partMarks, result: partOfTime},
	"diff":        {args: []argKind{unitOfTime, moment, moment}, units: truncUnits, result: gives(table.Int)},
	"shift":       {args: []argKind{unitOfTime, whole, moment}, units: truncUnits, result: shifted},
	"format_time": {args: []argKind{words, instant}, result: gives(table.Text)},
	"make_date":   {args: []argKind{whole, whole, whole}, result: gives(table.Date)},
	"days":        {args: []argKind{moment}, result: gives(table.Float)},
	"epoch":       {args: []argKind{elapsed}, result: gives(table.Float)},

	"coalesce": {args: []argKind{anything}, rest: true, result: unified},
	"nullif":   {args: []argKind{anything, anything}, result: firstCompared},
	"bin":      {args: []argKind{number, number, number}, optional: 1, result: promoted},
}

// aggregates are those of Aggregate and, over a frame, of WindowColumn. All but count, first, last and list skip
// nulls and are null over no values.
//
// count counts rows, or values that are not null; sum is exact, and an integer that 64 bits do not hold becomes a
// decimal; mean is exact for integers and decimals, then rounded once to a float; weighted_mean x w is
// sum(x*w)/sum(w); quantile x q lies linearly between the two next values; mode is the smallest of the most frequent;
// stddev and variance are those of a sample, the others of a population; corr x y is Pearson's; slope y x and
// intercept y x are those of the least squares line; any and every are of conditions; list x [separator] joins texts
// in Order by ", " or the separator.
var aggregates = map[string]*function{
	"count":         {args: []argKind{anything}, optional: 1, result: counted},
	"sum":           {args: []argKind{anything}, result: magnitude},
	"mean":          {args: []argKind{anything}, result: averaged},
	"weighted_mean": {args: []argKind{number, number}, result: averaged},
	"median":        {args: []argKind{anything}, result: averaged},
	"quantile":      {args: []argKind{anything, number}, result: averaged},
	"mode":          {args: []argKind{anything}, result: first},
	"min":           {args: []argKind{anything}, result: first},
	"max":           {args: []argKind{anything}, result: first},
	"first":         {args: []argKind{anything}, result: first},
	"last":          {args: []argKind{anything}, result: first},
	"stddev":        ofNumbers(1), "stddev_pop": ofNumbers(1), "variance": ofNumbers(1), "variance_pop": ofNumbers(1),
	"corr": ofNumbers(2), "slope": ofNumbers(2), "intercept": ofNumbers(2),
	"any":   {args: []argKind{condition}, result: gives(table.Bool)},
	"every": {args: []argKind{condition}, result: gives(table.Bool)},
	"list":  {args: []argKind{anything, words}, optional: 1, result: gives(table.Text)},
}

// windows are the functions that only a WindowColumn has. row_number, rank, dense_rank, percent_rank, cume_dist and
// ntile n go by the order; lag and lead x [n [default]] look n rows before and after; first_value, last_value and
// nth_value x n are of the frame; share x is x by the partition's sum; change x and change_ratio x compare with the
// row before.
var windows = map[string]*function{
	"row_number":   {result: gives(table.Int)},
	"rank":         {result: gives(table.Int)},
	"dense_rank":   {result: gives(table.Int)},
	"percent_rank": {result: gives(table.Float)},
	"cume_dist":    {result: gives(table.Float)},
	"ntile":        {args: []argKind{whole}, result: gives(table.Int)},
	"lag":          {args: []argKind{anything, whole, anything}, optional: 2, result: first},
	"lead":         {args: []argKind{anything, whole, anything}, optional: 2, result: first},
	"first_value":  {args: []argKind{anything}, result: first},
	"last_value":   {args: []argKind{anything}, result: first},
	"nth_value":    {args: []argKind{anything, whole}, result: first},
	"share":        {args: []argKind{anything}, result: ratio},
	"change":       {args: []argKind{anything}, result: changed},
	"change_ratio": {args: []argKind{anything}, result: ratio},
}

func compares() *function { return &function{args: []argKind{anything, anything}, result: comparable} }

func ofTexts(out table.Type) *function {
	return &function{args: []argKind{words, words}, result: gives(out)}
}

// ofText is a function of a text, with further arguments that may be missing, that gives a text.
func ofText(more ...argKind) *function {
	return &function{args: append([]argKind{words}, more...), optional: len(more), result: gives(table.Text)}
}

// ofNumbers is a function of n numbers that gives a float.
func ofNumbers(n int) *function {
	return &function{args: slices.Repeat([]argKind{number}, n), result: gives(table.Float)}
}

// Functions are the names of the functions of Call, sorted.
func Functions() []string { return slices.Sorted(maps.Keys(functions)) }

// Aggregates are the names of the functions of Aggregate, sorted.
func Aggregates() []string { return slices.Sorted(maps.Keys(aggregates)) }

// Windows are the names of the functions that only a WindowColumn has, sorted.
func Windows() []string { return slices.Sorted(maps.Keys(windows)) }
