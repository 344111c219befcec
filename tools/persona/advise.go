package persona

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
)

// maxArgument bounds the free texts that tools take, in characters.
const maxArgument = 8 << 10

func hundredths(f float64) float64 { return math.Round(f*100) / 100 }

func (k *Toolkit) compatibilityTool() tools.Tool {
	return k.define(spec{name: "analyze_persona_compatibility", title: "Compatibility of two personas",
		description: "Says by rules of attachment theory how two personas go together (High, Good, Moderate, Challenging, Difficult, Low), why, and what helps. Use it to compare or match two people, or to ask whether they suit each other.",
		in: object{
			"persona1_id":       idSchema("Id of one persona."),
			"persona2_id":       idSchema("Id of the other persona."),
			"relationship_type": object{"type": "string", "maxLength": maxName, "default": "romantic", "description": "What kind of relationship is meant: romantic, friendship, professional ..."},
		}, required: []string{"persona1_id", "persona2_id"}, work: k.compatibility})
}

func (k *Toolkit) compatibility(ctx context.Context, call tools.Call) (tools.Result, error) {
	a, b, err := ids(call, "persona1_id", "persona2_id")
	if err != nil {
		return tools.Result{}, err
	}
	p, err := k.persona(ctx, call.Caller.ID, &a)
	if err != nil {
		return tools.Result{}, err
	}
	q, err := k.persona(ctx, call.Caller.ID, &b)
	if err != nil {
		return tools.Result{}, err
	}
	c, err := Compare(p.AttachmentStyle, q.AttachmentStyle)
	if err != nil {
		return tools.Result{}, fmt.Errorf("persona: %w", err)
	}
	brief := func(p Persona) object {
		return object{"id": p.ID, "name": p.Name, "attachment_style": p.AttachmentStyle}
	}
	analysis := object{"persona1": brief(p), "persona2": brief(q), "relationship_type": cmp.Or(call.Text("relationship_type"), "romantic"),
		"compatibility_level": c.Level, "score": c.Score, "analysis": c.Reason, "reasons": traitReasons(p, q), "strengths": c.Strengths,
		"challenges": c.Challenges, "recommendations": c.Recommendations, "basis": basisRules}
	if r, err := k.opt.Store.Relationship(ctx, call.Caller.ID, a, b); err == nil {
		analysis["relationship"] = r.Levels
	} else if !missing(err) {
		return tools.Result{}, err
	}
	return tools.Result{Text: fmt.Sprintf("%s (%s) and %s (%s): **%s**. %s", p.Name, p.AttachmentStyle, q.Name, q.AttachmentStyle, c.Level, c.Reason),
		Structured: object{"compatibility_analysis": analysis}, Untrusted: true}, nil
}

// basisRules says what an analysis rests on.
const basisRules = "Fixed rules over attachment styles and stored numbers; no clinical assessment."

// traitReasons says where two personalities are far apart or alike. A third of the scale counts as far, a tenth as alike.
func traitReasons(p, q Persona) []string {
	out := []string{}
	for _, t := range []struct {
		name string
		a, b float64
	}{{"openness", p.Traits.Openness, q.Traits.Openness}, {"conscientiousness", p.Traits.Conscientiousness, q.Traits.Conscientiousness},
		{"extraversion", p.Traits.Extraversion, q.Traits.Extraversion}, {"agreeableness", p.Traits.Agreeableness, q.Traits.Agreeableness},
		{"neuroticism", p.Traits.Neuroticism, q.Traits.Neuroticism}} {
		switch d := math.Abs(t.a - t.b); {
		case d >= 1.0/3:
			out = append(out, fmt.Sprintf("They differ in %s (%.2g and %.2g).", t.name, t.a, t.b))
		case d <= 0.1:
			out = append(out, fmt.Sprintf("They are alike in %s (%.2g and %.2g).", t.name, t.a, t.b))
		}
	}
	return out
}

// strategies are those that existing clients know for each style, the usual one first; those of disorganized are ours.
var strategies = map[string][]string{
	styleSecure:       {"emotional_bonding", "vulnerable_disclosure", "supportive_listening", "trust_building"},
	styleAnxious:      {"reassurance_seeking", "emotional_validation", "secure_bonding", "safety_creation"},
	styleAvoidant:     {"autonomous_connection", "thoughtful_presence", "respectful_distance", "gradual_opening"},
	styleDisorganized: {"safety_creation", "thoughtful_presence", "gradual_opening", "emotional_validation"},
	styleExploratory:  {"growth_oriented_support", "playful_engagement", "curious_exploration", "authentic_expression"},
}

