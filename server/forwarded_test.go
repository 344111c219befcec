package server

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/server/servertest"
)

// fromProxies are headers of proxies that are in use.
var fromProxies = strings.Fields(`Forwarded Via X-Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Prefix
	X-Forwarded-Server X-Forwarded-Ssl X-Forwarded-Client-Cert X-Forwarded-By X-Forwarded-User X-Real-IP X-Client-IP Client-IP True-Client-IP
	CF-Connecting-IP CF-Ray CF-Visitor CF-IPCountry CF-Connecting-IPv6 Fly-Client-IP Fly-Forwarded-Port Fastly-Client-IP X-Cluster-Client-IP X-Original-For
	X-Original-Host X-Original-URL X-ProxyUser-Ip WL-Proxy-Client-IP Proxy-Client-IP X-Envoy-External-Address X-Amzn-Trace-Id X-Azure-ClientIP
	X-Appengine-User-Ip X-Goog-Authenticated-User-Email X-Auth-Request-Email Tailscale-User-Login CloudFront-Viewer-Address CDN-Loop
	X-Kong-Request-Id X-Consumer-Username X-Authenticated-Userid X-Pomerium-Jwt-Assertion OIDC_CLAIM_sub X-Userinfo Remote-Email Remote_Groups
	X-Vouch-User X-Grafana-User X-Cloud-Trace-Context Early-Data Surrogate-Capability X-Rewrite-URL X-Replaced-Path L5d-Client-Id Ngrok-Auth-User-Email
	CDN-RequestId EO-Connecting-IP Eagleeye-Traceid Ali-Cdn-Real-Ip X-Remote-Ip X-Remote-Addr Remote-Addr X-Edge-Location
	X_Forwarded_For x_real_ip X-Remote-User Remote-User X-Scheme Front-End-Https`)

// request is a request of this machine as it comes over the wire.
func request(t *testing.T, lines ...string) *http.Request {
	t.Helper()
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Host:") }) {
		lines = slices.Insert(lines, 1, "Host: 127.0.0.1:8765")
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.Join(lines, "\r\n") + "\r\n\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	r.RemoteAddr = "127.0.0.1:5"
	return r
}

// TestForwarded: any presence of a proxy's header takes a request out of the hands of this machine's user, on each way to ask.
func TestForwarded(t *testing.T) {
	const first = "GET /api/v1/tools HTTP/1.1"
	refused := map[string]*http.Request{
		"nginx's default": request(t, "GET / HTTP/1.0"),
		"another's name":  request(t, first, "Host: chat.example.com"),
	}
	for _, name := range fromProxies {
		refused[name] = request(t, first, name+": 192.0.2.1")
		refused[name+", empty"] = request(t, first, name+":")
		refused[name+", empty before the proxy's"] = request(t, first, name+":", name+": 192.0.2.1")
		refused[name+", in lower case"] = request(t, first, strings.ToLower(name)+": x")
	}
	for what, r := range refused {
		for how, who := range map[string]func(*http.Request) error{
			"no caller": func(r *http.Request) error { _, err := localOnly(r); return err },
			"no key":    func(r *http.Request) error { _, err := Bearer(servertest.Identities{}, true)(r); return err },
			"a key of another program": func(r *http.Request) error {
				r = r.Clone(r.Context())
				r.Header.Set("Authorization", "Bearer sk-none")
				_, err := Bearer(stranger{}, true)(r)
				return err
			},
		} {
			if who(r) == nil {
				t.Errorf("%s, %s: it passes as this machine's user", what, how)
			}
		}
	}
	for what, r := range map[string]*http.Request{
		"a plain client": request(t, first), "a page": request(t, first, "Origin: http://127.0.0.1:8765", "Sec-Fetch-Site: same-origin", "Referer: http://127.0.0.1:8765/"),
		"an SDK": request(t, first, "X-Stainless-Lang: js", "X-Request-Id: 1", "OpenAI-Organization: x"), "Open WebUI": request(t, first, "X-OpenWebUI-User-Id: 1"),
		"localhost": request(t, first, "Host: localhost:1"), "IPv6": request(t, first, "Host: [::1]:1"), "a probe": request(t, "GET / HTTP/1.0", "Host:"),
		"traced": request(t, first, "Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
	} {
		if c, err := Bearer(servertest.Identities{}, true)(r); err != nil || c.ID != "local" {
			t.Errorf("%s: %+v %v", what, c, err)
		}
	}
	if _, err := localOnly(refused["Via"]); !errors.Is(err, errNoKey) {
		t.Error(err)
	}
}

// TestOriginOnce: an Origin that is empty, or given twice, is none that is known.
func TestOriginOnce(t *testing.T) {
	s, _, _ := newTest(t)
	for name, origins := range map[string][]string{"empty": {""}, "empty first": {"", "http://evil.example"}, "own first": {"http://127.0.0.1:8765", "http://evil.example"}} {
		r := request(t, "GET /livez HTTP/1.1")
		r.Header["Origin"] = origins
		if status := answered(s, r); status != http.StatusForbidden {
			t.Errorf("%s: %d", name, status)
		}
	}
}

// stranger knows no credential, and takes all for another program's.
type stranger struct{}

func (stranger) Identify(context.Context, string) (access.Caller, error) {
	return access.Caller{}, &access.CredentialError{Reason: "unknown", Foreign: true}
}

func answered(s *Server, r *http.Request) int {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Code
}
