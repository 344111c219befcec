package main

import "strings"

// shortened passes on what a reader finds where the name is a short form of the label and not a word of it: its letters stand in the label in
// their order, from the first letter on. Maps in code say much else.
func shortened(r reader) reader {
	return func(text string, add func(name, label string)) {
		r(text, func(name, label string) {
			low, long := strings.ToLower(name), strings.ToLower(label)
			if len(low)+1 < len(long) && low[0] == long[0] && !strings.Contains(long, low+" ") && inOrder(low, long) {
				add(name, label)
			}
		})
	}
}

// inOrder reports whether the letters of a short text stand in a long one in their order; an x may stand for any (txn, xfer).
func inOrder(short, long string) bool {
	for i := range len(short) {
		if short[i] == 'x' {
			continue
		}
		at := strings.IndexByte(long, short[i])
		if at < 0 {
			return false
		}
		long = long[at+1:]
	}
	return true
}

// defined reads the maps of short forms that programs have to match columns with, either way: "qty": "quantity", "quantity": "qty".
var defined = []reader{
	shortened(pattern(`["'](?P<n>[A-Za-z]{2,8})\.?["']\s*(?::|=>)\s*["'](?P<l>[A-Za-z][A-Za-z -]{2,40})["']`)),
	shortened(pattern(`["'](?P<l>[A-Za-z][A-Za-z -]{2,40})["']\s*(?::|=>)\s*["'](?P<n>[A-Za-z]{2,8})\.?["']`)),
	shortened(pattern("(?m)^\\|\\s*`_(?P<n>[a-z]{2,8})`\\s*\\|\\s*(?P<l>[A-Za-z][A-Za-z ]{2,40}?)\\s*[(|]")),
}

// listed reads lists of words with their short forms, and lists of terms: "- amount • x amt", "* - **CAC**" before a line with the words.
var listed = []reader{
	shortened(pattern(`(?m)^\s*- (?P<l>[a-z][a-z ]+) • \S+ (?P<n>[a-z]+)\b`)),
	shortened(pattern(`(?m)^\s*\* - \*\*(?P<n>[A-Z]{2,6})\*\*\s*\n\s*- (?P<l>[^\n]+)`)),
}
