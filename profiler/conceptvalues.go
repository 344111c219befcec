package profiler

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"catena/profiler/shape"
)

//go:embed persons.txt
var persons string

// personNames are frequent first names and surnames, in small letters; read on first use.
var personNames = sync.OnceValues(func() (first, last map[string]bool) {
	first, last = map[string]bool{}, map[string]bool{}
	into := first
	for line := range strings.Lines(persons) {
		switch line = strings.TrimSpace(line); {
		case line == "# last":
			into = last
		case strings.HasPrefix(line, "#"):
		default:
			for _, name := range strings.Fields(line) {
				into[name] = true
			}
		}
	}
	return first, last
})

// Lengths of texts, in bytes: longer ones are no names, labels or lines of an address.
const (
	longestName    = 40
	longestLabel   = 80
	longestAddress = 120
)

// letterWords are the words of a text of letters; nil when there is anything else in it but blanks, points, commas,
// hyphens and apostrophes.
func letterWords(x string) []string {
	if strings.ContainsFunc(x, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" .,'’-`()\"/&", r)
	}) {
		return nil
	}
	return strings.FieldsFunc(x, func(r rune) bool { return r == ' ' || r == ',' || r == '.' })
}

func isInitial(x string) bool {
	x = strings.TrimSuffix(x, ".")
	return len(x) == 1 && unicode.IsLetter(rune(x[0]))
}

// isNameWord accepts one part of a person's name, which may be of several words: Van der Berg.
func isNameWord(x string) bool {
	words := letterWords(x)
	return len(x) <= longestName && len(words) > 0 && len(words) <= 4
}

var nameSuffixes = set("jr", "sr", "i", "ii", "iii", "iv", "v", "vi", "esq", "md", "phd", "cpa", "dds", "dvm", "rn",
	"2nd", "3rd", "junior", "senior", "do", "pe")

func isNameSuffix(x string) bool { return nameSuffixes[bare(x)] }

// bare is a short text without points and commas, in small letters.
func bare(x string) string {
	if len(x) > longestName {
		return ""
	}
	return strings.ToLower(strings.NewReplacer(".", "", ",", "").Replace(x))
}

var honorifics = set("mr", "mrs", "ms", "miss", "dr", "prof", "rev", "hon", "sir", "madam", "mx", "herr", "frau", "mme",
	"mlle", "sra", "capt", "sgt", "lt")

func isHonorific(x string) bool { return honorifics[bare(x)] }

var genders = set("m", "f", "x", "u", "male", "female", "man", "woman", "men", "women", "other", "unknown",
	"non-binary", "nonbinary", "undisclosed", "not specified", "unspecified", "boy", "girl", "n")

func isGender(x string) bool { return genders[bare(x)] }

var maritalStatuses = set("single", "married", "divorced", "widowed", "separated", "unmarried", "never married",
	"domestic partnership", "civil union", "s", "m", "d", "w")

func isMaritalStatus(x string) bool { return maritalStatuses[bare(x)] }

var ethnicWords = set("white", "black", "asian", "hispanic", "latino", "latina", "latinx", "caucasian", "african",
	"american", "native", "indian", "pacific", "islander", "hawaiian", "multiracial", "arab")

func isEthnicity(x string) bool { return hasWord(x, ethnicWords) }

// hasWord reports whether one of the words of a label is in a set.
func hasWord(x string, words map[string]bool) bool {
	if len(x) > longestLabel {
		return false
	}
	for w := range strings.FieldsFuncSeq(strings.ToLower(x), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if words[w] {
			return true
		}
	}
	return false
}

