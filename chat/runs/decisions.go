package runs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"catena/chat"
	"catena/internal/access"
)

// maxDecided is how many decisions a run remembers: a plan has fewer steps, and a step is seldom asked about twice.
const maxDecided = 256

// record notes a decision after which the run's events continue behind a number.
func record(k *chat.Checkpoint, a Approval, after uint64, said reply) error {
	sum, err := a.digest()
	if err != nil {
		return err
	}
	k.Decided = append(k.Decided, chat.Decision{
		Step: a.Step, ArgsHash: a.ArgsHash, Decision: a.Decision, Digest: sum, Key: a.keySum(), After: after,
		Reply: said.key(),
	})
	k.Decided = k.Decided[max(0, len(k.Decided)-maxDecided):]
	return nil
}

func (a Approval) digest() (string, error) {
	data, err := json.Marshal(a)
	if err != nil {
		return "", fmt.Errorf("chat: the decision could not be written: %w", err)
	}
	return sumOf(data), nil
}

func (a Approval) keySum() string {
	if a.IdempotencyKey == "" {
		return ""
	}
	return sumOf([]byte(a.IdempotencyKey))
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// checkDecisionKey refuses a key that belongs to a message, or to another decision about the run.
func (r *Runs) checkDecisionKey(ctx context.Context, c access.Caller, run string, a Approval) error {
	if a.IdempotencyKey == "" {
		return nil
	}
	if err := chat.CheckKey(a.IdempotencyKey); err != nil {
		return err
	}
	_, _, _, _, err := r.log.Run(ctx, c.ID, keyedID(c, a.IdempotencyKey))
	switch {
	case err == nil:
		return keyReused()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("chat: whether the key was used could not be read: %w", err)
	}
	list, err := r.decided(ctx, c, run)
	if err != nil {
		return err
	}
	sum, err := a.digest()
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.Key == a.keySum() && d.Digest != sum {
			return keyReused()
		}
	}
	return nil
}

// decidedBefore gives the number that the same decision gave when it was made: the run has gone on by it. refused is
// the error of a decision that is new.
func (r *Runs) decidedBefore(
	ctx context.Context, c access.Caller, run string, a Approval, refused error,
) (after uint64, err error) {
	list, err := r.decided(ctx, c, run)
	if err != nil {
		return 0, err
	}
	sum, err := a.digest()
	if err != nil {
		return 0, err
	}
	for _, d := range list {
		switch {
		case d.Digest == sum:
			return d.After, nil
		case d.Step == a.Step && d.ArgsHash == a.ArgsHash:
			return 0, conflict("already_decided",
				fmt.Sprintf("It was decided before about this step: %s. Nothing was done now.", d.Decision),
				"See GET /api/v1/runs/"+run+" for what became of it.")
		}
	}
	return 0, refused
}

// decided lists the decisions about a caller's run, also of one under way.
func (r *Runs) decided(ctx context.Context, c access.Caller, run string) ([]chat.Decision, error) {
	if l := r.own(c, run); l != nil && l.from != nil {
		return l.from.Decided, nil
	}
	_, _, _, _, err := r.log.Run(ctx, c.ID, run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, runNotFound()
	}
	if err != nil {
		return nil, fmt.Errorf("chat: the run could not be read: %w", err)
	}
	data, err := r.log.State(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("chat: where run %s stands could not be read: %w", run, err)
	}
	k, err := chat.ReadCheckpoint(data)
	if k == nil || err != nil {
		return nil, err
	}
	return k.Decided, nil
}
