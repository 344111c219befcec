package reader

import (
	"context"

	"catena/planner/plan"
	"catena/query/semantic"
)

// maxFollowed is how many earlier messages a message may build on.
const maxFollowed = 6

// before is the answer that the messages before came to; nil where there is none to build on. Where the last turn was
// answered, that is the reading that it was answered by: what another planner understood is not known.
func (r *Reader) before(ctx context.Context, req plan.Request, model *semantic.Model) (*answer, error) {
	n := len(req.History)
	if n == 0 {
		return nil, nil
	}
	last := req.History[n-1].Plan
	if last == nil || len(last.Steps) == 0 {
		list, err := r.earlier(ctx, req, model, n-1)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[0].answer, nil
	}
	if last.Reading == "" {
		return nil, nil
	}
	m := maker{req: req, model: model, scope: scopeOf(model, req.Tables)}
	for i := n - 1; i >= max(0, n-2); i-- { // a message that chose a reading is not what was read
		list, err := r.earlier(ctx, req, model, i)
		if err != nil {
			return nil, err
		}
		for _, rd := range list {
			if m.words(rd.Query) == last.Reading {
				return rd.answer, nil
			}
		}
	}
	return nil, nil
}

// earlier are the readings of a message of the history.
func (r *Reader) earlier(ctx context.Context, req plan.Request, model *semantic.Model, i int) ([]Reading, error) {
	earlier := req
	earlier.Message, earlier.History = req.History[i].Message, req.History[max(0, i-maxFollowed):i]
	return r.Readings(ctx, earlier, model)
}
