package chat

import (
	"regexp"
	"strings"

	"catena/internal/text"
)

// What a text of a model, or of a server that we do not run, could make a reader's program fetch or run.
var (
	imageLink = regexp.MustCompile(`!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	textLink  = regexp.MustCompile(`\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	// in a quotation or an item of a list, too
	definition = regexp.MustCompile(`(?m)^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*[ \t]*\[(?:\\.|[^\]\\])+\]:.*$`)
	// of a label that holds brackets, which no expression pairs
	linkParts = strings.NewReplacer("](", "] (", "][", "] [")
	markup    = regexp.MustCompile(`<[/!?A-Za-z][^>]*>?`)
	address   = regexp.MustCompile(`(?i)\b(?:file|data|javascript|mailto|xmpp):[^\s)>\]]*`)
	// what programs make a link of behind a digit or a line, too
	webAddress = regexp.MustCompile(`(?i)(^|[^a-z])(?:(?:https?|ftp):|www\.)[^\s)>\]]*`)
)

// Plain takes images, links, addresses, HTML and what steers a terminal out of a text and keeps its words. What taking
// out joins is taken out again, so the result holds none.
func Plain(text string) string {
	text = strings.Map(printable, text)
	for {
		next := definition.ReplaceAllString(text, "")
		next = imageLink.ReplaceAllString(next, "$1")
		next = linkParts.Replace(textLink.ReplaceAllString(next, "$1"))
		next = markup.ReplaceAllString(next, "")
		next = webAddress.ReplaceAllString(address.ReplaceAllString(next, ""), "$1")
		if next == text {
			return strings.TrimSpace(text)
		}
		text = next
	}
}

// plainLine is Plain in one line, for what stands in a line of ours: a break in it would begin another line, which
// would pass for ours too.
func plainLine(text string) string { return strings.Join(strings.Fields(Plain(text)), " ") }

// fence begins or ends a block of code at the start of a line, as CommonMark has it (section 4.5).
var fence = regexp.MustCompile("^(`{3,})([^`]*)$")

// notFences takes what else a reader's program could take for a fence out of prose: it would turn code into prose
// behind it.
var notFences = strings.NewReplacer("```", "'''", "~~~", "'''")

// PlainMarkdown is Plain for a text with blocks of code: what stands in a fence is no markup, and stays as it is. A
// fence that is not closed reaches to the end, and is closed there.
func PlainMarkdown(text string) string {
	var out, part []string
	marks := "" // of the open fence
	flush := func() {
		if prose := notFences.Replace(Plain(strings.Join(part, "\n"))); prose != "" {
			out = append(out, prose)
		}
		part = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		found := fence.FindStringSubmatch(strings.TrimSuffix(line, "\r"))
		switch {
		case marks == "" && found != nil:
			flush()
			marks, part = found[1], append(part, found[1]+strings.TrimSpace(Plain(found[2])))
		case marks != "" && found != nil && strings.TrimSpace(found[2]) == "" && len(found[1]) >= len(marks):
			out = append(out, strings.Join(append(part, marks), "\n"))
			marks, part = "", nil
		default:
			part = append(part, line)
		}
	}
	if marks != "" {
		out = append(out, strings.Join(append(part, marks), "\n"))
	} else {
		flush()
	}
	return strings.Join(out, "\n\n")
}

// escape keeps a text, which it puts on one line, from being read as Markdown or HTML, or by a terminal.
func escape(s string) string {
	return text.Markdown(oneLine.Replace(strings.Map(printable, s)))
}

// escapeValue is escape for what may be a JSON object or list.
func escapeValue(s string) string {
	return string(text.AppendMarkdownJSON(nil, oneLine.Replace(strings.Map(printable, s))))
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ")
