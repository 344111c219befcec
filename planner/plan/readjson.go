package plan

// JSON is what ReadJSON made of a text.
type JSON struct {
	Value  any      // numbers are json.Number
	Faults []string // what was not strict JSON, in words
}

// ReadJSON reads the one JSON value of a text.
func ReadJSON(text string, lim Limits) (JSON, error) {
	lim = lim.within()
	p := scanner{s: text, max: lim.Depth + planDepth}
	v := p.value()
	if p.stop != nil {
		return JSON{}, Findings{p.stop.finding()}
	}
	return JSON{Value: v}, nil
}
