package settings

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/access"
	"catena/server"
)

// Model is the language model in use, without its key. The zero value is none.
type Model struct {
	Provider string `json:"provider"`
	BaseURL  string `json:"base_url"`
	Model    string `json:"model"`
	HasKey   bool   `json:"has_key"`
	// Set says where those fields come from that cannot be changed here, by their names in Choice.
	Set map[string]string `json:"set"`
	// Chosen says that something was chosen here, which can be forgotten.
	Chosen bool     `json:"chosen"`
	Fixed  string   `json:"fixed,omitempty"` // a sentence: why nothing can be chosen here
	Notes  []string `json:"notes"`           // what else a person should know, a sentence each
}

// Choice is a model that somebody chooses. An APIKey of "" keeps the one that was chosen for the same provider and
// address.
type Choice struct {
	Provider string `json:"provider"`
	BaseURL  string `json:"base_url"`
	Model    string `json:"model"`
	APIKey   string `json:"api_key"`
}

// Models is the model of the program. Errors are fit for who chooses, and have no key in them. Implementations are safe
// for concurrent use.
type Models interface {
	Model() Model
	// ChooseModel has turns that begin from now on ask a model, and the next start too. The settings' own values stay.
	ChooseModel(ctx context.Context, by access.Caller, choice Choice) error
	// ForgetModel takes back what was chosen, with its key.
	ForgetModel(ctx context.Context, by access.Caller) error
}

// Bounds of a choice, in bytes.
const (
	mostAddress = 2 << 10
	mostName    = 256
	mostKey     = 16 << 10
)

var choiceFields = []chat.Field{
	{Name: "provider", Required: true, OneOf: []string{"", "openai", "anthropic"}},
	{Name: "base_url", Most: mostAddress, Bytes: true},
	{Name: "model", Most: mostName, Bytes: true},
	{Name: "api_key", Most: mostKey, Bytes: true},
}

// check says which field is no good, never what is in it.
func (c Choice) check() error {
	return chat.CheckTexts(choiceFields, map[string]string{
		"provider": c.Provider, "base_url": c.BaseURL, "model": c.Model, "api_key": c.APIKey})
}

func (s *handlers) getModel(c *gin.Context) {
	m := s.opt.Models.Model()
	if m.Fixed == "" && !server.Private(c.Request) {
		m.Fixed = notPrivate
	}
	c.Header("Cache-Control", "no-store")
	server.WriteJSON(c, http.StatusOK, m)
}

// notPrivate is why a key is not taken from a connection that others may read.
const notPrivate = "The model is chosen on the server's own machine or over HTTPS only, since a key would cross the " +
	"network for all to read."

// private reports whether nobody can read a request on its way; where somebody could, it answers 403.
func (s *handlers) private(c *gin.Context) bool {
	if server.Private(c.Request) {
		return true
	}
	s.Fail(c, server.NewProblem(http.StatusForbidden, "not_private", notPrivate,
		"Open the page on that machine, or set listen.tls_cert and listen.tls_key."))
	return false
}

func (s *handlers) postModel(c *gin.Context) {
	if !s.private(c) {
		return
	}
	var choice Choice
	err := server.Decode(c, &choice)
	if err == nil {
		err = choice.check()
	}
	ctx := c.Request.Context()
	if err == nil {
		err = s.opt.Models.ChooseModel(ctx, server.CallerOf(ctx), choice)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.getModel(c)
}

func (s *handlers) deleteModel(c *gin.Context) {
	if !s.private(c) {
		return
	}
	ctx := c.Request.Context()
	if err := s.opt.Models.ForgetModel(ctx, server.CallerOf(ctx)); err != nil {
		s.Fail(c, err)
		return
	}
	s.getModel(c)
}
