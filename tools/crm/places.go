package crm

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"catena/table"
	"catena/tools"
)

// place is a part of the world that clients can be asked for: one or more regions, or a country.
type place struct {
	name    string // "USA"
	in      string // within a sentence: "the USA"
	regions []string
	country string // "" for regions
}

// regions are those of the data, in the order in which messages list them.
var regions = []string{"USA", "Canada", "Latin America", "DACH", "UK & Ireland", "Rest of Europe", "Asia Pacific", "Middle East & Africa"}

// wider are parts of the world that hold several regions.
var wider = map[string][]string{
	"North America": {"USA", "Canada"},
	"Americas":      {"USA", "Canada", "Latin America"},
	"Europe":        {"DACH", "UK & Ireland", "Rest of Europe"},
	"EMEA":          {"DACH", "UK & Ireland", "Rest of Europe", "Middle East & Africa"},
}

// otherNames are spellings, short names and adjectives, folded, by the name that the data use.
var otherNames = map[string]string{
	"us": "USA", "usofa": "USA", "unitedstates": "USA", "unitedstatesofamerica": "USA", "america": "USA", "american": "USA", "states": "USA",
	"latam": "Latin America", "latinamerican": "Latin America", "southamerica": "Latin America",
	"germanspeaking": "DACH", "ukandireland": "UK & Ireland", "ukireland": "UK & Ireland", "britishisles": "UK & Ireland", "uki": "UK & Ireland",
	"restofeurope": "Rest of Europe", "asia": "Asia Pacific", "apac": "Asia Pacific", "asiapacific": "Asia Pacific", "asian": "Asia Pacific",
	"mea": "Middle East & Africa", "middleeast": "Middle East & Africa", "africa": "Middle East & Africa", "middleeastandafrica": "Middle East & Africa",
	"theamericas": "Americas", "northamerican": "North America", "european": "Europe", "eu": "Europe",
	"uk": "United Kingdom", "gb": "United Kingdom", "greatbritain": "United Kingdom", "britain": "United Kingdom", "british": "United Kingdom", "england": "United Kingdom",
	"uae": "United Arab Emirates", "emirates": "United Arab Emirates", "holland": "Netherlands", "dutch": "Netherlands", "deutschland": "Germany",
	"german": "Germany", "french": "France", "spanish": "Spain", "italian": "Italy", "swiss": "Switzerland", "austrian": "Austria", "irish": "Ireland",
	"canadian": "Canada", "mexican": "Mexico", "brazilian": "Brazil", "brasil": "Brazil", "japanese": "Japan", "australian": "Australia", "indian": "India",
	"swedish": "Sweden", "polish": "Poland", "danish": "Denmark", "belgian": "Belgium", "portuguese": "Portugal", "korea": "South Korea", "korean": "South Korea",
	"chilean": "Chile", "argentinian": "Argentina", "argentine": "Argentina", "colombian": "Colombia", "kenyan": "Kenya", "egyptian": "Egypt", "southafrican": "South Africa",
	"singaporean": "Singapore",
}

// withArticle are the names that take one in a sentence.
var withArticle = []string{"USA", "Americas", "Middle East & Africa", "United Kingdom", "United Arab Emirates", "Netherlands", "Rest of Europe"}

// foldPlace brings spellings of one name together: "U.S.", "us" and "The US" are "us".
func foldPlace(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "&", " and ")
	s = strings.TrimPrefix(strings.TrimSpace(s), "the ")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// findPlace reads a region or a country in any usual spelling. The error is *tools.ArgumentError and lists the regions.
func (d *demo) findPlace(text string) (place, error) {
	key := foldPlace(text)
	countries := d.countries()
	names := append(append(slices.Clone(regions), "North America", "Americas", "Europe", "EMEA"), countries...)
	if other, ok := otherNames[key]; ok {
		key = foldPlace(other)
	}
	for _, name := range names {
		if foldPlace(name) == key {
			return placeOf(name), nil
		}
	}
	reason := "there is no region or country of that name"
	if len(text) <= 64 {
		reason = fmt.Sprintf("there is no region or country %q", text)
	}
	if near := table.Nearest(text, names); len(near) > 0 {
		reason += " (did you mean " + strings.Join(near, " or ") + "?)"
	}
	return place{}, &tools.ArgumentError{Argument: "region", Code: "unknown_region",
		Reason: fmt.Sprintf("%s; regions are %s, and any country with clients works too", reason, strings.Join(regions, ", "))}
}

func placeOf(name string) place {
	p := place{name: name, in: name}
	if slices.Contains(withArticle, name) {
		p.in = "the " + name
	}
	switch {
	case wider[name] != nil:
		p.regions = wider[name]
	case slices.Contains(regions, name):
		p.regions = []string{name}
	default:
		p.country = name
	}
	return p
}

// countries are those of the clients, sorted.
func (d *demo) countries() []string {
	list := d.clients.Col("country").Records() // texts: Records is exact for them
	slices.Sort(list)
	return slices.Compact(list)
}

// column names the share of a place: share_of_usa.
func (p place) column() string {
	return "share_of_" + strings.Join(strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(p.name, "&", "and")), func(r rune) bool { return !unicode.IsLetter(r) }), "_")
}
