package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

type fixed struct {
	res plan.Response
	err error
	ran int
}

func (f *fixed) Plan(ctx context.Context, _ plan.Request) (plan.Response, error) {
	f.ran++
	return f.res, f.err
}

func TestFallback(t *testing.T) {
	offline := plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "x"}}}}
	noPlan := fmt.Errorf("%w: the model's last answer: %w", ErrNoPlan, plan.Findings{{Code: plan.UnknownTool, Message: "x"}})
	tests := map[string]struct {
		err  error
		next plan.Response
		want []string
	}{
		"429":          {&CompletionError{Provider: "openai", Status: 429}, offline, []string{"The language model did not answer (429 Too Many Requests); planned offline."}},
		"wrapped":      {fmt.Errorf("asking: %w", &CompletionError{Status: 503}), offline, []string{"The language model did not answer (503 Service Unavailable); planned offline."}},
		"html":         {&CompletionError{Reason: "the endpoint answered with HTML instead of JSON"}, offline, []string{"The language model did not answer: the endpoint answered with HTML instead of JSON; planned offline."}},
		"down":         {&CompletionError{}, offline, []string{"The language model could not be reached; planned offline."}},
		"refused":      {&CompletionError{Status: 400, Reason: "the prompt is longer than the model's context"}, offline, []string{"The language model did not answer: the prompt is longer than the model's context; planned offline."}},
		"slow":         {&CompletionError{Reason: "x", Err: context.DeadlineExceeded}, offline, []string{"The language model did not answer in time; planned offline."}},
		"no plan":      {noPlan, offline, []string{"The language model gave no plan that can run (unknown_tool); planned offline."}},
		"knows little": {ErrNoPlan, offline, nil},
		"direct":       {&CompletionError{Status: 500}, plan.Response{By: "llm", Direct: "Hello."}, []string{"The language model did not answer (500 Internal Server Error); answered without tools."}},
		"something":    {errors.New("secret detail"), offline, []string{"A planner failed; planned offline."}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res, err := Fallback(&fixed{err: tt.err, res: plan.Response{Usage: plan.Usage{Calls: 2}}}, &fixed{res: tt.next}).Plan(t.Context(), plan.Request{})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Notes) == 0 {
				res.Notes = nil
			}
			if diff := cmp.Diff(tt.want, res.Notes); diff != "" {
				t.Error(diff)
			}
			if res.Usage.Calls != 2 {
				t.Errorf("usage %+v", res.Usage)
			}
			if want := name != "knows little" && name != "something"; res.ModelFailed != want {
				t.Errorf("the model failed: %v", res.ModelFailed)
			}
		})
	}
}

func TestFallbackEnds(t *testing.T) {
	refusing := plan.Response{By: "offline", Plan: plan.Plan{Refuse: "Ask about clients."}}
	down := &CompletionError{Status: 500}
	res, err := Fallback(&fixed{err: ErrNoPlan, res: refusing}, &fixed{err: down}).Plan(t.Context(), plan.Request{})
	if err != nil || res.Plan.Refuse == "" {
		t.Errorf("the refusal is lost: %+v %v", res, err)
	}
	_, err = Fallback(&fixed{err: ErrNoPlan}, &fixed{err: down}).Plan(t.Context(), plan.Request{})
	var ce *CompletionError
	if !errors.Is(err, ErrNoPlan) || !errors.As(err, &ce) {
		t.Errorf("error %v", err)
	}
	if _, err := Fallback().Plan(t.Context(), plan.Request{}); !errors.Is(err, ErrNoPlan) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	second := &fixed{}
	_, err = Fallback(plannerFunc(func(ctx context.Context, _ plan.Request) (plan.Response, error) {
		cancel()
		return plan.Response{}, ctx.Err()
	}), second).Plan(ctx, plan.Request{})
	if !errors.Is(err, context.Canceled) || second.ran != 0 {
		t.Errorf("error %v, second ran %d times", err, second.ran)
	}
}

