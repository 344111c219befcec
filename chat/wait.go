package chat

import (
	"fmt"
	"strconv"
	"strings"

	"catena/tools"
)

// Asked is the question about a step that waits, as text: why it waits, and what it would change or delete, a line for
// each thing. What tools and models wrote stands in quotes.
func (p Pending) Asked() string {
	return strings.TrimSpace(p.why() + "\n" + p.said(asItIs, asItIs))
}

// why says in a sentence why the step waits.
func (p Pending) why() string {
	switch p.Reason {
	case tools.CodeUntrusted:
		return p.Tool + " was not run: values of it come from a source that is not trusted."
	case tools.CodeOutcomeUnknown:
		return p.Tool +
			" was called, and whether it took effect is not known. It was not called again: check that first."
	}
	return p.Tool + " changes or deletes data and was not run."
}

// decide says what can be replied.
func (p Pending) decide() string {
	switch p.Reason {
	case tools.CodeUntrusted:
		return fmt.Sprintf("Reply yes to approve the step `%s`, or no to skip it, or ask again with the values in "+
			"your message.", p.Step)
	case tools.CodeOutcomeUnknown:
		return fmt.Sprintf("Reply about the step `%s`: run it again, skip, or done.", p.Step)
	}
	return fmt.Sprintf("Reply yes to run the step `%s`, or no to skip it; or send the message again with "+
		"`\"approve\": \"auto\"`.", p.Step)
}

func asItIs(text string) string { return text }

// said writes what the step would do. name and value write what is no word of ours.
func (p Pending) said(name, value func(string) string) string {
	e := p.Effect
	if e == nil { // of a tool that is not there any more, or a run of an earlier version
		raw, err := Encode(cappedArgs(p.Args))
		if err != nil || len(p.Args) == 0 {
			raw = []byte("{}") // the arguments came out of JSON
		}
		e = &tools.Effect{What: "Its arguments", Lines: []tools.EffectLine{tools.Line("JSON", string(raw))}}
	}
	if len(e.Lines) == 0 && e.What == p.Tool {
		return "" // the tool's name says it all
	}
	var b strings.Builder
	b.WriteString(name(e.What))
	if len(e.Lines) > 0 {
		b.WriteByte(':')
	}
	for _, l := range e.Lines {
		b.WriteString("\n- " + name(l.Name) + ": ")
		if l.Before != "" {
			b.WriteString(value(l.Before) + " → ")
		}
		b.WriteString(value(l.Value))
	}
	return b.String()
}

// waitText is the question in an answer.
func waitText(p Pending) string {
	code := func(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }
	why := code(p.Tool) + strings.TrimPrefix(p.why(), p.Tool)
	if said := p.said(escape, code); said != "" {
		return why + "\n\n" + said + "\n\n" + p.decide()
	}
	return why + " " + p.decide()
}

// sayWaits asks about each step that waits.
func (t *turn) sayWaits() {
	for _, p := range t.resp.Pending {
		if d := t.kept.Decisions[p.Step]; d.Choice == tools.ChooseRun && p.Reason == tools.CodeApproval {
			t.note(fmt.Sprintf("The step %s was approved, but would do something else by now, so it is asked about "+
				"again.", p.Step))
		}
		t.say(waitText(p))
	}
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
	return JoinNames(names) + " were not run, as you decided."
}

// InterruptID names a step that waits as it was shown, so that what is decided about it is decided about nothing else.
func (p Pending) InterruptID() string { return p.Step + ":" + p.ArgsHash }

// ReadInterruptID is the step and the hash of an InterruptID, for a runs.Approval.
func ReadInterruptID(id string) (step, argsHash string) {
	step, argsHash, _ = strings.Cut(id, ":")
	return step, argsHash
}

// shownHash is the hash by which a step that waits is decided about: that of its arguments, and, of one that was
// called, how often. So a decision about an earlier attempt is none about the next.
func shownHash(argsHash string, attempt int) string {
	if attempt == 0 || argsHash == "" {
		return argsHash
	}
	return argsHash + "." + strconv.Itoa(attempt)
}

// ShownArgs is the way back: the hash of the arguments and the attempt of Pending.ArgsHash.
func ShownArgs(shown string) (argsHash string, attempt int) {
	argsHash, count, _ := strings.Cut(shown, ".")
	attempt, err := strconv.Atoi(count)
	if err != nil {
		attempt = 0
	}
	return argsHash, attempt
}
