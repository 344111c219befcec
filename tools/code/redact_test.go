package code

import (
	"fmt"
	"strings"
	"testing"
)

// The secrets here are made up; those of a service's form are put together so that no scanner takes this file for a leak.
func TestRedact(t *testing.T) {
	long := strings.Repeat("a1B2", 12)
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "func Charge(n int) int { return n }", "func Charge(n int) int { return n }"},
		{"aws", "id = AK" + "IAABCDEFGHIJKLMNOP end", "id = *** end"},
		{"github", "x gh" + "p_" + long + " y", "x *** y"},
		{"github fine", "github" + "_pat_" + long, "***"},
		{"slack", "xox" + "b-1234567890-abcdef", "***"},
		{"openai", "key: sk" + "-" + long, "key: ***"},
		{"stripe", "sk" + "_live_" + long, "***"},
		{"jwt", "t eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl t", "t *** t"},
		{"key block", "a\n-----BEGIN RSA PRIVATE KEY-----\nMII\nxyz\n-----END RSA PRIVATE KEY-----\nb",
			"a\n-----BEGIN RSA PRIVATE KEY-----***\n\n\n-----END RSA PRIVATE KEY-----\nb"},
		{"key block cut", "-----BEGIN PRIVATE KEY-----\nMII", "-----BEGIN PRIVATE KEY-----***\n"},
		{"url", "postgres://shop:hunter2@db/x", "postgres://shop:***@db/x"},
		{"bearer", "Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer ***"},
		{"quoted", `password = "hunter2"`, `password = "***"`},
		{"json", `{"db_password": "hunter2", "n": 1}`, `{"db_password": "***", "n": 1}`},
		{"go", "clientSecret := `s3cr3t`", "clientSecret := `***`"},
		{"env", "DB_PASSWORD=hunter2\nX=1", "DB_PASSWORD=***\nX=1"},
		{"yaml", "password: hunter2", "password: ***"},
		{"query", "?token=abc123def&x=1", "?token=***&x=1"},
		{"api key", `api_key: "0123456789abcdef"`, `api_key: "***"`},
		{"no secret in code", "password := os.Getenv(\"DB_PASSWORD\")", "password := os.Getenv(\"DB_PASSWORD\")"},
		{"no secret in a message", `errPassword = "the password is wrong"`, `errPassword = "the password is wrong"`},
		{"a word is no token", `token = "identifier_name"`, `token = "identifier_name"`},
		{"placeholder", `password: "${DB_PASSWORD}"`, `password: "${DB_PASSWORD}"`},
		{"field", "Password string `json:\"password\"`", "Password string `json:\"password\"`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Redact(c.in)
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if Redact(got) != got {
				t.Errorf("redacting again gives %q", Redact(got))
			}
		})
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("password = \"hunter2\"\n-----BEGIN PRIVATE KEY-----\nx")
	f.Add("token=abc123def://a:b@c eyJ")
	f.Fuzz(func(t *testing.T, s string) {
		got := Redact(s)
		if strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("the number of lines changed: %q to %q", s, got)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	code := strings.Repeat("func Charge(card string, token int) error {\n\treturn pay.With(card, token, nil)\n}\n", 400)
	secret := strings.Repeat("password = \"hunter2\"\n", 1500)
	for name, text := range map[string]string{"code": code, "secrets": secret, "hostile": strings.Repeat("password:", 4000)} {
		b.Run(fmt.Sprintf("%s_%dKB", name, len(text)>>10), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Redact(text)
			}
		})
	}
}

func ExampleRedact() {
	fmt.Println(Redact(`db = "postgres://shop:hunter2@db/orders"`))
	// Output: db = "postgres://shop:***@db/orders"
}
