package calls

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

const monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`

var (
	dateForms = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b`),
		regexp.MustCompile(`(?i)\b(?P<m>\d{1,2})[-/.](?P<d>\d{1,2})[-/.](?P<y>\d{4})\b`),
		regexp.MustCompile(`(?i)\b(?P<y>\d{4}),? (?P<n>` + monthNames + `)\b\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?\b`),
		regexp.MustCompile(`(?i)\b(?P<n>` + monthNames + `)\.?,?\s*(?:the )?(?P<d>\d{1,2})(?:st|nd|rd|th)?(?:(?:,|,? )(?:of )?(?P<y>\d{4}))?\b`),
		regexp.MustCompile(`(?i)\b(?P<d>\d{1,2})(?:st|nd|rd|th)?(?: day)?(?: of)?[ -](?P<n>` + monthNames + `)\b\.?(?:,?[ -]?(?:of )?(?P<y>\d{4}))?\b`),
		regexp.MustCompile(`(?i)\b(?P<r>day after tomorrow|today|tonight|tomorrow|yesterday|(?:next |this |coming )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b`),
	}
	timeForms = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?\s*(a\.?m\b\.?|p\.?m\b\.?)`),
		regexp.MustCompile(`(?i)\b(\d{1,2}):(\d{2})(?::(\d{2}))?\b()`),
		regexp.MustCompile(`(?i)\b(\d{1,2})()()(?: o'clock)? in the (morning|afternoon|evening)\b`),
		regexp.MustCompile(`(?i)\b()()()(noon|midnight)\b`),
	}
)

// monthOf is the number of a month by its name or its first three letters, 0 for other words.
func monthOf(low string) int {
	if len(low) < 3 {
		return 0
	}
	i := strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", low[:3])
	if i < 0 || i%3 != 0 || !strings.HasPrefix([]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}[i/3], strings.TrimSuffix(low, "t")) && low != "sept" {
		return 0
	}
	return i/3 + 1
}

// datesIn finds dates and times of day.
func datesIn(s string, toks []token, now time.Time) []value {
	var out []value
	for _, form := range dateForms {
		for _, m := range form.FindAllStringSubmatchIndex(s, 20) {
			part := func(name string) string {
				k := form.SubexpIndex(name)
				if k < 0 || m[2*k] < 0 {
					return ""
				}
				return s[m[2*k]:m[2*k+1]]
			}
			v := value{kind: dateValue, text: s[m[0]:m[1]]}
			if r := strings.ToLower(part("r")); r != "" {
				v.when = relative(r, now)
			} else if !v.read(part, now) {
				continue
			}
			if v.i, v.j = tokenSpan(toks, m[0], m[1]); v.j > v.i {
				out = append(out, v)
			}
		}
	}
	for i := range out { // the year of another date of the message
		for _, other := range out {
			if out[i].yearless && !other.yearless && other.dated() {
				out[i].when, out[i].yearless = out[i].when.AddDate(other.when.Year()-out[i].when.Year(), 0, 0), false
			}
		}
	}
	for _, form := range timeForms {
		for _, m := range form.FindAllStringSubmatchIndex(s, 20) {
			if v, ok := readTime(s, m); ok {
				if v.i, v.j = tokenSpan(toks, m[0], m[1]); v.j > v.i {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// dated reports whether a date was written with its year.
func (v value) dated() bool { return yearIn.MatchString(v.text) }

var yearIn = regexp.MustCompile(`\d{4}`)

func (v *value) read(part func(string) string, now time.Time) bool {
	d, _ := strconv.Atoi(part("d"))
	y, _ := strconv.Atoi(part("y"))
	m, _ := strconv.Atoi(part("m"))
	if n := part("n"); n != "" {
		m = monthOf(strings.ToLower(n))
	}
	if m > 12 && d <= 12 {
		m, d = d, m
	}
	if y == 0 {
		y, v.yearless = now.Year(), true
	}
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	v.when = time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return true
}

func relative(r string, now time.Time) time.Time {
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch r {
	case "today", "tonight":
		return day
	case "tomorrow":
		return day.AddDate(0, 0, 1)
	case "yesterday":
		return day.AddDate(0, 0, -1)
	case "day after tomorrow":
		return day.AddDate(0, 0, 2)
	}
	f := strings.Fields(r)
	for k := 1; k <= 7; k++ {
		if next := day.AddDate(0, 0, k); strings.EqualFold(next.Weekday().String(), f[len(f)-1]) {
			return next
		}
	}
	return day
}

func readTime(s string, m []int) (value, bool) {
	part := func(k int) string {
		if m[2*k] < 0 {
			return ""
		}
		return s[m[2*k]:m[2*k+1]]
	}
	h, _ := strconv.Atoi(part(1))
	minute, _ := strconv.Atoi(part(2))
	second, _ := strconv.Atoi(part(3))
	switch half := strings.ToLower(strings.ReplaceAll(part(4), ".", "")); {
	case half == "noon":
		h = 12
	case half == "midnight":
		h = 0
	case (half == "pm" || half == "afternoon" || half == "evening") && h < 12:
		h += 12
	case half == "am" && h == 12:
		h = 0
	}
	if h > 23 || minute > 59 || second > 59 {
		return value{}, false
	}
	return value{kind: timeValue, text: s[m[0]:m[1]], when: time.Date(1, 1, 1, h, minute, second, 0, time.UTC)}, true
}

// tokenSpan gives the tokens between two bytes; none when one of them is cut.
func tokenSpan(toks []token, start, end int) (i, j int) {
	i = -1
	for k, t := range toks {
		if t.start >= start && t.end <= end || t.start < end && t.end > start && (t.kind == coined || t.kind == number) {
			if i < 0 {
				i = k
			}
			j = k + 1
		}
	}
	if i < 0 {
		return 0, 0
	}
	return i, j
}

var dateLayouts = []struct{ sign, layout string }{
	{"yyyy-mm-ddthh:mm:ss", "2006-01-02T15:04:05"}, {"yyyy-mm-dd hh:mm:ss", "2006-01-02 15:04:05"}, {"yyyy-mm-dd", "2006-01-02"}, {"mm/dd/yyyy", "01/02/2006"}, {"dd/mm/yyyy", "02/01/2006"}, {"mm-dd-yyyy", "01-02-2006"}, {"dd-mm-yyyy", "02-01-2006"},
	{"yyyy/mm/dd", "2006/01/02"}, {"yyyy.mm.dd", "2006.01.02"}, {"dd.mm.yyyy", "02.01.2006"}, {"%y-%m-%d", "2006-01-02"}, {"%m/%d/%y", "01/02/2006"}, {"month day, year", "January 2, 2006"}, {"mm.dd.yyyy", "01.02.2006"}, {"mm-dd-yy", "01-02-2006"}, {"mm/dd/yy", "01/02/2006"}, {"dd/mm/yy", "02/01/2006"},
}

// dateFor writes a date as the description of an argument wants it.
func (p *param) dateFor(v value) string {
	for _, l := range dateLayouts {
		if strings.Contains(p.low, l.sign) {
			return v.when.Format(l.layout)
		}
	}
	return v.when.Format("2006-01-02")
}

// timeFor writes a time of day as the description of an argument wants it.
func (p *param) timeFor(v value) string {
	switch {
	case strings.Contains(p.low, "hh:mm:ss"):
		return v.when.Format("15:04:05")
	case strings.Contains(p.low, "hh:mm") && !strings.Contains(p.low, "am/pm") || strings.Contains(p.low, "24-hour") || strings.Contains(p.low, "24 hour"):
		return v.when.Format("15:04")
	}
	return v.text
}
