package langchain

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/openai"
)

// Config says which model to ask, and how. The zero value of a field means its default; Provider and Model have none.
type Config struct {
	Provider    string        // "openai" for every endpoint with OpenAI's chat completions, or "anthropic"
	BaseURL     string        // with the version: http://localhost:11434/v1; "" is the provider's own
	Model       string        // as the endpoint names it
	APIKey      string        // "" sends no key, as local endpoints want it
	Timeout     time.Duration // of one Complete with its retries; 0 is DefaultTimeout
	MaxTokens   int           // of an answer where the prompt sets none; 0 is DefaultMaxTokens
	Temperature float64       // 0 asks for the likeliest answer
	TopP        float64       // 0 leaves it to the endpoint
	MaxRetries  int           // after a first try; 0 is DefaultMaxRetries, less than 0 none
	Log         *slog.Logger  // is told why an endpoint refused a request; nil logs nothing
}

// The defaults of Config.
const (
	DefaultTimeout    = 60 * time.Second
	DefaultMaxTokens  = 4096
	DefaultMaxRetries = 2
)

var baseURLs = map[string]string{"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}

// String names provider, model and host. The key is never in it.
func (c Config) String() string {
	host := c.BaseURL
	if u, err := url.Parse(c.BaseURL); err == nil {
		host = u.Host
	}
	return fmt.Sprintf("%s %s at %s", c.Provider, c.Model, host)
}

// GoString is String, so that %#v does not print the key.
func (c Config) GoString() string { return c.String() }

// LogValue is String, so that logs do not hold the key.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// complete checks a configuration and fills in the defaults. Errors name the field and what it may be.
func (c Config) complete() (Config, error) {
	if _, ok := baseURLs[c.Provider]; !ok {
		return c, fmt.Errorf("provider %q is unknown; use openai (for every OpenAI-compatible endpoint) or anthropic", c.Provider)
	}
	if c.BaseURL == "" {
		c.BaseURL = baseURLs[c.Provider]
	}
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return c, fmt.Errorf("the base URL is no http or https address, as in http://localhost:11434/v1")
	}
	if u.User != nil {
		return c, fmt.Errorf("the base URL holds a user or password; give a key as the API key")
	}
	if c.Model == "" {
		return c, fmt.Errorf("no model is named, as in gpt-4o-mini")
	}
	if strings.ContainsAny(c.APIKey, "\r\n\x00") {
		return c, fmt.Errorf("the API key holds a line break; check the file or variable that it comes from")
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxTokens <= 0 {
		c.MaxTokens = DefaultMaxTokens
	}
	switch {
	case c.MaxRetries == 0:
		c.MaxRetries = DefaultMaxRetries
	case c.MaxRetries < 0:
		c.MaxRetries = 0
	}
	return c, nil
}

// New makes a Completer for a configuration. It sends nothing: an endpoint that is down shows at the first Complete.
func New(cfg Config) (*Completer, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, fmt.Errorf("language model: %w", err)
	}
	c := &Completer{cfg: cfg, client: newClient(cfg)}
	c.model, err = c.connect()
	if err != nil {
		return nil, fmt.Errorf("language model: %w", err)
	}
	return c, nil
}

// noRedirect keeps the key from following a redirect to another host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// connect makes langchaingo's model. Every option that it would else read from the environment is given.
func (c *Completer) connect() (llms.Model, error) {
	key := c.cfg.APIKey
	if key == "" {
		key = noKey // langchaingo wants one; the client takes it off again
	}
	if c.cfg.Provider == "anthropic" {
		c.client.wire = anthropicWire{}
		return anthropic.New(anthropic.WithToken(key), anthropic.WithModel(c.cfg.Model), anthropic.WithBaseURL(c.cfg.BaseURL),
			anthropic.WithHTTPClient(c.client))
	}
	c.client.wire = openaiWire{}
	return openai.New(openai.WithToken(key), openai.WithModel(c.cfg.Model), openai.WithBaseURL(c.cfg.BaseURL),
		openai.WithOrganization(""), openai.WithHTTPClient(c.client))
}

const noKey = "none"

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
