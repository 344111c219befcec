package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
)

// traced is call, told to Options.Requesting.
func (s *server) traced(ctx context.Context, t remoteTool, call tools.Call) (tools.Result, error) {
	meta, over := map[string]any{}, func(string) {}
	if f := s.host.opt.Requesting; f != nil {
		ctx, over = f(ctx, s.Name, "tools/call", t.Name, func(key, value string) { meta[key] = value })
	}
	res, err := s.call(ctx, t, call, meta)
	if err == nil && s.lacksQuestions(res) {
		res, err = s.inOlderEra(ctx, t, call, meta, res)
	}
	switch {
	case err != nil:
		over("error")
	case res.IsError:
		over(res.Code)
	default:
		over("")
	}
	return res, err
}

// call passes a call on, with what its _meta has. A server that is down, or goes down meanwhile, gives a result that
// says so.
func (s *server) call(ctx context.Context, t remoteTool, call tools.Call, meta map[string]any) (tools.Result, error) {
	c, end, why := s.begin(ctx)
	if c == nil && ctx.Err() != nil {
		return tools.Result{}, ctx.Err()
	}
	if c == nil {
		res := tools.Failed(tools.CodeUnavailable, fmt.Sprintf("The server %s is not there now. %s", s.Name, why))
		res.NotCalled = true
		return res, nil
	}
	w := wanted{method: methodCall, caller: call.Caller.ID, client: call.Client, answers: call.Answers,
		state: call.State, task: c.asTask(t)}
	if w.task {
		w.alive = taskReports(&call)
	}
	params, over := c.paramsOf(t, call, meta)
	defer over()
	heard, leave := c.heardBy(ctx, s.Name, call)
	raw, needs, err := s.roundTrip(heard, c, w, params)
	leave()
	end(err)
	switch {
	case ctx.Err() != nil:
		return tools.Result{}, ctx.Err()
	case err != nil:
		return s.failed(c, t, err), nil
	}
	c.answered.Store(true)
	if needs != nil {
		return tools.Result{Needs: needs}, nil
	}
	shown := t
	shown.Title = text.OwnTitle(cmp.Or(t.Title, t.Annotations.Title), t.Name, s.Name)
	res, err := result(ctx, shown, raw)
	if err != nil {
		res = tools.Failed(tools.CodeUnavailable,
			fmt.Sprintf("The server %s broke the protocol, so that whether the call did anything is not known: %v. "+
				"See its log, or ask who runs it.", s.Name, err))
	}
	for i, part := range res.Content {
		res.Content[i] = s.ourContent(part)
	}
	res.Name = text.OwnName(res.Name, s.Name)
	res.Untrusted = !s.Trusted
	return res, nil
}

// paramsOf are those of tools/call. Its progress is passed on until over is called.
func (c *conn) paramsOf(t remoteTool, call tools.Call, meta map[string]any) (params map[string]any, over func()) {
	params, over = map[string]any{"name": t.Name, "arguments": call.Args}, func() {}
	if call.Args == nil {
		params["arguments"] = map[string]any{}
	}
	if call.Progress != nil {
		token := fmt.Sprintf("p%d", c.ids.Add(1))
		meta["progressToken"] = token
		over = c.onProgress(token, func(done, total float64, message string) {
			call.Progress(tools.Progress{Done: done, Total: total, Message: cut(message, 500)})
		})
	}
	if c.proto.modern && call.Log != nil && call.LogLevel != "" {
		meta[metaLevel] = call.LogLevel
	}
	if len(meta) > 0 {
		params["_meta"] = meta
	}
	return params, over
}

// failed is the result of a call that got none.
func (s *server) failed(c *conn, t remoteTool, err error) tools.Result {
	var refused *protocolError
	var unanswered *unansweredError
	var over *table.LimitError
	switch {
	case errors.As(err, &over):
		return tools.Failed(tools.CodeTooLarge, fmt.Sprintf("The server %s answers with too much: %v.", s.Name, over))
	case errors.As(err, &refused):
		res := tools.Failed("upstream_refused",
			fmt.Sprintf("The server %s refused the call: %s", s.Name, cut(refused.Error(), 2000)))
		res.Untrusted = !s.Trusted
		return res
	case needsLogin(s.Name, err) != "":
		res := tools.Failed(tools.CodeUnavailable, fmt.Sprintf("The server %s: %s.", s.Name, needsLogin(s.Name, err)))
		res.NotCalled = true
		return res
	case errors.As(err, &unanswered):
		res := tools.Failed(tools.CodeInputRequired, fmt.Sprintf("The server %s: %v", s.Name, unanswered))
		res.NotCalled = true
		return res
	case errors.Is(err, errParkedGone):
		return tools.Failed("upstream_refused", fmt.Sprintf("The server %s: %v.", s.Name, err))
	}
	return tools.Failed(tools.CodeUnavailable,
		fmt.Sprintf("The server %s did not finish the call: %v; %s.", s.Name, err, c.next(t, err)))
}

// next is what can be done about a call that failed.
func (c *conn) next(t remoteTool, err error) string {
	select {
	case <-c.gone:
		if errors.Is(err, errStopped) {
			return "if it is still there, the call may be made again"
		}
		return "it is being restarted"
	default:
	}
	if isSet(t.Annotations.ReadOnlyHint) || isSet(t.Annotations.IdempotentHint) {
		return "the call may be made again"
	}
	return "whether it did anything is not known, so look before you make it again"
}

func isSet(hint *bool) bool { return hint != nil && *hint }
