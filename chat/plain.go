package chat

import (
	"regexp"
	"strings"
)

// What a text of a model, or of a server that we do not run, could make a reader's program fetch or run.
var (
	imageLink  = regexp.MustCompile(`!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	textLink   = regexp.MustCompile(`\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	definition = regexp.MustCompile(`(?m)^[ ]{0,3}\[[^\]]+\]:.*$`)
	markup     = regexp.MustCompile(`<[/!?A-Za-z][^>]*>?`)
	address    = regexp.MustCompile(`(?i)\b(?:https?|ftp|file|data|javascript|mailto):[^\s)>\]]*|\bwww\.[^\s)>\]]*`)
)

// Plain takes images, links, addresses and HTML out of a text and keeps its words. What taking out joins is taken out again,
// so the result holds none.
func Plain(text string) string {
	for {
		next := definition.ReplaceAllString(text, "")
		next = imageLink.ReplaceAllString(next, "$1")
		next = textLink.ReplaceAllString(next, "$1")
		next = markup.ReplaceAllString(next, "")
		next = address.ReplaceAllString(next, "")
		if next == text {
			return strings.TrimSpace(text)
		}
		text = next
	}
}
