package server

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
)

// failures bounds how often one address may show no key, or a bad one, before it hears 429 in place of 401 and is not
// logged any more.
var failures = access.Rate{PerMinute: 60, Burst: 30}

// allowed takes one request off the caller's rate and tells how much is left, in the fields of
// draft-ietf-httpapi-ratelimit-headers-09; where nothing is, it answers 429. The user of this machine, who showed no
// key, has no limit.
func (s *Core) allowed(c *gin.Context, caller access.Caller) bool {
	limiter := s.admission.Load().limiter
	if limiter == nil || caller.ID == "" || caller.Key == "" && caller.ID == access.Local("").ID {
		return true
	}
	ctx := c.Request.Context()
	d, err := limiter.Take(ctx, caller.ID)
	if err != nil { // what counts is away: that must not stop the service
		s.log.WarnContext(ctx, "requests are not counted", "error", err.Error())
		return true
	}
	h := c.Writer.Header()
	h.Set("RateLimit-Policy", fmt.Sprintf(`"requests";q=%d;w=%d`, d.Limit, seconds(d.Window)))
	h.Set("RateLimit", fmt.Sprintf(`"requests";r=%d;t=%d`, d.Remaining, seconds(d.Reset)))
	if d.Allowed {
		return true
	}
	s.tooMany(c, d.Retry, "You have sent more requests than your rate allows.")
	return false
}

// tooMany answers 429 and when to come back.
func (s *Core) tooMany(c *gin.Context, retry time.Duration, detail string) {
	wait := seconds(retry)
	c.Header("Retry-After", strconv.Itoa(wait))
	s.Fail(c, NewProblem(http.StatusTooManyRequests, "rate_limited", detail, fmt.Sprintf("Try again in %d s.", wait)))
}

// seconds rounds up: a client that waits so long is not refused again.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// address is what failures are counted by: an IPv4 address, or the /64 of an IPv6 one, which is what one subscriber
// has.
func address(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Unmap().Is4() {
		return host
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return host
	}
	return prefix.String()
}
