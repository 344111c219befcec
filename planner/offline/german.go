package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// germanPhrases are the words by which German asks, and English for them; longer ones first. Names of columns and values are
// not translated.
var germanPhrases = [][2]string{
	{"wie viele", "how many"}, {"wie viel", "how much"}, {"wieviele", "how many"}, {"wieviel", "how much"}, {"wie hoch ist", "what is"}, {"wie hoch war", "what was"}, {"wie hoch sind", "what are"},
	{"wie oft", "how many times"}, {"mehr als", "more than"}, {"weniger als", "less than"}, {"größer als", "more than"}, {"kleiner als", "less than"}, {"höher als", "more than"}, {"niedriger als", "less than"},
	{"im durchschnitt", "average"}, {"mindestens", "at least"}, {"höchstens", "at most"}, {"zwischen", "between"}, {"über", "over"}, {"unter", "under"},
	{"anzahl der", "number of"}, {"anzahl", "number of"}, {"summe der", "total"}, {"summe des", "total"}, {"summe", "total"}, {"gesamt", "total"}, {"gesamter", "total"}, {"gesamte", "total"}, {"insgesamt", "total"},
	{"durchschnitt der", "average"}, {"durchschnitt des", "average"}, {"durchschnitt", "average"}, {"durchschnittlicher", "average"}, {"durchschnittliche", "average"}, {"durchschnittliches", "average"}, {"mittelwert", "average"},
	{"größter", "largest"}, {"größte", "largest"}, {"größtes", "largest"}, {"größten", "largest"}, {"kleinster", "smallest"}, {"kleinste", "smallest"}, {"kleinstes", "smallest"}, {"kleinsten", "smallest"},
	{"höchster", "highest"}, {"höchste", "highest"}, {"höchstes", "highest"}, {"höchsten", "highest"}, {"niedrigster", "lowest"}, {"niedrigste", "lowest"}, {"niedrigstes", "lowest"}, {"niedrigsten", "lowest"},
	{"meisten", "most"}, {"wenigsten", "fewest"}, {"älteste", "oldest"}, {"neueste", "latest"}, {"nach", "by"}, {"pro", "by"}, {"je", "by"}, {"von", "of"}, {"vom", "of"}, {"für", "for"}, {"mit", "with"}, {"ohne", "without"}, {"seit", "since"}, {"bis", "until"},
	{"der", "the"}, {"die", "the"}, {"das", "the"}, {"den", "the"}, {"dem", "the"}, {"des", "of the"}, {"ein", "a"}, {"eine", "a"}, {"ist", "is"}, {"sind", "are"}, {"war", "was"}, {"waren", "were"}, {"hat", "has"}, {"haben", "have"}, {"gibt es", "are there"},
	{"und", "and"}, {"oder", "or"}, {"nicht", "not"}, {"im", "in"}, {"welcher", "which"}, {"welche", "which"}, {"welches", "which"}, {"wer", "who"}, {"was", "what"}, {"zeige mir", "show"}, {"zeige", "show"}, {"zeig", "show"}, {"liste", "list"}, {"alle", "all"}, {"alles", "all"},
	{"zeilen", "rows"}, {"datensätze", "rows"}, {"einträge", "rows"}, {"monat", "month"}, {"monate", "months"}, {"jahr", "year"}, {"jahre", "years"}, {"quartal", "quarter"}, {"woche", "week"}, {"tag", "day"}, {"anteil", "share"}, {"prozent", "percent"},
	{"januar", "january"}, {"februar", "february"}, {"märz", "march"}, {"mai", "may"}, {"juni", "june"}, {"juli", "july"}, {"oktober", "october"}, {"dezember", "december"},
}

// germanSigns are words that only a German question has.
var germanSigns = plan.WordSet(`nach je wie viele wieviele anzahl summe gesamt insgesamt durchschnitt durchschnittliche durchschnittlicher größter größte größten größtes kleinste kleinster kleinsten kleinstes
höchste höchster höchsten höchstes niedrigste niedrigster niedrigsten niedrigstes meisten wenigsten welche welcher welches zeige pro für mindestens höchstens zwischen mittelwert`)

// germanBegins begin compounds: Gesamtumsatz is the total of Umsatz.
var germanBegins = [][2]string{{"gesamt", "total"}, {"durchschnitts", "average"}, {"durchschnitt", "average"}, {"höchst", "highest"}, {"maximal", "highest"}}

// english puts the words by which a German message asks into English, and leaves names as they are. Other messages stay.
func (s *session) english(message string) string {
	words := strings.Fields(message)
	low := make([]string, len(words))
	signs := 0
	for i, w := range words {
		low[i] = strings.ToLower(strings.Trim(w, ".,;:?!"))
		signs += b2i(germanSigns[low[i]])
	}
	for _, b := range germanBegins { // a compound of a column's name
		signs += b2i(len(low) > 0 && strings.HasPrefix(low[0], b[0]) && s.columnCalled(low[0][len(b[0]):]))
	}
	if signs == 0 || !strings.ContainsFunc(message, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
		return message
	}
	var out []string
	changed := 0
	for i := 0; i < len(words); {
		to, n := s.germanAt(low, i)
		if n == 0 {
			out = append(out, words[i])
			i++
			continue
		}
		last := words[i+n-1]
		out = append(out, to+last[len(strings.TrimRight(last, ".,;:?!")):])
		i, changed = i+n, changed+1
	}
	if changed < 1 || changed == 1 && signs == 1 && s.onlyEnglish(low) {
		return message
	}
	return strings.Join(out, " ")
}

// onlyEnglish reports whether the one German word of a message is one that English has too. Between the names of two columns
// it is German: "Umsatz pro Kunde".
func (s *session) onlyEnglish(low []string) bool {
	i := slices.IndexFunc(low, func(w string) bool { return w == "pro" || w == "je" || w == "war" })
	return i >= 0 && !(i > 0 && i+1 < len(low) && s.columnCalled(low[i-1]) && s.columnCalled(low[i+1]))
}

// germanAt translates what stands at i, and says how many words that is; 0 leaves the word.
func (s *session) germanAt(low []string, i int) (string, int) {
	for _, p := range germanPhrases {
		from := strings.Fields(p[0])
		if i+len(from) <= len(low) && slices.Equal(low[i:i+len(from)], from) && !(len(from) == 1 && s.columnCalled(from[0])) {
			return p[1], len(from)
		}
	}
	for _, b := range germanBegins {
		if rest, ok := strings.CutPrefix(low[i], b[0]); ok && s.columnCalled(rest) {
			return b[1] + " " + rest, 1
		}
	}
	return "", 0
}

// columnCalled reports whether a loaded table has a column of this name.
func (s *session) columnCalled(name string) bool {
	return len(name) >= 3 && slices.ContainsFunc(s.views, func(v *view) bool {
		return slices.ContainsFunc(v.cols, func(c viewColumn) bool { return strings.EqualFold(c.info.Name, name) })
	})
}
