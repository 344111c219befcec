package chat

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
	"catena/table/csv"
	"catena/table/load"
)

// askedOfPaste is the question of a message that is nothing but a table.
const askedOfPaste = "show the attached table"

// takePasted makes the tables in a message attachments of its turn; what is left of the message is the question.
func (t *turn) takePasted() {
	rest, found := TakeTables(t.req.Message)
	if len(found) > 0 {
		rest, found = tablesBeside(
			t.req.Message,
			plan.FindInvocations(t.req.Message, t.opts.Catalogue.Planning(t.caller)),
		)
	}
	if len(found) == 0 || len(found)+len(t.req.Attachments) > maxFiles {
		return
	}
	if strings.Trim(rest, " \t\r\n.:;,") == "" {
		rest = askedOfPaste
	}
	t.req.Message = rest
	t.req.Attachments = append(slices.Clone(t.req.Attachments), found...)
}

// tablesBeside takes the tables that stand outside the calls that a message writes out, and are not their arguments.
func tablesBeside(message string, said plan.Invocations) (rest string, found []Attachment) {
	calls := said.Calls
	if len(calls) == 0 {
		return takeTables(message, said.AreArguments)
	}
	var b strings.Builder
	at := 0
	for _, c := range append(slices.Clone(calls), plan.Invocation{Start: len(message), End: len(message)}) {
		left, tables := takeTables(message[at:c.Start], said.AreArguments)
		found = append(found, tables...)
		b.WriteString(strings.TrimSpace(left) + " " + message[c.Start:c.End] + " ")
		at = c.End
	}
	return strings.TrimSpace(b.String()), found
}

// TakeTables finds the tables that stand in a text - in code fences, as HTML, JSON or Markdown, as programs print them,
// or as lines with tabs, semicolons, commas or bars - and gives them as files, with the text that is left. What no
// table can be read from stays in the text.
func TakeTables(text string) (rest string, found []Attachment) {
	return takeTables(text, func(string) bool { return false })
}

// takeTables is TakeTables but for what is no table.
func takeTables(text string, not func(piece string) bool) (rest string, found []Attachment) {
	if !strings.Contains(strings.TrimSpace(text), "\n") && !strings.ContainsAny(text, "<[{") {
		return text, nil
	}
	p := paste{rest: text, not: not}
	p.fences()
	p.html()
	p.json()
	p.lines()
	if len(p.found) == 0 {
		return text, nil
	}
	return strings.TrimSpace(p.rest), p.found
}

// paste is a text that tables are taken out of.
type paste struct {
	rest  string
	found []Attachment
	not   func(piece string) bool // what is left in the text
}

// take keeps a piece of the text as a file when it holds a table of at least so many columns, and reports whether it
// does.
func (p *paste) take(piece, ending string, columns int) bool {
	if p.not(piece) {
		return false
	}
	name := "pasted" + ending
	got, err := load.Tables([]byte(piece), name, table.Limits{})
	if err != nil || len(p.found) == maxFiles {
		return false
	}
	if tab := got[0].Table; tab.NumRows() == 0 || tab.NumCols() < columns {
		return false
	}
	braces := ending == ".json" || ending == ".jsonl"
	p.found = append(p.found, Attachment{Name: name, Data: []byte(piece), Unnamed: true, Braces: braces})
	return true
}

// pastedFence is a code fence with its language and what is in it.
var pastedFence = regexp.MustCompile("(?ms)^[ \\t]*```[ \\t]*([A-Za-z]*)[ \\t]*\\r?\\n(.*?)\\n?[ \\t]*```[ \\t]*\\r?$")

// fenceEndings are the languages of fences that may hold tables, with the endings of such files.
var fenceEndings = map[string]string{
	"":         ".csv",
	"csv":      ".csv",
	"text":     ".csv",
	"txt":      ".csv",
	"tsv":      ".tsv",
	"json":     ".json",
	"jsonl":    ".jsonl",
	"ndjson":   ".jsonl",
	"html":     ".html",
	"md":       ".md",
	"markdown": ".md",
}

func (p *paste) fences() {
	p.rest = pastedFence.ReplaceAllStringFunc(p.rest, func(all string) string {
		m := pastedFence.FindStringSubmatch(all)
		language := strings.ToLower(m[1])
		ending, ok := fenceEndings[language]
		least := 1
		if language == "" {
			least = 2 // a column of anything is no table yet
		}
		if strings.Contains(m[2], "|") && language == "" {
			ending = ".md"
		}
		if ok && p.take(m[2], ending, least) {
			return ""
		}
		return all
	})
}

// pastedHTML is all from the first table to the end of the last.
var pastedHTML = regexp.MustCompile(`(?is)<table[\s>].*</table\s*>`)

func (p *paste) html() {
	if at := pastedHTML.FindStringIndex(p.rest); at != nil && p.take(p.rest[at[0]:at[1]], ".html", 1) {
		p.rest = p.rest[:at[0]] + "\n" + p.rest[at[1]:]
	}
}

// jsonStart is where a list of objects, a list of lists or an object may begin.
var jsonStart = regexp.MustCompile(`\[\s*[\[{]|\{\s*"`)

