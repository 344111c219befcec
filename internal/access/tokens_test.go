package access

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/google/go-cmp/cmp"
)

// issuer is an identity provider on this machine.
type issuer struct {
	t       testing.TB
	url     string
	fetches atomic.Int64
	down    atomic.Bool
	mu      sync.Mutex
	keys    []jose.JSONWebKey
	raw     []json.RawMessage
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	i := &issuer{t: t}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i.down.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(map[string]any{"issuer": i.url, "jwks_uri": i.url + "/keys"})
		case "/keys":
			i.fetches.Add(1)
			i.mu.Lock()
			defer i.mu.Unlock()
			list := slices.Clone(i.raw)
			for _, k := range i.keys {
				b, _ := k.MarshalJSON()
				list = append(list, b)
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": list})
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	i.url = s.URL
	return i
}

// publish replaces the issuer's keys by one.
func (i *issuer) publish(id, alg string, public any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = []jose.JSONWebKey{{Key: public, KeyID: id, Algorithm: alg, Use: "sig"}}
}

// sign makes a token of claims over good ones.
func (i *issuer) sign(id string, alg jose.SignatureAlgorithm, key any, claims map[string]any) string {
	i.t.Helper()
	all := map[string]any{"iss": i.url, "aud": "catena", "sub": "ann", "exp": noon.Add(time.Hour).Unix()}
	maps.Copy(all, claims)
	for name, v := range all {
		if v == nil {
			delete(all, name)
		}
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: id}}, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	token, err := jwt.Signed(s).Claims(all).Serialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return token
}

var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

