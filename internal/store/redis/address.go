package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"catena/internal/store"
)

// redisServer is where a store's servers are, and how its keys begin.
type redisServer struct {
	scheme  string
	hosts   []string // host:port
	user    string
	master  string // of Sentinel
	db      int
	tls     bool
	cluster bool
	prefix  string // of all keys
}

// redisForms are the addresses that parseRedis takes.
const redisForms = "redis://host:6379/0, rediss://host:6379/0 (TLS), redis+sentinel://host:26379,host:26379/master-name or redis+cluster://host:6379,host:6379"

// Check says what is wrong with the address of a Redis store:
//
//	redis://[user@]host[:6379][/db]                         one server
//	rediss://[user@]host[:6379][/db]                        one server, by TLS
//	redis+sentinel://[user@]host[:26379],.../master[/db]    the master that Sentinel names
//	redis+cluster://[user@]host[:6379],...                  a cluster, of which these are some nodes
//
// Sentinel and cluster take ?tls=true; all take ?prefix=NAME, with which keys begin ("catena" otherwise). A password has no place in
// an address.
func Check(address string) error {
	_, err := parse(address)
	return err
}

func parse(address string) (redisServer, error) {
	scheme, rest, _ := strings.Cut(address, "://")
	s := redisServer{scheme: scheme, prefix: "catena", cluster: scheme == "redis+cluster", tls: scheme == "rediss"}
	sentinel := scheme == "redis+sentinel"
	if !slices.Contains([]string{"redis", "rediss", "redis+sentinel", "redis+cluster"}, scheme) {
		return s, fmt.Errorf("the address begins with %q; write %s", scheme, redisForms)
	}
	place, query, _ := strings.Cut(rest, "?")
	place, path, _ := strings.Cut(place, "/")
	if at := strings.LastIndexByte(place, '@'); at >= 0 {
		s.user, place = place[:at], place[at+1:]
		if strings.Contains(s.user, ":") {
			return s, errors.New("the address holds a password; use store.password")
		}
	}
	port := "6379"
	if sentinel {
		port = "26379"
	}
	for host := range strings.SplitSeq(place, ",") {
		host, err := withPort(host, port)
		if err != nil {
			return s, err
		}
		s.hosts = append(s.hosts, host)
	}
	if len(s.hosts) > 1 && !sentinel && !s.cluster {
		return s, fmt.Errorf("%s:// takes one host; for several write redis+sentinel:// or redis+cluster://", scheme)
	}
	if err := s.readPath(path, sentinel); err != nil {
		return s, err
	}
	return s, s.readQuery(query)
}

func withPort(host, port string) (string, error) {
	if host == "" {
		return "", errors.New("the address has no host; write " + redisForms)
	}
	if _, _, err := net.SplitHostPort(host); err != nil {
		if strings.Count(host, ":") > 1 && !strings.HasPrefix(host, "[") {
			return "", fmt.Errorf("the address has the host %q; write host:port, and an IPv6 address in brackets", host)
		}
		host = net.JoinHostPort(strings.Trim(host, "[]"), port)
	}
	_, given, err := net.SplitHostPort(host)
	if n, bad := strconv.Atoi(given); err != nil || bad != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("the address has the host %q; write host:port", host)
	}
	return host, nil
}

func (s *redisServer) readPath(path string, sentinel bool) error {
	if sentinel {
		s.master, path, _ = strings.Cut(path, "/")
		if s.master == "" {
			return errors.New("the address names no master; write redis+sentinel://host:26379/master-name")
		}
	}
	if path == "" {
		return nil
	}
	n, err := strconv.Atoi(path)
	if err != nil || n < 0 || n > 0 && s.cluster {
		return fmt.Errorf("the address has the database %q; write a number from 0, and none for a cluster", path)
	}
	s.db = n
	return nil
}

var prefixForm = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)

func (s *redisServer) readQuery(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("what follows ? in the address cannot be read: %w", err)
	}
	for name, list := range values {
		value := list[len(list)-1]
		switch {
		case name == "tls" && (value == "true" || value == "false"):
			s.tls = value == "true" || s.tls
		case name == "prefix" && prefixForm.MatchString(value):
			s.prefix = value
		default:
			return fmt.Errorf("the address has %s=%q; there are tls=true and prefix=NAME", name, value)
		}
	}
	return nil
}

// String is the address without user and password.
func (s redisServer) String() string {
	path := ""
	if s.master != "" {
		path = "/" + s.master
	}
	if s.db != 0 {
		path += "/" + strconv.Itoa(s.db)
	}
	return s.scheme + "://" + strings.Join(s.hosts, ",") + path
}

// Timeouts of one attempt; retry makes more.
const (
	dialTimeout = 2 * time.Second
	sendTimeout = 3 * time.Second
	poolSize    = 64 // connections to a server; a pipeline takes one
)

// quiet drops what the client would write to stderr: what matters is in its errors.
type quiet struct{}

// Printf does nothing.
func (quiet) Printf(context.Context, string, ...any) {}

// quieten is for the whole process, as the client's logger is.
var quieten = sync.OnceFunc(func() { redis.SetLogger(quiet{}) })

func newClient(s redisServer, password string, opts store.Options) redis.UniversalClient {
	quieten()
	o := &redis.UniversalOptions{
		Addrs: s.hosts, Username: s.user, Password: password, DB: s.db, MasterName: s.master, IsClusterMode: s.cluster,
		MaxRetries:  -1, // retry knows which writes may be repeated, and how
		DialTimeout: dialTimeout, ReadTimeout: sendTimeout, WriteTimeout: sendTimeout, ContextTimeoutEnabled: true, DialerRetries: 1,
		PoolSize: poolSize, PoolTimeout: min(opts.BusyTimeout, 4*time.Second), PipelinePoolSize: -1, DisableIdentity: true, Protocol: 2,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	if s.master != "" {
		o.SentinelPassword = password
	}
	if s.tls {
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return redis.NewUniversalClient(o)
}
