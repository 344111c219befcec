// Package oauth is an OAuth 2.1 client for one protected MCP server: it finds who gives tokens for the server (RFC
// 9728, RFC 8414, OpenID Connect Discovery), becomes a client there (a client id from the settings, a client id
// metadata document, or RFC 7591), asks a person in a browser with PKCE (RFC 7636) or authenticates by itself
// (client_credentials, private_key_jwt), names the server that the token is for (RFC 8707), checks who answered (RFC
// 9207), renews tokens, and asks for more rights when the server wants them.
//
// Tokens are kept in a Store, bound to the server that they are for and to who gave them. No token of a caller of
// Catena's ever enters this package.
package oauth
