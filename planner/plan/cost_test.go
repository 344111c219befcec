package plan

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/planner/plan/plantest"
)

// readWhole reads a value with its numbers as they are written.
func readWhole(t testing.TB, text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// allocated is how many bytes a function takes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A short schema costs neither much time nor memory, whatever the value is; what is refused is refused with a limit's name. Without bounds each of
// these runs for minutes, or ends the process.
func TestHostileSchemas(t *testing.T) {
	const most = 512 << 20
	for _, h := range plantest.HostileSchemas(40) {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			s, err := CompileTolerant(json.RawMessage(h.Schema))
			var bound *BoundError
			if h.Unfit {
				if !errors.As(err, &bound) || bound.Limit == "" || !strings.Contains(err.Error(), bound.Limit) {
					t.Fatalf("it is read as a schema: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			v := readWhole(t, h.Value)
			if err := Check(t.Context(), s, v); errors.As(err, &bound) && !strings.Contains(err.Error(), bound.Limit) {
				t.Errorf("it does not name its limit: %v", err)
			}
			Fits(v, s)
		})
	}
	if took := allocated(func() {
		for _, h := range plantest.HostileSchemas(40) {
			if s, err := CompileTolerant(json.RawMessage(h.Schema)); err == nil {
				_ = Check(t.Context(), s, readWhole(t, h.Value))
			}
		}
	}); took > most {
		t.Errorf("all of them take %d MiB", took>>20)
	}
}

// What a plan is checked, mended, explained and drawn against is bounded like the check of a call.
func TestHostileSchemasInPlans(t *testing.T) {
	for _, h := range plantest.HostileSchemas(40) {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			tools := []Tool{{Name: "one", InputSchema: json.RawMessage(h.Schema), OutputSchema: json.RawMessage(h.Schema), ReadOnly: true}}
			args, _ := readWhole(t, h.Value).(map[string]any)
			deep := Ref{Step: "s1"}
			for range 40 {
				deep.Path = append(deep.Path, Seg{Field: "a"})
			}
			p := Plan{Steps: []Step{{ID: "s1", Tool: "one", Args: args}, {ID: "s2", Tool: "one", Args: map[string]any{"a": deep}}}, Answer: []any{deep}}
			Validate(p, tools, nil, Limits{})
			mended, _ := Mend(p, tools)
			Explain(mended, tools, nil)
		})
	}
}

// What honest schemas say is asked in full: small doublings, recursion into values, JSON Schema's own schema.
func TestCheckIsTheLibrarys(t *testing.T) {
	for _, h := range plantest.HostileSchemas(3) {
		if h.Unfit || strings.Contains(h.Value, "e9") {
			continue
		}
		s, err := CompileSchema(json.RawMessage(h.Schema))
		if err != nil {
			t.Fatalf("%s: %v", h.Name, err)
		}
		v := readWhole(t, h.Value)
		var bound *BoundError
		if got := Check(t.Context(), s, v); errors.As(got, &bound) {
			if dear := []string{"that doubles", "repeats", "patterns", "unique"}; !slices.ContainsFunc(dear, func(part string) bool { return strings.Contains(h.Name, part) }) {
				t.Errorf("%s: %v", h.Name, got)
			}
		} else if (got == nil) != (s.Validate(v) == nil) {
			t.Errorf("%s: %v, the library says %v", h.Name, got, s.Validate(v))
		}
	}
	for _, meta := range []string{"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema"} {
		s, err := CompileSchema(json.RawMessage(`{"type":"object","properties":{"schema":{"$ref":"` + meta + `"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		for text, good := range map[string]bool{
			`{"schema":{"type":"object","properties":{"a":{"anyOf":[{"type":"string","pattern":"^a+$"},{"items":{"enum":[1,2]}}]}}}}`: true,
			`{"schema":{"type":"object","properties":{"a":{"items":{"type":"strange"}}}}}`:                                            false,
		} {
			if err := Check(t.Context(), s, readWhole(t, text)); (err == nil) != good || errors.As(err, new(*BoundError)) {
				t.Errorf("%s, %s: %v", meta, text, err)
			}
		}
	}
}

// counted is a Memory of so many bytes.
type counted struct{ left, most int64 }

func (c *counted) Take(_ context.Context, n int64) bool {
	if n > c.left {
		return false
	}
	c.left -= n
	c.most = max(c.most, n)
	return true
}

func (c *counted) Give(n int64) { c.left += n }

// A dear check draws what it may take from the budget and gives it back; without it the value is not checked. What is told of it afterwards is
// small.
func TestChecksDrawTheirMemory(t *testing.T) {
	s, err := CompileSchema(json.RawMessage(`{"type":"array","items":{"type":"integer"}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer DrawFrom(nil)
	small, large := readWhole(t, "["+strings.Repeat(`"x",`, 1000)+"1]"), readWhole(t, "["+strings.Repeat(`"x",`, 50_000)+"1]")
	var bound *BoundError
	for _, size := range []int64{0, 100 << 20} {
		m := &counted{left: size}
		DrawFrom(m)
		if err := Check(t.Context(), s, small); err == nil || errors.As(err, &bound) || m.most != 0 {
			t.Errorf("of %d bytes: a small one takes %d, %v", size, m.most, err)
		}
		var err error
		took := allocated(func() { err = Check(t.Context(), s, large) })
		if refused := errors.As(err, &bound); err == nil || refused != (size == 0) || refused && bound.Limit != "memory" || m.left != size {
			t.Errorf("of %d bytes: %v, and %d are left", size, err, m.left)
		}
		var faults *jsonschema.ValidationError
		if errors.As(err, &faults) && (took > uint64(m.most) || len(faults.Causes) != mostCauses) {
			t.Errorf("%d bytes of %d, %d causes", took, m.most, len(faults.Causes))
		}
	}
}

// waiting is a Memory that others have all of.
type waiting struct{}

func (waiting) Take(ctx context.Context, _ int64) bool { <-ctx.Done(); return false }
func (waiting) Give(int64)                             {}

// A check that waits for memory ends with its request, by whichever way it is asked for, and the value is not said to be wrong.
func TestChecksEndWithTheirRequest(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}`)
	s, err := CompileSchema(raw)
	if err != nil {
		t.Fatal(err)
	}
	defer DrawFrom(nil)
	DrawFrom(waiting{})
	over, cancel := context.WithCancel(t.Context())
	cancel()
	args := map[string]any{"a": readWhole(t, "["+strings.Repeat(`"x",`, 50_000)+"1]")}
	if err := Check(over, s, args); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p := Plan{Steps: []Step{{ID: "s1", Tool: "t", Args: args}}}
	if found := Validate(p, []Tool{{Name: "t", InputSchema: raw}}, nil, Limits{}.WithContext(over)); len(found) != 1 || found[0].Code != OutOfRange {
		t.Error(found)
	}
}
