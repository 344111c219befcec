package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/app"
	"catena/tools"
)

// askPending asks about each step of a run that waits, one after the other, and has the run go on with each answer. A
// step about which nothing is said still waits at the end.
func askPending(
	ctx context.Context, p *app.App, resp chat.Response, show *progress, in *bufio.Reader, out io.Writer,
) (chat.Response, error) {
	var left []string // what was decided about to no end
	for {
		i := slices.IndexFunc(resp.Pending, func(s chat.Pending) bool {
			return !slices.Contains(left, s.Step+s.ArgsHash)
		})
		if i < 0 {
			return resp, nil
		}
		s := resp.Pending[i]
		left = append(left, s.Step+s.ArgsHash)
		decision := decide(s, in, out)
		if decision == "" {
			continue
		}
		after, err := p.Runs.Approve(ctx, app.Local, resp.RunID,
			runs.Approval{Step: s.Step, ArgsHash: s.ArgsHash, Decision: decision})
		if err != nil {
			return resp, err
		}
		if resp, err = followRun(ctx, p, resp.RunID, after, show); err != nil {
			return resp, err
		}
	}
}

// decide asks about one step: y or N for one that was not called, r, d or S for one of which nobody knows whether it
// took effect. What is no answer, also the end of the input, is "": the step goes on waiting. Only an empty line is the
// answer in capitals.
func decide(s chat.Pending, in *bufio.Reader, out io.Writer) string {
	question, answers := "Run it? [y/N] ",
		map[string]tools.Choice{"y": tools.ChooseRun, "yes": tools.ChooseRun, "": tools.ChooseSkip,
			"n": tools.ChooseSkip, "no": tools.ChooseSkip}
	if s.Reason == tools.CodeOutcomeUnknown {
		question = "Run it again, skip it, or was it done? [r/S/d] "
		answers = map[string]tools.Choice{"r": tools.ChooseRun, "": tools.ChooseSkip, "s": tools.ChooseSkip,
			"d": tools.ChooseDone}
	}
	fmt.Fprintf(out, "\n %s\n %s", strings.ReplaceAll(s.Asked(), "\n", "\n "), question)
	line, err := in.ReadString('\n')
	if err != nil && line == "" {
		return "" // nobody is there
	}
	return string(answers[strings.ToLower(strings.TrimSpace(line))])
}

// printable takes out what a terminal would act on.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, text)
}
