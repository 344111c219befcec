package table

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// localeMarks are what a locale writes between the digits of a number (CLDR). The zero value is that of no locale.
type localeMarks struct {
	locale string
	point  string // before the fraction
	group  string // between thousands
}

// marksOf gives the marks of a locale; none for "" and for what is no BCP 47 tag.
func marksOf(locale string) localeMarks {
	if locale == "" {
		return localeMarks{}
	}
	tag, err := language.Parse(locale)
	if err != nil {
		return localeMarks{}
	}
	if base, _ := tag.Base(); base.String() == "de" {
		if region, _ := tag.Region(); region.String() == "AT" { // CLDR groups by spaces; Austrian files are written like German ones
			tag = language.German
		}
	}
	written := message.NewPrinter(tag).Sprint(number.Decimal(1234567.5))
	marks := strings.FieldsFunc(written, func(r rune) bool { return r >= '0' && r <= '9' })
	if len(marks) != 3 { // other digits, or other groups
		return localeMarks{}
	}
	return localeMarks{locale: tag.String(), point: marks[2], group: marks[0]}
}
