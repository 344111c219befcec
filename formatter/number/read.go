package number

import (
	"fmt"
	"strings"

	"catena/table"
)

// Read reads a number as the locale writes it: digits in groups of three (or the locale's own), the locale's point and
// minus. Spaces of any kind may stand for the separator where the locale has one of them. Signs, currencies and percent
// around it are not read: infer.ReadValue does that. The error says what is in the way.
func (l Locale) Read(text string) (table.Value, error) {
	d := l.data()
	s := strings.TrimSpace(text)
	neg := false
	for _, sign := range [...]string{d.minus, "-", "\u2212"} {
		if rest, ok := strings.CutPrefix(s, sign); ok && sign != "" {
			s, neg = rest, true
			break
		}
	}
	whole, frac, hasPoint := strings.Cut(s, d.point)
	digits, ok := ungrouped(whole, d)
	if !ok || hasPoint && (frac == "" || strings.Trim(frac, "0123456789") != "") || digits == "" && frac == "" {
		return table.NullValue, fmt.Errorf("%q is not a number as %s writes it, such as %s", text, d.tag, example(l))
	}
	if hasPoint {
		digits += "." + frac
	}
	if neg {
		digits = "-" + digits
	}
	v, err := table.ParseDecimal(digits)
	if err != nil {
		return v, fmt.Errorf("number of locale %s: %w", d.tag, err)
	}
	return v, nil
}

// ungrouped takes the separators out of whole digits.
func ungrouped(s string, d *data) (string, bool) {
	if blank(d.group) {
		s = strings.NewReplacer(" ", d.group, "\u00a0", d.group, "\u202f", d.group, "\u2009", d.group).Replace(s)
	}
	groups := strings.Split(s, d.group)
	for i, g := range groups {
		last := i == len(groups)-1
		switch {
		case strings.Trim(g, "0123456789") != "",
			len(groups) > 1 && i == 0 && (g == "" || len(g) > max(d.decimal.group1, d.decimal.group2)),
			i > 0 && last && len(g) != d.decimal.group1,
			i > 0 && !last && len(g) != d.decimal.group1 && len(g) != d.decimal.group2:
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}

func blank(s string) bool { return s == "\u00a0" || s == "\u202f" || s == " " }

func example(l Locale) string {
	f := Fixed(2, true)
	text, _ := f.AppendDigits(nil, "12345.67", l)
	return string(text)
}

// Groups is the number of digits in the last group and in those before it, as a pattern has them; 0 is no grouping.
func (f *Format) Groups() (last, others int) {
	if f.pattern == nil {
		return 0, 0
	}
	return f.pattern.group1, f.pattern.group2
}