func tokens(t testing.TB, i *issuer, at *clock, change ...func(*TokensOptions)) *Tokens {
	t.Helper()
	opt := TokensOptions{Issuer: i.url, Audience: []string{"catena"}, Skew: time.Minute, Roles: "realm.roles", Scopes: "scope", Now: at.now}
	for _, c := range change {
		c(&opt)
	}
	out, err := NewTokens(opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestToken(t *testing.T) {
	i, at, key := newIssuer(t), &clock{at: noon}, rsaKey()
	i.publish("k1", "RS256", key.Public())
	check := tokens(t, i, at, func(o *TokensOptions) { o.Tenant, o.DefaultRoles = "org", []string{"reader"} })
	c, err := check.Find(t.Context(), i.sign("k1", jose.RS256, key, map[string]any{"org": "a/b", "sub": "x/y z", "aud": []string{"other", "catena"},
		"realm": map[string]any{"roles": []string{"relationship_editor", "offline_access"}}, "scope": "openid tools:crm profile"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"chat", "read:*", "read:interactions", "read:personas", "read:relationships", "tools:crm", "write:relationships"}
	if diff := cmp.Diff(want, c.Rights.Scopes()); diff != "" || c.ID != "a%2Fb/user:x%2Fy%20z" || c.Tenant != "a/b" {
		t.Errorf("%+v %s", c, diff)
	}
	for name, bad := range map[string]struct {
		claims map[string]any
		reason string
	}{
		"another issuer":   {map[string]any{"iss": i.url + "/"}, "another issuer"},
		"another audience": {map[string]any{"aud": "other"}, "another program"},
		"no audience":      {map[string]any{"aud": nil}, "another program"},
		"expired":          {map[string]any{"exp": noon.Add(-61 * time.Second).Unix()}, "expired"},
		"never ends":       {map[string]any{"exp": nil}, "when it ends"},
		"not yet":          {map[string]any{"nbf": noon.Add(2 * time.Minute).Unix()}, "not valid yet"},
		"of the future":    {map[string]any{"iat": noon.Add(2 * time.Minute).Unix()}, "not valid yet"},
		"nobody":           {map[string]any{"sub": nil}, "whose it is"},
		"a number":         {map[string]any{"sub": 7}, "not the issuer's"},
		"half a pair":      {map[string]any{"sub": json.RawMessage(`"a\ud800"`)}, "whose it is"},
		"half a tenant":    {map[string]any{"org": json.RawMessage(`"a\udc00"`)}, "no tenant"},
		"a long name":      {map[string]any{"sub": strings.Repeat("x", 256)}, "whose it is"},
		"no tenant":        {map[string]any{"org": ""}, "no tenant"},
	} {
		claims := map[string]any{"org": "acme"}
		maps.Copy(claims, bad.claims)
		if _, err := check.Find(t.Context(), i.sign("k1", jose.RS256, key, claims)); err == nil {
			t.Errorf("%s: it is taken", name)
		} else {
			refused(t, err, bad.reason)
		}
	}
	for name, good := range map[string]map[string]any{
		"within the skew": {"exp": noon.Add(-59 * time.Second).Unix(), "nbf": noon.Add(59 * time.Second).Unix()},
	} {
		good["org"] = "acme"
		if _, err := check.Find(t.Context(), i.sign("k1", jose.RS256, key, good)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestForgeries: none, a shared secret that is the public key, another's key under a known id, other algorithms, cut and changed tokens.
func TestForgeries(t *testing.T) {
	i, at, key := newIssuer(t), &clock{at: noon}, rsaKey()
	i.publish("k1", "", key.Public())
	i.raw = []json.RawMessage{json.RawMessage(`{"kty":"oct","kid":"shared","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}`), json.RawMessage(`{"kty":"new"}`)}
	check := tokens(t, i, at)
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := i.sign("k1", jose.RS256, key, nil)
	if _, err := check.Find(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","kid":"k1"}`))
	for name, token := range map[string]string{
		"none":                none + "." + parts[1] + ".",
		"none, signed":        none + "." + parts[1] + "." + parts[2],
		"the key as a secret": i.sign("k1", jose.HS256, der, nil),
		"a secret of the set": i.sign("shared", jose.HS256, []byte("secretsecretsecretsecretsecretsecret"), nil),
		"another's key":       i.sign("k1", jose.ES256, other, nil),
		"not allowed":         i.sign("k1", jose.RS512, key, nil),
		"unknown id":          i.sign("k2", jose.RS256, key, nil),
		"cut":                 good[:len(good)-2],
		"no signature":        parts[0] + "." + parts[1] + ".",
		"changed":             parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"root"}`)) + "." + parts[2],
		"long":                strings.Repeat("a", maxToken) + "..",
		"nothing":             "..",
	} {
		if _, err := check.Find(t.Context(), token); err == nil {
			t.Errorf("%s: it is taken", name)
		} else {
			refused(t, err, "token")
			if strings.Contains(err.Error(), parts[1]) || strings.Contains(err.Error(), parts[2]) {
				t.Errorf("%s: the error shows the token: %v", name, err)
			}
		}
	}
	if _, err := check.Find(t.Context(), i.sign("", jose.RS256, key, nil)); err != nil {
		t.Errorf("without a key id: %v", err)
	}
}

// TestSpellings: a token has one spelling. What a lenient decoder reads as the same bytes is refused, so that two tokens that differ are two tokens to whoever lists or counts them.
func TestSpellings(t *testing.T) {
	i, at := newIssuer(t), &clock{at: noon}
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	tried := 0
	for alg, key := range map[jose.SignatureAlgorithm]crypto.Signer{jose.RS256: rsaKey(), jose.PS256: rsaKey(), jose.ES256: ec, jose.EdDSA: ed} {
		i.publish("k", string(alg), key.Public())
		check := tokens(t, i, at)
		good := i.sign("k", alg, key, nil)
		if _, err := check.Find(t.Context(), good); err != nil {
			t.Fatalf("%s: %v", alg, err)
		}
		parts := strings.Split(good, ".")
		var others []string
		for n, part := range parts {
			spelt := []string{part + "=", part + "==", part + "\n", "\n" + part, part[:3] + "\r\n" + part[3:], part + " ", strings.ReplaceAll(part, "-", "+"), strings.ReplaceAll(part, "_", "/")}
			for _, last := range letters {
				spelt = append(spelt, part[:len(part)-1]+string(last))
			}
			for _, s := range spelt {
				if s != part {
					others = append(others, strings.Join(slices.Concat(parts[:n], []string{s}, parts[n+1:]), "."))
				}
			}
		}
		for _, token := range others {
			tried++
			if _, err := check.Find(t.Context(), token); err == nil {
				t.Errorf("%s: another spelling is taken: %q of %q", alg, token, good)
			}
		}
	}
	if tried < 700 {
		t.Errorf("only %d spellings were tried", tried)
	}
}

func TestAlgorithms(t *testing.T) {
	i, at := newIssuer(t), &clock{at: noon}
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	for alg, key := range map[jose.SignatureAlgorithm]crypto.Signer{jose.RS256: rsaKey(), jose.PS256: rsaKey(), jose.ES256: ec, jose.EdDSA: ed} {
		i.publish("k", string(alg), key.Public())
		if _, err := tokens(t, i, at).Find(t.Context(), i.sign("k", alg, key, nil)); err != nil {
			t.Errorf("%s: %v", alg, err)
		}
	}
	for _, opt := range []TokensOptions{
		{Issuer: i.url, Audience: []string{"a"}, Algorithms: []string{"none"}}, {Issuer: i.url, Audience: []string{"a"}, Algorithms: []string{"HS256"}},
		{Issuer: i.url}, {Issuer: "http://idp.example", Audience: []string{"a"}}, {Issuer: i.url, Audience: []string{"a"}, KeysURL: "file:///etc"},
		{Issuer: i.url, Audience: []string{"a"}, Skew: time.Hour}, {Issuer: i.url, Audience: []string{"a"}, DefaultRoles: []string{"king"}},
	} {
		if _, err := NewTokens(opt); err == nil {
			t.Errorf("%+v is taken", opt)
		}
	}
}

// TestRotation: a new key is found by its id at once, made-up ids do not hammer the issuer, and an issuer that is away is forgiven for
// a day.
func TestRotation(t *testing.T) {
	i, at, key := newIssuer(t), &clock{at: noon}, rsaKey()
	later := func(o *TokensOptions) { o.Skew = 10 * time.Minute }
	next, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i.publish("k1", "RS256", key.Public())
	check := tokens(t, i, at, later)
	far := map[string]any{"exp": noon.Add(72 * time.Hour).Unix()}
	first, second := i.sign("k1", jose.RS256, key, far), i.sign("k2", jose.ES256, next, far)
	if _, err := check.Find(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		_, err := check.Find(t.Context(), second)
		refused(t, err, "signature")
	}
	if n := i.fetches.Load(); n != 1 {
		t.Errorf("the issuer was asked %d times", n)
	}
	i.publish("k2", "ES256", next.Public())
	at.pass(keySetMissed)
	if _, err := check.Find(t.Context(), second); err != nil {
		t.Errorf("a new key: %v", err)
	}
	_, err = check.Find(t.Context(), first)
	refused(t, err, "signature")
	i.down.Store(true)
	at.pass(keySetFresh)
	if _, err := check.Find(t.Context(), second); err != nil {
		t.Errorf("the issuer is away for an hour: %v", err)
	}
	at.pass(keySetStale)
	var bad *CredentialError
	if _, err := check.Find(t.Context(), second); err == nil || errors.As(err, &bad) {
		t.Errorf("the issuer is away for a day: %v", err)
	}
	i.down.Store(false)
	at.pass(keySetMissed)
	if _, err := check.Find(t.Context(), second); err != nil {
		t.Errorf("the issuer is back: %v", err)
	}
}

func TestIdentifier(t *testing.T) {
	i, at, key := newIssuer(t), &clock{at: noon}, rsaKey()
	i.publish("k1", "RS256", key.Public())
	keys := NewKeys(&memory{}, KeysOptions{Now: at.now})
	secret, _, err := keys.Create(t.Context(), Key{Name: "a", Owner: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	both := Identifier{Keys: keys, Tokens: tokens(t, i, at)}
	for credential, want := range map[string]string{secret: "ann", i.sign("k1", jose.RS256, key, nil): "user:ann"} {
		if c, err := both.Identify(t.Context(), credential); err != nil || c.ID != want {
			t.Errorf("%+v %v", c, err)
		}
	}
	keys.Close()
	for credential, foreign := range map[string]bool{"sk-any": true, "cat_x_y": false, "a.b.c": false, "cat_a.b.c": false} {
		var bad *CredentialError
		if _, err := both.Identify(context.Background(), credential); !errors.As(err, &bad) || bad.Foreign != foreign {
			t.Errorf("%s: %v", credential, err)
		}
	}
	if _, err := (Identifier{}).Identify(t.Context(), secret); err == nil {
		t.Error("nobody knows the key, and it is taken")
	}
}

func BenchmarkToken(b *testing.B) {
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	for alg, key := range map[jose.SignatureAlgorithm]crypto.Signer{jose.RS256: rsaKey(), jose.ES256: ec} {
		i, at := newIssuer(b), &clock{at: noon}
		i.publish("k", string(alg), key.Public())
		check, token := tokens(b, i, at), i.sign("k", alg, key, map[string]any{"scope": "chat tools:crm"})
		b.Run(string(alg), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := check.Find(b.Context(), token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
