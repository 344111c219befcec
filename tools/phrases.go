package tools

import "strings"

// WithPhrases gives tools the phrases that their toolkit declares for planners: lines "tool <- words : argument" as
// plan.Tool.Phrases has them, with comments behind #. Lines for other tools are passed over.
func WithPhrases(list []Tool, phrases string) []Tool {
	byTool := map[string][]string{}
	for line := range strings.Lines(phrases) {
		name, phrase, ok := strings.Cut(strings.TrimSpace(line), " <- ")
		if ok && !strings.HasPrefix(name, "#") {
			byTool[name] = append(byTool[name], strings.TrimSpace(phrase))
		}
	}
	for i := range list {
		list[i].Phrases = byTool[list[i].Def.Name]
	}
	return list
}
