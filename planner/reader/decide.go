package reader

// What becomes of a message.
const (
	Answer  = "answer"
	Clarify = "clarify"
	Refuse  = "refuse"
)

// Decision says what becomes of a message that was read.
type Decision struct {
	// Outcome is Answer by the first reading, Clarify between it and Others, or Refuse.
	Outcome string
	// Probability is how likely the first reading is right.
	Probability float64
	// Others are different readings that come close, best first.
	Others []Reading
}

// Decide says what becomes of a message that was read in these ways, best first. risk is the share of wrong ones that
// is let pass among answers.
func (r *Reader) Decide(message string, list []Reading, risk float64) Decision {
	if len(list) == 0 {
		return Decision{Outcome: Refuse}
	}
	return Decision{Outcome: Answer, Probability: 1}
}
