package persona

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"catena/internal/text"
)

// Persona is somebody with a personality.
type Persona struct {
	ID                 string    `json:"id"` // unique per owner
	Name               string    `json:"name"`
	Age                int       `json:"age,omitempty"` // years; 0 is unknown
	Role               string    `json:"role,omitempty"`
	Description        string    `json:"description,omitempty"`
	AttachmentStyle    string    `json:"attachment_style"` // one of Styles
	CommunicationStyle string    `json:"communication_style,omitempty"`
	Traits             Traits    `json:"personality"`
	Goals              []string  `json:"goals,omitempty"`
	Created            time.Time `json:"created_at,omitzero"`
	Updated            time.Time `json:"updated_at,omitzero"`
}

// Traits are the Big Five, each 0 to 1. Use DefaultTraits for what is not known: the zero value says that all are lowest.
type Traits struct {
	Openness          float64 `json:"openness"`
	Conscientiousness float64 `json:"conscientiousness"`
	Extraversion      float64 `json:"extraversion"`
	Agreeableness     float64 `json:"agreeableness"`
	Neuroticism       float64 `json:"neuroticism"`
}

// DefaultTraits are those of somebody of whom nothing is known: the middle of each scale.
func DefaultTraits() Traits { return Traits{0.5, 0.5, 0.5, 0.5, 0.5} }

// Relationship is between two personas. It has no direction: Persona1ID is the lesser id, byte by byte.
type Relationship struct {
	Persona1ID   string `json:"persona1_id"`
	Persona1Name string `json:"persona1_name,omitempty"` // set by a Store, not kept with the relationship
	Persona2ID   string `json:"persona2_id"`
	Persona2Name string `json:"persona2_name,omitempty"`
	// Styles are the attachment styles of the two, in their order; set by Store.Relationships, not kept.
	Styles [2]string `json:"-"`
	Type   string    `json:"relationship_type"` // romantic, friendship ...
	Levels
	Valence         float64   `json:"emotional_valence"` // mean of its interactions, -1 to 1; 0 without any
	Interactions    int       `json:"interaction_count"`
	LastInteraction time.Time `json:"last_interaction,omitzero"`
	Trend           Trend     `json:"trend"`
	Created         time.Time `json:"created_at,omitzero"`
	Updated         time.Time `json:"updated_at,omitzero"`
}

// Levels are what a relationship is measured by, each 0 to 10.
type Levels struct {
	Trust    float64 `json:"trust_level"`
	Intimacy float64 `json:"intimacy_level"`
	Strength float64 `json:"relationship_strength"`
}

// Trend says where the levels went: the exponentially weighted means of the changes that updates made (after the bounds), the
// newest with a weight of TrendWeight.
type Trend struct {
	Updates  int     `json:"updates"` // how many updates there were
	Trust    float64 `json:"trust"`
	Intimacy float64 `json:"intimacy"`
}

// TrendWeight is the weight of the newest change in a Trend: about the last ten changes count.
const TrendWeight = 0.2

// Delta is a change of levels, each -10 to 10.
type Delta struct {
	Trust    float64 `json:"trust_delta"`
	Intimacy float64 `json:"intimacy_delta"`
	Strength float64 `json:"strength_delta"`
}

// MaxLevel is the highest level; the lowest is 0.
const MaxLevel = 10.0

// Apply returns the relationship after a change: levels within 0 and MaxLevel, the trend led on. Stores that compute elsewhere
// give the same to nine digits after the point.
func (r Relationship) Apply(d Delta, at time.Time) Relationship {
	before := r.Levels
	r.Trust, r.Intimacy, r.Strength = bounded(r.Trust+d.Trust), bounded(r.Intimacy+d.Intimacy), bounded(r.Strength+d.Strength)
	r.Trend.Trust = digits(r.Trend.Trust + TrendWeight*(r.Trust-before.Trust-r.Trend.Trust))
	r.Trend.Intimacy = digits(r.Trend.Intimacy + TrendWeight*(r.Intimacy-before.Intimacy-r.Trend.Intimacy))
	r.Trend.Updates++
	r.Updated = at
	return r
}

// With returns the relationship after an interaction: its count, its time, and the mean valence over all of them.
func (r Relationship) With(i Interaction) Relationship {
	r.Interactions++
	r.Valence = digits(r.Valence + (i.Valence-r.Valence)/float64(r.Interactions))
	if i.At.After(r.LastInteraction) {
		r.LastInteraction = i.At
	}
	r.Updated = i.At
	return r
}

func bounded(level float64) float64 { return digits(min(max(level, 0), MaxLevel)) }

// digits rounds to nine digits after the point, so that 7.3 + 0.1 is 7.4.
func digits(f float64) float64 { return math.Round(f*1e9) / 1e9 }

// Key names the relationship of two personas, whatever their order: don|lila.
func (r Relationship) Key() string { return Key(r.Persona1ID, r.Persona2ID) }

// Key names the relationship of two personas, whatever their order. Ids are escaped as in a URI, so that no two pairs share one.
func Key(a, b string) string {
	a, b = ordered(a, b)
	return escape(a) + "|" + escape(b)
}

