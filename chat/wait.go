package chat

import (
	"encoding/json"
	"fmt"
	"strings"

	"catena/tools"
)

// waitText says what a step waits for and what can be decided.
func waitText(p Pending) string {
	args, err := json.Marshal(cappedArgs(p.Args))
	if err != nil || len(p.Args) == 0 {
		args = []byte("{}") // the arguments came out of JSON
	}
	shown := strings.ReplaceAll(string(args), "`", "'")
	switch p.Reason {
	case tools.CodeUntrusted:
		return fmt.Sprintf("`%s` was not run: values of `%s` come from a source that is not trusted. Reply yes to approve the step `%s`, or no to skip it, or ask again with the values in your message.",
			p.Tool, shown, p.Step)
	case tools.CodeOutcomeUnknown:
		return fmt.Sprintf("`%s` was called with `%s`, and whether it took effect is not known. It was not called again: check that first, then reply about the step `%s`: run it again, skip, or done.",
			p.Tool, shown, p.Step)
	}
	return fmt.Sprintf("`%s` changes or deletes data and was not run: `%s`. Reply yes to run the step `%s`, or no to skip it; or send the message again with `\"approve\": \"auto\"`.",
		p.Tool, shown, p.Step)
}

// declined says which steps were not run because a person did not want them; "" where there is none.
func (t *turn) declined(out tools.Outcome) string {
	var names []string
	for _, s := range out.Steps {
		if d, ok := t.kept.Decisions[s.ID]; ok && d.Choice == tools.ChooseSkip && s.Status == tools.StepSkipped {
			names = append(names, "`"+s.Tool+"`")
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " was not run, as you decided."
	}
	return list(names) + " were not run, as you decided."
}
