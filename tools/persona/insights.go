package persona

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// How many elements the resources with analyses show.
const (
	maxRecent  = 50 // interactions, as clients know it
	maxList    = 1000
	maxMatrix  = 100 // pairs in the matrix of compatibility
	maxActive  = 100 // personas whose goals are shown
	maxClimate = 50  // newest interactions that the climate and the trends look at
)

// present is what figures of now are made of: the totals, and the newest interactions.
func (k *Toolkit) present(ctx context.Context, owner string) (Totals, []Interaction, error) {
	t, err := k.opt.Store.Totals(ctx, owner)
	if err != nil {
		return Totals{}, nil, err
	}
	said, _, err := k.opt.Store.Interactions(ctx, owner, maxClimate)
	return t, said, err
}

// climate is neo4j://emotional_climate/current. Each figure is 0 to 10: safety is 70 % mean trust and 30 % the tone of the newest
// interactions; positivity is that tone; authenticity is mean intimacy; growth potential is half mean strength and half the share of
// relationships with at least one secure side. Tone is the mean valence of the newest 50 interactions, -1 to 1 made 0 to 10.
func (k *Toolkit) climate(ctx context.Context, owner string) (object, error) {
	t, said, err := k.present(ctx, owner)
	if err != nil {
		return nil, err
	}
	all := t.all()
	n := float64(max(all.Count, 1))
	mood := all.Valence / n
	if len(said) > 0 {
		mood = meanValence(said)
	}
	secure := 0
	for styles, s := range t.Ties {
		if slices.Contains(styles[:], styleSecure) {
			secure += s.Count
		}
	}
	tone, share := 5+5*mood, float64(secure)/n
	overall := object{"safety_level": 0.0, "positivity": 0.0, "authenticity": 0.0, "growth_potential": 0.0}
	if all.Count > 0 {
		overall = object{"safety_level": hundredths(0.7*all.Trust/n + 0.3*tone), "positivity": hundredths(tone),
			"authenticity": hundredths(all.Intimacy / n), "growth_potential": hundredths(0.5*all.Strength/n + 5*share)}
	}
	risks, strengths := climateWords(all, mood, share, len(said))
	return object{"overall_climate": overall, "risk_factors": risks, "strengths": strengths, "relationships": all.Count,
		"interactions_considered": len(said), "interactions_total": t.Interactions, "basis": basisRules}, nil
}

func climateWords(all TieSum, mood, share float64, said int) (risks, strengths []string) {
	risks, strengths = []string{}, []string{}
	if all.Count == 0 {
		return []string{"No relationship is recorded, so there is no climate to speak of."}, strengths
	}
	say := func(high bool, low bool, good, bad string) {
		if high {
			strengths = append(strengths, good)
		}
		if low {
			risks = append(risks, bad)
		}
	}
	n := float64(all.Count)
	trust, intimacy := all.Trust/n, all.Intimacy/n
	say(trust >= 7, trust < 4, fmt.Sprintf("Trust is high: %.1f of 10 on average.", trust), fmt.Sprintf("Trust is low: %.1f of 10 on average.", trust))
	say(intimacy >= 7, intimacy < 4, fmt.Sprintf("People are close: intimacy is %.1f of 10 on average.", intimacy), fmt.Sprintf("People keep a distance: intimacy is %.1f of 10 on average.", intimacy))
	say(trust-intimacy > 3, intimacy-trust > 2, "There is more trust than closeness: room to open up.", "There is more closeness than trust carries.")
	if said > 0 {
		say(mood >= 0.3, mood <= -0.1, "The latest interactions are warm.", "The latest interactions are more hurtful than warm.")
	}
	say(share >= 0.7, share < 0.3, "Most relationships have a secure side.", "Few relationships have a secure side.")
	return risks, strengths
}

func meanValence(list []Interaction) float64 {
	sum := 0.0
	for _, i := range list {
		sum += i.Valence
	}
	return sum / float64(max(len(list), 1))
}

// styles is neo4j://attachment_styles/analysis.
func (k *Toolkit) styles(ctx context.Context, owner string) (object, error) {
	t, err := k.opt.Store.Totals(ctx, owner)
	if err != nil {
		return nil, err
	}
	list, total, err := k.opt.Store.Relationships(ctx, owner, maxMatrix)
	if err != nil {
		return nil, err
	}
	matrix := object{}
	for _, r := range list {
		if c, err := Compare(r.Styles[0], r.Styles[1]); err == nil {
			matrix[r.Key()] = object{"names": []string{r.Persona1Name, r.Persona2Name}, "attachment_styles": r.Styles,
				"compatibility_level": c.Level, "attachment_compatibility": c.Score,
				"overall_score": hundredths((c.Score + r.Strength) / 2), "challenges": c.Challenges, "strengths": c.Strengths}
		}
	}
	pairs, advice := stylePairs(t)
	return object{"compatibility_matrix": matrix, "recommendations": advice, "personas_by_style": t.Personas, "pairs_by_style": pairs,
		"count": len(matrix), "total": total, "truncated": total > len(list), "basis": basisRules}, nil
}

