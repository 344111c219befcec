package upstream

import "encoding/json"

// notified takes what the server says unasked. via is the request on whose own stream it came, 0 where there is no
// such.
func (c *conn) notified(method string, params json.RawMessage, via int64) {
	switch method {
	case "notifications/tools/list_changed":
		c.outdated(func(l *lists) { l.tools = true })
	case "notifications/prompts/list_changed":
		c.outdated(func(l *lists) { l.prompts = true })
	case "notifications/resources/list_changed":
		c.outdated(func(l *lists) { l.resources = true })
	case "notifications/resources/updated":
		var p struct{ URI string }
		if json.Unmarshal(params, &p) == nil && p.URI != "" && len(p.URI) <= maxAddress {
			c.updated(p.URI)
		}
	case "notifications/progress":
		c.progressed(params)
	case "notifications/message":
		c.logged(params, via)
	}
}

// progressToken is the token of a request as it was sent: a text. Anything else is no token of ours.
type progressToken string

// UnmarshalJSON reads a text, and gives "" for what is none; that may be large.
func (t *progressToken) UnmarshalJSON(b []byte) error {
	if *t = ""; len(b) > maxAskedID || b[0] != '"' {
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

func (c *conn) progressed(params json.RawMessage) {
	var p struct {
		Token    progressToken `json:"progressToken"`
		Progress float64       `json:"progress"`
		Total    float64       `json:"total"`
		Message  string        `json:"message"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	report := c.progress[string(p.Token)]
	c.mu.Unlock()
	if report != nil {
		report(p.Progress, p.Total, p.Message)
	}
}

// outdated notes that a list has changed.
func (c *conn) outdated(mark func(*lists)) {
	c.mu.Lock()
	mark(&c.stale)
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default: // there is one waiting already
	}
}

// takeStale gives the lists that have changed since it was asked last.
func (c *conn) takeStale() lists {
	c.mu.Lock()
	defer c.mu.Unlock()
	stale := c.stale
	c.stale = lists{}
	return stale
}

// onProgress sends the progress of a token to report until the returned function is called.
func (c *conn) onProgress(token string, report func(done, total float64, message string)) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress[token] = report
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.progress, token)
	}
}
