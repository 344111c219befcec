package memory

import (
	"context"
	_ "embed" // phrases
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// Toolset is the name that these tools are registered under.
const Toolset = "memory"

// Options are the parts of a toolkit. Store is needed.
type Options struct {
	Store Store
	// Embed makes a vector of each text, in order; all of one length. Nil means that memories are found by words only.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
	// Model names what Embed uses. Vectors of another model are made anew. Needed with Embed.
	Model string
	// MinCosine is the least cosine at which a memory counts as found by its vector; 0 means 0.35, which suits the models of
	// OpenAI and most of Ollama's; e5 and bge models need about 0.75.
	MinCosine float64
	// Personality is the path of a personality file; "" means the bundled one. Its format is Markdown: see ParsePersonality.
	Personality string
	// Variant names the variant of the personality that venom_identity gives; "" means "default".
	Variant string
	// Most is how many memories an owner may have; 0 means 1,000,000.
	Most int64
	// Forget, when set, drops all tables by handle that were made of an owner's memories. It is called before a memory is deleted
	// and again when it is gone. After an error before, nothing is deleted; after the second, a repeated call drops them.
	Forget func(ctx context.Context, owner string) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Log takes what happens outside of a call; nil means slog.Default().
	Log *slog.Logger
}

// Toolkit is the tools over memories. It is safe for concurrent use.
type Toolkit struct {
	opt         Options
	personality Personality
	vectors     *vectors // nil without an embedder
	ids         idSource
}

// New makes a toolkit. It fails when the personality file is missing or cannot be read as one, or has no such variant.
func New(opt Options) (*Toolkit, error) {
	if opt.Store == nil {
		return nil, errors.New("memory: a store is needed")
	}
	if opt.Embed != nil && opt.Model == "" {
		return nil, errors.New("memory: an embedder needs the name of its model; set embeddings.model")
	}
	if opt.Most <= 0 {
		opt.Most = 1_000_000
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	personality, err := loadPersonality(opt.Personality)
	if err != nil {
		return nil, err
	}
	if _, err := personality.Text(opt.Variant); err != nil {
		return nil, err
	}
	k := &Toolkit{opt: opt, personality: personality}
	if opt.Embed != nil {
		k.vectors = newVectors(opt)
	}
	return k, nil
}

// Close ends the work in the background. Calls under way should have ended.
func (k *Toolkit) Close() error {
	if k.vectors != nil {
		k.vectors.close()
	}
	return nil
}

// Tools returns the tools, ready to be registered.
func (k *Toolkit) Tools() []tools.Tool {
	list := []tools.Tool{
		k.embedding(k.storeTool()), k.embedding(k.searchTool()), k.listTool(), k.embedding(k.updateTool()), k.deleteTool(), k.exportTool(),
	}
	return tools.WithPhrases(tools.Outside(tools.Closed(list)), phrases)
}

// phrases are how people order these tools.
//
//go:embed phrases.txt
var phrases string

// embedding says of a tool that the caller's text goes to the embedder, where there is one: it may be another's service.
func (k *Toolkit) embedding(t tools.Tool) tools.Tool {
	outside := k.vectors != nil
	t.Def.Annotations.OpenWorldHint = &outside
	return t
}

type object = map[string]any

// Kinds of tools, by what they do to memories.
const (
	reads   = iota
	writes  // adds, or supersedes: nothing is lost
	deletes // destroys: needs approval
)

// define makes a tool of this toolkit.
func define(name, title, description string, kind int, in, out object, h tools.Handler) tools.Tool {
	yes, no := true, false
	hint := mcp.ToolAnnotation{Title: title, ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &no}
	switch kind {
	case reads:
		hint.ReadOnlyHint = &yes
	case deletes:
		hint.DestructiveHint = &yes
	}
	in["type"], in["additionalProperties"] = "object", false
	out["type"] = "object"
	return tools.Tool{Toolset: Toolset, JSON: true, Handler: h, Def: mcp.Tool{Name: name, Title: title, Description: description,
		RawInputSchema: schema(name, in), RawOutputSchema: schema(name, out), Annotations: hint}}
}

func schema(name string, s object) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("a schema of %s: %v", name, err)) // maps of plain values always encode
	}
	return raw
}

// Codes of failures.
const (
	codeNotFound  = "MEMORY_NOT_FOUND"
	codeInvalid   = "MEMORY_INVALID"
	codeDuplicate = "MEMORY_DUPLICATE"
	codeFull      = "MEMORY_FULL"
)

// failed makes a failure that the asker can mend: what is wrong, and what to do next.
func failed(code, what, hint string) tools.Result {
	res := tools.Failed(code, what+" "+hint)
	res.Structured = object{"error": what, "code": code, "hint": hint}
	return res
}

// notFound is the same for what never was, what was deleted, and what is another's.
func notFound(id string) tools.Result {
	return failed(codeNotFound, fmt.Sprintf("You have no memory %s.", quoted(id)), "Look for its memory_id with search_memory or list_memories.")
}

// broken turns a store's error into a result where it is one that the asker can mend.
func broken(id string, err error) (tools.Result, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return notFound(id), nil
	}
	return tools.Result{}, err
}
