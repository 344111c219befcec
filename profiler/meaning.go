package profiler

import (
	"maps"
	"math"

	"catena/profiler/model"
	"catena/table"
)

// About is what the source of a table says of a column beside its name: an upstream tool's schema, a catalogue of open
// data. The zero About says nothing.
type About struct {
	Title       string // for people: "Percent Vacant"
	Description string // a sentence or more; the first 256 bytes are read
}

// Expectation is what a column is expected to hold before any of its cells is seen.
type Expectation struct {
	SemanticType string // Decimal, Integer, Currency, Percentage, Date, Boolean, URL, Geo or Text
	Plain        bool   // numbers are years, identifiers or postal codes, shown without separators
	Confidence   float64
}

// expectations are what the model's ways to show a column mean. Numbers that are shown plain are codes more often than
// quantities.
var expectations = [model.NumShows]Expectation{
	model.ShowText: {SemanticType: Text}, model.ShowNumber: {SemanticType: Decimal},
	model.ShowPlain: {SemanticType: Integer, Plain: true}, model.ShowMoney: {SemanticType: Currency},
	model.ShowPercent: {SemanticType: Percentage}, model.ShowDate: {SemanticType: Date},
	model.ShowBoolean: {SemanticType: Boolean}, model.ShowURL: {SemanticType: URL}, model.ShowGeo: {SemanticType: Geo},
}

// ExpectAll reads what columns hold from their names and from what their source says of them, by a model that learnt
// from how publishers of open data show theirs: of columns without cells, and of forms to be filled in. They are those
// of one table, in order: what stands beside a column says much of it. About goes by name. Guesses: look at Confidence,
// a probability.
func ExpectAll(columns []string, about map[string]About) []Expectation {
	words := make([]model.Words, len(columns))
	for i, name := range columns {
		words[i] = model.Words{Name: name, Title: about[name].Title, Description: about[name].Description}
	}
	out := make([]Expectation, len(columns))
	for i, best := range model.Embedded().Shows.Best(words) {
		out[i] = expectations[best.Show]
		out[i].Confidence = float64(best.Probability)
	}
	return out
}

// expected are the expectations of a table's columns; nil when its source says nothing of any.
type expected []Expectation

// of is the expectation of column c; the zero one where the source says nothing of it.
func (e expected) of(c int) Expectation {
	if e == nil {
		return Expectation{}
	}
	return e[c]
}

// longestTitle is how many bytes a description has that may as well be a title.
const longestTitle = 64

// expected reads the words of a source: those of the options, else what the columns carry.
func (opt *Options) expected(t *table.Table) expected {
	columns, about := make([]string, t.NumCols()), opt.About
	for c := range columns {
		col := t.Column(c)
		if columns[c] = col.Name; col.About+col.Title == "" || about[col.Name] != (About{}) {
			continue
		}
		if about = maps.Clone(about); about == nil {
			about = map[string]About{}
		}
		said := About{Title: col.Title, Description: col.About}
		if said.Title == "" && len(col.About) <= longestTitle { // no more than a name
			said.Title = col.About
		}
		about[col.Name] = said
	}
	if len(about) == 0 {
		return nil
	}
	out := ExpectAll(columns, about)
	for c, name := range columns {
		if about[name] == (About{}) {
			out[c] = Expectation{}
		}
	}
	return out
}

const (
	unsure     = 0.75 // a verdict of more confidence is not put to the model
	believable = 0.85 // a probability from which the model's word counts against a rule's default
	fewRows    = 30   // cells below which labels and keys cannot be told from quantities
)

// consult puts a verdict that rules are unsure of to the models: to the one that reads words where a source gave some,
// to the one that reads cells otherwise.
func (v *verdict) consult(n Name, s *scan, e Expectation) {
	cells := s.rows - s.nulls
	if s.stopped || cells == 0 || v.confidence > unsure {
		return
	}
	if v.expected(n, s, e) {
		return
	}
	if cells < fewRows || v.semantic != Integer && v.semantic != Text && v.semantic != Category || v.role == RoleTime {
		return
	}
	column := s.modelled()
	kind, probability := model.Embedded().Kinds.Best(&column)
	if p := float64(probability); v.semantic == Integer {
		v.kindOfNumbers(n, s, kind, p)
	} else {
		v.kindOfTexts(s, kind, p)
	}
}

