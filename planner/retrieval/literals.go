package retrieval

import (
	"path"
	"regexp"
	"strings"
)

// What stands for itself in a message. Its letters say nothing of the tool that is needed, but its kind does.
var (
	filePath = regexp.MustCompile(`(?:^|[\s"'(` + "`" + `=:])((?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.\-]+){2,}[/\\]?)`)
	mail     = regexp.MustCompile(`[\w.+\-]+@[\w\-]+\.[\w.\-]*\w`)
	link     = regexp.MustCompile(`(?i)\bhttps?://[^\s"'<>]+|\bwww\.[^\s"'<>]+`)
	domain   = regexp.MustCompile(`(?i)\b[a-z0-9\-]{2,}(?:\.[a-z0-9\-]{2,})*\.(?:com|org|net|io|co|edu|gov|de|uk|fr)\b`)
	blob     = regexp.MustCompile(`[A-Za-z0-9+/=_\-]{60,}`)
	quoted   = regexp.MustCompile(`(^|[\s(\[,:])(?:'[^'\n]{1,80}'|"[^"\n]{1,80}"|“[^”\n]{1,80}”)`)
	saves    = regexp.MustCompile(`(?i)\b(?:sav(?:e|ed|ing)|stor(?:e|ed|ing)|writ(?:e|ten|ing)|creat(?:e|ed|ing)|mak(?:e|ing)|draft|generat(?:e|ed|ing)|export(?:ed|ing)?|output|put|dump|download(?:ed|ing)?|record(?:ed)?)\b`)
)

// kinds of files by their endings, in words. Files of plain text need no tool of their own.
var kinds = map[string]string{
	".pptx": "presentation", ".ppt": "presentation", ".docx": "word document", ".doc": "word document", ".xlsx": "excel workbook", ".xls": "excel workbook",
	".pdf": "pdf", ".csv": "csv table", ".png": "image", ".jpg": "image", ".jpeg": "image", ".gif": "image", ".svg": "image", ".mp3": "audio", ".wav": "audio",
	".mp4": "video", ".zip": "archive", ".db": "database", ".sqlite": "database", ".ipynb": "notebook",
}

const (
	// mostMessage bounds how much of a message is read, in bytes.
	mostMessage = 8192
	// mostAsked bounds what the literals of a message ask for beside the message.
	mostAsked = 2
	// nearby is how far before a path a verb tells what to do with it, in bytes.
	nearby = 160
)

// literals gives a message with the kinds of its addresses and paths in their place, and what its paths ask for, in the words of
// somebody who asks for just that.
func literals(message string) (rest string, asks []string) {
	if len(message) > mostMessage {
		message = strings.ToValidUTF8(message[:mostMessage], "")
	}
	message = blob.ReplaceAllString(message, " ")
	message = mail.ReplaceAllString(message, " email ")
	message = link.ReplaceAllString(message, " url ")
	message = domain.ReplaceAllString(message, " domain ")
	var b strings.Builder
	from := 0
	for _, at := range filePath.FindAllStringSubmatchIndex(message, -1) {
		kind, ask := asked(message[at[2]:at[3]], saves.MatchString(message[max(from, at[2]-nearby):at[2]]))
		if len(asks) < mostAsked {
			asks = append(asks, ask)
		}
		b.WriteString(message[from:at[2]] + " " + kind + " ")
		from = at[3]
	}
	return b.String() + message[from:], asks
}

// asked says of what kind a file is by its path, and what somebody asks for who wants it written or read.
func asked(file string, writes bool) (kind, ask string) {
	ending := strings.ToLower(path.Ext(strings.TrimRight(file, ".")))
	kind = kinds[ending]
	switch {
	case ending == "":
		return "", "list the files of a directory"
	case writes && kind != "":
		return kind, "save a " + kind
	case writes:
		return "", "write a file"
	case kind != "":
		return kind, "read a " + kind
	}
	return "", "read a file"
}

// unquoted is a message without what it quotes: titles, names and values that a tool is to be called with. A message that is all
// quotes stays as it is.
func unquoted(message string) string {
	out := quoted.ReplaceAllString(message, "$1 ")
	if len(strings.Fields(out)) < 2 {
		return message
	}
	return out
}
