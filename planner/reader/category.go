package reader

// category is what a stretch of a message is, in the grammar's terms.
type category string

// The categories of things that are found in a message. Words of the lexicon have categories of their own, as the
// lexicon's files write them in lower case: agg, cmp, super, by.
const (
	catEntity category = "Entity" // an entityRef: rows of a table
	catField  category = "Field"  // a fieldRef
	catValue  category = "Value"  // a valueRef
	catNumber category = "Number" // a numberRef
	catPeriod category = "Period" // a periodRef
	catText   category = "Text"   // a quoted text that is no value
	catQuery  category = "Query"  // a whole reading: the root
	catChange category = "Change" // what is to change in the answer before
)

// How a span was found, from the surest on: the ranker has a weight for each.
const (
	howName    = "name"    // all words of a name, in their order
	howSynonym = "synonym" // another name of the model's, or one made of its parts: abbreviations written out
	howPart    = "part"    // some words of a name
	howUnit    = "unit"    // a unit, or what is measured by it
	howStem    = "stem"    // the same stem
	howFuzzy   = "fuzzy"   // a slip of the keyboard away
	howWord    = "word"    // a word of the lexicon
	howForm    = "form"    // numbers and dates, by how they are written
	howExact   = "exact"   // values, as plan.Match has it
	howPrefix  = "prefix"
	howInside  = "inside"
)
