package persona

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of texts, in bytes, and of lists.
const (
	MaxID      = 200
	maxName    = 200
	maxText    = 8 << 10
	maxContent = 16 << 10
	maxGoals   = 20
	maxGoal    = 500
	maxAge     = 10_000 // personas need not be human
)

// check says what of a persona cannot be.
func (p Persona) check(path string) error {
	c := checker{path: path}
	c.text("id", p.ID, 1, MaxID)
	c.text("name", p.Name, 1, maxName)
	c.text("role", p.Role, 0, maxName)
	c.text("description", p.Description, 0, maxText)
	c.text("communication_style", p.CommunicationStyle, 0, maxName)
	c.that(slices.Contains(Styles, p.AttachmentStyle), "attachment_style", "it must be one of "+strings.Join(Styles, ", "))
	c.that(p.Age >= 0 && p.Age <= maxAge, "age", fmt.Sprintf("it must be 0 to %d", maxAge))
	t := p.Traits
	for _, x := range []struct {
		name string
		f    float64
	}{{"openness", t.Openness}, {"conscientiousness", t.Conscientiousness}, {"extraversion", t.Extraversion},
		{"agreeableness", t.Agreeableness}, {"neuroticism", t.Neuroticism}} {
		c.within("personality."+x.name, x.f, 0, 1)
	}
	c.that(len(p.Goals) <= maxGoals, "goals", fmt.Sprintf("%d are allowed", maxGoals))
	for i, g := range p.Goals {
		c.text(fmt.Sprintf("goals[%d]", i), g, 1, maxGoal)
	}
	c.time("created_at", p.Created)
	c.time("updated_at", p.Updated)
	return c.err()
}

// check says what of a relationship cannot be.
func (r Relationship) check(path string) error {
	c := checker{path: path}
	c.text("persona1_id", r.Persona1ID, 1, MaxID)
	c.text("persona2_id", r.Persona2ID, 1, MaxID)
	c.that(r.Persona1ID != r.Persona2ID, "persona2_id", "nobody has a relationship with themselves here")
	c.text("relationship_type", r.Type, 0, maxName)
	c.within("trust_level", r.Trust, 0, MaxLevel)
	c.within("intimacy_level", r.Intimacy, 0, MaxLevel)
	c.within("relationship_strength", r.Strength, 0, MaxLevel)
	c.within("emotional_valence", r.Valence, -1, 1)
	c.that(r.Interactions >= 0 && r.Interactions <= math.MaxInt32, "interaction_count", "it must not be negative")
	c.that(r.Trend.Updates >= 0 && r.Trend.Updates <= math.MaxInt32, "trend.updates", "it must not be negative")
	c.within("trend.trust", r.Trend.Trust, -MaxLevel, MaxLevel)
	c.within("trend.intimacy", r.Trend.Intimacy, -MaxLevel, MaxLevel)
	c.time("last_interaction", r.LastInteraction)
	c.time("created_at", r.Created)
	c.time("updated_at", r.Updated)
	return c.err()
}

// check says what of an interaction cannot be.
func (i Interaction) check(path string) error {
	c := checker{path: path}
	c.text("id", i.ID, 1, 8*MaxID)
	c.text("sender_id", i.SenderID, 1, MaxID)
	c.text("recipient_id", i.RecipientID, 1, MaxID)
	c.that(i.SenderID != i.RecipientID, "recipient_id", "it must be somebody else than the sender")
	c.text("content", i.Content, 1, maxContent)
	c.within("emotional_valence", i.Valence, -1, 1)
	c.within("relationship_impact", i.Impact, -1, 1)
	c.that(!i.At.IsZero(), "timestamp", "it is missing; give a time as in 2025-03-05T19:00:00Z")
	c.time("timestamp", i.At)
	return c.err()
}

// checker keeps the first thing that is wrong.
type checker struct {
	path  string
	found error
}

func (c *checker) that(ok bool, field, reason string) {
	if !ok && c.found == nil {
		c.found = &GraphError{Path: c.path + "." + field, Reason: reason}
	}
}

func (c *checker) text(field, s string, least, most int) {
	c.that(len(s) >= least, field, "it is missing")
	c.that(len(s) <= most, field, fmt.Sprintf("it has %d bytes; %d are allowed", len(s), most))
	c.that(utf8.ValidString(s) && !strings.ContainsRune(s, 0), field, "it is not valid text (UTF-8 without NUL)")
}

func (c *checker) within(field string, f, low, high float64) {
	c.that(f >= low && f <= high, field, fmt.Sprintf("%v is not within %v and %v", f, low, high))
}

// time keeps times within what microseconds since 1970 and RFC 3339 can say.
func (c *checker) time(field string, t time.Time) {
	c.that(t.IsZero() || t.Year() >= 1 && t.Year() <= 9999, field, "its year must be 1 to 9999")
}

func (c *checker) err() error { return c.found }

// short keeps errors readable, whatever was given.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// InteractionID is the id of an interaction: int_<sender>_<recipient>_<milliseconds since 1970>_<unique>. unique keeps apart what
// happens in one millisecond; NewInteractionID draws it at random.
func InteractionID(sender, recipient string, at time.Time, unique string) string {
	return fmt.Sprintf("int_%s_%s_%d_%s", sender, recipient, at.UnixMilli(), unique)
}

// NewInteractionID makes an id with 64 random bits.
func NewInteractionID(sender, recipient string, at time.Time) string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	return InteractionID(sender, recipient, at, hex.EncodeToString(b[:]))
}

// digest tells contents apart.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
