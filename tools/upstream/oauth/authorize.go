package oauth

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// authorize gets tokens anew, from a person or for the client itself.
func (c *Client) authorize(ctx context.Context, from *source, scopes []string) error {
	if c.cfg.Machine {
		if err := c.become(ctx, from, ""); err != nil {
			return err
		}
		form := url.Values{"grant_type": {"client_credentials"}}
		if len(scopes) > 0 {
			form.Set("scope", strings.Join(scopes, " "))
		}
		return c.take(ctx, from, form, scopes)
	}
	if c.login == nil {
		reason := ""
		if c.have.Access != "" {
			reason = "the server does not take the token any more"
		}
		return &LoginError{Resource: c.cfg.Resource, Reason: reason}
	}
	if !from.assumed && !slices.Contains(from.server.PKCE, "S256") {
		return fmt.Errorf("the authorization server %s does not say that it checks PKCE (S256); no code is asked for",
			from.issuer())
	}
	redirect := c.cfg.Redirect
	if redirect == "" {
		redirect = c.login.Redirect()
	}
	if err := c.become(ctx, from, redirect); err != nil {
		return err
	}
	verifier, state := rand.Text()+rand.Text(), rand.Text()
	address, err := c.askFor(from, redirect, state, verifier, scopes)
	if err != nil {
		return err
	}
	answer, err := c.login.Ask(ctx, address)
	if err != nil {
		return err
	}
	code, err := checkAnswer(answer, from, state)
	if err != nil {
		return err
	}
	return c.take(ctx, from, url.Values{"grant_type": {"authorization_code"}, "code": {code},
		"code_verifier": {verifier}, "redirect_uri": {redirect}}, scopes)
}

// askFor is the address that a person opens.
func (c *Client) askFor(from *source, redirect, state, verifier string, scopes []string) (string, error) {
	u, err := url.Parse(from.server.Authorize)
	if err != nil || from.server.Authorize == "" {
		return "", fmt.Errorf("the authorization server %s names no authorization endpoint", from.issuer())
	}
	sum := sha256.Sum256([]byte(verifier))
	q := u.Query()
	q.Set("response_type", "code")
	q.Set("client_id", c.have.ClientID)
	q.Set("redirect_uri", redirect)
	q.Set("state", state)
	q.Set("code_challenge", base64.RawURLEncoding.EncodeToString(sum[:]))
	q.Set("code_challenge_method", "S256")
	if len(scopes) > 0 {
		q.Set("scope", strings.Join(scopes, " "))
	}
	if slices.Contains(scopes, "offline_access") {
		q.Set("prompt", "consent") // OpenID Connect Core, section 11
	}
	q.Set("resource", c.audience(from))
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// audience is the server that a token is for (RFC 8707).
func (c *Client) audience(from *source) string {
	if from.resource.Resource != "" {
		return from.resource.Resource
	}
	return c.cfg.Resource
}

// checkAnswer takes the code from a redirect, if it is the answer to our question and from whom we asked.
func checkAnswer(q url.Values, from *source, state string) (code string, err error) {
	iss, named := q.Get("iss"), q.Has("iss")
	switch {
	case q.Get("state") != state:
		return "", errors.New("the answer of the browser is not that to this login (state)")
	case named && iss != from.issuer(): // RFC 9207, section 2.4: letter by letter
		return "", fmt.Errorf("the answer is that of another authorization server, %q (iss); its code is not used", iss)
	case !named && from.server.Iss:
		return "", errors.New("the answer does not say which authorization server it is from (iss), though this one " +
			"always does; its code is not used")
	case q.Get("error") != "":
		return "", fmt.Errorf("the authorization server refused: %s %s", q.Get("error"), q.Get("error_description"))
	case q.Get("code") == "":
		return "", errors.New("the answer of the browser has no code")
	}
	return q.Get("code"), nil
}

// become makes us a client of the authorization server: the one that the settings name, the one that we are already, a
// document that describes us, or by registration. redirect is "" where no person is asked.
func (c *Client) become(ctx context.Context, from *source, redirect string) error {
	asked := c.have.Asked
	switch {
	case c.cfg.ClientID != "":
		c.have = grant{ClientID: c.cfg.ClientID, Secret: c.cfg.ClientSecret}
	case c.have.ClientID != "" && c.have.Issuer == from.issuer() && c.have.Redirect == redirect:
		return nil
	case c.cfg.ClientIDMetadata != "" && from.server.Documents:
		c.have = grant{ClientID: c.cfg.ClientIDMetadata, Method: "none"}
	case from.server.Register != "":
		if err := c.register(ctx, from, redirect); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the authorization server %s registers no clients by itself; register one there and set "+
			"its client_id", from.issuer())
	}
	if c.have.Method == "" {
		c.have.Method = method(from.server.Methods, c.have.Secret, c.cfg.PrivateKey)
	}
	c.have.Issuer, c.have.Token, c.have.Redirect, c.have.Asked = from.issuer(), from.server.Token, redirect, asked
	return nil
}

