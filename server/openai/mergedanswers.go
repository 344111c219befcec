package openai

import (
	"regexp"
	"strings"
)

// Parts of a prompt that wants one answer made of several.
var (
	severalAnswers = regexp.MustCompile(`(?i)\b(?:responses|answers|replies|completions|candidates|drafts)\b`)
	theirAuthors   = regexp.MustCompile(`(?i)\b(?:models|assistants|LLMs|AIs|bots)\b`)
	oneAnswer      = regexp.MustCompile(`(?is)\b(?:one|single|combined|unified|final|merged)\b.{0,40}\b(?:response|answer|reply|completion)\b`)
	// answerMarks begin the answers, each way in which programs set them apart; one way is used in a prompt.
	answerMarks = []*regexp.Regexp{
		regexp.MustCompile(`"{3}\s*(?:"{3}|\z)|:?\s*"{3}`),
		regexp.MustCompile(`</?(?:response|answer|reply|candidate|model)[^<>]*>`),
		regexp.MustCompile(`(?mi)^[ \t#*]*(?:response|answer|reply|candidate|draft|model|assistant)[ \t]+(?:\w+)[ \t*]*:`),
		regexp.MustCompile(`(?m)^[ \t]*(?:\d+[.)]|\[\d+\]|[-*])[ \t]`),
	}
)

// mergedAnswers are the answers that a prompt ends with and wants one to be made of; none where it is another prompt.
func mergedAnswers(prompt string) []string {
	for _, mark := range answerMarks {
		marks := mark.FindAllStringIndex(prompt, -1)
		if len(marks) == 0 || !wantsMerged(prompt[:marks[0][0]]) {
			continue
		}
		var answers []string
		for i, m := range marks {
			end := len(prompt)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			if answer := strings.TrimSpace(prompt[m[1]:end]); answer != "" {
				answers = append(answers, answer)
			}
		}
		if len(answers) > 0 {
			return answers
		}
	}
	return nil
}

// wantsMerged reports whether instructions want one answer made of those of several models.
func wantsMerged(asked string) bool {
	return severalAnswers.MatchString(asked) && theirAuthors.MatchString(asked) && oneAnswer.MatchString(asked)
}

// fullestOf is the longest of the answers that a prompt wants made into one.
func fullestOf(prompt string) string {
	longest := ""
	for _, answer := range mergedAnswers(prompt) {
		if len(answer) > len(longest) {
			longest = answer
		}
	}
	return "No model is set here that could make one answer of these. The longest of them, as it is:\n\n" + longest
}
