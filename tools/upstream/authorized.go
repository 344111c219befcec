package upstream

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// Authorizer gives requests to a protected server what it wants to see. *oauth.Client is one.
type Authorizer interface {
	// Token is the access token to send, "" while there is none.
	Token(ctx context.Context) (string, error)
	// Refused takes an answer of 401 or 403 to a request that was sent with a token. Without an error the request may be sent again, with
	// another token.
	Refused(ctx context.Context, status int, header http.Header, token string) error
}

// maxAuthorizations is how often one request may be refused: once to hear who gives tokens, once for more rights.
const maxAuthorizations = 3

// do is doAt for the address of the server.
func (w *httpWire) do(ctx context.Context, method string, body []byte, more func(http.Header)) (*http.Response, error) {
	return w.doAt(ctx, w.url, method, body, more)
}

// doAt sends a request, with a token where one is needed.
func (w *httpWire) doAt(ctx context.Context, url, method string, body []byte, more func(http.Header)) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		for name, value := range w.headers {
			req.Header.Set(name, value)
		}
		more(req.Header)
		if v := w.c.proto.version; v != "" {
			req.Header.Set("Mcp-Protocol-Version", v)
		}
		if id := w.session.Load(); id != nil {
			req.Header.Set("Mcp-Session-Id", *id)
		}
		token := ""
		if w.auth != nil {
			if token, err = w.auth.Token(ctx); err != nil {
				return nil, err
			}
			if token != "" {
				req.Header.Set("Authorization", "Bearer "+token)
			}
		}
		resp, err := w.client.Do(req)
		if err != nil || w.auth == nil || attempt == maxAuthorizations || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			return resp, err
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection may be used again
		_ = resp.Body.Close()                         // read only
		if err := w.auth.Refused(ctx, resp.StatusCode, resp.Header, token); err != nil {
			return nil, fmt.Errorf("HTTP %d: %w", resp.StatusCode, err)
		}
	}
}
