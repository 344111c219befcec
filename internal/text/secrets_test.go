package text

import "testing"

// Names say what is secret by whole words.
func TestSecretName(t *testing.T) {
	for _, name := range []string{"API_TOKEN", "TOKEN", "githubToken", "GITHUB_TOKEN_2", "SECRET_KEY_BASE", "AWS_SECRET_ACCESS_KEY", "apiKey", "APIKEY", "X-Api-Key", "PGPASSWORD", "MYSQL_PWD",
		"Authorization", "Proxy-Authorization", "X-Auth", "AUTH_HEADER", "Cookie", "SESSION_ID", "SENTRY_DSN", "GH_PAT", "DB_PASS", "aws.credentials", "OAuthToken", "CLIENT_SECRET"} {
		if !SecretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{"GIT_AUTHOR_NAME", "AUTHOR", "SESSION_STORE", "MONKEY", "KEYBOARD", "TOKEN_FILE", "AUTH_URL", "SECRET_NAME", "PASSENGERS", "COMPASS", "PATTERN", "TOKENIZERS_PARALLELISM",
		"SESSIONS_DIR", "oauthIssuer", "KEYWORDS", "DEF", "", "_"} {
		if SecretName(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

// What stands in any text is no secret whatever its name, and a key is one under any.
func TestSecretValues(t *testing.T) {
	for _, c := range []struct {
		name, value  string
		secret, like bool
	}{
		{"PGPASSWORD", "hunter2-and-more", true, true}, {"PGPASSWORD", "postgres", false, false}, {"PGUSER", "postgres", false, false}, {"REGION", "eu-central-1", false, false},
		{"FOO", "sk-proj-aB3dE5gH7jK9mN", false, true}, {"TOKEN_FILE", "/run/secrets/token-of-app-1", false, false}, {"BASE_URL", "https://api.example.com/v1/things", false, false},
		{"API_KEY", "https://x.example/12345678", false, false}, {"NOTE", "a sentence of 16 and more", false, false},
	} {
		if Secret(c.name, c.value) != c.secret || LikeSecret(c.value) != c.like {
			t.Errorf("%s=%s: secret %v, like one %v", c.name, c.value, !c.secret, !c.like)
		}
	}
}
