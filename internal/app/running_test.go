package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"catena/internal/config"
	"catena/server"
)

// named has a handler refuse requests under the address itself, as a server does whose address is no loopback one.
func named(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "localhost" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// doctor knows a Catena at the settings' address for what it is, also at one whose name requests may not have, and takes nothing else for it.
func TestCheckListenOfRunning(t *testing.T) {
	p := demoParts(t)
	s, err := p.Server(server.Options{Caller: server.Anyone})
	if err != nil {
		t.Fatal(err)
	}
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"status": "alive"})
	})
	for name, c := range map[string]struct {
		handler http.Handler
		good    bool
		say     string
	}{
		"a Catena":      {s.Handler(), true, "serves at "},
		"another":       {other, false, "is in use"},
		"one that ends": {http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), false, "is in use"},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(named(c.handler))
			defer web.Close()
			ours := newApp(config.Config{Listen: config.Listen{Addr: web.Listener.Addr().String()}})
			got := ours.checkListen(t.Context())
			if len(got) == 0 || got[0].Bad == c.good || !strings.Contains(got[0].Say, c.say) {
				t.Errorf("%+v", got)
			}
		})
	}
}