// TestFailedModelIsLeftAlone: when the model did not do its work, the direct reply is not asked of it.
func TestFailedModelIsLeftAlone(t *testing.T) {
	refusal := &fixed{err: ErrNoPlan, res: plan.Response{By: "offline", Plan: plan.Plan{Refuse: "Ask about clients."}}}
	tests := map[string]struct {
		answer any
		calls  int
	}{
		"down": {&CompletionError{Status: 503}, 1},
		"slow": {&CompletionError{Reason: "x", Err: context.DeadlineExceeded}, 1},
		"html": {&CompletionError{Reason: "the endpoint answered with HTML instead of JSON"}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: []any{tt.answer}}
			chain := Fallback(Within(&LLM{Completer: s}, time.Minute), refusal, Within(&Direct{Completer: s}, time.Minute))
			res, err := chain.Plan(t.Context(), request("hello"))
			if err != nil || res.Plan.Refuse == "" || !res.ModelFailed || len(s.prompts) != tt.calls {
				t.Errorf("%+v, error %v, %d calls", res, err, len(s.prompts))
			}
		})
	}
	talk := &script{answers: []any{"I would rather talk."}}
	res, err := Fallback(&LLM{Completer: talk}, refusal, &Direct{Completer: talk}).Plan(t.Context(), request("hello"))
	if err != nil || res.Direct != "I would rather talk." || !res.ModelFailed || len(talk.prompts) != 4 {
		t.Errorf("a model that gives no plan: %+v, error %v, %d calls", res, err, len(talk.prompts))
	}
	s := &script{answers: []any{"Good morning."}}
	res, err = Fallback(refusal, Within(&Direct{Completer: s}, time.Minute)).Plan(t.Context(), request("hello"))
	if err != nil || res.Direct != "Good morning." || res.ModelFailed {
		t.Errorf("%+v, error %v", res, err)
	}
}

type plannerFunc func(context.Context, plan.Request) (plan.Response, error)

func (f plannerFunc) Plan(ctx context.Context, r plan.Request) (plan.Response, error) {
	return f(ctx, r)
}

func TestWithin(t *testing.T) {
	slow := plannerFunc(func(ctx context.Context, _ plan.Request) (plan.Response, error) {
		<-ctx.Done()
		return plan.Response{}, &CompletionError{Reason: "cut"}
	})
	res, err := Fallback(Within(slow, time.Millisecond), &fixed{res: plan.Response{By: "offline"}}).Plan(t.Context(), plan.Request{})
	if err != nil || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "in time") {
		t.Errorf("notes %q, error %v", res.Notes, err)
	}
	if p := Within(slow, 0); fmt.Sprintf("%T", p) != "planner.plannerFunc" {
		t.Errorf("%T", p)
	}
}

func TestDirect(t *testing.T) {
	s := &script{answers: []any{"  Good morning. \n"}}
	req := request("hello")
	req.History = []plan.Turn{{Message: "earlier"}}
	res, err := (&Direct{Completer: s}).Plan(t.Context(), req)
	if err != nil || res.Direct != "Good morning." || len(res.Plan.Steps) != 0 || res.Usage.Calls != 1 {
		t.Errorf("response %+v, error %v", res, err)
	}
	if p := s.prompts[0]; len(p.Schema) != 0 || p.MaxTokens != 400 || !strings.Contains(p.System, "these tables: clients.") || strings.Contains(s.sent(), "get_top_clients") {
		t.Errorf("prompt %+v", p)
	}
	if _, err := (&Direct{Completer: &script{answers: []any{" "}}}).Plan(t.Context(), req); !errors.Is(err, ErrNoPlan) {
		t.Errorf("error %v", err)
	}
}

func TestCompletionError(t *testing.T) {
	e := &CompletionError{Provider: "openai", Status: 429, Reason: "slow down", Err: context.Canceled}
	if e.Error() != "openai: 429 Too Many Requests: slow down" || !errors.Is(e, context.Canceled) {
		t.Error(e)
	}
	if e := (&CompletionError{Provider: "openai", Err: context.Canceled}).Error(); e != "openai: context canceled" {
		t.Error(e)
	}
}

// TestEndpointsWords: what an endpoint said is in the error for the log, and neither in a note nor in what the asker is told.
func TestEndpointsWords(t *testing.T) {
	down := func(status int) Planner {
		return plannerFunc(func(context.Context, plan.Request) (plan.Response, error) {
			return plan.Response{}, &CompletionError{Provider: "openai", Status: status, Reason: "the endpoint answered with an error", Words: "see http://evil.test"}
		})
	}
	for _, status := range []int{0, 400, 500} {
		res, err := Fallback(down(status), down(status)).Plan(t.Context(), plan.Request{})
		var told interface{ Told() string }
		if !errors.As(err, &told) || strings.Contains(told.Told(), "evil") || !strings.Contains(told.Told(), "The language model did not answer") {
			t.Errorf("%d: %v", status, told)
		}
		if len(res.Notes) != 2 || strings.Contains(strings.Join(res.Notes, " "), "evil") || !strings.Contains(err.Error(), "evil") {
			t.Errorf("%d: %q %v", status, res.Notes, err)
		}
	}
}
