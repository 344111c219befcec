// Package openai serves OpenAI's protocols, chat completions, responses and models, over the same turn as every other
// address. Clients keep the history themselves and send all of it; server.Conversations finds the session where it goes
// on. The client's own tools are not called: tools run inside a turn.
package openai
