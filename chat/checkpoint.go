package chat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"catena/planner/plan"
	"catena/tools"
)

// Checkpoint is where a turn stands, as the log keeps it in JSON: what a later turn needs to go on from there, in
// another process if need be. What the steps gave is in the journal and under handles.
type Checkpoint struct {
	Session     string    `json:"session"`
	Plan        plan.Plan `json:"plan"`
	By          string    `json:"by"`
	Notes       []string  `json:"notes,omitempty"`
	ModelFailed bool      `json:"model_failed,omitempty"`
	Now         time.Time `json:"now"`
	AsOf        time.Time `json:"as_of,omitzero"`
	// what the plan's tools were when it was made: fingerprints by the plan's names
	Tools     map[string]string         `json:"tools,omitempty"`
	Decisions map[string]tools.Decision `json:"decisions,omitempty"`
	Decided   []Decision                `json:"decided,omitempty"` // what was decided about the run, oldest first
	Usage     plan.Usage                `json:"usage"`             // of the model, before the turn went on
	// Attachments are those of a turn that has no plan yet: from then on they are tables.
	Attachments []Attachment `json:"attachments,omitempty"`
}

// Decision is one decision that had a run go on.
type Decision struct {
	Step     string `json:"step"`
	ArgsHash string `json:"args_hash"`
	Decision string `json:"decision"`
	Digest   string `json:"digest"`        // SHA-256 of the whole runs.Approval, in hex
	Key      string `json:"key,omitempty"` // SHA-256 of its IdempotencyKey, in hex
	After    uint64 `json:"after"`         // the number of the run's last event before it
	// what the message said that made it; "" is a decision by the step and the hash
	Reply string `json:"reply,omitempty"`
}

// Planned reports whether the turn got as far as a plan; false for nil.
func (k *Checkpoint) Planned() bool { return k != nil && len(k.Plan.Steps) > 0 }

// keep keeps where the turn stands once it has a plan. It is on disk before the first call that changes something: the
// store keeps the order of what it writes. What goes wrong costs only that the run cannot be gone on with.
func (t *turn) keep(ctx context.Context, res plan.Response) {
	if t.Save == nil {
		return
	}
	k := &t.kept
	k.Session, k.Plan, k.By, k.Notes, k.ModelFailed = t.req.SessionID, res.Plan, res.By, res.Notes, res.ModelFailed
	k.Now, k.AsOf = t.ask.Now, t.asOf
	before := k.Tools
	k.Tools = make(map[string]string, len(res.Plan.Steps))
	for _, s := range res.Plan.Steps {
		if was := before[s.Tool]; was != "" {
			k.Tools[s.Tool] = was
		} else if tool, ok := plan.FindTool(t.ask.Tools, s.Tool); ok {
			k.Tools[s.Tool] = fingerprint(tool)
		}
	}
	data, err := json.Marshal(k)
	if err == nil {
		err = t.Save(ctx, data)
	}
	if err != nil {
		t.opts.Log.WarnContext(ctx, "where a run stands could not be kept", "run", t.req.RunID, "error", err.Error())
	}
}

// ReadCheckpoint reads a Checkpoint from the JSON that a turn gave TurnIO.Save, nil where there is nothing.
func ReadCheckpoint(data []byte) (*Checkpoint, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var k Checkpoint
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("chat: where the run stands could not be read: %w", err)
	}
	return &k, nil
}

// planned gives the turn its plan: from the planner, or the one that it goes on with.
func (t *turn) planned(ctx context.Context) (plan.Response, error) {
	if t.From == nil {
		return t.plan(ctx)
	}
	k := t.kept
	t.ask.Now, t.asOf = k.Now, k.AsOf
	res := plan.Response{Plan: k.Plan, By: k.By, Notes: k.Notes, ModelFailed: k.ModelFailed}
	t.takePlan(res)
	return res, nil
}

// fingerprint tells whether a tool is what it was: SHA-256 of all that a plan was made by, in hex.
func fingerprint(t plan.Tool) string {
	data, err := json.Marshal([]any{t.Name, t.Toolset, t.Title, t.Description, t.ReadOnly, t.Destructive, t.Idempotent,
		string(t.InputSchema), string(t.OutputSchema)})
	if err != nil {
		return "" // strings and booleans always encode
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