func (p *paste) json() {
	at := jsonStart.FindStringIndex(p.rest)
	if at == nil {
		return
	}
	from, end := at[0], at[0]
	for { // JSON Lines are several values
		d := json.NewDecoder(strings.NewReader(p.rest[end:]))
		var v json.RawMessage
		if d.Decode(&v) != nil || !bytes.ContainsAny(v[:1], "[{") {
			break
		}
		end += int(d.InputOffset())
	}
	ending := ".json"
	if strings.Contains(strings.TrimSpace(p.rest[from:end]), "}\n{") {
		ending = ".jsonl"
	}
	if end > from && p.take(p.rest[from:end], ending, 1) {
		p.rest = p.rest[:from] + "\n" + p.rest[end:]
	}
}

// pastedFoot is a line that database clients print below a result: how many rows it has, and how long it took.
var pastedFoot = regexp.MustCompile(
	`(?i)^\s*(\(\d+ rows?\)|\(\d+ rows? affected\)|\d+ rows? in set(, \d+ warnings?)?( \([\d.]+ (sec|ms|s)\))?|time: [\d.,]+ ?m?s( \([\d:.]+\))?|run time: real .*)\s*$`,
)

// footed gives how many lines below a printed table are its foot, empty lines before them included.
func footed(lines []string) int {
	end := 0
	for i, line := range lines {
		switch {
		case pastedFoot.MatchString(line):
			end = i + 1
		case strings.TrimSpace(line) != "":
			return end
		}
	}
	return end
}

// lines takes stretches of lines that one delimiter cuts into as many cells each.
func (p *paste) lines() {
	all := strings.Split(p.rest, "\n")
	var left []string
	for i := 0; i < len(all); {
		if end := csv.PrintedLines(all[i:]); end > 0 && p.take(strings.Join(all[i:i+end], "\n"), ".txt", 2) {
			i += end
			i += footed(all[i:])
			continue
		}
		if end, ending := stretch(all[i:]); end > 0 && p.take(strings.Join(all[i:i+end], "\n"), ending, 2) {
			i += end
			i += footed(all[i:])
			continue
		}
		left = append(left, all[i])
		i++
	}
	p.rest = strings.Join(left, "\n")
}

// pastedRuler is the line below the names of a Markdown table.
var pastedRuler = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// stretch gives how many of the lines, from the first on, are one table, and the ending of such a file; 0 for none.
func stretch(lines []string) (int, string) {
	// a rule of dashes alone may be a heading's underline
	ruled := len(lines) > 1 && strings.Contains(lines[1], "|") && pastedRuler.MatchString(lines[1])
	if ruled && strings.Contains(lines[0], "|") {
		return run(lines, func(l string) bool { return strings.Contains(l, "|") }), ".md"
	}
	for _, d := range []struct {
		mark   byte
		ending string
	}{{'\t', ".tsv"}, {';', ".csv"}, {'|', ".csv"}, {',', ".csv"}} {
		n := delimiters(lines[0], d.mark)
		if n == 0 || d.mark != '\t' && prose(lines[0], d.mark) {
			continue
		}
		rows := run(
			lines,
			func(l string) bool { return delimiters(l, d.mark) == n && (d.mark == '\t' || !prose(l, d.mark)) },
		)
		if rows > 1 {
			return rows, d.ending
		}
	}
	return 0, ""
}

func run(lines []string, in func(string) bool) int {
	if i := slices.IndexFunc(lines, func(l string) bool { return !in(l) }); i >= 0 {
		return i
	}
	return len(lines)
}

// delimiters counts a delimiter outside quotes.
func delimiters(line string, mark byte) int {
	n, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == mark && !quoted:
			n++
		}
	}
	return n
}

// prose reports whether a line is a sentence rather than a row: it ends like one, or goes on behind its delimiters with
// a space in words that no short cell has.
func prose(line string, mark byte) bool {
	const words = 6 // of a cell; names of things are shorter
	line = strings.TrimSpace(line)
	if line == "" || strings.ContainsRune("?:!", rune(line[len(line)-1])) {
		return true
	}
	cells := strings.Split(line, string(mark))
	for i, c := range cells {
		if len(strings.Fields(c)) > words && !strings.Contains(line, `"`) {
			return true
		}
		second := mark == ',' && len(cells) == 2 && i == 1
		if second && strings.HasPrefix(c, " ") && len(strings.Fields(c)) > 2 {
			return true // "Hello, please add these up"
		}
	}
	return false
}

// braced is a table that stood in the message as JSON.
type braced struct {
	names []string // its own and its handle
	text  string
}

// unusedBraces is the question about JSON of the message that no step of a plan reads, "" where there is none. It may
// say what a tool is to be given, and nothing runs with fewer restrictions than were said.
func (t *turn) unusedBraces(p plan.Plan) string {
	const most = 100 // runes of it
	steps := p.Steps
	if len(steps) == 0 && len(p.Alternatives) == 1 { // what the question asks to confirm
		steps = p.Alternatives[0].Plan.Steps
	}
	if len(steps) == 0 || len(t.braces) == 0 {
		return ""
	}
	var args []byte
	for _, s := range steps {
		one, err := json.Marshal(s.Args)
		if err != nil {
			return "" // the plan was read from JSON
		}
		args = append(args, one...)
	}
	for _, b := range t.braces {
		used := func(name string) bool { return bytes.Contains(args, []byte(name)) }
		if slices.ContainsFunc(b.names, used) {
			continue
		}
		return "What does " + shorten(b.text, most) + " mean for " + steps[0].Tool + "? Nothing was run. " +
			"Write it right behind a tool's name, where it is what the tool is given, or ask about " + b.names[0] + "."
	}
	return ""
}
