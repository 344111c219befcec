package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

const modelPath = "/api/v1/settings/model"

// canaryKey is a key that may be nowhere but in its file and in requests to the model.
const canaryKey = "sk-canary-7f3a9b1c5d2e"

// modelServer is a model's endpoint that refuses each request with the key that it came with, and hands on the keys.
func modelServer(t *testing.T) (url string, keys chan string) {
	t.Helper()
	keys = make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys <- r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":{"message":"no good key: `+r.Header.Get("Authorization")+`"}}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", keys
}

// modelHouse is a program in a folder that says everything in its log and its audit.
type modelHouse struct {
	*house
	logs *e2etest.LogBuffer
	stop func()
}

func newModelHouse(t *testing.T, dir string, env ...string) *modelHouse {
	t.Helper()
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", env, map[string][]string{"store.dir": {dir}, "log.level": {"debug"},
		"code.enabled": {"false"}, "audit.to": {filepath.Join(dir, "audit.log")}, "audit.arguments": {"full"}})
	if err != nil {
		t.Fatal(err)
	}
	logs := &e2etest.LogBuffer{}
	p, err := New(t.Context(), cfg, logs)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{Caller: server.Bearer(access.Identifier{Keys: p.Keys}, true)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	h := &modelHouse{house: &house{t: t, p: p, url: web.URL, keys: map[string]string{"": ""}}, logs: logs}
	over := false
	h.stop = func() {
		if over {
			return
		}
		over = true
		web.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(h.stop)
	return h
}

// as sends a request with headers, and fails where the answer has the key.
func (h *modelHouse) as(method, path, body string, headers ...string) (int, string) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	if strings.Contains(string(text), canaryKey) {
		h.t.Errorf("%s %s tells the key: %s", method, path, text)
	}
	return res.StatusCode, string(text)
}

