package declared

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"catena/table"
)

// Credential is what a request proves with who asks. Its value is sent as it is and never shown.
type Credential struct{ In, Name, Value string }

// set puts a credential in its place.
func (c Credential) set(req *http.Request) {
	switch c.In {
	case "header":
		req.Header.Set(c.Name, c.Value)
	case "query":
		query := req.URL.Query()
		query.Set(c.Name, c.Value)
		req.URL.RawQuery = query.Encode()
	case "cookie":
		req.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
}

// scheme is a security scheme of an OpenAPI document: where its credential stands, and what that is made of.
type scheme struct {
	in, name string
	what     string // for people
	write    string // an example of what settings have for it
	make     func(value string) (text, fault string)
	cannot   string // why it is none that can be done
}

// Texts that credentials may be: RFC 6750's tokens, RFC 6265's cookies.
var (
	bearerToken = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)
	cookieValue = regexp.MustCompile(`^[!#-+\--:<-\[\]-~]+$`)
)

const authorization = "Authorization"

func bearer(value string) (text, fault string) {
	if !bearerToken.MatchString(value) {
		return "", "is no token; write the token alone, as a variable or a file has it"
	}
	return "Bearer " + value, ""
}

func basic(value string) (text, fault string) {
	if user, _, ok := strings.Cut(value, ":"); !ok || user == "" {
		return "", "is no user and password; write \"user:${PASSWORD}\""
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(value)), ""
}

func asIs(fits func(string) bool) func(string) (text, fault string) {
	return func(value string) (text, fault string) {
		if value == "" || !fits(value) {
			return "", "is empty, or has a character that cannot stand there"
		}
		return value, ""
	}
}

// keyPlaces are the places of an apiKey, and which keys can stand there.
var keyPlaces = map[string]func(string) bool{
	"header": httpguts.ValidHeaderFieldValue, "cookie": cookieValue.MatchString,
	"query": func(string) bool { return true },
}

// schemeOf reads a scheme of a document.
func schemeOf(s map[string]any) scheme {
	const key, token = "${KEY}", "${TOKEN}"
	kind, in, name := textOf(s, "type"), textOf(s, "in"), textOf(s, "name")
	authorized := strings.ToLower(textOf(s, "scheme"))
	switch {
	case kind == "apiKey" && (keyPlaces[in] == nil || !keyName(in, name)):
		return scheme{cannot: fmt.Sprintf("its key is in %q as %q", in, name)}
	case kind == "apiKey":
		place := map[string]string{"header": "the header ", "query": "the query as ", "cookie": "the cookie "}[in]
		return scheme{in: in, name: name, what: "a key in " + place + name, write: key, make: asIs(keyPlaces[in])}
	case kind == "http" && authorized == "bearer":
		return scheme{in: "header", name: authorization, what: "a bearer token", write: token, make: bearer}
	case kind == "http" && authorized == "basic":
		return scheme{in: "header", name: authorization, what: "a user and a password", write: "user:${PASSWORD}",
			make: basic}
	case kind == "http":
		return scheme{cannot: fmt.Sprintf("it is HTTP's %q; bearer and basic are taken", authorized)}
	case kind == "oauth2" || kind == "openIdConnect":
		return scheme{in: "header", name: authorization, what: "an access token of " + kind, write: token, make: bearer}
	}
	return scheme{cannot: fmt.Sprintf("its type is %q; apiKey, http, oauth2 and openIdConnect are taken", kind)}
}

// keyName reports whether a key can have a name in its place.
func keyName(in, name string) bool {
	switch in {
	case "header":
		return httpguts.ValidHeaderFieldName(name) && !slices.Contains(ownHeaders, http.CanonicalHeaderKey(name))
	case "cookie":
		return httpguts.ValidHeaderFieldName(name) // both are tokens
	}
	return name != ""
}

// security is what the document asks of callers, and what the settings have for it.
type security struct {
	schemes  map[string]scheme
	settings *Request
	have     map[string]Credential // by scheme
	root     any                   // of operations that say nothing
}

// securityOf reads the schemes of a document. The error is that a credential of the settings cannot be used.
func (in *importer) securityOf(r *resolver, doc map[string]any) (*security, error) {
	s := &security{schemes: map[string]scheme{}, settings: &in.Each, have: map[string]Credential{},
		root: doc["security"]}
	declared := objectOf(objectOf(doc, "components"), "securitySchemes")
	for name, of := range declared {
		s.schemes[name] = schemeOf(r.object(of))
	}
	names := slices.Sorted(maps.Keys(s.schemes))
	for _, name := range slices.Sorted(maps.Keys(in.Credentials)) {
		of, there := s.schemes[name]
		switch {
		case !there && len(names) == 0:
			return nil, fmt.Errorf("credentials.%s is of no security scheme: the document has none", name)
		case !there:
			near := append(table.Nearest(name, names), names...)
			return nil, fmt.Errorf("credentials.%s is of no security scheme of the document; did you mean %s? "+
				"It has %s", name, near[0], strings.Join(names, ", "))
		case of.cannot != "":
			return nil, fmt.Errorf("credentials.%s is of a security scheme that cannot be used: %s", name, of.cannot)
		}
		text, fault := of.make(in.Credentials[name])
		if fault != "" {
			return nil, fmt.Errorf("credentials.%s %s", name, fault)
		}
		s.have[name] = Credential{of.in, of.name, text}
	}
	return s, nil
}

// of are the credentials of an operation, or why it cannot be asked. The first of its alternatives that can be met is.
func (s *security) of(op map[string]any) (out []Credential, why string) {
	asked, own := op["security"]
	if !own {
		asked = s.root
	}
	alternatives, _ := asked.([]any)
	anyone := len(alternatives) == 0
	var missing []string
	for _, a := range alternatives {
		names := slices.Sorted(maps.Keys(asObject(a)))
		if len(names) == 0 {
			anyone = true
			continue
		}
		list, lacks := s.all(names)
		if lacks == "" {
			return list, ""
		}
		missing = append(missing, lacks)
	}
	if anyone {
		return nil, ""
	}
	return nil, "callers need " + strings.Join(missing, ", or ")
}

// all are the credentials of schemes that are asked for together, or what is missing.
func (s *security) all(names []string) (list []Credential, lacks string) {
	for _, name := range names {
		of, there := s.schemes[name]
		c, have := s.have[name]
		switch {
		case !there:
			return nil, fmt.Sprintf("the security scheme %s, which the document does not describe", name)
		case of.cannot != "":
			return nil, fmt.Sprintf("the security scheme %s, which cannot be used: %s", name, of.cannot)
		case have && slices.ContainsFunc(list, func(o Credential) bool { return o.In == c.In && o.Name == c.Name }):
			return nil, fmt.Sprintf("two security schemes at once that stand in one place (%s)", c.Name)
		case have:
			list = append(list, c)
		case !s.written(of):
			return nil, fmt.Sprintf("%s (security scheme %s); write credentials: {%s: \"%s\"}", of.what, name, name,
				of.write)
		}
	}
	return list, ""
}

// written reports whether the settings have the header or query of a scheme themselves.
func (s *security) written(of scheme) bool {
	switch of.in {
	case "query":
		_, there := s.settings.Query[of.name]
		return there
	case "cookie":
		return hasHeader(s.settings.Headers, "Cookie")
	}
	return hasHeader(s.settings.Headers, of.name)
}

func hasHeader(headers map[string]string, name string) bool {
	for have := range headers {
		if strings.EqualFold(have, name) {
			return true
		}
	}
	return false
}

func asObject(v any) map[string]any { m, _ := v.(map[string]any); return m }
