package link

// Category is what a stretch of a message is, in the grammar's terms.
type Category string

// The categories of things that are found in a message. Words of the lexicon have categories of their own, as the
// lexicon's files write them in lower case: agg, cmp, super, by.
const (
	CatEntity Category = "Entity" // an EntityRef: rows of a table
	CatField  Category = "Field"  // a FieldRef
	CatValue  Category = "Value"  // a ValueRef
	CatNumber Category = "Number" // a NumberRef
	CatPeriod Category = "Period" // a PeriodRef
	CatText   Category = "Text"   // a quoted text that is no value
	CatDenied Category = "Denied" // a FieldRef, by a word that denies it: unpaid
	// CatProduct is a ProductRef, by a word for such amounts: revenue.
	CatProduct Category = "Product"
)

// How a span was found, from the surest on: the ranker has a weight for each.
const (
	HowName    = "name"    // all words of a name, in their order
	HowSynonym = "synonym" // another name of the model's, or one made of its parts: abbreviations written out
	HowPart    = "part"    // some words of a name
	HowUnit    = "unit"    // a unit, or what is measured by it
	HowStem    = "stem"    // the same stem
	HowFuzzy   = "fuzzy"   // a slip of the keyboard away
	HowNear    = "near"    // a word that means nearly the same, as retrieval.Alike has it
	HowWord    = "word"    // a word of the lexicon
	HowForm    = "form"    // numbers and dates, by how they are written
	HowExact   = "exact"   // values, as plan.Match has it
	HowPrefix  = "prefix"
	HowInside  = "inside"
)

// Categories of the lexicon's files that the code makes spans of: numbers, dates, units. They stand for no span by
// themselves.
const (
	catDatum       = "."           // begins them all
	catClitic      = ".clitic"     // what is written onto a word with an apostrophe
	catLink        = ".link"       // small words within names: date of birth
	catArticle     = ".article"    // may stand before a date
	catNumeral     = ".numeral"    // 3: three
	catOne         = ".one"        // stands for one before a unit
	catOrdinal     = ".ordinal"    // 3: third
	catNumeralLink = ".and"        // may stand within a number in words
	catMultiplier  = ".multiplier" // 1000: thousand
	catEnding      = ".ending"     // what words end in that name somebody, or what somebody does
	catSuffix      = ".suffix"     // what is written onto digits: ord, decade, or a multiplier
	catUnit        = ".unit"       // as semantic.Field.Unit writes it
	catMoney       = ".money"      // what is done with money: spent
	catMonth       = ".month"      // 1 to 12
	catWeekday     = ".weekday"    // 1 to 7, or several
	catDay         = ".day"        // days from now
	catWhen        = ".when"       // last, this, next before a grain; since, before, after, until, between, to, later, earlier
	catQuarter     = ".quarter"    // 1 to 4
	catHalf        = ".half"       // 1 and 2, of a year
	catSeason      = ".season"     // months, from and to: 6-8
	catHours       = ".hours"      // hours of a day, from and to
	catClock       = ".clock"      // am or pm
	catDeny        = ".deny"       // begins words that deny what follows in them: unpaid
	catPrefix      = ".prefix"     // begins compounds: a word and what it is about, written as one
	catProduct     = ".product"    // concepts of a quantity and of a price: quantity*price
	catDecade      = ".decade"     // 1990
	catCentury     = ".century"
	catMeasure     = ".measure" // the units that a concept is measured in
	catSaid        = ".said"    // announces a text
	catConcept     = ".concept" // words that stand for each other
	catKind        = ".kind"    // words of which another is the general one: what a clerk is
)

// Categories of the lexicon's words that the code knows.
const (
	catAgg      Category = "agg"
	catGrain    Category = "grain"
	CatBe       Category = "be"
	catHolds    Category = "holds"
	catCount    Category = "count"
	catShow     Category = "show"
	catAsk      Category = "ask"
	catRel      Category = "rel"
	catCompares Category = "cmp"
	catOf       Category = "of"
	catOr       Category = "or"
	catBy       Category = "by"
	catArith    Category = "arith" // computes one thing of two
	catDur      Category = "dur"   // a unit that something takes so many of
	catInUnit   Category = "unit"  // that numbers are to be shown in, and are not
)

// functionCats are the categories of words that no value begins or ends with.
var functionCats = map[Category]bool{
	"filler": true, "of": true, "be": true, "by": true, "and": true, "or": true, "not": true, "cmp": true, "ask": true,
	"show": true, "rel": true, "than": true, "between": true, "to": true, "poss": true, "count": true, "only": true,
	"also": true, "all": true, "altogether": true, "both": true, "agg": true, "sort": true,
}
