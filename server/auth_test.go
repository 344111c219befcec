package server

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/server/servertest"
)

func TestBearer(t *testing.T) {
	list := servertest.Identities{"ann": {ID: "ann"}}
	for _, c := range []struct {
		name    string
		local   bool
		remote  string
		header  []string
		id      string
		refused error
	}{
		{"a key", false, "192.0.2.1:1", []string{"Authorization", "bearer  ann"}, "ann", nil},
		{"a key on loopback", true, "127.0.0.1:1", []string{"Authorization", "Bearer ann"}, "ann", nil},
		{"no key on loopback", true, "127.0.0.1:1", nil, "local", nil},
		{"no key from elsewhere", true, "192.0.2.1:1", nil, "", errNotLocal},
		{"no key", false, "127.0.0.1:1", nil, "", errNoKey},
		{"a proxy on this machine", true, "127.0.0.1:1", []string{"X-Forwarded-For", "192.0.2.1"}, "", errNoKey},
		{"another proxy", true, "127.0.0.1:1", []string{"Forwarded", "for=192.0.2.1"}, "", errNoKey},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		for i := 0; i+1 < len(c.header); i += 2 {
			r.Header.Add(c.header[i], c.header[i+1])
		}
		got, err := Bearer(list, c.local)(r)
		if got.ID != c.id || !errors.Is(err, c.refused) {
			t.Errorf("%s: %+v %v", c.name, got, err)
		}
	}
	// A bad key on loopback is refused, never taken for the local user.
	for _, given := range [][]string{{"Bearer x"}, {"Basic YTpi"}, {"Bearer "}, {"ann"}, {"Bearer ann", "Bearer ann"}, {"Bearer " + strings.Repeat("x", maxCredential+1)}} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header["Authorization"] = given
		var bad *access.CredentialError
		if c, err := Bearer(list, true)(r); !errors.As(err, &bad) || c.ID != "" {
			t.Errorf("%v: %+v %v", given, c, err)
		}
	}
}

// TestGuessing: an address that shows bad keys for long hears 429, and good keys from there are still good.
func TestGuessing(t *testing.T) {
	_, url := keyed(t)
	seen := map[int]int{}
	for range 2 * failures.Burst {
		status, _, _ := servertest.Ask(t, "GET", url+"/api/v1/tools", "", servertest.Bearer("guess")...)
		seen[status]++
	}
	if seen[401] < failures.Burst || seen[429] == 0 {
		t.Errorf("%v", seen)
	}
	if status, _, body := servertest.Ask(t, "GET", url+"/api/v1/tools", "", servertest.Bearer("ann")...); status != 200 {
		t.Errorf("a good key: %d %s", status, body)
	}
}

func TestAddress(t *testing.T) {
	for remote, want := range map[string]string{"192.0.2.1:5": "192.0.2.1", "[2001:db8:1:2:3::4]:5": "2001:db8:1:2::/64", "[fe80::1%eth0]:5": "fe80::/64", "[::ffff:192.0.2.1]:5": "::ffff:192.0.2.1", "pipe": "pipe"} {
		if got := address(remote); got != want {
			t.Errorf("%s: %s", remote, got)
		}
	}
}

// BenchmarkIdentified is what a key costs a request, beside the same request without.
func BenchmarkIdentified(b *testing.B) {
	store := recordsOf{}
	keys := access.NewKeys(store, access.KeysOptions{})
	secret, _, err := keys.Create(b.Context(), access.Key{Name: "ann", Scopes: []string{"chat", "tools:*"}})
	if err != nil {
		b.Fatal(err)
	}
	for name, key := range map[string]string{"none": "", "key": secret} {
		s, _, _ := newTest(b, func(o *Options) {
			o.Caller = Bearer(access.Identifier{Keys: keys}, true)
			o.Limiter = access.NewBuckets(access.Rate{PerMinute: 1e6, Burst: 1e6}, nil)
		})
		b.Run(name, func(b *testing.B) {
			r, _ := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://127.0.0.1/v1/models", nil)
			r.RemoteAddr = "127.0.0.1:1"
			if key != "" {
				r.Header.Set("Authorization", "Bearer "+key)
			}
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				if w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

// recordsOf is a store of records.
type recordsOf map[string][]byte

func (r recordsOf) PutRecord(_ context.Context, kind, id string, data []byte) error {
	if kind == "key" {
		r[id] = data
	}
	return nil
}
func (r recordsOf) DeleteRecord(context.Context, string, string) error { return nil }
func (r recordsOf) Records(_ context.Context, kind string, each func(string, []byte) error) error {
	for id, data := range r {
		if kind == "key" {
			return each(id, data)
		}
	}
	return nil
}

// TestProbesTellLittle: without a key the probes say which part is not well, and no more.
func TestProbesTellLittle(t *testing.T) {
	_, url := keyed(t, func(o *Options) {
		o.Health = func(context.Context) []Component {
			return []Component{{Name: "store", Status: Down, Detail: "inside information"}}
		}
		o.Info = func() map[string]any { return map[string]any{"planner": "inside information"} }
	})
	for _, path := range []string{"/health", "/readyz", "/"} {
		for _, key := range []string{"", "ann"} {
			header := []string{"Accept", "application/json"}
			if key != "" {
				header = append(header, servertest.Bearer(key)...)
			}
			if _, _, body := servertest.Ask(t, "GET", url+path, "", header...); strings.Contains(body, "inside") != (key != "") {
				t.Errorf("%s with %q: %s", path, key, body)
			}
		}
	}
}
