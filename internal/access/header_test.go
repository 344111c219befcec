package access

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// TestTokenHeaders: a good signature of the issuer's lets nobody in whose token is of another type, or is to be read in another way.
func TestTokenHeaders(t *testing.T) {
	i, at := newIssuer(t), &clock{at: noon}
	i.publish("k", "RS256", &rsaKey().PublicKey)
	sign := func(header map[jose.HeaderKey]any) string {
		opt := &jose.SignerOptions{}
		for name, v := range header {
			opt.WithHeader(name, v)
		}
		s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: rsaKey(), KeyID: "k"}}, opt)
		if err != nil {
			t.Fatal(err)
		}
		token, err := jwt.Signed(s).Claims(map[string]any{"iss": i.url, "aud": "catena", "sub": "ann", "exp": noon.Unix() + 60}).Serialize()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	onlyAccess := tokens(t, i, at, func(o *TokensOptions) { o.Types = []string{"application/AT+JWT"} })
	usual := tokens(t, i, at)
	for _, c := range []struct {
		name          string
		header        map[jose.HeaderKey]any
		usual, strict bool
	}{
		{"none", nil, true, false},
		{"JWT", map[jose.HeaderKey]any{"typ": "JWT"}, true, false},
		{"jwt", map[jose.HeaderKey]any{"typ": "jwt"}, true, false},
		{"application/jwt", map[jose.HeaderKey]any{"typ": "application/jwt"}, true, false},
		{"an access token", map[jose.HeaderKey]any{"typ": "at+jwt"}, true, true},
		{"one in full", map[jose.HeaderKey]any{"typ": "application/at+JWT"}, true, true},
		{"a proof", map[jose.HeaderKey]any{"typ": "dpop+jwt"}, false, false},
		{"a proof in full", map[jose.HeaderKey]any{"typ": "Application/DPoP+JWT"}, false, false},
		{"a logout", map[jose.HeaderKey]any{"typ": "logout+jwt"}, false, false},
		{"another type", map[jose.HeaderKey]any{"typ": "x"}, false, false},
		{"an empty type", map[jose.HeaderKey]any{"typ": ""}, false, false},
		{"a type that is no text", map[jose.HeaderKey]any{"typ": []string{"JWT"}}, false, false},
		{"the word none", map[jose.HeaderKey]any{"typ": "none"}, false, false},
		{"compressed", map[jose.HeaderKey]any{"zip": "DEF"}, false, false},
		{"compressed, empty", map[jose.HeaderKey]any{"zip": ""}, false, false},
		{"compressed, in capitals", map[jose.HeaderKey]any{"ZIP": "DEF"}, false, false},
		{"critical", map[jose.HeaderKey]any{"crit": []string{"exp2"}, "exp2": 1}, false, false},
		{"critical, empty", map[jose.HeaderKey]any{"crit": []string{}}, false, false},
		{"not encoded", map[jose.HeaderKey]any{"b64": true}, false, false},
		{"with a key of its own", map[jose.HeaderKey]any{"jku": "https://evil.example/keys"}, true, false},
	} {
		for who, want := range map[*Tokens]bool{usual: c.usual, onlyAccess: c.strict} {
			_, err := who.Find(t.Context(), sign(c.header))
			var bad *CredentialError
			if want != (err == nil) || err != nil && !errors.As(err, &bad) {
				t.Errorf("%s, types %v: %v", c.name, who.opt.Types, err)
			}
		}
	}
	for _, typ := range []string{"", "dpop+jwt", "application/dpop+jwt", "JWT, at+jwt"} {
		if _, err := NewTokens(TokensOptions{Issuer: "https://x", Audience: []string{"a"}, Types: []string{typ}}); err == nil || !strings.Contains(err.Error(), "type") {
			t.Errorf("%q: %v", typ, err)
		}
	}
}