// isText accepts anything with two letters that is short enough for a label.
func isText(x string) bool {
	letters := 0
	for _, r := range x {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2 && len(x) <= longestAddress
}

// isStreet accepts a house number with letters behind it, and post office boxes.
func isStreet(x string) bool {
	if len(x) > longestAddress {
		return false
	}
	low := strings.ToLower(x)
	if strings.HasPrefix(strings.NewReplacer(".", "", " ", "").Replace(low), "pobox") {
		return true
	}
	number, rest, ok := strings.Cut(low, " ")
	if !ok || number[0] < '0' || number[0] > '9' {
		return false
	}
	return len(number) <= 8 && isText(rest) && !strings.Contains(number, ".")
}

// jobWords are the words that titles of jobs end in, or nearly.
var jobWords = set("manager", "director", "officer", "engineer", "clerk", "assistant", "specialist", "technician",
	"analyst", "supervisor", "president", "coordinator", "administrator",
	"teacher", "nurse", "operator", "worker", "inspector", "driver", "secretary", "associate", "representative",
	"consultant", "developer", "accountant", "attorney", "counsel",
	"chief", "deputy", "sergeant", "lieutenant", "captain", "mechanic", "aide", "professor", "instructor", "executive",
	"principal", "agent", "designer", "planner", "owner", "member",
	"trooper", "therapist", "physician", "counselor", "laborer", "custodian", "librarian", "auditor", "investigator",
	"foreman", "superintendent", "cook", "judge", "partner")

func isJobTitle(x string) bool { return hasWord(x, jobWords) }

// usStateNames are the names of the states of the United States, and of the provinces of Canada, in small letters.
var usStateNames = set(strings.Split("alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|"+
	"maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new "+
	"jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|"+
	"oregon|pennsylvania|rhode island|south carolina|south "+
	"dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|district of "+
	"columbia|puerto rico|guam|"+
	"ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|newfoundland and "+
	"labrador|prince edward island|yukon|nunavut|northwest territories", "|")...)

var provinces = set("AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT", "AA", "AE", "AP")

func isState(x string) bool {
	up := strings.ToUpper(x)
	return len(x) == 2 && (usStates[up] || provinces[up]) || len(x) <= longestName && usStateNames[strings.ToLower(x)]
}

// languages are the English names of languages and their codes of two letters.
var languages = sync.OnceValue(func() map[string]bool {
	all := set("mandarin", "cantonese", "farsi", "tagalog", "creole", "sign", // and ISO 639-2's own codes for libraries
		"alb", "arm", "baq", "bur", "chi", "cze", "dut", "fre", "geo", "ger", "gre", "ice", "mac", "mao", "may", "per",
		"rum", "slo", "tib", "wel", "sgn")
	namer := display.English.Languages()
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			code := string([]rune{a, b})
			base, err := language.ParseBase(code)
			if err != nil {
				continue
			}
			all[base.ISO3()] = true
			if name := namer.Name(language.Make(base.String())); name != "" {
				all[code], all[strings.ToLower(name)] = true, true
			}
		}
	}
	return all
})

func isLanguage(x string) bool {
	if len(x) > longestLabel {
		return false
	}
	if languages()[strings.ToLower(x)] {
		return true
	}
	first, _, ok := strings.Cut(strings.ToLower(x), " ")
	return ok && len(first) > 2 && languages()[first]
}

func isQuarter(x string) bool {
	return len(x) == 1 && x[0] >= '1' && x[0] <= '4' ||
		isPeriodName(x) && !shape.MonthName(x) && strings.ContainsAny(x, "qQ")
}

// isFullName accepts a person's name of two parts and more, one of which at least is a frequent one.
func isFullName(x string) bool {
	words := letterWords(x)
	if len(x) > longestName || len(words) < 2 || len(words) > 5 {
		return false
	}
	first, last := personNames()
	known := 0
	for _, w := range words {
		if w = strings.ToLower(w); first[w] || last[w] {
			known++
		}
	}
	return known >= 2 || known == 1 && (first[strings.ToLower(words[0])] || len(words) == 2)
}

// isHash accepts the hexadecimal digits of a digest.
func isHash(x string) bool {
	switch len(x) {
	case 32, 40, 56, 64, 96, 128:
	default:
		return false
	}
	letters := 0
	for i := range len(x) {
		switch c := x[i] | 0x20; {
		case c >= 'a' && c <= 'f':
			letters++
		case x[i] < '0' || x[i] > '9':
			return false
		}
	}
	return letters > 0
}

// The values of the characters of a vehicle identification number, and their weights; I, O and Q stand for nothing (49
// CFR 565.15).
const vinCharacters = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ"

var vinWeights = [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}

// isVIN accepts a vehicle identification number with its right check digit.
func isVIN(x string) bool {
	if len(x) != len(vinWeights) {
		return false
	}
	sum := 0
	for i, w := range vinWeights {
		at := strings.IndexByte(vinCharacters, x[i])
		if at < 0 || x[i] == '.' {
			return false
		}
		sum += at % 10 * w
	}
	return x[8] == "0123456789X"[sum%11]
}

// isPair accepts two decimals in brackets, or without.
func isPair(x string) bool {
	a, b, ok := strings.Cut(strings.Trim(x, "()"), ",")
	return ok && isPlainNumber(strings.TrimSpace(a)) && isPlainNumber(strings.TrimSpace(b))
}

// isSentence accepts seven words and more.
func isSentence(x string) bool { return len(strings.Fields(x)) >= 7 }
