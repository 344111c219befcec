package code

import (
	"testing"

	"catena/tools"
)

// The tools over a small repository: what a call costs beside the index.
func BenchmarkTools(b *testing.B) {
	k := cook(b, market)
	id := k.index()
	for tool, args := range map[string]map[string]any{
		"search_code": {"query": "take money from an account"}, "get_dependents": {"filepath": "payment/ledger.go"}, "get_files_context": {"filepath": "mail/mail.go"},
		"get_complexity": {}, "list_functions": {"pattern": "charge"}, "ask_index": {"index_id": id, "question": "how is money taken from an account?"},
	} {
		b.Run(tool, func(b *testing.B) {
			for b.Loop() {
				if res, err := k.reg.Call(b.Context(), tools.Call{Caller: ann, Tool: tool, Args: args}); err != nil || res.IsError {
					b.Fatal(res.Text, err)
				}
			}
		})
	}
}
