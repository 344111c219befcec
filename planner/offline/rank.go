package offline

import (
	"cmp"
	"maps"
	"slices"
)

// ranked is a tool with how well it fits a clause.
type ranked struct {
	tool  *toolFacts
	score float64
	nouns int // how many of its nouns the clause names
}

// rank orders the tools by how well they fit the words: inverse frequency times weight, names before descriptions.
func (c *catalogue) rank(toks []token) []ranked {
	stems := map[string]bool{}
	for _, t := range toks {
		if t.content() && t.kind == wordToken {
			stems[stem(t.low)] = true
			for _, alias := range nounAliases[t.lemma] {
				stems[stem(alias)] = true
			}
			if is := c.roles[t.lemma]; is != "" {
				stems[stem(is)] = true
			}
		}
	}
	scores, met := make([]float64, len(c.tools)), make([]bool, len(c.tools))
	for _, s := range slices.Sorted(maps.Keys(stems)) {
		for _, p := range c.worded[s] {
			scores[p.tool] += p.weight * c.idf[s]
			met[p.tool] = true
		}
	}
	var out []ranked
	for i, f := range c.tools {
		if !met[i] {
			continue
		}
		r := ranked{tool: f, score: scores[i]}
		for _, n := range f.stems {
			r.nouns += b2i(stems[n])
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	return out
}

// nounAliases are other words for what tools are about.
var nounAliases = map[string][]string{
	"client": {"customer", "client"}, "customer": {"client", "customer"}, "company": {"customer", "client"}, "account": {"customer", "client"}, "colleague": {"employee"}, "staff": {"employee"}, "team": {"employee", "department"},
	"agent": {"employee", "assignee"}, "person": {"employee", "contact"}, "meeting": {"event", "calendar"}, "appointment": {"event", "calendar"}, "mail": {"email"}, "message": {"email"}, "e-mail": {"email"},
	"opportunity": {"deal"}, "issue": {"ticket"}, "complaint": {"ticket"}, "shipment": {"shipping", "track"}, "delivery": {"shipping", "track"}, "ship": {"shipping"}, "absence": {"leave"}, "vacation": {"leave"}, "holiday": {"leave"},
	"vendor": {"supplier"}, "item": {"product", "item"}, "article": {"product"}, "turnover": {"revenue"}, "sale": {"revenue", "deal"}, "income": {"revenue"}, "currency": {"fx"}, "cost": {"price", "quote"}, "charge": {"price"}, "price": {"cost", "quote"}, "exchange": {"fx"}, "slot": {"slots"}, "warehouse": {"stock"}, "inventory": {"stock"},
}
