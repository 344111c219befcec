package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// refusal says why there is no answer: the words that no table knows, the tables and near columns.
func (s *session) refusal(toks []token, best *reading, abilities string) string {
	if best == nil || len(best.unknown) == 0 && len(best.r.mentions) == 0 {
		return abilities
	}
	var b strings.Builder
	if len(best.unknown) > 0 {
		var words, told []string
		for _, t := range best.unknown[:min(3, len(best.unknown))] {
			if tables := s.elsewhere(best.r.v, t); tables != "" {
				fmt.Fprintf(&b, "%q is not in %s but in %s. ", t.text, best.r.v.info.Name, tables)
				continue
			}
			if tells(t.low) {
				told = append(told, fmt.Sprintf("%q", t.text))
				continue
			}
			words = append(words, fmt.Sprintf("%q", t.text))
		}
		if len(told) > 0 && len(words) == 0 {
			fmt.Fprintf(&b, "What %s asks for here cannot be computed from these tables.", strings.Join(told, ", "))
		} else if len(words) > 0 {
			fmt.Fprintf(&b, "There is nothing about %s in these tables.", strings.Join(words, ", "))
		} else {
			b.WriteString("No single table answers this, and these tables share no key for it.")
		}
	} else {
		b.WriteString("This question does not say enough to be answered from the tables.")
	}
	fmt.Fprintf(&b, " Tables here: %s.", tableList(s.req.Tables))
	if near := nearColumns(best); near != "" {
		fmt.Fprintf(&b, " Did you mean %s?", near)
	} else if n := columnList(best.r.v); n != "" {
		fmt.Fprintf(&b, " Columns of %s: %s.", best.r.v.info.Name, n)
	}
	return b.String()
}

func tableList(tables []plan.TableInfo) string {
	var out []string
	for _, t := range tables[:min(8, len(tables))] {
		if t.Live && t.Rows == 0 { // nobody has counted them
			out = append(out, t.Name)
			continue
		}
		out = append(out, fmt.Sprintf("%s (%s rows)", t.Name, thousandsOf(t.Rows)))
	}
	if len(tables) > 8 {
		out = append(out, fmt.Sprintf("and %d more", len(tables)-8))
	}
	return strings.Join(out, ", ")
}

// thousandsOf writes a count with a comma between groups of three digits.
func thousandsOf(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func columnList(v *view) string {
	var out []string
	for _, c := range v.cols[:min(12, len(v.cols))] {
		out = append(out, c.info.Name)
	}
	return strings.Join(out, ", ")
}

// nearColumns names columns whose names look like an unknown word.
func nearColumns(g *reading) string {
	type near struct {
		name string
		size int
	}
	var found []near
	for _, t := range g.unknown {
		for _, c := range g.r.v.cols {
			for _, w := range c.names[0] {
				n := 0
				for n < len(w.lemma) && n < len(t.lemma) && w.lemma[n] == t.lemma[n] {
					n++
				}
				if n >= 4 || plan.Near(w.lemma, t.lemma) {
					found = append(found, near{c.info.Name, n})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(b.size, a.size) })
	var out []string
	for _, f := range found {
		if !slices.Contains(out, f.name) && len(out) < 3 {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, " or ")
}

// abilities says what can be asked here, with examples over the actual tables.
func (o *Planner) abilities(req plan.Request, why string) string {
	var b strings.Builder
	if why != "" {
		b.WriteString(why + " ")
	}
	if len(req.Tables) == 0 {
		fmt.Fprintf(&b, "Nothing here answers that. There are %d tools and no tables; attach a file to ask about it.", len(req.Tools))
		b.WriteString(o.understood(req))
		return b.String()
	}
	fmt.Fprintf(&b, "I answer questions about tables. Tables here: %s.", tableList(req.Tables))
	if ex := examples(o.viewsOf(req.Tables[:1])[0]); len(ex) > 0 {
		fmt.Fprintf(&b, " Try: %s.", strings.Join(ex, "; "))
	}
	b.WriteString(o.understood(req))
	return b.String()
}

// understood gives examples of what else can be said here, because there are tools for it; "" without such tools.
func (o *Planner) understood(req plan.Request) string {
	cat := o.catalogueOf(req.Tools)
	cat.offered.Do(func() { cat.offers = cat.meaningsOffered() })
	return cat.offers
}

// meaningsOffered is what understood gives: it says nothing of the message.
func (c *catalogue) meaningsOffered() string {
	var offers []string
	said := map[string][]string{}
	for _, id := range meaningOrder {
		m := meanings[id]
		if m.example == "" || len(c.carriers(spoken{m: m})) == 0 {
			continue
		}
		if len(said[m.offers]) == 0 {
			offers = append(offers, m.offers)
		}
		said[m.offers] = append(said[m.offers], "“"+m.example+"”")
	}
	var b strings.Builder
	for _, offer := range offers {
		fmt.Fprintf(&b, " I also %s: %s.", offer, strings.Join(said[offer], ", "))
	}
	return b.String()
}

// codeNames end the names of columns of numbers that are codes rather than quantities.
var codeNames = plan.WordSet("id ids code key number no nr zip postcode year index uuid sku")

// examples are questions that work on a table.
func examples(v *view) []string {
	out := []string{fmt.Sprintf("“how many rows does %s have”", v.info.Name)}
	groups := groupColumns(v, 2) // the second for a measure that is the first
	if len(groups) == 0 {
		return out
	}
	for _, m := range v.measure {
		words := plan.NameWords(v.cols[m].info.Name)
		if len(words) == 0 || codeNames[words[len(words)-1]] || currencyCodes[words[len(words)-1]] && len(words) == 1 {
			continue
		}
		if currencyCodes[words[len(words)-1]] {
			words = words[:len(words)-1]
		}
		name, agg := strings.Join(words, " "), "average"
		if v.cols[m].sums() {
			agg = "total"
		}
		for _, c := range groups {
			if c != m {
				by := strings.Join(plan.NameWords(v.cols[c].info.Name), " ")
				return append(out, fmt.Sprintf("“%s %s by %s”", agg, name, by))
			}
		}
	}
	return out
}

// groupColumns are the first columns, at most so many, by whose values one may group. They are looked for once for all
// measures: a table may have thousands of both.
func groupColumns(v *view, most int) (found []int) {
	for c, col := range v.cols {
		few := col.info.Distinct > 1 && col.info.Distinct <= 100
		if few && col.info.Type == "text" && col.info.Role != "identifier" {
			if found = append(found, c); len(found) == most {
				break
			}
		}
	}
	return found
}
