package reader

import (
	"context"

	"catena/planner/plan"
)

// tokenize takes a message apart.
func tokenize(message string) []token { return nil }

// spans are what stretches of a message may mean, in the order of their first tokens.
func (s *scope) spans(ctx context.Context, toks []token, values plan.Values) []span { return nil }

// measuredBy are the fields that are called by one of the names.
func (s *scope) measuredBy(names []string) []span { return nil }
