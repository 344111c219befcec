package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/access"
)

// maxRunning is how many runs of a session that have not ended are listed.
const maxRunning = 16

// Running is a run that has not ended. Its answer is no turn of its session yet, or, where the run goes on after a
// decision, another one.
type Running struct {
	RunID    string   `json:"run_id"`
	Message  string   `json:"message"`
	Files    []string `json:"files,omitempty"`     // names of the files that came with the message
	AfterRun string   `json:"after_run,omitempty"` // see Request.AfterRun
}

// Running gives the runs of a session of the caller's that have not ended at whichever process, oldest first, at most
// 16; never nil. A session that is not there, or is another's, has none.
func (r *Runs) Running(ctx context.Context, c access.Caller, session string) ([]Running, error) {
	ids, err := r.log.RunningIn(ctx, c.ID, session, maxRunning)
	if err != nil {
		return nil, fmt.Errorf("chat: the runs of the session could not be listed: %w", err)
	}
	out := make([]Running, 0, len(ids))
	for _, id := range ids {
		_, _, request, _, err := r.log.Run(ctx, c.ID, id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted since
		}
		var stored storedRequest
		if err == nil {
			err = json.Unmarshal(request, &stored)
		}
		if err != nil {
			return nil, fmt.Errorf("chat: run %s could not be read: %w", id, err)
		}
		out = append(out, Running{RunID: id, Message: stored.Message, Files: stored.Files,
			AfterRun: stored.AfterRun})
	}
	return out, nil
}
