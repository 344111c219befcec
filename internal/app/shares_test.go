package app

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A link shows the chat as it was when it was made, to whoever has it, until it is revoked or the chat is deleted.
func TestShares(t *testing.T) {
	h := newHouse(t, neighbours...)
	session := h.things("ann")["sessions"]
	read := func(path string) (int, string, http.Header) {
		t.Helper()
		res, err := http.Get(h.url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body), res.Header
	}
	id, path := h.share("ann", session)
	_, other := h.share("ann", session)
	status, page, header := read(path)
	if status != 200 || !strings.Contains(page, "<h2>top 5 USA clients</h2>") || !strings.Contains(page, `<td class="num">`) {
		t.Fatalf("%d %s", status, page)
	}
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow",
		"Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8"} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "sandbox") {
		t.Errorf("its policy is %q", policy)
	}
	if token := strings.TrimPrefix(path, "/share/"); len(token) != 22 || token == strings.TrimPrefix(other, "/share/") {
		t.Errorf("the token is %q", token)
	}

	// what comes later is not in it, though it is in a report
	if status, body := h.ask("ann", "POST", "/api/v1/chat", `{"message":"how many clients are there?","session_id":"`+session+`"}`); status != 200 {
		t.Fatal(status, body)
	}
	if _, now, _ := read(path); now != page {
		t.Error("the copy has changed")
	}
	if status, body := h.ask("ann", "GET", "/api/v1/sessions/"+session+"/report", ""); status != 200 || !strings.Contains(body, "how many clients") {
		t.Errorf("the report: %d %s", status, body)
	}

	for _, days := range []string{"-1", "91", "94253881880", "1.5"} {
		status, body := h.ask("ann", "POST", "/api/v1/sessions/"+session+"/shares", `{"days":`+days+`}`)
		if status != 400 {
			t.Errorf("%s days: %d %s", days, status, body)
		}
	}

	var list struct{ Shares []sharedLink }
	_, body := h.ask("ann", "GET", "/api/v1/shares", "")
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Shares) != 3 || strings.Contains(body, "/share/") {
		t.Errorf("%v: %s", err, body)
	}
	if _, body := h.ask("bob", "GET", "/api/v1/shares", ""); !strings.Contains(body, `"shares":[]`) {
		t.Errorf("another sees %s", body)
	}
	if status, body := h.ask("ann", "DELETE", "/api/v1/shares/"+id, ""); status != 204 {
		t.Error(status, body)
	}
	if status, body, _ := read(path); status != 404 || !strings.Contains(body, "revoked") || strings.Contains(body, "clients") {
		t.Errorf("revoked: %d %s", status, body)
	}
	if status, _, _ := read(other); status != 200 {
		t.Errorf("the other link: %d", status)
	}
	if status, body := h.ask("ann", "DELETE", "/api/v1/sessions/"+session, ""); status != 204 {
		t.Error(status, body)
	}
	if status, body, _ := read(other); status != 404 {
		t.Errorf("of a chat that was deleted: %d %s", status, body)
	}
	for _, guess := range []string{"/share/" + strings.Repeat("A", 22), "/share/x", "/share/" + id} {
		if status, body, _ := read(guess); status != 404 {
			t.Errorf("%s: %d %s", guess, status, body)
		}
	}
}

// sharedLink is a link as its owner is told of it.
type sharedLink struct{ ID, Title string }
