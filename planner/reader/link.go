package reader

import "context"

// tokenize takes a message apart.
func tokenize(message string) []token { return nil }

// spans are what stretches of a message may mean, in the order of their first tokens.
func (s *scope) spans(ctx context.Context, toks []token) []span { return nil }
