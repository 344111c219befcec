package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/report"
)

// quoted are the values of attributes.
var quoted = regexp.MustCompile(`="[^"]*"`)

// What an answer has is there; what would act is text.
func TestHTML(t *testing.T) {
	evil := `<img src=x onerror=alert(1)>"'</title></style><script>alert(1)</script>`
	d := report.Document{Title: evil, Turns: []report.Turn{{
		Message: "a & b " + evil, Files: []string{evil}, Notes: []string{evil},
		Response: "**Revenue** (2 rows)\n\n|Client|Revenue|\n|-|-:|\n|A \\| B|**$1**|\n|&lt;b&gt;|`<i>`|\n\n- one *two*\n- " + evil +
			"\n\n```\n" + evil + "\n```\n\n# " + evil + "\n\n[link](javascript:alert(1)) 3 \\* 4",
		Charts: []chat.AnswerChart{{Alt: evil, SVG: "<svg>" + evil + "</svg>"}, {Alt: "none"}},
		Tables: []report.Table{{Title: evil, Rows: 3, Text: chat.TableText{
			Columns: []chat.ColumnText{{Heading: evil, Right: true}}, Cells: [][]string{{evil}}}}},
	}}}
	got := string(d.HTML())
	for _, want := range []string{
		`<th class="num">Revenue</th>`, `<td>A | B</td><td class="num"><strong>$1</strong></td>`, "<td>&lt;b&gt;</td>",
		"<li>one <em>two</em></li>", "<h2>a &amp; b &lt;img", "1 of 3 rows of", "3 * 4</p>", "data:image/svg+xml;base64,PHN2Zz4",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if found := regexp.MustCompile(`(?i)<script|<img src=x|<[^>]*\son[a-z]+=|<a |href=|javascript:alert\(1\)"`).FindString(quoted.ReplaceAllString(got, "")); found != "" {
		t.Errorf("it has %q", found)
	}
	if n := strings.Count(got, "<style>"); n != 1 {
		t.Errorf("%d styles", n)
	}
}

// Marks inside a line, and what looks like one.
func TestMarks(t *testing.T) {
	for line, want := range map[string]string{
		"**a** b":             "<strong>a</strong> b",
		"**a *b* c** d":       "<strong>a <em>b</em> c</strong> d",
		"** a** *b* * c*":     "** a** <em>b</em> * c*",
		"2 * 3 * 4":           "2 * 3 * 4",
		"**a":                 "**a",
		"a**b**c":             "a<strong>b</strong>c",
		"`a * b` `` `c":       "<code>a * b</code> `<code> </code>c",
		"\\*a\\* \\a \\":      "*a* \\a \\",
		"&lt;&amp;&gt;&x; &":  "&lt;&amp;&gt;&amp;x; &amp;",
		"a<br>b<br />c<br d>": "a<br>b<br>c&lt;br d&gt;",
		"**ä** *ö*":           "<strong>ä</strong> <em>ö</em>",
		"*":                   "*",
		"**":                  "**",
		"****":                "****",
	} {
		html := string(report.Document{Turns: []report.Turn{{Response: line}}}.HTML())
		if !strings.Contains(html, "<p>"+want+"</p>") {
			t.Errorf("%s: want %s in %s", line, want, html[strings.Index(html, "</h2>"):])
		}
	}
}

// A line of a megabyte takes as long as its length, whatever marks begin in it and end nowhere.
func TestLongLines(t *testing.T) {
	const size = 1 << 20
	for _, s := range []string{"**a* ", "**a ", "*a ", "`a", "``", "`", "*", "**", "\\", "&lt", "<br", "<br ", "a|", "- **a* ", "**a*\n", "|-|\n"} {
		began := time.Now()
		report.Document{Turns: []report.Turn{{Response: strings.Repeat(s, size/len(s))}}}.HTML()
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q: %v", s, took)
		}
	}
}

func ExampleDocument_HTML() {
	d := report.Document{Title: "Sales", Turns: []report.Turn{{Message: "total?", Response: "**Total**: 3"}}}
	fmt.Println(strings.Contains(string(d.HTML()), "<p><strong>Total</strong>: 3</p>"))
	// Output: true
}
