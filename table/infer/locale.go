package infer

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// LocaleMarks are what a locale writes between the digits of a number (CLDR). The zero value is that of no locale.
type LocaleMarks struct {
	locale string
	point  string // before the fraction
	group  string // between thousands
}

// MarksOf gives the marks of a locale; none for "" and for what is no BCP 47 tag.
func MarksOf(locale string) LocaleMarks {
	if locale == "" {
		return LocaleMarks{}
	}
	tag, err := language.Parse(locale)
	if err != nil {
		return LocaleMarks{}
	}
	if base, _ := tag.Base(); base.String() == "de" {
		if region, _ := tag.Region(); region.String() == "AT" {
			// CLDR groups by spaces; Austrian files are written like German ones
			tag = language.German
		}
	}
	written := message.NewPrinter(tag).Sprint(number.Decimal(1234567.5))
	marks := strings.FieldsFunc(written, func(r rune) bool { return r >= '0' && r <= '9' })
	if len(marks) != 3 { // other digits, or other groups
		return LocaleMarks{}
	}
	return LocaleMarks{locale: tag.String(), point: marks[2], group: marks[0]}
}
