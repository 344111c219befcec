package access

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// TypeNone stands for a token whose header has no typ, in TokensOptions.Types.
const TypeNone = "none"

// otherTypes are tokens that say something else than who calls: proofs of possession (RFC 9449), events (RFC 8417), logouts (OpenID Connect),
// statements of clients (RFC 7523, RFC 9101). A signature of the issuer's does not make one a right to call (RFC 8725, 3.11 and 3.12).
var otherTypes = []string{
	"dpop+jwt", "secevent+jwt", "logout+jwt", "client-authentication+jwt", "oauth-authz-req+jwt", "token-introspection+jwt",
	"entity-statement+jwt", "kb+jwt", "jose", "jose+json",
}

// DefaultTypes are the types of tokens that are taken without any setting: JWT, at+jwt (RFC 9068) and none.
func DefaultTypes() []string { return []string{"JWT", "at+jwt", TypeNone} }

// CheckType returns an error that says why a type of tokens cannot be taken, nil where it can.
func CheckType(typ string) error {
	plain := plainType(typ)
	if plain == "" || strings.ContainsAny(plain, " ,\t") {
		return fmt.Errorf("the type %q is none: write JWT, at+jwt, or none for tokens without one", typ)
	}
	if slices.Contains(otherTypes, plain) {
		return fmt.Errorf("the type %q is none that lets anybody in: such tokens say something else", typ)
	}
	return nil
}

// plainType writes a media type as typ may have it: without application/, in lower case (RFC 7515, 4.1.9).
func plainType(typ string) string { return strings.TrimPrefix(strings.ToLower(typ), "application/") }

// refusedNames are those that change how the rest is to be read. Nothing here reads it so, and a program that ignores one may take for
// a token what is none (RFC 7515, 4.1.11; RFC 8725, 3.6).
var refusedNames = map[string]string{
	"zip": "is compressed", "crit": "wants what is not known here", "b64": "is not encoded as tokens are", "enc": "is encrypted",
}

// decodePart gives the bytes of one part of a token, where that is the one way to write them: decoders pass over line
// breaks, and over the bits of the last character that no byte needs, so that one token would have dozens of spellings
// (RFC 4648, 3.5).
func decodePart(part string) (raw []byte, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(part)
	return raw, err == nil && base64.RawURLEncoding.EncodeToString(raw) == part
}

// checkHeader refuses a token by its header and its spelling, before its signature is looked at.
func (t *Tokens) checkHeader(token string) error {
	first, rest, _ := strings.Cut(token, ".")
	raw, ok := decodePart(first)
	for part := range strings.SplitSeq(rest, ".") {
		_, plain := decodePart(part)
		ok = ok && plain
	}
	var header map[string]json.RawMessage
	if !ok || json.Unmarshal(raw, &header) != nil || header == nil {
		return &CredentialError{Reason: "The token is none, or is signed in a way that is not accepted."}
	}
	for name := range header {
		if why := refusedNames[strings.ToLower(name)]; why != "" {
			return &CredentialError{Reason: fmt.Sprintf("The token %s (%s), which is not accepted.", why, strings.ToLower(name))}
		}
	}
	typ := TypeNone
	if value, has := header["typ"]; has && (json.Unmarshal(value, &typ) != nil || typ == "" || plainType(typ) == TypeNone) {
		return &CredentialError{Reason: "The token does not say of which type it is in a way that can be read."}
	}
	if !t.types[plainType(typ)] {
		return &CredentialError{Reason: "The token is of a type that lets nobody in here."}
	}
	return nil
}
