package loosejson

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// headless matches a plan whose first bracket is missing.
var headless = regexp.MustCompile("^\\s*(?:```[A-Za-z]*\\s*)?(\"(?:steps|title|confidence|plan)\"\\s*:)")

// Unwrap takes a text out of what stands around all of it: a byte order mark, the model's thoughts, quotes that were
// escaped or written as entities throughout. It says what it took off, in words.
func Unwrap(text string) (string, []string) {
	var repairs []string
	if rest, ok := strings.CutPrefix(text, "\uFEFF"); ok {
		text, repairs = rest, append(repairs, "a byte order mark was taken off")
	}
	for _, tag := range []string{"think", "thinking", "reasoning", "scratchpad"} {
		start := strings.TrimSpace(text)
		if start == "" || start[0] != '<' || !strings.HasPrefix(start, "<"+tag+">") {
			continue
		}
		if _, rest, ok := strings.Cut(start, "</"+tag+">"); ok {
			text, repairs = rest, append(repairs, "the thoughts before the plan were left out")
		}
	}
	if m := headless.FindStringSubmatchIndex(text); m != nil {
		text, repairs = text[:m[2]]+"{"+text[m[2]:], append(repairs, "the opening bracket of the plan was missing")
	}
	before, rest, ok := strings.Cut(text, "</think>")
	if t := strings.TrimSpace(before); ok && t != "" && strings.IndexByte("{[`\"", t[0]) < 0 { // some servers take off the first tag
		text, repairs = rest, append(repairs, "the thoughts before the plan were left out")
	}
	if strings.Contains(text, `"`) && !strings.Contains(text, `{\"`) && !strings.Contains(text, `[\"`) {
		return text, repairs
	}
	if strings.Contains(text, "&quot;") {
		return html.UnescapeString(text), append(repairs, "quotes were written as entities")
	}
	if at := strings.Index(text, `{\"`); at >= 0 && !strings.Contains(strings.ReplaceAll(text, `\"`, ""), `"`) {
		var plain string
		if json.Unmarshal([]byte(`"`+strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`).Replace(text)+`"`), &plain) == nil {
			return plain, append(repairs, "quotes were escaped throughout")
		}
	}
	return text, repairs
}
