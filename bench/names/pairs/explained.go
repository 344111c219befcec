package main

import (
	"regexp"
	"strings"
)

// explained finds short forms that a text explains, in both orders: Cost per Click (CPC), CPC (Cost per Click), and
// lists of the form CPC: Cost per Click. The words before a bracket are taken by their initials, as Schwartz and
// Hearst do (A simple algorithm for identifying abbreviation definitions in biomedical text, 2003).
func explained(text string, add func(name, label string)) {
	for _, m := range longFirst.FindAllStringSubmatch(text, -1) {
		if words := strings.Fields(m[1]); len(words) > 0 {
			for k := min(len(words), len(m[2])+2); k >= 1; k-- {
				if long := words[len(words)-k:]; initials(m[2], long) {
					add(m[2], strings.Join(long, " "))
					break
				}
			}
		}
	}
	for _, re := range shortFirst {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(m[2])
			for k := min(len(words), len(m[1])+2); k >= 1; k-- {
				if initials(m[1], words[:k]) {
					add(m[1], strings.Join(words[:k], " "))
					break
				}
			}
		}
	}
}

var (
	longFirst  = regexp.MustCompile(`((?:[A-Za-z][A-Za-z-]*[ ]){1,7})\(\**([A-Z][A-Za-z]{1,5})\**\)`)
	shortFirst = []*regexp.Regexp{
		regexp.MustCompile(`\b([A-Z][A-Za-z]{1,5})\**:? \(([A-Za-z][A-Za-z -]{3,60})\)`),
		regexp.MustCompile(`(?m)^[\s>*#|-]*\**([A-Z][A-Za-z]{1,5})\**(?:\**:\**| \||\s+[-–—]|:) *\**([A-Za-z][A-Za-z -]{3,60})`),
	}
)

// initials reports whether a short form is made of the first letters of words, in order; small words may be left out,
// and a hyphen begins a word.
func initials(short string, words []string) bool {
	var parts []string
	for _, w := range words {
		parts = append(parts, strings.FieldsFunc(strings.ToLower(w), func(r rune) bool { return r == '-' })...)
	}
	low, at := strings.ToLower(short), 0
	if len(parts) < 2 {
		return false
	}
	for i, p := range parts {
		switch {
		case at < len(low) && p[0] == low[at]:
			at++
		case i > 0 && at > 0 && smallWords[p]:
		default:
			return false
		}
	}
	return at == len(low) && !smallWords[parts[0]]
}

var smallWords = map[string]bool{"of": true, "the": true, "to": true, "and": true, "in": true, "for": true, "on": true, "per": true, "by": true, "a": true, "an": true, "at": true, "from": true, "with": true}
