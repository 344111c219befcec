package app

import (
	"fmt"
	"time"
)

// certSoon is how long before its end a certificate is said to need another.
const certSoon = 14 * 24 * time.Hour

// checkTLS loads the certificate as serve would, and says when it ends; nothing for plain HTTP.
func (p *App) checkTLS(now time.Time) []Check {
	conf, err := p.tls()
	if conf == nil && err == nil {
		return nil
	}
	c := Check{Name: "certificate"}
	if err == nil {
		pair, lerr := conf.GetCertificate(nil)
		if lerr == nil {
			c.Bad, c.Say = certEnd(pair.Leaf.NotBefore, pair.Leaf.NotAfter, now)
			return []Check{c}
		}
		err = lerr
	}
	c.Bad, c.Say = true, err.Error()
	return []Check{c}
}

// certEnd says whether a certificate holds, and until when.
func certEnd(begin, end, now time.Time) (bad bool, say string) {
	const day = "2006-01-02 15:04 MST"
	switch left := end.Sub(now); {
	case now.Before(begin):
		return true, fmt.Sprintf("it holds from %s on only: check the clock, or put another into listen.tls_cert",
			begin.UTC().Format(day))
	case left <= 0:
		return true, fmt.Sprintf("it ended at %s: put another into listen.tls_cert and listen.tls_key",
			end.UTC().Format(day))
	case left < certSoon:
		return false, fmt.Sprintf("it ends in %d days, at %s: renew it soon", int(left/(24*time.Hour)),
			end.UTC().Format(day))
	}
	return false, "it holds until " + end.UTC().Format(day)
}