// expected follows what a source's words let expect, where the cells allow it; false when they change nothing.
func (v *verdict) expected(n Name, s *scan, e Expectation) bool {
	if e.Confidence < believable || v.role != RoleMeasure || len(s.numbers) == 0 {
		return false
	}
	lo, hi := s.span()
	switch {
	case e.SemanticType == Percentage && v.unit == "" && !s.countsThings():
		ratio, sure := s.looksLikeRatio()
		v.percent(n, s, ratio, sure*e.Confidence)
		v.unitSource = UnitFromMetadata
	case e.SemanticType == Currency && v.unit == "" && v.semantic != Currency:
		v.is(Currency, RoleMeasure, 0.8*e.Confidence) // of a currency that nobody named
		v.format = Suggestion{Kind: "decimal", Group: true, Digits: min(digitsOf(s), 2), Plus: n.signed()}
	case e.SemanticType == Boolean && s.whole && lo >= 0 && hi <= 1:
		v.boolean(e.Confidence)
		v.format, v.aggregate = Suggestion{Kind: "integer"}, AggregateNone
	case e.Plain && s.whole && v.unit == "":
		v.identifier(e.Confidence)
		v.format, v.aggregate = Suggestion{Kind: "integer"}, AggregateNone
	default:
		return false
	}
	return true
}

// kindOfNumbers decides between a quantity, labels and a key.
func (v *verdict) kindOfNumbers(n Name, s *scan, kind model.Kind, p float64) {
	cells := s.rows - s.nulls
	switch {
	case kind == model.Numeric:
		v.confidence = max(v.confidence, p)
		return
	case p < believable || v.unit != "" || n.measures():
		return
	case kind == model.Categorical && s.kinds > 2 && s.kinds <= 50 && 10*s.kinds <= cells:
		v.is(Category, RoleDimension, 0.9*p)
	case kind == model.NotGeneralizable && s.kinds == cells && s.nulls == 0:
		v.identifier(0.9 * p)
	default:
		return
	}
	v.format, v.aggregate = Suggestion{Kind: "integer"}, AggregateNone
}

// kindOfTexts decides between prose, labels and lists.
func (v *verdict) kindOfTexts(s *scan, kind model.Kind, p float64) {
	switch {
	case v.semantic == Category && kind == model.Categorical,
		v.semantic == Text && (kind == model.Sentence || kind == model.ContextSpecific):
		v.confidence = max(v.confidence, p)
	case p < believable || v.role == RoleIdentifier:
	case kind == model.Sentence && v.semantic == Category:
		v.is(Text, RoleDimension, 0.9*p)
	case kind == model.List && v.semantic == Text:
		v.is(List, RoleDimension, 0.9*p)
	case kind == model.Categorical && v.semantic == Text && 2*s.kinds <= s.rows-s.nulls && s.lengths.Mean <= 50:
		v.is(Category, RoleDimension, 0.9*p)
	}
}

// modelled is the column as the model reads it.
func (s *scan) modelled() model.Column {
	const samples = 5
	c := model.Column{Name: s.col.Name, Rows: s.rows, Nulls: s.nulls, Distinct: s.kinds,
		Samples: make([]string, 0, samples)}
	if s.byRow {
		for _, e := range s.distinct[:min(len(s.distinct), samples)] {
			c.Samples = append(c.Samples, s.value(e).Text())
		}
	} else {
		for _, o := range s.firstOrdinals(samples) {
			c.Samples = append(c.Samples, s.cell(o).Text())
		}
	}
	for i := 0; len(c.Samples) < samples; i++ { // as the training data repeat the few there are
		c.Samples = append(c.Samples, c.Samples[i])
	}
	if len(s.numbers) == 0 {
		return c
	}
	c.Min, c.Max = s.span()
	var squares float64
	for _, x := range s.numbers {
		c.Mean += x
	}
	c.Mean /= float64(len(s.numbers))
	for _, x := range s.numbers {
		squares += (x - c.Mean) * (x - c.Mean)
	}
	c.Std = math.Sqrt(squares / float64(max(1, len(s.numbers)-1)))
	return c
}
