package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"catena/internal/access"
	"catena/internal/config"
	"catena/server"
	"catena/server/settings"
)

// chosenFile is where the model that was chosen is kept, beside the store's file.
const chosenFile = "model.json"

// chosenModel is the model that an administrator chose.
type chosenModel struct {
	changing sync.Mutex // held while it is changed
	mu       sync.Mutex // guards what follows
	config.Chosen
	kept    bool   // there is one
	unread  string // why the file from before is not used
	without bool   // the program started without a model
}

// withChosen fills in what was chosen earlier where the settings leave it open. What cannot be used changes nothing,
// and is told.
func (m *models) withChosen(ctx context.Context) config.LLM {
	m.chosen.without = m.Cfg.LLM.Provider == ""
	if m.whyFixed() != "" {
		return m.Cfg.LLM
	}
	file, err := m.chosenPath()
	if err != nil {
		return m.Cfg.LLM
	}
	kept, err := config.ReadChosen(file)
	if errors.Is(err, fs.ErrNotExist) {
		return m.Cfg.LLM
	}
	m.chosen.kept = true
	var llm config.LLM
	if err == nil {
		llm, err = m.Cfg.LLM.Choose(kept)
	}
	if err != nil {
		m.chosen.unread = "The model that was chosen earlier cannot be used: " + settingsError(err)
		m.log.WarnContext(ctx, "the model that was chosen earlier cannot be used; choose one in the page's settings, "+
			"or delete the file", "file", file, "error", settingsError(err))
		return m.Cfg.LLM
	}
	m.chosen.Chosen, m.chosen.without = kept, false
	m.hideKey(llm)
	return llm
}

// settingsError is what is wrong with a choice, in one line.
func settingsError(err error) string {
	return strings.ReplaceAll(strings.ReplaceAll(err.Error(), "config: ", ""), "\n", "; ")
}

// hideKey has a key be hidden wherever texts leave.
func (m *models) hideKey(llm config.LLM) {
	cfg := m.Cfg
	cfg.LLM = llm
	m.Secrets.Set(cfg)
}

func (m *models) chosenPath() (string, error) {
	path, err := storePath(m.Cfg.Store.Dir)
	return filepath.Join(filepath.Dir(path), chosenFile), err
}

// hasChosen reports whether a model was chosen for the store with this file.
func hasChosen(store string) bool {
	_, err := os.Lstat(filepath.Join(filepath.Dir(store), chosenFile))
	return err == nil
}

// whyFixed says why no model can be chosen while the program runs, "" where one can.
func (m *models) whyFixed() string {
	switch c := m.Cfg; {
	case c.Store.URL != "":
		return "Replicas take the model from their settings (llm.provider, llm.model), so that all ask the same one."
	case c.Store.Dir == ":memory:":
		return "Nothing is kept here (store.dir is :memory:), so the model comes from the settings (llm.provider, " +
			"llm.model)."
	case c.Access.Require == "proxy":
		return "Nobody is asked who they are here (access.require is proxy), so the model comes from the settings " +
			"(llm.provider, llm.model)."
	}
	return ""
}

// The fields of a choice, by their names in requests and their settings.
var choiceSettings = []struct{ field, setting string }{
	{"provider", "llm.provider"}, {"base_url", "llm.base_url"}, {"model", "llm.model"}, {"api_key", "llm.api_key"},
}

// choiceOf are those fields of settings.
func choiceOf(l config.LLM) map[string]string {
	return map[string]string{"provider": l.Provider, "base_url": l.BaseURL, "model": l.Model,
		"api_key": l.APIKey.Reveal()}
}

// setElsewhere says of the fields that the settings have a value for where it comes from.
func (m *models) setElsewhere() map[string]string {
	out, values := map[string]string{}, choiceOf(m.Cfg.LLM)
	for _, f := range choiceSettings {
		if values[f.field] != "" {
			out[f.field] = cmp.Or(m.Cfg.Origin(f.setting), "a variable of the provider's own")
		}
	}
	if from := out["api_key"]; from != "" && out["base_url"] == "" {
		out["base_url"] = from // see config.LLM.Choose
	}
	return out
}

// Model implements settings.Models.
func (m *models) Model() settings.Model {
	llm := m.inUse().llm
	m.chosen.mu.Lock()
	defer m.chosen.mu.Unlock()
	out := settings.Model{Provider: llm.Provider, BaseURL: llm.BaseURL, Model: llm.Model,
		HasKey: llm.APIKey.Reveal() != "", Set: m.setElsewhere(), Chosen: m.chosen.kept, Fixed: m.whyFixed(),
		Notes: []string{}}
	if m.chosen.unread != "" {
		out.Notes = append(out.Notes, m.chosen.unread)
	}
	if llm.Provider != "" && m.chosen.without {
		out.Notes = append(out.Notes, "Questions are planned by it from now on, tools write texts with it, and MCP "+
			"servers that may ask a model ask it.")
	}
	return out
}

