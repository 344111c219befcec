package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"catena/planner/plan"
)

// slot is a part of a message that another message of the same shape may have otherwise: a value of the data, a number, a time.
type slot struct {
	Kind  string   `json:"kind"`            // "value" with its columns, number, date, month, quarter, year
	Text  string   `json:"text"`            // as the message has it
	Value string   `json:"value,omitempty"` // of a value: as the data have it
	Times []string `json:"times,omitempty"` // of a time: how plans may write it: itself, its first day, its last, the day after
	Bound bool     `json:"bound"`           // the plan holds it, so that another may take its place
}

// pattern is a plan with the slots of its message. A message with the same words around the same kinds of slots is answered by it
// with its own values; slots that the plan does not hold must be the same.
type pattern struct {
	Slots []slot    `json:"slots"`
	Plan  plan.Plan `json:"plan"`
}

// maxFinds bounds how many phrases of a message are looked up in the data.
const maxFinds = 48

var (
	isoTime    = regexp.MustCompile(`^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$`)
	quarterOf  = regexp.MustCompile(`^[qQ]([1-4])$`)
	wholeCount = regexp.MustCompile(`^\d{1,9}$`)
	monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)

// shapeOf splits a message into its shape, the words with a mark for each slot, and the slots in order.
func shapeOf(ctx context.Context, req plan.Request) (string, []slot) {
	words := strings.Fields(req.Message)
	bare := make([]string, len(words))
	for i, w := range words {
		bare[i] = strings.Trim(w, `,.;:!?"'()[]{}`)
	}
	var shape []string
	var slots []slot
	finds := 0
	for i := 0; i < len(words); {
		s, n := timeSlot(bare[i:])
		if n == 0 && wholeCount.MatchString(bare[i]) {
			s, n = slot{Kind: "number", Text: bare[i]}, 1
		}
		if n == 0 {
			s, n = valueSlot(ctx, req.Values, bare[i:], &finds)
		}
		if n == 0 {
			shape = append(shape, strings.ToLower(words[i]))
			i++
			continue
		}
		slots = append(slots, s)
		ends := strings.Split(strings.Join(words[i:i+n], " "), strings.Join(bare[i:i+n], " "))
		shape = append(shape, strings.Join(ends, fmt.Sprintf("\x00%s\x00", s.Kind)))
		i += n
	}
	return strings.Join(shape, " "), slots
}

// timeSlot reads a year, month, quarter or day at the start of words, and says how many words it takes.
func timeSlot(words []string) (slot, int) {
	next := ""
	if len(words) > 1 {
		next = words[1]
	}
	if m := quarterOf.FindStringSubmatch(words[0]); m != nil && isYear(next) {
		q, _ := strconv.Atoi(m[1])
		return periodSlot("quarter", words[0]+" "+next, "", next, 3*q-2, 3), 2
	}
	if at := slices.Index(monthNames, strings.ToLower(words[0])); at >= 0 && isYear(next) {
		return periodSlot("month", words[0]+" "+next, fmt.Sprintf("%s-%02d", next, at+1), next, at+1, 1), 2
	}
	m := isoTime.FindStringSubmatch(words[0])
	switch {
	case m == nil || !isYear(m[1]):
		return slot{}, 0
	case m[3] != "":
		if _, err := time.Parse(time.DateOnly, words[0]); err != nil {
			return slot{}, 0
		}
		return slot{Kind: "date", Text: words[0], Times: []string{words[0]}}, 1
	case m[2] != "":
		month, _ := strconv.Atoi(m[2])
		if month < 1 || month > 12 {
			return slot{}, 0
		}
		return periodSlot("month", words[0], words[0], m[1], month, 1), 1
	}
	return periodSlot("year", words[0], words[0], m[1], 1, 12), 1
}

func isYear(s string) bool {
	return len(s) == 4 && s >= "1900" && s <= "2099" && wholeCount.MatchString(s)
}

