package server

import (
	"net/http"
	"strings"
)

// proxyHeaders are the request headers that reverse proxies, load balancers and content delivery networks add. Who
// sends one to this machine's own address is not taken for this machine's user. They are written in lower case with
// hyphens.
var proxyHeaders = headerSet(`
	forwarded via x-real-ip x-client-ip client-ip true-client-ip x-true-client-ip x-cluster-client-ip
	x-originating-ip x-host x-scheme x-url-scheme front-end-https x-proxyuser-ip x-request-start x-via
	x-bluecoat-via x-coming-from x-authenticated-user x-webauth-user incap-client-ip x-sucuri-clientip
	x-sucuri-client-ip wl-proxy-client-ip z-forwarded-for x-iisnode-remote_addr x-middleton-ip max-forwards
	early-data surrogate-capability x-cloud-trace-context x-rewrite-url x-replaced-path x-lb-ip x-country-code
	x-served-by x-trusted-proxy x-client-real-ip x-client-host x-userinfo x-user x-email x-jwt-assertion
	x-token-subject x-grafana-user x-auth-user x-auth-username x-auth-email x-credential-username
	x-authenticated-userid`)

// proxyPrefixes begin families of such headers: X-Forwarded-For, -Host, -Proto, -Port, -Prefix and whatever follows.
var proxyPrefixes = []string{
	"x-forwarded", "forwarded-", "x-real-", "x-original-", "x-proxy", "proxy-", "cf-", "fly-", "fastly-",
	"akamai-", "x-akamai-", "cloudfront-", "x-amz-cf-", "x-amzn-", "x-azure-", "x-arr-",
	"x-ms-client-principal", "x-appengine-", "x-goog-authenticated", "x-goog-iap", "x-envoy-", "x-vercel-",
	"x-nf-", "x-render-", "x-haproxy-", "x-nginx-", "x-varnish", "x-traefik-", "x-auth-request-",
	"x-authentik-", "x-pomerium-", "x-vouch-", "oidc-", "remote-", "x-remote-", "x-kong-", "x-consumer-",
	"x-anonymous-consumer", "x-tyk-", "x-istio-", "x-linkerd-", "l5d-", "x-ngrok-", "ngrok-", "x-caddy-",
	"x-geo-", "x-edge-", "cdn-", "eo-", "ali-", "eagleeye-", "x-tengine-", "tailscale-", "x-ssl-", "ssl-client",
	"x-client-cert", "x-tls-client", "x-forward-",
}

func headerSet(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[proxyName(name)] = true
	}
	return set
}

// proxyName is a header's name as the tables above have it. Servers of the CGI family read an underscore as a hyphen,
// so that a proxy may let one through that it would replace otherwise.
func proxyName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// isProxyHeader reports whether a header is one that proxies set.
func isProxyHeader(name string) bool {
	name = proxyName(name)
	if proxyHeaders[name] {
		return true
	}
	for _, prefix := range proxyPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// forwarded reports whether a request came through a proxy, so that its connection does not say who sends it. The
// presence of a header counts, whatever it holds: a client may send an empty one before that of the proxy. A Host that
// does not name this machine was meant for somebody in front of it, and HTTP/1.0 with a Host is what nginx speaks to
// servers behind it where nobody told it otherwise.
func forwarded(r *http.Request) bool {
	for name := range r.Header {
		if isProxyHeader(name) {
			return true
		}
	}
	if r.Host == "" {
		return false
	}
	return !Loopback(r.Host) || !r.ProtoAtLeast(1, 1)
}
