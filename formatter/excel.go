package formatter

import (
	"strings"

	"catena/profiler"
	"catena/table"
	"catena/table/xlsx"
)

// Sheet is the view as a sheet of a workbook for xlsx.Write: all columns under their headings, in number formats that
// look like the view. Numbers stay numbers and texts texts, so that none runs as a formula.
func (v *View) Sheet(name string) xlsx.Sheet {
	s := xlsx.Sheet{
		Name:     name,
		Table:    v.shown,
		Headings: make([]string, len(v.Columns)),
		Formats:  make([]string, len(v.Columns)),
	}
	for i, c := range v.Columns {
		s.Headings[i] = plain(c.Heading)
		f := c.Format
		if f.Kind == "percent" && v.shown.Column(i).Unit == "%" {
			f.Ratio = true // the writer stores such columns as ratios
		}
		s.Formats[i] = excelFormat(f, v.looks[i].negative)
		if zone := v.shown.Column(
			i,
		).Zone; zone != "" && v.shown.Column(i).Type == table.DateTime &&
			strings.Contains(s.Formats[i], "hh") {
			// the cells show the clocks of the zone, which no cell of a sheet can hold
			s.Formats[i] += ` "` + zone + `"`
		}
	}
	return s
}

// excelSigns are currencies in Excel's number formats: sign and the locale whose sign it is (a Windows language code),
// as Excel writes them itself.
var excelSigns = map[string]string{
	"USD": "[$$-409]",
	"AUD": "[$$-C09]",
	"CAD": "[$$-1009]",
	"MXN": "[$$-80A]",
	"EUR": "[$€-2]",
	"GBP": "[$£-809]",
	"JPY": "[$¥-411]",
	"CNY": "[$¥-804]",
	"INR": "[$₹-4009]",
	"KRW": "[$₩-412]",
	"BRL": "[$R$-416]",
}

// excelFormat is the number format code of Excel (ECMA-376 part 1, section 18.8.31) for a suggestion: currency:USD:,.2f
// is [$$-409]#,##0.00. Percentages in points, which Excel has no format for, get their sign as text; what a sheet
// cannot show so, such as weekdays of numbers, is "", which leaves the column to its type. Negative numbers are in
// parentheses where that is asked for, else they have Excel's own minus.
func excelFormat(s profiler.Suggestion, negative Negative) string {
	switch s.Kind {
	case "date", "time":
		return excelLayout(s.Layout)
	case "text":
		return "@"
	case "duration":
		return "[h]:mm:ss"
	}
	if !s.Numeric() {
		return ""
	}
	code := "0"
	if s.Group {
		code = "#,##0"
	}
	if s.Digits > 0 && s.Kind != "integer" {
		code += "." + strings.Repeat("0", min(s.Digits, 30)) // Excel's limit
	}
	switch {
	case s.Kind == "percent" && s.Ratio:
		code += "%"
	case s.Kind == "percent":
		code += `"%"`
	case s.Kind == "currency" && excelSigns[s.Code] != "":
		code = excelSigns[s.Code] + code
	case s.Kind == "currency":
		code = "[$" + s.Code + "] " + code
	}
	switch {
	case s.Plus:
		return "+" + code + ";-" + code + ";" + code
	case negative == Parentheses:
		return code + "_);(" + code + ")"
	}
	return code
}

// excelLayouts are the parts of layouts of package time, the longest first.
var excelLayouts = strings.NewReplacer(
	"2006",
	"yyyy",
	"January",
	"mmmm",
	"Monday",
	"dddd",
	"Jan",
	"mmm",
	"Mon",
	"ddd",
	"01",
	"mm",
	"02",
	"dd",
	"15",
	"hh",
	"03",
	"hh",
	"04",
	"mm",
	"05",
	"ss",
	"PM",
	"AM/PM",
	"06",
	"yy",
	".000000",
	".000",
	".000",
	".000",
	"T",
	`"T"`,
	"Z07:00",
	"",
	"-07:00",
	"",
	"MST",
	"",
)

// excelLayout translates a layout of dates and times; quarters have none and show the day they begin with.
func excelLayout(layout string) string {
	if layout == profiler.LayoutQuarter {
		return "yyyy-mm-dd"
	}
	return strings.TrimSpace(excelLayouts.Replace(layout))
}