// ChooseModel implements settings.Models.
func (p *App) ChooseModel(ctx context.Context, by access.Caller, choice settings.Choice) error {
	p.chosen.changing.Lock()
	defer p.chosen.changing.Unlock()
	next, key, err := p.chosenBy(choice)
	if err != nil {
		return err
	}
	llm, err := p.Cfg.LLM.Choose(next)
	if err == nil && llm.Provider == "" {
		err = errors.New("llm.provider is missing: openai or anthropic")
	}
	if err != nil {
		return server.NewProblem(http.StatusUnprocessableEntity, "bad_model",
			"Such a model cannot be asked: "+settingsError(err)+".", "Nothing was changed.")
	}
	p.hideKey(llm) // before anything can tell of it
	a, err := p.reach(llm)
	if err != nil {
		return server.NewProblem(http.StatusUnprocessableEntity, "bad_model", server.Sentence(p.Secrets.Hide(err.Error())),
			"Nothing was changed.")
	}
	file, err := p.chosenPath()
	if err == nil {
		err = next.Write(file)
	}
	if err != nil {
		return errors.Join(err, a.close())
	}
	p.useModel(a, func(c *chosenModel) { c.Chosen, c.kept, c.unread = next, true, "" })
	p.tellModel(ctx, by, llm, key)
	return nil
}

// chosenBy is a choice with the key from before where it has none, and where its key comes from.
func (p *App) chosenBy(choice settings.Choice) (next config.Chosen, key string, err error) {
	if why := p.whyFixed(); why != "" {
		return next, "", server.NewProblem(http.StatusConflict, "model_fixed", why, "")
	}
	mine := choiceOf(p.Cfg.LLM)
	asked := map[string]string{"provider": choice.Provider, "base_url": choice.BaseURL, "model": choice.Model,
		"api_key": choice.APIKey}
	set := p.setElsewhere()
	for _, f := range choiceSettings {
		if asked[f.field] != "" && set[f.field] != "" && asked[f.field] != mine[f.field] {
			return next, "", server.NewProblem(http.StatusConflict, "set_elsewhere",
				f.setting+" is set by "+set[f.field]+", which comes first.", "Change it there, or leave "+f.field+" out.")
		}
	}
	next = config.Chosen{Provider: choice.Provider, BaseURL: choice.BaseURL, Model: choice.Model,
		APIKey: config.Literal(strings.TrimSpace(choice.APIKey))}
	p.chosen.mu.Lock()
	former := p.chosen.Chosen
	p.chosen.mu.Unlock()
	switch {
	case next.APIKey.Reveal() != "":
		return next, "given", nil
	case former.APIKey.Reveal() != "" && former.Provider == next.Provider && former.BaseURL == next.BaseURL:
		next.APIKey = former.APIKey // it was given for this address
		return next, "kept", nil
	}
	return next, "none", nil
}

// ForgetModel implements settings.Models.
func (p *App) ForgetModel(ctx context.Context, by access.Caller) error {
	p.chosen.changing.Lock()
	defer p.chosen.changing.Unlock()
	if why := p.whyFixed(); why != "" {
		return server.NewProblem(http.StatusConflict, "model_fixed", why, "")
	}
	a, err := p.reach(p.Cfg.LLM)
	if err != nil {
		return err
	}
	file, err := p.chosenPath()
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, a.close())
	}
	p.useModel(a, func(c *chosenModel) { c.Chosen, c.kept, c.unread = config.Chosen{}, false, "" })
	p.tellModel(ctx, by, p.Cfg.LLM, "forgotten")
	return nil
}

// useModel has turns that begin from now on go by other models.
func (p *App) useModel(a *asked, note func(*chosenModel)) {
	p.chosen.mu.Lock()
	note(&p.chosen)
	p.chosen.mu.Unlock()
	former := p.inUse()
	p.asked.Store(a)
	p.Engine.UseModel(p.plannedBy(a))
	_ = former.close() // of idle connections; calls under way go on
}

// tellModel records who chose which model, never its key.
func (p *App) tellModel(ctx context.Context, by access.Caller, llm config.LLM, key string) {
	what := []slog.Attr{slog.String("caller", by.ID), slog.String("via", by.Via), slog.String("provider", llm.Provider),
		slog.String("base_url", llm.BaseURL), slog.String("model", llm.Model), slog.String("api_key", key)}
	p.log.LogAttrs(ctx, slog.LevelInfo, "the language model was changed", what...)
	if p.audit != nil {
		p.audit.Record(ctx, "model", what...)
	}
}
