package chat

import (
	"context"
	"io/fs"
	"slices"

	"catena/internal/access"
)

// AtStart as Request.AfterRun begins a branch at the session's start: before its first turn.
const AtStart = "start"

// maxBranched is how many turns of a session are looked at where it has branches.
const maxBranched = 10_000

// Path returns the turns that lead to the newest one, oldest first: all of them where nothing was edited or asked
// again. Each turn follows the one that its AfterRun names, or the one before it in the list; turns of other branches
// are left out.
func Path(turns []StoredTurn) []StoredTurn { return pathTo(turns, len(turns)-1) }

// pathTo is Path for the turn at an index, none for one below 0.
func pathTo(turns []StoredTurn, at int) []StoredTurn {
	var path []StoredTurn
	for at >= 0 {
		path = append(path, turns[at])
		at = before(turns, at)
	}
	slices.Reverse(path)
	return path
}

// before is the index of the turn that the one at an index follows; -1 for none.
func before(turns []StoredTurn, at int) int {
	if after := turns[at].AfterRun; after != "" {
		return slices.IndexFunc(turns[:at], func(t StoredTurn) bool { return t.RunID == after }) // -1 at the start, too
	}
	return at - 1
}

// branched reports whether a request or one of the turns goes elsewhere than after the turn before it.
func branched(req *Request, turns []StoredTurn) bool {
	return req.AfterRun != "" || req.EditRun != "" || slices.ContainsFunc(turns, func(t StoredTurn) bool {
		return t.AfterRun != ""
	})
}

// lineage returns the last n turns that a request's turn follows. It makes EditRun the AfterRun that it stands for.
func (e *Engine) lineage(ctx context.Context, c access.Caller, req *Request, n int) ([]StoredTurn, error) {
	turns, err := e.stored(ctx, c, req.SessionID, maxBranched)
	if err != nil {
		return nil, err
	}
	at := len(turns) - 1
	find := func(run string) int {
		return slices.IndexFunc(turns, func(t StoredTurn) bool { return t.RunID == run })
	}
	if own := find(req.RunID); own >= 0 && req.RunID != "" { // the turn goes on: it stays where it is
		at = before(turns, own)
	} else if req.EditRun != "" {
		if at = find(req.EditRun); at < 0 {
			return nil, turnNotFound()
		}
		if at = before(turns, at); at < 0 {
			req.AfterRun = AtStart
		} else {
			req.AfterRun = turns[at].RunID
		}
		req.EditRun = ""
	} else if req.AfterRun == AtStart {
		at = -1
	} else if req.AfterRun != "" {
		if at = find(req.AfterRun); at < 0 {
			return nil, turnNotFound()
		}
	}
	if at == len(turns)-1 && at >= 0 && req.AfterRun == turns[at].RunID {
		req.AfterRun = "" // the newest is what a turn follows anyway
	}
	path := pathTo(turns, at)
	return path[max(0, len(path)-n):], nil
}

// turnNotFound is the error for a branch from a turn that the session does not have.
func turnNotFound() error {
	return &InputError{
		Code: "turn_not_found", Detail: "The session has no such turn.",
		Hint: "after_run and edit_run name a run_id of GET /api/v1/sessions/{id}; a run that goes on has none yet.",
		Err:  fs.ErrNotExist,
	}
}
