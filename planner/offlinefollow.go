package planner

// followUp reads a message that changes the question before it; nil when it stands for itself.
func (s *session) followUp(toks []token, alone *reading) *reading { return nil }
