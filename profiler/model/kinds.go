package model

// Kind is a class of SortingHat (Shah, Lacanlale, Kumar, Yang, Kumar, SIGMOD 2021): how a column may be used.
type Kind uint8

// Kinds of columns.
const (
	Numeric          Kind = iota // a quantity
	Categorical                  // labels, written as text or as numbers
	DateTime                     // days and times
	Sentence                     // prose
	URL                          // web addresses
	EmbeddedNumber               // numbers with units, signs or separators
	List                         // several values in a cell
	NotGeneralizable             // keys, constants, almost nothing but nulls
	ContextSpecific              // names and codes that only their owner can explain
	NumKinds         = iota
)

var kindNames = [NumKinds]string{"numeric", "categorical", "datetime", "sentence", "url", "embedded-number", "list",
	"not-generalizable", "context-specific"}

// String is the kind's name in the set.
func (k Kind) String() string { return kindNames[k] }

// KindOf is the kind of a name; false for other names.
func KindOf(name string) (Kind, bool) {
	for k, n := range kindNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}