func (k *Toolkit) strategyTool() tools.Tool {
	return k.define(spec{name: "autonomous_strategy_selection", title: "Choose a strategy for a conversation",
		description: "Chooses by rules, without looking anything up, how a persona of an attachment style should approach a conversation, and says why. Use it to decide on a strategy for talking to somebody.",
		in: object{
			"persona_id":           idSchema("Id of the persona who decides; it is only repeated in the result."),
			"conversation_context": textSchema(maxArgument, "What the conversation is about, or how far it has come."),
			"situation_assessment": textSchema(maxArgument, "How things stand: conflict, distance, calm ..."),
			"active_goals":         textSchema(maxArgument, "What the persona wants, in words."),
			"attachment_style":     object{"type": "string", "maxLength": maxName, "default": styleSecure, "description": "secure, anxious, avoidant, disorganized or exploratory."},
		}, required: []string{"persona_id"}, work: k.strategy})
}

func (k *Toolkit) strategy(_ context.Context, call tools.Call) (tools.Result, error) {
	who, err := id(call, "persona_id")
	if err != nil {
		return tools.Result{}, err
	}
	given := strings.ToLower(strings.TrimSpace(call.Text("attachment_style")))
	style := cmp.Or(given, styleSecure)
	notes := []string{}
	if !known(style) {
		notes = append(notes, fmt.Sprintf("The attachment style %q is not known; it was taken as secure.", short(given)))
		style = styleSecure
	}
	chosen, reason := choose(style, call.Text("conversation_context"), call.Text("situation_assessment"), call.Text("active_goals"))
	text := fmt.Sprintf("Strategy for the %s attachment style: **%s**. %s", style, strings.ReplaceAll(chosen, "_", " "), reason)
	if style == styleSecure {
		text += " The secure style is assumed when none is given, since nothing is looked up; for another one name it: anxious, avoidant, disorganized or exploratory."
	}
	return tools.Result{Text: text, Notes: notes,
		Structured: object{"strategy_selection": object{"persona_id": who, "selected_strategy": chosen, "attachment_style": style,
			"context": call.Text("conversation_context"), "available_strategies": strategies[style], "reasoning": reason, "notes": notes, "basis": basisRules}}}, nil
}

// choose selects a strategy. The first rule that holds decides: conflict in the situation; a beginning; depth; trust, then
// vulnerability among the goals; else the style's usual strategy.
func choose(style, about, situation, goals string) (strategy, reason string) {
	byStyle := func(anxious, avoidant, other string) string {
		switch style {
		case styleAnxious, styleDisorganized:
			return anxious
		case styleAvoidant:
			return avoidant
		}
		return other
	}
	switch {
	case has(situation, "conflict", "fight", "quarrel", "argument", "angry", "hurt", "upset"):
		return byStyle("safety_creation", "respectful_distance", "supportive_listening"), "There is a conflict, so that calm and being heard come first."
	case has(about, "first", "new", "stranger"):
		return byStyle("reassurance_seeking", "thoughtful_presence", "emotional_bonding"), "It is a beginning; the style decides how fast to come closer."
	case has(about, "deep", "intimate", "personal", "vulnerable"):
		return byStyle("vulnerable_disclosure", "gradual_opening", "vulnerable_disclosure"), "The conversation goes deep; the style decides how far to open up at once."
	case has(goals, "trust"):
		return "trust_building", "Trust is among the goals."
	case has(goals, "vulnerability", "vulnerable", "open up", "openness"):
		return byStyle("vulnerable_disclosure", "gradual_opening", "vulnerable_disclosure"), "Showing oneself is among the goals."
	}
	return strategies[style][0], fmt.Sprintf("Nothing special is in context, situation or goals, so it is the usual strategy of the %s style.", style)
}

// has reports whether a text has one of some words or phrases, in whole words and any case.
func has(text string, words ...string) bool {
	folded := " " + strings.Join(wordsOf(text), " ") + " "
	for _, w := range words {
		if strings.Contains(folded, " "+w+" ") {
			return true
		}
	}
	return false
}

// wordsOf splits a text into lower-case words.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '\'' && (r < 'a' || r > 'z') && r < 0x80 && (r < '0' || r > '9')
	})
}

var goalColumns = []table.Column{{Name: "goal", Type: table.Text}, {Name: "progress", Type: table.Float}, {Name: "measure", Type: table.Text}, {Name: "assessment", Type: table.Text}}

func (k *Toolkit) goalsTool() tools.Tool {
	return k.define(spec{name: "assess_goal_progress", title: "Progress towards goals",
		description: "Says by rules how far a persona's relationship goals have come (0 to 1), from the stored levels and the tone of recent interactions. Use it to ask about progress, goals or how somebody is doing with theirs.",
		in: object{
			"persona_id":          idSchema("Id of the persona."),
			"goals":               textSchema(maxArgument, "Goals, separated by commas; the persona's own when it is not given."),
			"recent_interactions": textSchema(maxArgument, "What was said lately; the stored valence is used when it is not given."),
		}, required: []string{"persona_id"}, columns: goalColumns, work: k.goals})
}

