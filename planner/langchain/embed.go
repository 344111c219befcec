package langchain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/tmc/langchaingo/embeddings"
	"github.com/tmc/langchaingo/llms/openai"
)

// Bounds of one request for embeddings.
const (
	embedBatch = 64      // texts of one request
	maxEmbed   = 8 << 10 // bytes of one text: what embedding models read at most is about 8,000 tokens
)

// Embedder turns texts into vectors by an endpoint with OpenAI's /embeddings, which Ollama, vLLM and others speak too. It is safe
// for concurrent use.
type Embedder struct {
	cfg    Config
	client *client
	impl   embeddings.Embedder
}

// NewEmbedder makes an Embedder; Config's Provider must be openai. It sends nothing: an endpoint that is down shows at the first
// Embed.
func NewEmbedder(cfg Config) (*Embedder, error) {
	cfg, err := cfg.complete()
	if err == nil && cfg.Provider != "openai" {
		err = fmt.Errorf("provider %q has no embeddings; use openai (for every OpenAI-compatible endpoint)", cfg.Provider)
	}
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	e := &Embedder{cfg: cfg, client: newClient(cfg)}
	e.client.wire = embedWire{}
	llm, err := openai.New(openai.WithToken(cmp.Or(cfg.APIKey, noKey)), openai.WithModel(cfg.Model), openai.WithEmbeddingModel(cfg.Model),
		openai.WithBaseURL(cfg.BaseURL), openai.WithOrganization(""), openai.WithHTTPClient(e.client))
	if err == nil {
		e.impl, err = embeddings.NewEmbedder(llm, embeddings.WithBatchSize(embedBatch), embeddings.WithStripNewLines(false))
	}
	if err != nil {
		return nil, fmt.Errorf("embeddings: %w", err)
	}
	return e, nil
}

// String names the model and its host, never the key.
func (e *Embedder) String() string { return e.cfg.String() }

// Close closes connections that are kept open for the next call.
func (e *Embedder) Close() error {
	e.client.http.CloseIdleConnections()
	return nil
}

// Embed returns a vector of length 1 for each text, in order; all have the same dimension. Only the first 8 KiB of a text count.
// Errors are *planner.CompletionError; they wrap the context's error when the time was over.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
	defer cancel()
	short := make([]string, len(texts))
	for i, t := range texts {
		short[i] = embeddable(t)
	}
	call := &call{}
	out, err := e.impl.EmbedDocuments(with(ctx, call), short)
	switch {
	case call.failure() != nil:
		return nil, call.failure()
	case err != nil:
		return nil, e.client.error(0, "the endpoint's embeddings cannot be used", err)
	case len(out) != len(texts):
		return nil, e.client.error(0, fmt.Sprintf("the endpoint gave %d vectors for %d texts", len(out), len(texts)), nil)
	}
	for _, v := range out {
		if err := normalise(v, len(out[0])); err != nil {
			return nil, e.client.error(0, err.Error(), nil)
		}
	}
	return out, nil
}

// embeddable is the part of a text that is sent. Endpoints refuse an empty one.
func embeddable(t string) string {
	if len(t) > maxEmbed {
		cut := maxEmbed
		for cut > 0 && !utf8.RuneStart(t[cut]) {
			cut--
		}
		t = t[:cut]
	}
	if t == "" {
		return " "
	}
	return t
}

// normalise scales a vector to length 1, so that a dot product is the cosine.
func normalise(v []float32, dim int) error {
	if len(v) == 0 || len(v) != dim {
		return errors.New("the endpoint's vectors are empty or of different dimensions")
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errors.New("the endpoint gave a vector without direction")
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return nil
}

// embedWire is OpenAI's /embeddings. langchaingo reads the vectors in the order that they come in, whatever their index says, so
// they are put in order before.
type embedWire struct{ openaiWire }

type embedded struct {
	Data  []vector        `json:"data"`
	Error json.RawMessage `json:"error,omitempty"`
}

type vector struct {
	Index     int             `json:"index"`
	Embedding json.RawMessage `json:"embedding"`
}

func (embedWire) prepare(map[string]json.RawMessage, *call, Config, habits) {}

func (embedWire) adapt(*call, habits, string) habits { return 0 }

func (embedWire) answer(raw []byte) (answer, error) {
	var e embedded
	if err := json.Unmarshal(raw, &e); err != nil {
		return answer{}, errors.New("the endpoint's answer holds no embeddings; check the base URL")
	}
	if isSet(e.Error) {
		return answer{}, &endpointError{errorMessage(raw)}
	}
	if len(e.Data) == 0 {
		return answer{}, errors.New("the endpoint's answer holds no embeddings; check the model's name")
	}
	slices.SortStableFunc(e.Data, func(a, b vector) int { return cmp.Compare(a.Index, b.Index) })
	return answer{text: string(encode(e))}, nil
}

func (embedWire) whole(a answer) []byte { return []byte(a.text) }

func newClient(cfg Config) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 4
	return &client{
		http:    &http.Client{Transport: transport, CheckRedirect: noRedirect},
		cfg:     cfg,
		retries: cfg.MaxRetries,
		sleep:   sleep,
	}
}
