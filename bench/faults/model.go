package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
)

// parts are the effects of a chain.
var parts = map[string]string{"s2": "a", "s4": "b"}

const chainPlan = `{"title":"chain","steps":[
{"id":"s1","tool":"ledger__look","args":{"key":"KEY"}},
{"id":"s2","tool":"ledger__note","args":{"key":"KEY","part":"a","after":{"$ref":"s1.n"}}},
{"id":"s3","tool":"ledger__look","args":{"key":"KEY","after":{"$ref":"s2.n"}}},
{"id":"s4","tool":"ledger__note","args":{"key":"KEY","part":"b","after":{"$ref":"s3.n"}}},
{"id":"s5","tool":"ledger__look","args":{"key":"KEY","after":{"$ref":"s4.n"}}}],
"answer":[{"$ref":"s5"}]}`

var chainKey = regexp.MustCompile(`chain-[a-z0-9]+`)

// model answers each prompt at once, by OpenAI's protocol, with the chain of the key that stands in it last.
func model() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		keys := chainKey.FindAll(body, -1)
		if err != nil || len(keys) == 0 {
			http.Error(w, `{"error":{"message":"no chain"}}`, http.StatusBadRequest)
			return
		}
		text := strings.ReplaceAll(chainPlan, "KEY", string(keys[len(keys)-1]))
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // who has hung up needs no answer
			"id": "x", "object": "chat.completion", "model": "instant", "usage": map[string]any{"prompt_tokens": 1, "completion_tokens": 1},
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}},
		})
	}))
}
