// Package langchain is the way to the models: it implements planner.Completer over langchaingo, for every endpoint that
// speaks OpenAI's chat completions (OpenAI, Ollama's and vLLM's /v1, ...) and for Anthropic's messages.
//
// langchaingo builds the requests and reads the answers. What it lacks is done by the HTTP client that it is given (client):
// it retries what is worth retrying, keeps statuses and Retry-After, asks for JSON by schema per call and does without where
// an endpoint refuses, bounds bodies, and takes HTML, half answers and cut streams for the failures that they are. langchaingo's
// agents are not used.
//
// No other package imports langchaingo.
package langchain