// TestChosenModel: a model that is chosen is asked at once and after a restart, with its key, which is in a file for this
// user alone, in no answer, log or record, and goes to no other address. Forgotten, it is gone.
func TestChosenModel(t *testing.T) {
	dir := t.TempDir()
	url, keys := modelServer(t)
	file := filepath.Join(dir, chosenFile)
	choice := `{"provider":"openai","base_url":"` + url + `","model":"m1","api_key":"` + canaryKey + `"}`
	asks := func(h *modelHouse, want string) {
		t.Helper()
		if status, text := h.as("POST", "/api/v1/chat", `{"message":"why is the sky so blue over Oslo?"}`); status != 200 {
			t.Fatal(status, text)
		}
		select {
		case key := <-keys:
			if key != want {
				t.Errorf("the model was asked with %q", key)
			}
		default:
			t.Error("the model was not asked")
		}
		for len(keys) > 0 {
			<-keys
		}
	}
	h := newModelHouse(t, dir)
	for body, code := range map[string]string{
		`{"provider":"openai","model":"m","base_url":"ftp://x/"}`:                                       "bad_model",
		`{"provider":"openai","model":"m","base_url":"http://u:` + canaryKey + `@x/v1"}`:                "bad_model",
		`{"provider":"openai","model":"m"}`:                                                             "bad_model", // no key
		`{"provider":"","model":"m","api_key":"` + canaryKey + `"}`:                                     "bad_model",
		`{"provider":"openai","model":"m","api_key":"` + canaryKey + `\n2"}`:                            "bad_model",
		`{"provider":"other","model":"m","api_key":"` + canaryKey + `"}`:                                "bad_provider",
		`{"provider":"openai","model":"m","api_key":["` + canaryKey + `"]}`:                             "wrong_type",
		`{"provider":"openai","model":"m","api_key":"` + canaryKey + `"`:                                "malformed_json",
		`{"provider":"openai","model":"m","api_key":"` + strings.Repeat(canaryKey, mostKeyTimes) + `"}`: "bad_api_key",
	} {
		want := 400
		if code == "bad_model" {
			want = 422 // it is as described, and of no use
		}
		if status, text := h.as("POST", modelPath, body); status != want || !strings.Contains(text, `"code":"`+code+`"`) {
			t.Errorf("%.80s: %d %s", body, status, text)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a choice that was refused is kept")
	}
	if status, text := h.as("POST", modelPath, choice); status != 200 || !strings.Contains(text, `"has_key":true`) {
		t.Fatal(status, text)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v %v", info, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".model*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	asks(h, "Bearer "+canaryKey)
	_, text := h.as("POST", "/api/v1/tools/extract", `{"arguments":{"text":"a","instruction":"b","schema":{"type":"object"}}}`)
	if len(keys) == 0 || strings.Contains(text, "no_model") {
		t.Errorf("a tool that writes texts does not ask the model: %s", text)
	}
	for len(keys) > 0 {
		<-keys
	}
	if status, text := h.as("GET", "/", ""); status != 200 || !strings.Contains(text, "openai m1 at ") {
		t.Error(status, text)
	}
	// another name of the model keeps the key, another address does not get it
	if status, text := h.as("POST", modelPath, strings.NewReplacer("m1", "m2", canaryKey, "").Replace(choice)); status != 200 || !strings.Contains(text, `"has_key":true`) {
		t.Error(status, text)
	}
	asks(h, "Bearer "+canaryKey)
	for _, path := range []string{modelPath, "/", "/health", "/api/v1/tools", "/openapi.json"} {
		h.as("GET", path, "")
	}
	h.stop()

	again := newModelHouse(t, dir)
	asks(again, "Bearer "+canaryKey)
	other, otherKeys := modelServer(t)
	if status, text := again.as("POST", modelPath, `{"provider":"openai","base_url":"`+other+`","model":"m2"}`); status != 200 || !strings.Contains(text, `"has_key":false`) {
		t.Error(status, text)
	}
	again.as("POST", "/api/v1/chat", `{"message":"why is the sky so blue over Oslo?"}`)
	select {
	case key := <-otherKeys:
		if key != "" {
			t.Errorf("another address got %q", key)
		}
	default:
		t.Error("the other address was not asked")
	}
	if status, text := again.as("DELETE", modelPath, ""); status != 200 || !strings.Contains(text, `"provider":""`) {
		t.Error(status, text)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("what was forgotten is kept")
	}
	if name := again.p.PlannerName(); !strings.HasPrefix(name, "offline") {
		t.Error(name)
	}
	again.stop()
	audit, err := os.ReadFile(filepath.Join(dir, "audit.log"))
	if err != nil || !bytes.Contains(audit, []byte(`"api_key":"given"`)) {
		t.Errorf("the record says nothing of it: %v %s", err, audit)
	}
	for what, text := range map[string]string{"log": h.logs.String(), "second log": again.logs.String(), "record": string(audit)} {
		if strings.Contains(text, canaryKey) {
			t.Errorf("the %s has the key: %s", what, text)
		}
	}
}

// mostKeyTimes makes a key too long.
const mostKeyTimes = 1000

// TestChosenModelRights: only administrators who may change things choose a model, only from this machine or over TLS, and
// only where one process answers to people that it knows.
func TestChosenModelRights(t *testing.T) {
	dir := t.TempDir()
	h := newModelHouse(t, dir)
	body := `{"provider":"openai","base_url":"http://127.0.0.1:1/v1","model":"m","api_key":"` + canaryKey + `"}`
	for _, role := range []string{"reader", "user", "admin"} {
		var err error
		if h.keys[role], _, err = h.p.Keys.Create(t.Context(), access.Key{Name: role, Roles: []string{role}}); err != nil {
			t.Fatal(err)
		}
	}
	for role, want := range map[string][2]int{"reader": {403, 403}, "user": {403, 403}, "admin": {200, 200}} {
		key := h.keys[role]
		for i, method := range []string{"GET", "POST"} {
			if status, text := h.as(method, modelPath, body, "Authorization", "Bearer "+key); status != want[i] {
				t.Errorf("%s: %s %d %s", role, method, status, text)
			}
		}
		if role != "admin" {
			continue
		}
		for _, method := range []string{"POST", "DELETE"} { // from somewhere else, through a proxy that speaks HTTP
			status, text := h.as(method, modelPath, body, "Authorization", "Bearer "+key, "X-Forwarded-For", "192.0.2.1")
			if status != 403 || !strings.Contains(text, `"code":"not_private"`) {
				t.Errorf("over a network: %s %d %s", method, status, text)
			}
		}
		status, text := h.as("GET", modelPath, "", "Authorization", "Bearer "+key, "X-Forwarded-For", "192.0.2.1")
		if status != 200 || !strings.Contains(text, "over HTTPS only") {
			t.Error(status, text)
		}
	}
	for _, settings := range []map[string][]string{{"store.dir": {":memory:"}}, {"access.require": {"proxy"}}} {
		cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, settings)
		if err != nil {
			t.Fatal(err)
		}
		p := newApp(cfg)
		if p.Model().Fixed == "" {
			t.Errorf("%v: a model may be chosen", settings)
		}
	}
}

// TestChosenModelSettingsFirst: what the settings say stays, and is told with where it comes from; where they have the key,
// it goes to no address that is chosen.
func TestChosenModelSettingsFirst(t *testing.T) {
	dir := t.TempDir()
	url, keys := modelServer(t)
	h := newModelHouse(t, dir, "CATENA_LLM_API_KEY="+canaryKey)
	status, text := h.as("GET", modelPath, "")
	var told struct{ Set map[string]string }
	if err := json.Unmarshal([]byte(text), &told); err != nil || status != 200 {
		t.Fatal(status, text)
	}
	if told.Set["api_key"] != "CATENA_LLM_API_KEY" || told.Set["base_url"] != "CATENA_LLM_API_KEY" || told.Set["model"] != "" {
		t.Errorf("%v", told.Set)
	}
	for _, body := range []string{
		`{"provider":"openai","base_url":"` + url + `","model":"m"}`,
		`{"provider":"openai","model":"m","api_key":"sk-another-one"}`,
	} {
		if status, text := h.as("POST", modelPath, body); status != 409 || !strings.Contains(text, "CATENA_LLM_API_KEY") {
			t.Error(status, text)
		}
	}
	h.stop()
	set := newModelHouse(t, dir, "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=mine", "CATENA_LLM_BASE_URL="+url)
	if status, text := set.as("POST", modelPath, `{"provider":"openai","base_url":"`+url+`","model":"other"}`); status != 409 {
		t.Error(status, text)
	}
	if status, text := set.as("POST", modelPath, `{"provider":"","api_key":"`+canaryKey+`"}`); status != 200 || !strings.Contains(text, `"model":"mine"`) {
		t.Error(status, text)
	}
	set.as("POST", "/api/v1/chat", `{"message":"why is the sky so blue over Oslo?"}`)
	if key := <-keys; key != "Bearer "+canaryKey {
		t.Errorf("the settings' model was asked with %q", key)
	}
}
