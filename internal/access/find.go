package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Any reports whether there is a key that has not expired.
func (k *Keys) Any(ctx context.Context) (bool, error) {
	list, err := k.List(ctx)
	if err != nil {
		return false, err
	}
	for _, x := range list {
		if x.live(k.opt.Now()) {
			return true, nil
		}
	}
	return false, nil
}

func (x Key) live(now time.Time) bool { return x.Expires.IsZero() || now.Before(x.Expires) }

// Find returns whose a key is. What is no good is a *CredentialError; any other error is the store's.
func (k *Keys) Find(ctx context.Context, secret string) (Caller, error) {
	sum := sha256.Sum256([]byte(secret))
	var found *knownKey
	given := k.given()
	for i := range given { // all of them, so that the time does not tell which
		if subtle.ConstantTimeCompare(given[i].hash[:], sum[:]) == 1 {
			found = &given[i]
		}
	}
	if id, ok := keyID(secret); ok && found == nil && k.store != nil {
		known, err := k.lookup(ctx, id)
		if err != nil {
			return Caller{}, err
		}
		if known != nil && subtle.ConstantTimeCompare(known.hash[:], sum[:]) == 1 {
			found = known
		}
	}
	switch now := k.opt.Now(); {
	case found == nil && !strings.HasPrefix(secret, KeyPrefix):
		return Caller{}, errForeignKey
	case found == nil:
		return Caller{}, errUnknownKey
	case !found.live(now):
		return Caller{}, &CredentialError{Reason: "The key has expired."}
	case !found.Fixed:
		k.touch(found.ID, now)
	}
	return found.caller, nil
}

// Present is who a caller is by now, for work that goes on: one that showed a key has the rights that the key has now, others stay as they are. A key that is gone,
// has expired or is another owner's gives a *CredentialError; other errors are the store's.
func (k *Keys) Present(ctx context.Context, c Caller) (Caller, error) {
	if c.Key == "" {
		return c, nil
	}
	var found *knownKey
	given := k.given()
	if i := slices.IndexFunc(given, func(x knownKey) bool { return x.ID == c.Key }); i >= 0 {
		found = &given[i]
	} else if k.store != nil {
		known, err := k.lookup(ctx, c.Key)
		if err != nil {
			return Caller{}, err
		}
		found = known
	}
	if found == nil || !found.live(k.opt.Now()) || found.caller.ID != c.ID {
		return Caller{}, errUnknownKey
	}
	now := found.caller
	now.Via = c.Via
	return now, nil
}

// keyID is the part of a key that is in the clear.
func keyID(secret string) (string, bool) {
	rest, ok := strings.CutPrefix(secret, KeyPrefix)
	if !ok {
		return "", false
	}
	id, _, ok := strings.Cut(rest, "_")
	return id, ok && id != ""
}

// lookup finds a key by its id, nil when there is none.
func (k *Keys) lookup(ctx context.Context, id string) (*knownKey, error) {
	k.mu.RLock()
	known, age, fresh := k.byID[id], k.opt.Now().Sub(k.read), k.fresh()
	k.mu.RUnlock()
	if age < fresh && (known != nil || age < keysMissed) {
		return known, nil
	}
	if age < keysStale && known != nil {
		if !k.reading.tryLock() {
			return known, nil // another request reads them
		}
	} else if err := k.reading.lock(ctx); err != nil {
		return nil, fmt.Errorf("the keys are being read: %w", err)
	}
	defer k.reading.unlock()
	if err := k.refresh(ctx, known == nil); err != nil && (known == nil || age >= keysStale) {
		return nil, err
	} else if err != nil && k.opt.Report != nil {
		k.opt.Report(err)
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.byID[id], nil
}

// fresh is how long the keys that were read are good. The lock is held.
func (k *Keys) fresh() time.Duration { return keysFresh + time.Duration(len(k.byID))*keyReadEvery }

// refresh reads the keys, unless another request just did.
func (k *Keys) refresh(ctx context.Context, missed bool) error {
	k.mu.RLock()
	age, fresh, failed, why := k.opt.Now().Sub(k.read), k.fresh(), k.opt.Now().Sub(k.failed), k.err
	k.mu.RUnlock()
	if age < keysMissed || !missed && age < fresh {
		return nil
	}
	if why != nil && failed < keysMissed { // those who waited do not try one after the other what takes so long
		return why
	}
	// A request that is cut off must not leave the others without.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), touchTimeout)
	defer cancel()
	at := k.opt.Now()
	list, err := k.stored(ctx)
	if err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.failed, k.err = k.opt.Now(), err
		return err
	}
	next := make(map[string]*knownKey, len(list))
	for _, key := range list {
		known, err := k.know(key)
		if err != nil { // kept by another version, perhaps: it is no good here, and the others are
			if k.opt.Report != nil {
				k.opt.Report(err)
			}
			continue
		}
		next[key.ID] = known
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.byID, k.read, k.err = next, at, nil
	for id := range k.used {
		if next[id] == nil {
			delete(k.used, id)
		}
	}
	return nil
}

// touch notes the use of a key, once a minute, beside the request.
func (k *Keys) touch(id string, now time.Time) {
	k.mu.RLock()
	recent := now.Sub(k.used[id]) < useNoted
	k.mu.RUnlock()
	if recent {
		return
	}
	k.mu.Lock()
	recent = now.Sub(k.used[id]) < useNoted
	k.used[id] = now
	k.mu.Unlock()
	if recent {
		return
	}
	k.touches.Add(1)
	go func() {
		defer k.touches.Done()
		ctx, cancel := context.WithTimeout(context.Background(), touchTimeout)
		defer cancel()
		data, err := now.UTC().Truncate(time.Second).MarshalText()
		if err == nil {
			err = k.store.PutRecord(ctx, keyUseKind, id, data)
		}
		if err != nil && k.opt.Report != nil {
			k.opt.Report(err)
		}
	}()
}