func (k *Toolkit) goals(ctx context.Context, call tools.Call) (tools.Result, error) {
	who, err := id(call, "persona_id")
	if err != nil {
		return tools.Result{}, err
	}
	s, err := k.state(ctx, call.Caller.ID, &who)
	if err != nil {
		return tools.Result{}, err
	}
	goals := split(call.Text("goals"))
	if len(goals) == 0 {
		goals = s.Persona.Goals
	}
	if said := call.Text("recent_interactions"); said != "" {
		s.Valence = tone(said)
	}
	list, sum := []object{}, 0.0
	b := table.NewBuilder(goalColumns...)
	for _, g := range goals {
		p := s.progress(g)
		sum += p.Progress
		list = append(list, object{"goal": g, "progress": p.Progress, "measure": p.Measure, "assessment": p.Assessment})
		if err := b.Append(table.TextValue(g), table.FloatValue(p.Progress), table.TextValue(p.Measure), table.TextValue(p.Assessment)); err != nil {
			return tools.Result{}, err
		}
	}
	overall := hundredths(sum / float64(max(len(goals), 1)))
	text := fmt.Sprintf("%s: %s, overall progress %.0f %%.", s.Persona.Name, text.Count(len(goals), "goal"), overall*100)
	if len(goals) == 0 {
		text = fmt.Sprintf("%s has no goals, and none were given.", s.Persona.Name)
	}
	return tools.Result{Text: text, Table: b.Table(), Name: "goal_progress", Title: "Goals of " + s.Persona.Name, Untrusted: true,
		Structured: object{"goal_progress": object{"persona_id": who, "persona_name": s.Persona.Name, "assessed_goals": list, "overall_progress": overall,
			"relationships": s.Relationships, "assessment_timestamp": stamp(k.now()), "basis": basisRules}}}, nil
}

// split reads goals separated by commas, semicolons or lines, without repetitions.
func split(text string) []string {
	out := []string{}
	seen := map[string]bool{}
	for _, g := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if g = strings.TrimSpace(g); g != "" && !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// progress is how far one goal has come.
type progress struct {
	Progress            float64
	Measure, Assessment string
}

// progress measures a goal by the level that its words name: trust (trust, safe, rely ...), intimacy (close, intimate, open, vulnerable,
// share, talk ...), else the strength of the relationships. Four fifths are that level's mean over the persona's relationships, one
// fifth is the emotional valence. Without a relationship there is no progress.
func (s State) progress(goal string) progress {
	if s.Relationships == 0 {
		return progress{Measure: "none", Assessment: "No relationship is recorded, so nothing can be measured."}
	}
	p := progress{Measure: "relationship_strength"}
	level := s.Strength
	switch {
	case has(goal, "trust", "safe", "safety", "rely", "reliable", "secure", "security"):
		p.Measure, level = "trust_level", s.Trust
	case has(goal, "intimacy", "intimate", "close", "closer", "closeness", "vulnerability", "vulnerable", "open", "share", "sharing", "honest", "talk", "feelings"):
		p.Measure, level = "intimacy_level", s.Intimacy
	}
	p.Progress = hundredths(0.8*level/MaxLevel + 0.2*(s.Valence+1)/2)
	switch {
	case p.Progress >= 0.75:
		p.Assessment = "Largely reached; keep what works."
	case p.Progress >= 0.5:
		p.Assessment = "On the way; steady small steps help."
	case p.Progress >= 0.25:
		p.Assessment = "Begun; it needs attention."
	default:
		p.Assessment = "Hardly begun; choose one small step."
	}
	return p
}

var (
	warmWords = []string{"thank", "thanks", "love", "loved", "happy", "glad", "proud", "appreciate", "appreciated", "kind", "support", "supported", "trust", "laughed", "enjoyed", "safe", "hug", "together", "understood", "care"}
	hardWords = []string{"angry", "hurt", "sad", "alone", "ignored", "afraid", "fight", "fought", "hate", "cold", "lied", "broke", "worried", "upset", "withdrew", "blamed", "shouted", "jealous", "distrust", "disappointed"}
)

// tone is the balance of warm and hard words in a text, -1 to 1; 0 without any. It knows English only.
func tone(text string) float64 {
	warm, hard := 0, 0
	for _, w := range wordsOf(text) {
		for _, x := range warmWords {
			if w == x {
				warm++
			}
		}
		for _, x := range hardWords {
			if w == x {
				hard++
			}
		}
	}
	if warm+hard == 0 {
		return 0
	}
	return float64(warm-hard) / float64(warm+hard)
}