// escape writes an id as a URI template (RFC 6570) expands it: all but letters, digits and -._~ with percent signs.
func escape(id string) string { return strings.ReplaceAll(url.QueryEscape(id), "+", "%20") }

func ordered(a, b string) (string, string) {
	if a > b {
		return b, a
	}
	return a, b
}

// Interaction is one thing that a persona said to another, who has a relationship with it.
type Interaction struct {
	ID          string    `json:"id"` // int_<sender>_<recipient>_<milliseconds since 1970>_<random>
	SenderID    string    `json:"sender_id"`
	RecipientID string    `json:"recipient_id"`
	From        string    `json:"from,omitempty"` // the sender's name; set by a Store, not kept
	To          string    `json:"to,omitempty"`
	Content     string    `json:"content"`
	Valence     float64   `json:"emotional_valence"`   // -1 (hurtful) to 1 (warm)
	Impact      float64   `json:"relationship_impact"` // -1 to 1: what the sender expects of it; recorded, it moves no level
	At          time.Time `json:"timestamp"`
}

// Graph is all that an owner has: the content of a file of catena persona export, and what import takes.
type Graph struct {
	Personas      []Persona      `json:"personas"`
	Relationships []Relationship `json:"relationships"`
	Interactions  []Interaction  `json:"interactions"`
}

// String counts what is in the graph: 2 personas, 1 relationship and 4 interactions.
func (g Graph) String() string {
	return fmt.Sprintf("%s, %s and %s", text.Count(len(g.Personas), "persona"), text.Count(len(g.Relationships), "relationship"), text.Count(len(g.Interactions), "interaction"))
}

// State is a persona with the means over its relationships. Without any they are 0.
type State struct {
	Persona       Persona
	Relationships int
	Levels
	Valence float64
}

// Totals are sums over all that an owner has.
type Totals struct {
	Personas     map[string]int       // by attachment style
	Ties         map[[2]string]TieSum // by the styles of both, in alphabetical order
	Interactions int
}

// TieSum is the sum over the relationships of two styles.
type TieSum struct {
	Count         int
	Updated       int // how many of them have had an update
	Levels            // sums
	Valence       float64
	TrustTrend    float64 // sums of the trends
	IntimacyTrend float64
}

// Store keeps the graphs of owners. Every method answers to that owner alone. Ids that are not there give a *NotFoundError;
// a store that cannot be used gives an error that wraps ErrUnavailable, and has then written nothing, unless the error wraps
// ErrOutcomeUnknown too. It is safe for concurrent use; changes of one owner come one after the other, so that none is lost.
//
// A limit below 1 means all. Lists come with the number of all that there are.
type Store interface {
	// Kind is "embedded" or "neo4j".
	Kind() string
	// Healthy returns nil when the store answers.
	Healthy(ctx context.Context) error
	// Version changes whenever anything of the owner's does. "" means that there is nothing.
	Version(ctx context.Context, owner string) (string, error)
	Persona(ctx context.Context, owner, id string) (Persona, error)
	// Personas are in the order of names, then of ids, byte by byte.
	Personas(ctx context.Context, owner string, limit int) ([]Persona, int, error)
	// State gives a persona with the means over its relationships.
	State(ctx context.Context, owner, id string) (State, error)
	// Goals gives the personas that have goals, by name.
	Goals(ctx context.Context, owner string, limit int) ([]State, int, error)
	Relationship(ctx context.Context, owner, a, b string) (Relationship, error)
	// Relationships are in the order of the names of both, then of the ids.
	Relationships(ctx context.Context, owner string, limit int) ([]Relationship, int, error)
	// Interactions are newest first.
	Interactions(ctx context.Context, owner string, limit int) ([]Interaction, int, error)
	Totals(ctx context.Context, owner string) (Totals, error)
	// Adjust changes the levels of a relationship (see Relationship.Apply) in one step and returns it as it is then.
	Adjust(ctx context.Context, owner, a, b string, d Delta, at time.Time) (Relationship, error)
	// Record keeps an interaction and leads its relationship on (see Relationship.With), both or neither, and returns the
	// relationship as it is then. An id that is taken gives an error that wraps fs.ErrExist.
	Record(ctx context.Context, owner string, i Interaction) (Relationship, error)
	// Merge adds a graph that has been checked (Read does) to the owner's, all or nothing (see Graph.Onto): personas and
	// relationships in place of those of the same ids, interactions unless they are there. Where an owner begins with the bundled
	// personas, it adds to these too. Relationships and interactions of personas that are nowhere give a *GraphError.
	Merge(ctx context.Context, owner string, g Graph) error
	// Replace is a Merge into nothing: all that the owner has is removed first, all or nothing. A graph with nothing in it
	// leaves what a new owner has.
	Replace(ctx context.Context, owner string, g Graph) error
	// Graph returns all that the owner has, without names in relationships and interactions, as of one moment.
	Graph(ctx context.Context, owner string) (Graph, error)
	// Reset removes all that the owner has and brings the bundled personas back.
	Reset(ctx context.Context, owner string) error
}