// stylePairs tells of each pair of styles that there is, the most frequent first, and what helps the three that need it most.
func stylePairs(t Totals) (pairs []object, advice []string) {
	type row struct {
		styles [2]string
		sum    TieSum
		c      Compatibility
	}
	var rows []row
	for styles, sum := range t.Ties {
		if c, err := Compare(styles[0], styles[1]); err == nil && sum.Count > 0 {
			rows = append(rows, row{styles, sum, c})
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.sum.Count, a.sum.Count), cmp.Compare(a.styles[0], b.styles[0]), cmp.Compare(a.styles[1], b.styles[1]))
	})
	pairs = []object{}
	for _, r := range rows {
		pairs = append(pairs, object{"attachment_styles": r.styles, "relationships": r.sum.Count, "compatibility_level": r.c.Level, "means": r.sum.means()})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.c.Score, b.c.Score) })
	for _, r := range rows[:min(3, len(rows))] {
		advice = append(advice, r.c.Recommendations[0])
	}
	return pairs, append(advice, generalAdvice...)
}

// activeGoal is a goal as clients read it.
type activeGoal struct {
	PersonaID   string   `json:"persona_id"`
	PersonaName string   `json:"persona_name"`
	GoalType    string   `json:"goal_type"`
	Description string   `json:"description"`
	Progress    float64  `json:"progress"`
	Measure     string   `json:"measure"`
	Assessment  string   `json:"assessment"`
	Strategies  []string `json:"strategies"`
}

// active is neo4j://goals/active.
func (k *Toolkit) active(ctx context.Context, owner string) (object, error) {
	people, total, err := k.opt.Store.Goals(ctx, owner, maxActive)
	if err != nil {
		return nil, err
	}
	list, sum := []activeGoal{}, 0.0
	for _, s := range people {
		for _, g := range s.Persona.Goals {
			p := s.progress(g)
			sum += p.Progress
			list = append(list, activeGoal{s.Persona.ID, s.Persona.Name, goalType(p.Measure), g, p.Progress, p.Measure, p.Assessment, strategies[s.Persona.AttachmentStyle]})
		}
	}
	return object{"active_goals": list, "completion_rate": hundredths(sum / float64(max(len(list), 1))), "count": len(list), "personas": len(people),
		"personas_total": total, "truncated": total > len(people), "basis": basisRules}, nil
}

// goalType is what clients group goals by.
func goalType(measure string) string {
	switch measure {
	case "trust_level":
		return "trust_building"
	case "intimacy_level":
		return "intimacy_development"
	}
	return "relationship_growth"
}

// trends is neo4j://psychological_insights/trends: where trust and intimacy went by the latest updates (see Trend), and whether the
// newest interactions are warmer than those before.
func (k *Toolkit) trends(ctx context.Context, owner string) (object, error) {
	t, said, err := k.present(ctx, owner)
	if err != nil {
		return nil, err
	}
	all := t.all()
	n := float64(max(all.Updated, 1))
	trust := trend(all.TrustTrend/n, all.Updated)
	intimacy := trend(all.IntimacyTrend/n, all.Updated)
	half := len(said) / 2
	warmth := 0.0
	if half > 0 {
		warmth = meanValence(said[:half]) - meanValence(said[half:])
	}
	security := trend(warmth, half)
	next := func(when string) string {
		if all.Updated == 0 {
			return "There were no updates yet, so nothing can be said about the " + when + "."
		}
		return fmt.Sprintf("If the latest updates are typical, trust goes on %s and intimacy %s over the %s; nothing else is known about it.", trust["direction"], intimacy["direction"], when)
	}
	return object{"trends": object{"trust_evolution": trust, "intimacy_development": intimacy, "attachment_security": security},
		"predictions":                object{"next_month": next("next month"), "next_quarter": next("next quarter")},
		"relationships_with_updates": all.Updated, "interactions_considered": len(said), "basis": basisRules}, nil
}

// trend words a mean change. Below a twentieth of a level it is steady. Stability says how large the steps are: high up to a quarter
// of a level, medium up to one.
func trend(rate float64, observed int) object {
	direction := "steady"
	if rate >= 0.05 {
		direction = "increasing"
	} else if rate <= -0.05 {
		direction = "decreasing"
	}
	stability := "low"
	switch size := math.Abs(rate); {
	case observed == 0:
		stability = "unknown"
	case size <= 0.25:
		stability = "high"
	case size <= 1:
		stability = "medium"
	}
	return object{"direction": direction, "rate": digits(rate), "stability": stability, "observations": observed}
}
