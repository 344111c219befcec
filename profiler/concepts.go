package profiler

import (
	"slices"
	"strings"

	"catena/profiler/shape"
	"catena/table"
)

// Concepts: what in the world the values of a column name, finer than the semantic type (which decides how they are
// shown).
const (
	ConceptFirstName     = "first name"
	ConceptMiddleName    = "middle name"
	ConceptMiddleInitial = "middle initial"
	ConceptLastName      = "last name"
	ConceptNameSuffix    = "name suffix" // Jr, III
	ConceptHonorific     = "honorific"   // Mr, Dr
	ConceptPersonName    = "person name" // of two parts and more
	ConceptCompany       = "company"
	ConceptJobTitle      = "job title"
	ConceptGender        = "gender"
	ConceptEthnicity     = "ethnicity"
	ConceptMaritalStatus = "marital status"
	ConceptAge           = "age"
	ConceptLanguage      = "language"
	ConceptStreet        = "street address"
	ConceptAddressLine2  = "address line 2" // apartment, suite, box
	ConceptState         = "state"
	ConceptCounty        = "county"
	ConceptQuarter       = "quarter"
	ConceptMonth         = "month"
	ConceptWeekday       = "weekday"
	ConceptCurrencyCode  = "currency code"
	ConceptCoordinates   = "coordinates" // two numbers: (52.5, 13.4)
	ConceptUUID          = "UUID"
	ConceptHash          = "hash" // of 32, 40, 56, 64, 96 or 128 hexadecimal digits
	ConceptVIN           = "vehicle identification number"
	ConceptFreeText      = "free text" // notes, comments, descriptions
)

// concept is a rule: a column with one of the headers whose texts fit is of the concept.
type concept struct {
	name    string
	headers []string          // words that the name has, all of one alternative; empty when the values decide alone
	without []string          // words of which the name has none
	fits    func(string) bool // what a text is, without blanks around it
	share   float64           // of the distinct texts that must fit
	least   int               // distinct texts; 0 is 1
}

// concepts are asked in turn; the first that holds decides.
var concepts = []concept{
	{ConceptUUID, nil, nil, shape.UUID, 0.95, 0},
	{ConceptHash, nil, nil, isHash, 0.95, 0},
	{ConceptVIN, nil, nil, isVIN, 0.9, 0},
	{ConceptMiddleInitial, []string{"middle", "mi"}, nil, isInitial, 0.95, 0},
	{ConceptMiddleName, []string{"middle", "mi", "middlename", "mname"}, otherThings, isNameWord, 0.9, 0},
	{ConceptNameSuffix, []string{"suffix"}, nil, isNameSuffix, 0.6, 0},
	{ConceptHonorific, []string{"prefix", "salutation", "honorific", "title"}, nil, isHonorific, 0.8, 0},
	{ConceptFirstName, []string{"first name", "given name", "firstname", "forename", "fname"}, otherThings,
		isNameWord, 0.85, 0},
	{ConceptLastName, []string{"last name", "family name", "lastname", "surname", "lname"}, otherThings,
		isNameWord, 0.85, 0},
	{ConceptGender, []string{"gender", "sex"}, nil, isGender, 0.9, 0},
	{ConceptEthnicity, []string{"race", "ethnicity", "ethnic"}, nil, isEthnicity, 0.4, 0},
	{ConceptMaritalStatus, []string{"marital"}, nil, isMaritalStatus, 0.8, 0},
	{ConceptLanguage, []string{"language", "languages"}, nil, isLanguage, 0.8, 0},
	{ConceptQuarter, []string{"quarter", "qtr"}, nil, isQuarter, 0.9, 0},
	{ConceptAddressLine2, []string{"address 2", "address2", "address two", "address continued", "line 2", "apartment",
		"suite", "apt"}, notPostal, isText, 0.5, 0},
	{ConceptStreet, []string{"address", "street", "location"}, notPostal, isStreet, 0.6, 2},
	{ConceptJobTitle, []string{"job title", "position title", "occupation", "working title"}, nil, isText, 0.8, 2},
	{ConceptJobTitle, []string{"title", "position", "job"}, []string{"date", "code", "number", "id"},
		isJobTitle, 0.35, 5},
	{ConceptCompany, []string{"company", "business name", "company name", "employer", "employer name", "firm name",
		"corporation name", "vendor name", "manufacturer"},
		otherThings, isText, 0.8, 2},
	{ConceptCounty, []string{"county", "parish"}, otherThings, isText, 0.8, 0},
	{ConceptState, []string{"state", "province"}, otherThings, isState, 0.5, 0},
	{ConceptState, nil, nil, isState, 0.95, 8},
	{ConceptCurrencyCode, []string{"currency"}, nil, IsCurrency, 0.9, 0},
	{ConceptPersonName, []string{"name", "owner", "inspector", "contact", "person"}, things, isFullName, 0.5, 5},
	{ConceptMonth, nil, nil, shape.MonthName, 0.95, 2},
	{ConceptWeekday, nil, nil, shape.WeekdayName, 0.95, 2},
	{ConceptFreeText, []string{"comment", "comments", "note", "notes", "description", "remarks", "narrative", "reason"},
		otherThings, isText, 0.5, 0},
	{ConceptFreeText, nil, nil, isSentence, 0.7, 5},
}

