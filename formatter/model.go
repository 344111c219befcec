package formatter

import "strings"

// Model is the view as a language model needs it, in few tokens: title and counts, then the rows with tabs between the
// cells, below headings that carry the units. Numbers have the digits that people would see, but no symbols, groups or
// percent signs; a percentage is 15.2 below "(%)". Missing cells are empty. The summary row, if any, stands last, and
// remarks below it.
func (v *View) Model() string {
	head := appendPlain(make([]byte, 0, 256), v.caption())
	if len(head) > 0 {
		head = append(head, '\n')
	}
	plainLooks := make([]look, len(v.Columns))
	for i := range v.looks {
		plainLooks[i] = v.looks[i].forModel()
	}
	if v.Ranks != nil {
		head = append(head, "#\t"...)
	}
	lead := v.leads()
	if lead {
		head = append(head, '\t')
	}
	for i, c := range v.visible {
		if i > 0 {
			head = append(head, '\t')
		}
		head = appendPlain(head, v.Columns[c].Heading)
		if v.Columns[c].Format.Kind == "percent" && !strings.Contains(v.Columns[c].Heading, "%") {
			head = append(head, " (%)"...)
		}
	}
	tail := v.lists(v.modelSummary(nil, plainLooks), "")
	return v.writeText(append(head, '\n'), tail, 10*(len(v.visible)+1), func(b []byte, r int) []byte {
		if v.Ranks != nil {
			b = append(appendRank(b, v.Ranks[r]), '\t')
		}
		if lead {
			b = append(b, '\t')
		}
		for i, c := range v.visible {
			if i > 0 {
				b = append(b, '\t')
			}
			if v.looks[c].tame {
				value := v.shown.Value(r, c)
				b = plainLooks[c].append(b, &value)
			} else {
				b = appendPlain(b, v.Text(r, c))
			}
		}
		return append(b, '\n')
	})
}

// modelSummary writes the summary row.
func (v *View) modelSummary(b []byte, looks []look) []byte {
	if v.Summary == nil {
		return b
	}
	label := v.Summary.Label
	if v.Summary.Detail != "" {
		label += " (" + v.Summary.Detail + ")"
	}
	if v.Ranks != nil {
		b = append(b, '\t')
	}
	at := v.labelAt()
	if at < 0 {
		b = append(appendPlain(b, label), '\t')
	}
	for i, c := range v.visible {
		if i > 0 {
			b = append(b, '\t')
		}
		if v.Summary.Values[c].IsNull() {
			if c == at {
				b = appendPlain(b, label)
			}
			continue
		}
		sum := v.Summary.looks[c].forModel()
		b = sum.append(b, &v.Summary.Values[c])
	}
	return append(b, '\n')
}

// forModel writes the same digits without what only people need.
func (l look) forModel() look {
	l.locale, l.negative, l.compact, l.bare = LocaleFor("en"), Hyphen, false, true
	l.format.Group, l.format.Plus = false, false
	if l.format.Kind == "currency" {
		l.format.Kind = "decimal"
	}
	l.prepare()
	return l
}

// appendPlain writes text of one line.
func appendPlain(b []byte, s string) []byte { return append(b, plain(s)...) }
