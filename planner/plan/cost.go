package plan

import (
	"catena/planner/loosejson"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// The bounds of one check. A step is what the library does in about half a microsecond; a check that is not refused takes a second or so at
// most, with no need to be stopped: the library cannot be.
const (
	maxSteps      = 1_000_000
	maxCheckDepth = 4000 // schemas in schemas and values in values: the library takes stack for each
	patternSteps  = 20   // instructions times bytes of a pattern's match that are a step
	textSteps     = 32   // bytes of a text that are a step
	stepMemory    = 512  // bytes that the library takes for a step at most: what it says of a value that does not fit
	freeSteps     = 4096 // of a check whose memory is not counted
	mostCauses    = 1000 // faults that an error keeps
)

// Memory is a budget that others draw from too.
type Memory interface {
	// Take draws n bytes, and waits a bounded time, and until ctx ends, for others to give them back; false says that there were none.
	Take(ctx context.Context, n int64) bool
	// Give gives n bytes back.
	Give(n int64)
}

// memory is what all checks of the process draw from.
var memory atomic.Pointer[Memory]

// DrawFrom has all checks of the process draw what they may take from a budget, from now on. Nil, as at the start, counts nothing.
func DrawFrom(budget Memory) {
	if budget == nil {
		memory.Store(nil)
		return
	}
	memory.Store(&budget)
}

// Check is s.Validate(v) within a bound of time and memory: what the check would cost is counted first, in a small part of the time that it
// takes. The error is a *BoundError where it costs too much, that of ctx where it ended while the check waited for memory, else what Validate gives.
// It is safe for concurrent use.
func Check(ctx context.Context, s *jsonschema.Schema, v any) error {
	r := reckoning{left: maxSteps}
	r.value(v, s, 0)
	if r.bad != "" {
		return beyond("numbers", "%s", r.bad)
	}
	if r.left < 0 {
		return beyond("check", "the value is too large to be checked against its schema: that takes more than %d steps", maxSteps)
	}
	if steps := maxSteps - r.left; steps > freeSteps {
		if m := memory.Load(); m != nil {
			n := int64(steps) * stepMemory
			if !(*m).Take(ctx, n) {
				if err := ctx.Err(); err != nil {
					return fmt.Errorf("waiting for memory to check a value: %w", err)
				}
				return beyond("memory", "the value is too large to be checked against its schema now: that may take %d MiB. Ask again shortly, or send less", n>>20)
			}
			defer (*m).Give(n)
		}
	}
	_, err := guarded(func() (any, error) { return nil, s.Validate(v) })
	var faults *jsonschema.ValidationError
	if errors.As(err, &faults) {
		left := mostCauses
		trim(faults, &left)
	}
	return err
}

// trim leaves the first causes of an error: it outlives the check, and all that is wrong with a value may take hundreds of megabytes.
func trim(e *jsonschema.ValidationError, left *int) {
	for i, cause := range e.Causes {
		if *left--; *left < 0 {
			e.Causes = slices.Clone(e.Causes[:i])
			return
		}
		trim(cause, left)
	}
}

// FirstFault is the first thing that is wrong with a value, in a few words: all that is wrong may be a text of any length.
func FirstFault(err error) string {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return Bounded(err.Error(), LongestError)
	}
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	at := "/" + strings.Join(e.InstanceLocation, "/")
	return Bounded("at "+at+": "+e.ErrorKind.LocalizedString(message.NewPrinter(language.English)), LongestError)
}

// reckoning counts what the library would do, at most: it follows all alternatives, where the library stops at the first that fits.
type reckoning struct {
	left    int    // steps; below 0 it is over
	bad     string // a number that cannot be worked with
	anchors []*schema
}

// value counts the check of a value against a schema.
func (r *reckoning) value(v any, s *schema, depth int) {
	if r.left--; r.left < 0 || s.Bool != nil {
		return
	}
	if depth > maxCheckDepth {
		r.left = -1
		return
	}
	if n, ok := v.(json.Number); ok && strings.ContainsAny(n.String(), "eE") {
		if r.bad = loosejson.BadNumber(n.String()); r.bad != "" {
			r.left = -1
			return
		}
	}
	if mistyped(v, s) {
		return
	}
	if s.DynamicAnchor != "" || s.RecursiveAnchor {
		r.anchors = append(r.anchors, s)
		defer func() { r.anchors = r.anchors[:len(r.anchors)-1] }()
	}
	r.values(v, s)
	switch x := v.(type) {
	case map[string]any:
		r.object(x, s, depth)
	case []any:
		r.list(x, s, depth)
	case string:
		r.left -= len(x) / textSteps
		if s.Pattern != nil {
			r.left -= matchCost(s.Pattern, x)
		}
	}
	r.same(v, s, depth)
}

