package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"catena/internal/config"
	"catena/internal/store"
)

// Replicas tell each other by the shared store that they are there, and what they are set to.
const (
	replicasKey   = "replicas"
	replicaBeat   = 20 * time.Second // between two words of a replica
	replicaSilent = time.Minute      // after which it counts as gone
)

// presence is what one process says of itself.
type presence struct {
	Host     string            `json:"host"`
	Version  string            `json:"version"`
	Seen     time.Time         `json:"seen"`
	Sections map[string]string `json:"sections"` // hashes of its settings
}

// replicas are those that have spoken of late, by the name that each drew at its start. Two that write in the same
// moment may hide one until its next word: it is for doctor to read, and nothing else depends on it.
type replicas map[string]presence

func ownReplica(cfg config.Config) presence {
	host, err := os.Hostname()
	if err != nil {
		host = "a host without a name"
	}
	return presence{Host: host, Version: BuildVersion(),
		Sections: cfg.Fingerprints([]byte(cfg.Access.Signing.Reveal()))}
}

// present are the replicas that a store knows of.
func present(ctx context.Context, s store.Store) (replicas, error) {
	raw, ok, err := s.Get(ctx, replicasKey)
	list := replicas{}
	if err != nil || !ok {
		return list, err
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("what the replicas say of themselves cannot be read: %w", err)
	}
	maps.DeleteFunc(list, func(_ string, r presence) bool { return time.Since(r.Seen).Abs() > replicaSilent })
	return list, nil
}

// beat tells the others, until ctx ends, that this replica is there.
func (p *App) beat(ctx context.Context) {
	if p.Cfg.Store.URL == "" {
		return
	}
	name := rand.Text()[:12]
	say := func(ctx context.Context, here bool) {
		list, err := present(ctx, p.Store)
		if err != nil {
			list = replicas{} // an unreadable list is begun anew
		}
		delete(list, name)
		own := ownReplica(p.reloads.inForce())
		if own.Seen = time.Now(); here {
			list[name] = own
		}
		raw, err := json.Marshal(list)
		if err == nil {
			err = p.Store.Put(ctx, replicasKey, raw, replicaSilent)
		}
		if err != nil && ctx.Err() == nil {
			p.log.DebugContext(ctx, "the other replicas could not be told of this one", "error", err)
		}
	}
	// soon again: replicas often start in the same moment
	next := time.NewTimer(time.Duration(mathrand.Int64N(int64(2 * time.Second))))
	defer next.Stop()
	for say(ctx, true); ; {
		select {
		case <-next.C:
			say(ctx, true)
			next.Reset(replicaBeat)
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			say(end, false)
			return
		}
	}
}

// checkReplicas says whether the replicas that run are set alike.
func (p *App) checkReplicas(ctx context.Context) []Check {
	if p.Cfg.Store.URL == "" {
		return nil
	}
	list, err := present(ctx, p.Store)
	if err != nil {
		return []Check{{Name: "replicas", Bad: true, Say: err.Error()}}
	}
	own := ownReplica(p.Cfg)
	var out []Check
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if differs := own.differs(list[name]); differs != "" {
			out = append(out, Check{Name: "replicas", Bad: true,
				Say: fmt.Sprintf("the one on %s differs from these settings in %s; give all the same",
					list[name].Host, differs)})
		}
	}
	if n := max(p.Cfg.Store.Replicas, 1); len(list) > n {
		out = append(out, Check{Name: "replicas", Bad: true,
			Say: fmt.Sprintf("%d are running, and store.replicas is %d; set it to the most that run at once",
				len(list), n)})
	}
	if len(out) == 0 {
		out = append(out, Check{Name: "replicas", Say: fmt.Sprintf("%d running, set like this one", len(list))})
	}
	return out
}

// differs names what two replicas do not have alike, "" for nothing.
func (r presence) differs(from presence) string {
	var list []string
	if r.Version != from.Version {
		list = append(list, fmt.Sprintf("the version (%s, here %s)", from.Version, r.Version))
	}
	if r.Sections[config.KeyPrint] != from.Sections[config.KeyPrint] {
		return strings.Join(append(list, config.KeyPrint), ", ") // the other hashes cannot be compared
	}
	for _, section := range slices.Sorted(maps.Keys(r.Sections)) {
		if r.Sections[section] != from.Sections[section] {
			list = append(list, section)
		}
	}
	return strings.Join(list, ", ")
}
