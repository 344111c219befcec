package main

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	clock = regexp.MustCompile(`^\s*(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$`)
	price = regexp.MustCompile(`([$€£])\s*(\d[\d,]*(?:\.\d+)?)`)
	whole = regexp.MustCompile(`^[+-]?\d+(?:_\d+)*$`)
	// dated is what a date looks like: digits, signs between them, and the names and marks that go with dates.
	dated  = regexp.MustCompile(`(?i)^(?:[\d\s.,:;/'+-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|[a-z]*day|[a-z]*ary|march|april|june|july|august|[a-z]*ber|am|pm|utc|gmt|z|t|st|nd|rd|th)+$`)
	spaces = regexp.MustCompile(`\s+`)
)

// normal gives the form of a cell in which the benchmark compares it: truth values and numbers by value, times of day padded, prices
// without separators, other text in lower case. The benchmark normalises dates by Python's dateutil; here they only lose extra spaces, which is the same
// wherever both sides have the date as the file has it.
func normal(v string) string {
	t := strings.TrimSpace(v)
	if t == "" {
		return strings.ToLower(v)
	}
	switch v {
	case "True", "true":
		return "1"
	case "False", "false":
		return "0"
	}
	if whole.MatchString(t) {
		if n, ok := new(big.Int).SetString(strings.ReplaceAll(strings.TrimPrefix(t, "+"), "_", ""), 10); ok {
			return n.String()
		}
	}
	if f, err := strconv.ParseFloat(strings.ReplaceAll(t, "_", "x"), 64); (err == nil || f != 0) && !strings.ContainsAny(t, "xXpP") {
		return "float " + strconv.FormatFloat(f, 'g', -1, 64)
	}
	if m := clock.FindStringSubmatch(v); m != nil {
		if m[3] == "" {
			m[3] = "00"
		}
		return pad2(m[1]) + ":" + m[2] + ":" + pad2(m[3])
	}
	if len(v) < 60 && strings.ContainsAny(v, "0123456789") && dated.MatchString(t) {
		return strings.ToLower(spaces.ReplaceAllString(t, " "))
	}
	if m := price.FindStringSubmatch(v); m != nil && len(v) < 60 {
		if f, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64); err == nil {
			return m[1] + strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return strings.ToLower(v)
}

func pad2(s string) string {
	if len(s) < 2 {
		return "0" + s
	}
	return s
}