// method is how a client shows who it is.
func method(supported []string, secret, key string) string {
	switch {
	case key != "":
		return "private_key_jwt"
	case secret == "":
		return "none"
	case len(supported) > 0 && !slices.Contains(supported, "client_secret_basic") &&
		slices.Contains(supported, "client_secret_post"):
		return "client_secret_post"
	}
	return "client_secret_basic" // what RFC 8414 says where nothing is said
}

// register is dynamic client registration (RFC 7591).
func (c *Client) register(ctx context.Context, from *source, redirect string) error {
	want := "none"
	if m := from.server.Methods; len(m) > 0 && !slices.Contains(m, "none") {
		want = method(m, "any", "")
	}
	about := map[string]any{
		"client_name": "Catena", "grant_types": []string{"authorization_code", "refresh_token"},
		"response_types":             []string{"code"},
		"token_endpoint_auth_method": want, "application_type": "native", "redirect_uris": []string{redirect},
	}
	if c.cfg.Machine {
		about["grant_types"], about["token_endpoint_auth_method"] = []string{"client_credentials"},
			method(from.server.Methods, "any", "")
		delete(about, "redirect_uris")
		delete(about, "response_types")
	}
	body, err := json.Marshal(about)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, from.server.Register, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	var got struct {
		ClientID string `json:"client_id"`
		Secret   string `json:"client_secret"`
		Method   string `json:"token_endpoint_auth_method"`
	}
	if err := c.send(req, &got); err != nil {
		return fmt.Errorf("the authorization server did not take the registration: %w", err)
	}
	if got.ClientID == "" {
		return errors.New("the authorization server gave no client id")
	}
	c.have = grant{ClientID: got.ClientID, Secret: got.Secret, Method: got.Method}
	return nil
}

// serverError is an error that an authorization server names (RFC 6749, section 5.2).
type serverError struct {
	Status      int
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// Error gives the server's words.
func (e *serverError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s %s", e.Status, e.Code, e.Description))
}

// send sends a request to the authorization server and reads its JSON answer.
func (c *Client) send(req *http.Request, to any) error {
	if err := c.permit(req.URL.String()); err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // read only
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument))
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		refused := &serverError{}
		_ = json.Unmarshal(body, refused) // the status says enough
		refused.Status = resp.StatusCode
		return refused
	}
	return json.Unmarshal(body, to)
}

// take asks the token endpoint, and keeps what it gives.
func (c *Client) take(ctx context.Context, from *source, form url.Values, scopes []string) error {
	form.Set("resource", c.audience(from))
	if err := c.exchange(ctx, form, from.server.Algs); err != nil {
		return err
	}
	c.have.Asked, c.have.Wanted = scopes, nil
	return c.save(ctx)
}

// refresh gets a new access token for the refresh token, and a new refresh token where the server rotates them.
func (c *Client) refresh(ctx context.Context) error {
	before := c.have.Refresh
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {before}, "resource": {c.have.Audience}}
	if err := c.exchange(ctx, form, nil); err != nil {
		var refused *serverError
		if errors.As(err, &refused) && refused.Status < 500 {
			// Another process may have used it: then its tokens are in the store.
			if lerr := c.load(ctx, true); lerr == nil && c.have.Access != "" && c.have.Refresh != before {
				return nil
			}
			c.have.Refresh, c.have.Access = "", ""
			return errors.Join(err, c.save(ctx))
		}
		return err
	}
	return c.save(ctx)
}

// exchange asks the token endpoint.
func (c *Client) exchange(ctx context.Context, form url.Values, algs []string) error {
	req, err := c.tokenRequest(ctx, form, algs)
	if err != nil {
		return err
	}
	var got struct {
		Access  string  `json:"access_token"`
		Type    string  `json:"token_type"`
		Refresh string  `json:"refresh_token"`
		Seconds float64 `json:"expires_in"`
		Scope   *string `json:"scope"`
	}
	if err := c.send(req, &got); err != nil {
		return fmt.Errorf("the authorization server gave no token: %w", err)
	}
	if got.Access == "" || !strings.EqualFold(got.Type, "Bearer") {
		return errors.New("the authorization server gave no bearer token")
	}
	c.have.Access, c.have.Audience = got.Access, form.Get("resource")
	if got.Refresh != "" || form.Get("grant_type") != "refresh_token" {
		c.have.Refresh = got.Refresh
	}
	c.have.Ends = time.Time{}
	if got.Seconds > 0 {
		c.have.Ends = time.Now().Add(time.Duration(min(got.Seconds, 1e9)) * time.Second)
	}
	return nil
}
