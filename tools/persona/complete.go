package persona

import (
	"context"
	"slices"

	"catena/tools"
)

// people are the arguments of prompts and the variables of templates that take a persona's id.
var people = []string{"persona_id", "persona1_id", "persona2_id", "personas", "participants"}

// complete suggests ids of personas, by name, without the one that is given already.
func (k *Toolkit) complete(ctx context.Context, call tools.CompleteCall) ([]string, error) {
	if !slices.Contains(people, call.Argument) {
		return nil, nil
	}
	list, _, err := k.opt.Store.Personas(ctx, call.Caller.ID, 0)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, p := range list {
		if p.ID != call.Given["persona1_id"] && p.ID != call.Given["persona2_id"] {
			ids = append(ids, p.ID)
		}
	}
	return ids, nil
}