// periodSlot is a stretch of months: itself as plans may write it, first day, last day, the day after.
func periodSlot(kind, text, self, year string, month, months int) slot {
	y, _ := strconv.Atoi(year)
	first := time.Date(y, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	after := first.AddDate(0, months, 0)
	return slot{Kind: kind, Text: text, Times: []string{self, first.Format(time.DateOnly), after.AddDate(0, 0, -1).Format(time.DateOnly), after.Format(time.DateOnly)}}
}

// valueSlot reads a value of the data at the start of words, the longest one. Its kind names the columns that hold it.
func valueSlot(ctx context.Context, values plan.Values, words []string, finds *int) (slot, int) {
	if values == nil {
		return slot{}, 0
	}
	for n := min(longestWords, len(words)); n > 0; n-- {
		phrase := strings.Join(words[:n], " ")
		if *finds++; *finds > maxFinds || ctx.Err() != nil {
			return slot{}, 0
		}
		if utf8.RuneCountInString(phrase) < 2 {
			continue
		}
		var columns []string
		value := ""
		for _, h := range values.Find(ctx, phrase) {
			if h.Match != plan.Exact && h.Match != plan.Synonym {
				continue
			}
			if value == "" {
				value = h.Value
			}
			if where := h.Table + "\x01" + h.Column; h.Value == value && !slices.Contains(columns, where) {
				columns = append(columns, where)
			}
		}
		if value != "" {
			slices.Sort(columns)
			return slot{Kind: "value " + strings.Join(columns, "\x02"), Text: phrase, Value: value}, n
		}
	}
	return slot{}, 0
}

// holds says as what a text of a plan writes a slot: 0 not at all, 1 as itself, 2 and above as one of its times.
func (s slot) holds(text string) int {
	if len(s.Times) > 0 {
		return slices.Index(s.Times, text) + 1 // an empty text is in no plan: see literals
	}
	if strings.EqualFold(text, s.Text) || s.Value != "" && strings.EqualFold(text, s.Value) {
		return 1
	}
	return 0
}

// as writes the slot in the way that holds found for another.
func (s slot) as(how int) string {
	switch {
	case len(s.Times) > 0:
		return s.Times[how-1]
	case s.Value != "":
		return s.Value
	}
	return s.Text
}

// timeText is what a plan writes only because of a time: a date, a month, a year.
func timeText(text string) bool {
	m := isoTime.FindStringSubmatch(text)
	return m != nil && isYear(m[1])
}

// newPattern makes a pattern of a message's slots and its plan. It reports whether one can be made: each slot must be told from the
// others, and every time in the plan must be one that the message names, since any other was counted from it.
func newPattern(slots []slot, p plan.Plan) (pattern, bool) {
	t := pattern{Slots: slices.Clone(slots), Plan: p}
	clear, bound := true, false
	eachLiteral(p, func(text string) {
		owner := -1
		for i, s := range t.Slots {
			if s.holds(text) == 0 {
				continue
			}
			clear = clear && owner < 0 // of two slots, which one?
			owner = i
		}
		switch {
		case owner >= 0:
			t.Slots[owner].Bound, bound = true, true
		case timeText(text):
			clear = false
		}
	})
	return t, clear && bound
}

// fill is the plan for another message of the same shape.
func (t pattern) fill(slots []slot) (plan.Plan, bool) {
	if len(slots) != len(t.Slots) {
		return plan.Plan{}, false
	}
	for i, s := range t.Slots {
		if s.Kind != slots[i].Kind || !s.Bound && !strings.EqualFold(s.Text, slots[i].Text) {
			return plan.Plan{}, false
		}
	}
	put := func(text string) string {
		for i, s := range t.Slots {
			if how := s.holds(text); how > 0 && s.Bound {
				return slots[i].as(how)
			}
		}
		return text
	}
	p := mapLiterals(t.Plan, put)
	for i, s := range t.Slots { // a heading names what it shows
		if !s.Bound {
			continue
		}
		if title, ok := replaceWords(p.Title, s.Text, slots[i].Text); ok {
			p.Title = title
		} else {
			p.Title, _ = replaceWords(p.Title, s.Value, slots[i].Value)
		}
	}
	p.Repairs = nil // of another text
	return p, true
}

// replaceWords replaces the first place where a text stands as whole words, in whatever case, and reports whether there is one.
// Where lower case has another length the text stays.
func replaceWords(s, from, to string) (string, bool) {
	low, key := strings.ToLower(s), strings.ToLower(from)
	if key == "" || len(low) != len(s) || len(key) != len(from) {
		return s, false
	}
	for at := 0; ; at++ {
		i := strings.Index(low[at:], key)
		if i < 0 {
			return s, false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(low[:at])
		after, _ := utf8.DecodeRuneInString(low[at+len(key):])
		if !letter(before) && !letter(after) {
			return s[:at] + to + s[at+len(key):], true
		}
	}
}

// eachLiteral calls f for every text and number that a plan's arguments and conditions hold, empty ones left out.
func eachLiteral(p plan.Plan, f func(string)) {
	mapLiterals(p, func(text string) string {
		if text != "" {
			f(text)
		}
		return text
	})
}

// mapLiterals applies f to every text and number of a plan's arguments and conditions; references and keys stay.
func mapLiterals(p plan.Plan, f func(string) string) plan.Plan {
	leaf := func(v any) any {
		switch x := v.(type) {
		case string:
			return f(x)
		case json.Number:
			return json.Number(f(x.String()))
		case float64:
			return json.Number(f(strconv.FormatFloat(x, 'f', -1, 64)))
		case int:
			return json.Number(f(strconv.Itoa(x)))
		}
		return v
	}
	p.Steps = slices.Clone(p.Steps)
	for i, s := range p.Steps {
		p.Steps[i] = s.Rewritten(leaf, nil)
	}
	return p
}
