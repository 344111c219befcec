package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// found are the results of a run in which all was as it must be.
func found() result {
	return result{
		o: options{length: time.Minute, memory: 1}, quiet: newUse(), attacked: newUse(),
		attacks: assaults{Kinds: []*tally{
			{Name: "held", Most: bodyMost, Longest: 40 * time.Second, Places: 10, Held: 9, Came: map[string]int{"closed": 1}},
			{Name: "paced", Wanted: 10, Sent: 5, Came: map[string]int{"413": 5}},
		}},
	}
}

func TestFaults(t *testing.T) {
	if f := found().faults(); len(f) > 0 {
		t.Fatalf("%q", f)
	}
	for want, change := range map[string]func(r *result){
		"nothing came":     func(r *result) { r.attacks.Kinds[1].Came = nil },
		"attacks were":     func(r *result) { r.attacks.Kinds[1].Sent = 4 },
		"connections were": func(r *result) { r.attacks.Kinds[0].Held = 4 },
		"held for":         func(r *result) { r.attacks.Kinds[0].Longest = time.Minute },
		"too short":        func(r *result) { r.o.length = bodyMost },
		"times 500":        func(r *result) { r.attacks.Kinds[1].Wrong = map[string]int{"500": 1} },
		"honest downloads": func(r *result) { r.attacked.downloads.add(0, errBusy) },
		"honest messages":  func(r *result) { r.attacked.messages.add(0, errBusy) },
		"the program took": func(r *result) { r.peak = 2 << 20 },
	} {
		r := found()
		change(&r)
		if f := r.faults(); len(f) != 1 || !strings.Contains(f[0], want) {
			t.Errorf("%s: %q", want, f)
		}
	}
}

// A short run is not told by its rate and its bounds, and says so.
func TestShort(t *testing.T) {
	r := found()
	r.o.short, r.o.length = true, 8*time.Second
	r.attacks.Kinds[1].Sent, r.attacks.Kinds[0].Held = 1, 1
	if f := r.faults(); len(f) > 0 {
		t.Errorf("%q", f)
	}
	for _, want := range []string{"1 of 10 sent", "1 of 10 held", "attacks sent: 1 of 10; connections held: 1 of 10;", "too short"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("%s is not in\n%s", want, r)
		}
	}
	text, err := json.Marshal(r.figures(nil))
	if err != nil || !strings.Contains(string(text), `"attacks_sent":1,"attacks_wanted":10`) || !strings.Contains(string(text), `"bounds_told":false`) {
		t.Errorf("%s, %v", text, err)
	}
}

// A download that is refused, or not whole, failed; no other try makes it good.
func TestDownload(t *testing.T) {
	answer := func(w http.ResponseWriter) { _, _ = w.Write([]byte("a,b\n1,2\n")) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer key":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"tables":[{"handle":"h"}]}`))
		case r.URL.Path == "/api/v1/tables/h.csv":
			answer(w)
		}
	}))
	defer server.Close()
	f, err := newFiles(t.Context(), server.URL, "key")
	if err != nil {
		t.Fatal(err)
	}
	try := func() *honest {
		h := &honest{}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		h.at(ctx, 100, f.download)
		return h
	}
	if h := try(); h.failed > 0 || h.count() == 0 {
		t.Errorf("%d of %d failed: %v", h.failed, h.count(), h.first)
	}
	for want, bad := range map[string]func(w http.ResponseWriter){
		"503":     func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"another": func(w http.ResponseWriter) { _, _ = w.Write([]byte("a,b\n")) },
	} {
		answer = bad
		if h := try(); h.failed == 0 || h.failed != h.count() || !strings.Contains(h.first.Error(), want) {
			t.Errorf("%s: %d of %d failed: %v", want, h.failed, h.count(), h.first)
		}
	}
}
