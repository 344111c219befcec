package pipeline

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
)

// longestTitle is how many characters a title may have with the conditions in it.
const longestTitle = 120

// WithScope adds to a title what the rows were kept by, so that a reader sees what an answer is about: "in 2025, region
// DACH". Conditions that only leave out empty cells are not said. What makes the title too long is counted instead.
func WithScope(title string, q plan.Query) string {
	var when, what []string
	for _, c := range q.Filter {
		text, dated := ConditionText(c)
		switch {
		case text == "":
		case dated:
			when = append(when, text)
		default:
			what = append(what, text)
		}
	}
	for _, c := range q.Having {
		if text, _ := ConditionText(c); text != "" {
			what = append(what, text)
		}
	}
	for i, text := range append(when, what...) {
		sep := ", "
		if i == 0 && len(when) > 0 && StartsTime(text) {
			sep = " "
		}
		if len([]rune(title+sep+text)) > longestTitle {
			return title + fmt.Sprintf(", %s more", counted(len(when)+len(what)-i, "condition"))
		}
		title += sep + text
	}
	return title
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ConditionText says a condition in words; dated reports that it is one on time. "" leaves it unsaid.
func ConditionText(c plan.Condition) (text string, dated bool) {
	if len(c.Any) > 0 {
		var parts []string
		for _, o := range c.Any {
			part, _ := ConditionText(o)
			parts = append(parts, part)
		}
		return strings.Join(parts, " or "), false
	}
	if c.Period == "" {
		if when := timeText(c); when != "" {
			if words := plan.NameWords(c.Column); len(words) != 1 || !plainTimes[words[0]] { // closed in 2025
				when = strings.ToLower(Label(c.Column)) + " " + when
			}
			return when, true
		}
	}
	if when := monthsText(c); when != "" {
		return when, true
	}
	name := strings.ToLower(Label(c.Column))
	if c.Period != "" {
		name = strings.ReplaceAll(strings.TrimSuffix(c.Period, "_of_year"), "_", " ")
	}
	switch c.Op {
	case "not_null":
		return "", false
	case "is_null":
		return "no " + name, false
	case "between":
		if list, ok := c.Value.([]any); ok && len(list) == 2 {
			return fmt.Sprintf("%s from %s to %s", name, wordOf(list[0]), wordOf(list[1])), false
		}
	}
	word, ok := map[string]string{
		"eq": "", "in": "", "ne": " not", "not_in": " not", "lt": " under", "le": " at most", "gt": " over", "ge": " at least",
		"contains": " with", "not_contains": " without", "starts_with": " starting with", "ends_with": " ending with",
	}[c.Op]
	if !ok {
		return "", false
	}
	return name + word + " " + wordOf(c.Value), false
}

// monthsText says a condition on months of any year, "in January or March", or on a day of any year; "" when it is
// neither.
func monthsText(c plan.Condition) string {
	if day, ok := c.Value.(string); ok && c.Op == "ends_with" && len(day) == len("-03-15") {
		if at, err := time.Parse("-01-02", day); err == nil {
			return at.Format("on January 2")
		}
	}
	if c.Period != "month_of_year" || c.Op != "eq" && c.Op != "in" {
		return ""
	}
	list, many := c.Value.([]any)
	if !many {
		list = []any{c.Value}
	}
	var names []string
	for _, v := range list {
		n, err := strconv.Atoi(scalarText(v))
		if err != nil || n < 1 || n > 12 {
			return ""
		}
		names = append(names, time.Month(n).String())
	}
	return "in " + strings.Join(names, ", ")
}

// StartsTime reports whether a text on time goes on with a title, "revenue in 2025", rather than with a column's name:
// "order date in 2025".
func StartsTime(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == "in" || word == "on" || word == "from" || word == "since" || word == "after" || word == "until" || word == "before" || word == "not"
}

// plainTimes are names of columns of times that say nothing beside the time.
var plainTimes = map[string]bool{"date": true, "day": true, "month": true, "year": true, "time": true, "timestamp": true, "datetime": true, "week": true, "quarter": true, "when": true}

// wordOf writes what a column is compared with.
func wordOf(v any) string {
	switch x := v.(type) {
	case []any:
		var parts []string
		for _, e := range x {
			parts = append(parts, wordOf(e))
		}
		if len(parts) > 4 {
			parts = append(parts[:3], fmt.Sprintf("%d others", len(parts)-3))
		}
		return strings.Join(parts, " or ")
	case map[string]any:
		if expr, _ := x["expr"].(string); expr == "mean" {
			return "average"
		}
		return strings.ToLower(Label(fmt.Sprint(x["column"])))
	case json.Number, float64, int, int64:
		return grouped(scalarText(v))
	case bool:
		return map[bool]string{true: "yes", false: "no"}[x]
	}
	return scalarText(v)
}

// grouped separates the thousands of a whole number of five digits and more; shorter ones may be years.
func grouped(s string) string {
	digits := strings.TrimPrefix(s, "-")
	if len(digits) < 5 || strings.ContainsAny(digits, ".eE") {
		return s
	}
	sign := len(s) - len(digits)
	for i := len(s) - 3; i > sign; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// timeText says a condition on dates: "in 2025", "since March 2026", "from 2025-01-01 to 2025-03-31". "" when it is
// none.
func timeText(c plan.Condition) string {
	list, many := c.Value.([]any)
	if !many {
		list = []any{c.Value}
	}
	var times []string
	on := "in "
	for _, v := range list {
		s, ok := v.(string)
		name := periodName(s)
		if !ok || name == "" {
			return ""
		}
		if len(s) == len(time.DateOnly) {
			on = "on "
		}
		times = append(times, name)
	}
	switch {
	case c.Op == "between" && len(times) == 2:
		return "from " + times[0] + " to " + times[1]
	case c.Op == "eq" || c.Op == "in":
		return on + strings.Join(times, ", ")
	case len(times) == 1:
		if word, ok := map[string]string{"ge": "since ", "gt": "after ", "le": "until ", "lt": "before ", "ne": "not in "}[c.Op]; ok {
			return word + times[0]
		}
	}
	return ""
}

// periodName reads 2025, 2025-Q3, 2025-03 and 2025-03-01, "" for what is no period.
func periodName(s string) string {
	switch {
	case len(s) == 4:
		if _, err := time.Parse("2006", s); err == nil {
			return s
		}
	case len(s) == 7 && s[4:6] == "-Q":
		return s[5:] + " " + s[:4]
	case len(s) == 7:
		if t, err := time.Parse("2006-01", s); err == nil {
			return t.Format("January 2006")
		}
	case len(s) == len(time.DateOnly):
		if _, err := time.Parse(time.DateOnly, s); err == nil {
			return s
		}
	}
	return ""
}
