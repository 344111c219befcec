package plan

import "context"

// Plan is a chain of tool calls, or a question back, or a refusal. Exactly one of Steps, Clarify and Refuse is set in a
// valid plan; instead of Steps, Answer alone may be set to texts: a reply that needs no tool. The zero value is an empty plan, which Validate reports as no_plan.
type Plan struct {
	Title      string   `json:"title,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // 0..1, the planner's own estimate
	Clarify    string   `json:"clarify,omitempty"`    // the question to ask when planning would be guessing
	Refuse     string   `json:"refuse,omitempty"`     // why the message cannot be answered here, and what can
	Steps      []Step   `json:"steps,omitempty"`
	Answer     []any    `json:"answer,omitempty"`  // what the answer shows, in order; Refs or trees that hold Refs. Empty: every step no other step uses
	Repairs    []Repair `json:"repairs,omitempty"` // what Mend changed, in order
	// Reading says in one sentence how the message was read; "" where the planner does not say.
	Reading string `json:"reading,omitempty"`
	// Alternatives are other ways to read the message; of a question back they are what it asks to choose from.
	Alternatives []Alternative `json:"alternatives,omitempty"`
}

// Alternative is one way to read a message, and the plan for it.
type Alternative struct {
	Reading string `json:"reading"`
	Plan    Plan   `json:"plan"`
}

// says reports whether the plan is a reply without a tool: an answer of texts and nothing else.
func (p Plan) says() bool {
	if len(p.Steps) > 0 || len(p.Answer) == 0 {
		return false
	}
	for _, a := range p.Answer {
		if s, ok := a.(string); !ok || s == "" {
			return false
		}
	}
	return true
}

// Step calls one tool.
//
// Args and the values below them are nil, bool, string, json.Number, float64, int, []any, map[string]any, Ref or Concat.
// A Ref is a Go type of its own, so that a string which came out of a tool can never be mistaken for one.
type Step struct {
	ID   string         `json:"id"`
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	Each *Ref           `json:"each,omitempty"` // run once per element of this list; Ref{Step: "each"} in Args is the element
	When *When          `json:"when,omitempty"` // skip the step unless this holds
}

// When is a condition over one typed value of an earlier step.
type When struct {
	Ref   Ref    `json:"ref"` // written {"$ref": "..."} beside op and value
	Op    string `json:"op"`  // eq ne lt le gt ge in contains is_null not_null
	Value any    `json:"value,omitempty"`
}

// Concat is {"$concat": [...]}: the texts of its parts, joined.
type Concat struct {
	Parts []any
}

// Ref is {"$ref": "s1.rows[0].client_id"}: a typed reference to a part of an earlier step's result. In refs a table is a
// list of records under rows, with its column names under columns; a Ref without a path passes a table by handle.
type Ref struct {
	Step string // an earlier step's id, or "each"
	Path []Seg
}

// Seg is one part of a Ref's path. Exactly one of Field, All, Only and Index applies: Field when it is not "", else All, else Only,
// else Index.
type Seg struct {
	Field string
	All   bool // [*]
	Only  bool // [only]: the one element of a list that has no other; of more, somebody must say which
	Index int  // [n]; negative counts from the end
}

// Repair says what Mend or Parse changed, and where.
type Repair struct {
	Path string `json:"path"` // JSON pointer into the plan as it was written
	Code string `json:"code"` // the finding it cures
	From any    `json:"from"`
	To   any    `json:"to"`
	Why  string `json:"why"`
}

// Code names a finding. The list is closed: clients switch on it.
type Code string

// The findings: what may be wrong with a plan, as clients tell it apart.
const (
	UnknownTool            Code = "unknown_tool"
	MissingTool            Code = "missing_tool"
	MissingRequired        Code = "missing_required"
	UnknownArgument        Code = "unknown_argument"
	TypeMismatch           Code = "type_mismatch"
	Format                 Code = "format"
	Enum                   Code = "enum"
	OutOfRange             Code = "out_of_range"
	PlaceholderValue       Code = "placeholder_value"
	ReferenceType          Code = "reference_type"
	DanglingReference      Code = "dangling_reference"
	BadReference           Code = "bad_reference"
	UnknownOutputField     Code = "unknown_output_field"
	Cycle                  Code = "cycle"
	DuplicateID            Code = "duplicate_id"
	DuplicateKey           Code = "duplicate_key"
	TooManySteps           Code = "too_many_steps"
	TooDeep                Code = "too_deep"
	ForbiddenTool          Code = "forbidden_tool"
	NoPlan                 Code = "no_plan"
	AmbiguousMultiplePlans Code = "ambiguous_multiple_plans"
	Truncated              Code = "truncated"
	ControlChar            Code = "control_char"
	Syntax                 Code = "syntax"
)

// Finding is one thing that is wrong with a plan. It never quotes a tool's output.
type Finding struct {
	Code    Code   `json:"code"`
	Path    string `json:"path"`           // JSON pointer, e.g. /steps/1/args/limit
	Step    string `json:"step,omitempty"` // the step's id where there is one
	Message string `json:"message"`        // one sentence that says what is wrong and what would be right
}

// Findings is the error that Parse and Validate return: all findings at once. Use errors.As.
type Findings []Finding

// Limits bound a plan; the zero value means DefaultLimits.
type Limits struct {
	Steps  int // steps in a plan
	Depth  int // nesting of an argument
	Each   int // elements of one each
	FanOut int // steps with each: together they make FanOut * Each calls at most
	Bytes  int // of the text that Parse takes

	ctx context.Context
}

// WithContext gives limits whose checks wait for memory until ctx ends; see Check.
func (l Limits) WithContext(ctx context.Context) Limits {
	l.ctx = ctx
	return l
}

func (l Limits) context() context.Context {
	if l.ctx == nil {
		return context.Background()
	}
	return l.ctx
}

// DefaultLimits are generous for people and small for machines.
var DefaultLimits = Limits{Steps: 512, Depth: 64, Each: 1000, FanOut: 64, Bytes: 1 << 20}