// same counts the schemas that are asked about the same value.
func (r *reckoning) same(v any, s *schema, depth int) {
	for _, x := range [...]*schema{s.Ref, s.Not, s.If, s.Then, s.Else} {
		if x != nil {
			r.value(v, x, depth+1)
		}
	}
	if s.RecursiveRef != nil {
		r.value(v, r.target(s.RecursiveRef, func(x *schema) bool { return s.RecursiveRef.RecursiveAnchor && x.RecursiveAnchor }), depth+1)
	}
	if d := s.DynamicRef; d != nil {
		named := d.Anchor != "" && d.Ref.DynamicAnchor == d.Anchor
		r.value(v, r.target(d.Ref, func(x *schema) bool { return named && x.DynamicAnchor == d.Anchor }), depth+1)
	}
	for _, list := range [...][]*schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, x := range list {
			r.value(v, x, depth+1)
		}
	}
}

// target is the outermost schema under way that a dynamic reference means.
func (r *reckoning) target(otherwise *schema, means func(*schema) bool) *schema {
	for _, x := range r.anchors {
		if means(x) {
			return x
		}
	}
	return otherwise
}

func (r *reckoning) object(m map[string]any, s *schema, depth int) {
	r.left -= (len(m) + len(s.Required)) / 2
	for _, x := range s.DependentSchemas {
		r.value(m, x, depth+1)
	}
	for _, x := range s.Dependencies {
		if x, ok := x.(*schema); ok {
			r.value(m, x, depth+1)
		}
	}
	others, _ := s.AdditionalProperties.(*schema)
	for name, v := range m {
		if r.left < 0 {
			return
		}
		known := r.patterns(name, v, s, depth)
		if x, ok := s.Properties[name]; ok {
			known = true
			r.value(v, x, depth+1)
		}
		if others != nil && !known {
			r.value(v, others, depth+1)
		}
		if s.UnevaluatedProperties != nil {
			r.value(v, s.UnevaluatedProperties, depth+1)
		}
		if s.PropertyNames != nil {
			r.value(name, s.PropertyNames, depth+1)
		}
	}
}

// patterns counts the schemas that patterns give a member by its name, and reports whether there are any.
func (r *reckoning) patterns(name string, v any, s *schema, depth int) (known bool) {
	for re, x := range s.PatternProperties {
		if r.left -= matchCost(re, name); r.left < 0 {
			return true
		}
		if re.MatchString(name) {
			known = true
			r.value(v, x, depth+1)
		}
	}
	return known
}

func (r *reckoning) list(list []any, s *schema, depth int) {
	if s.UniqueItems {
		n := r.size(list, 0)
		if len(list) <= 20 { // each is compared with each
			n *= len(list)
		}
		r.left -= n
	}
	rest, _ := s.Items.(*schema)
	prefix, _ := s.Items.([]*schema)
	if s.Items2020 != nil {
		rest = s.Items2020
	}
	if s.PrefixItems != nil {
		prefix = s.PrefixItems
	}
	if more, ok := s.AdditionalItems.(*schema); ok && prefix != nil {
		rest = more
	}
	for i, v := range list {
		if r.left < 0 {
			return
		}
		if i < len(prefix) {
			r.value(v, prefix[i], depth+1)
		} else if rest != nil {
			r.value(v, rest, depth+1)
		}
		for _, x := range [...]*schema{s.Contains, s.UnevaluatedItems} {
			if x != nil {
				r.value(v, x, depth+1)
			}
		}
	}
}

// values counts the comparisons with the values of an enum. Numbers are read anew for each; objects and lists are compared part by part.
func (r *reckoning) values(v any, s *schema) {
	var among []any
	if s.Enum != nil {
		among = s.Enum.Values
	}
	switch v.(type) {
	case string, nil, bool:
		r.left -= len(among) / 8
		return
	case map[string]any, []any:
		r.left -= r.size(among, 0)
		if s.Const != nil {
			r.left -= r.size(*s.Const, 0)
		}
		return
	}
	r.left -= 2 * len(among)
	bounds := []*big.Rat{s.Minimum, s.Maximum, s.MultipleOf, s.ExclusiveMinimum, s.ExclusiveMaximum}
	if s.Const != nil || slices.ContainsFunc(bounds, func(b *big.Rat) bool { return b != nil }) {
		r.left -= 3
	}
}

// size is how many values there are in a value, counted as far as steps are left.
func (r *reckoning) size(v any, n int) int {
	if n++; n > r.left {
		return n
	}
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			if n = r.size(e, n); n > r.left {
				return n
			}
		}
	case map[string]any:
		for _, e := range x {
			if n = r.size(e, n+1); n > r.left {
				return n
			}
		}
	case string:
		n += len(x) / textSteps
	}
	return n
}

// mistyped reports whether the library stops at the type of a value.
func mistyped(v any, s *schema) bool {
	is := bitNumber | bitInteger
	switch v.(type) {
	case nil:
		is = bitNull
	case bool:
		is = bitBool
	case string:
		is = bitText
	case []any:
		is = bitList
	case map[string]any:
		is = bitObject
	}
	return s.Types != nil && !s.Types.IsEmpty() && *s.Types&is == 0
}