// otherThings are words of names beside which a word for a person or a place is a part of something else.
var otherThings = []string{"id", "code", "number", "date", "count", "type", "email", "phone", "fips"}

// things are words of names that organizations and places have as well as people.
var things = append([]string{"company", "entity", "business", "organization", "firm", "facility", "school", "product",
	"file", "place", "city", "county", "agency"}, otherThings...)

// notPostal are words of addresses that no street has.
var notPostal = []string{"email", "mail", "ip", "mac", "web", "url", "wallet", "id", "type", "date"}

// conceptOf finds out what the values of a column name; "" when nothing does.
func conceptOf(n Name, s *scan, semantic string) string {
	switch s.col.Type {
	case table.Text:
	case table.Int:
		return numberConcept(n, s)
	default:
		return ""
	}
	switch semantic {
	case Geo:
		if mostFit(s, isPair) {
			return ConceptCoordinates
		}
		return ""
	case Email, URL, IP, JSON, Phone, Date, DateTime, Time:
		return ""
	}
	words := n.allWords(s.col.Name)
	for i := range concepts {
		if c := &concepts[i]; c.called(words) && c.held(s) {
			return c.name
		}
	}
	return ""
}

// allWords are the words of a name as it is written, and as it is read.
func (n Name) allWords(name string) []string {
	words := slices.Clone(n.Words)
	for _, part := range splitName(name) {
		words = append(words, strings.ToLower(part))
	}
	return words
}

// called reports whether a name has the words of the concept.
func (c *concept) called(words []string) bool {
	if slices.ContainsFunc(c.without, func(w string) bool { return slices.Contains(words, w) }) {
		return false
	}
	return len(c.headers) == 0 || slices.ContainsFunc(c.headers, func(all string) bool {
		for w := range strings.FieldsSeq(all) {
			if !slices.Contains(words, w) {
				return false
			}
		}
		return true
	})
}

// held reports whether enough of the distinct texts fit.
func (c *concept) held(s *scan) bool {
	good, all := 0, 0
	for _, text := range s.sample {
		x := strings.TrimSpace(text)
		if isMissing(x) {
			continue
		}
		all++
		if c.fits(x) {
			good++
		}
	}
	return all > 0 && good >= max(1, c.least) && float64(good) >= c.share*float64(all)
}

// Bounds of ages in years.
const oldest = 120

// numberConcept is the concept of whole numbers.
func numberConcept(n Name, s *scan) string {
	if len(s.numbers) == 0 {
		return ""
	}
	lo, hi := s.span()
	switch {
	case n.last() == "age" && !n.any("average", "mean") && lo >= 0 && hi <= oldest:
		return ConceptAge
	case n.has(set("quarter")) && lo >= 1 && hi <= 4:
		return ConceptQuarter
	}
	return ""
}
