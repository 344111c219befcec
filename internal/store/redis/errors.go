package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
)

// passing reports whether an error may be gone in a moment: no connection, or a server that starts or hands over.
func passing(err error) bool {
	if errors.Is(err, redis.ErrClosed) || errors.Is(err, context.Canceled) {
		return false
	}
	return redis.IsLoadingError(err) || redis.IsReadOnlyError(err) || redis.IsClusterDownError(err) || redis.IsTryAgainError(err) ||
		redis.IsMasterDownError(err) || redis.IsMaxClientsError(err) || redis.HasErrorPrefix(err, "UNBLOCKED") || away(err)
}

// away reports whether the server could not be reached, or did not answer.
func away(err error) bool {
	var network net.Error
	var answer redis.Error
	if errors.As(err, &answer) {
		return false
	}
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, redis.ErrPoolTimeout) ||
		strings.Contains(err.Error(), "sentinels") || strings.Contains(err.Error(), "cluster has no nodes")
}

// troubles are what a server may answer, by the beginning of its text, and what to do about it.
var troubles = []struct{ prefix, reason, hint string }{
	{"OOM", "is out of memory", "raise its maxmemory, or let sessions and tables go sooner"},
	{"READONLY", "takes no writes, it is a replica", "address the master, by redis+sentinel:// or redis+cluster:// where it may change"},
	{"MOVED", "is a node of a cluster", "write redis+cluster:// in place of redis:// in store.url"},
	{"CROSSSLOT", "is a node of a cluster", "write redis+cluster:// in place of redis:// in store.url"},
	{"NOAUTH", "wants a password", "set store.password"},
	{"WRONGPASS", "does not know this user and password", "check store.password, and the user in store.url"},
	{"NOPERM", "forbids its user a command", "let the user run all commands on its keys, scripts too"},
	{"MISCONF", "cannot write to its disk", "free some space there, and see the server's log"},
	{"NOREPLICAS", "has too few replicas in step", "start its replicas, or lower min-replicas-to-write"},
	{"LOADING", "is still reading its data", "try again shortly"},
	{"CLUSTERDOWN", "has parts that no node serves", "start the missing nodes, and see redis-cli --cluster check"},
	{"MASTERDOWN", "is a replica that has lost its master", "start the master, or let Sentinel choose another"},
	{"BUSY", "runs a script that does not end", "see its slow log; Catena's own scripts take far less than a second"},
	{"ERR max number of clients", "has no connection left", "raise its maxclients"},
	{"ERR DB index", "has no such database", "choose another number in store.url"},
}

// explain turns errors of the client and the server into a *ServerError that says what to do, and leaves others as they are.
func (s *Store) explain(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case s.closed.Load() || errors.Is(err, redis.ErrClosed):
		return fmt.Errorf("store: %w", store.ErrClosed)
	case isOwn(err):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("store: %s did not answer in time: %w", s.server, ctx.Err())
	}
	e := &store.ServerError{Address: s.server.String(), Reason: "refused", Hint: "see its log", Err: err}
	for _, t := range troubles {
		if redis.HasErrorPrefix(err, t.prefix) || strings.HasPrefix(err.Error(), t.prefix) {
			e.Reason, e.Hint = t.reason, t.hint
			return e
		}
	}
	if away(err) {
		e.Reason, e.Hint, e.Unknown = "does not answer", "start it, or check store.url and the network", true
	}
	return e
}

// isOwn reports whether an error is one of this package's, or of fs, and says what it has to.
func isOwn(err error) bool {
	var lease *store.LeaseError
	var sequence *store.SequenceError
	var quota *store.QuotaError
	var server *store.ServerError
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, store.ErrLeased) || errors.As(err, &lease) ||
		errors.As(err, &sequence) || errors.As(err, &quota) || errors.As(err, &server)
}
