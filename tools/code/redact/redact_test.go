package redact

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
		{"ini", "[default]\naws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzKEY\n", "[default]\naws_secret_access_key = ***\n"},
		{"python environment", `os.environ["AWS_SECRET_ACCESS_KEY"] = "wJalrXUtnFEMI"`, `os.environ["AWS_SECRET_ACCESS_KEY"] = "***"`},
		{"setenv", `os.Setenv("DB_PASSWORD","x")`, `os.Setenv("DB_PASSWORD","***")`},
		{"setenv of words", `os.Setenv("API_TOKEN", "abc123def456")`, `os.Setenv("API_TOKEN", "***")`},
		{"boto", `boto3.client("s3", "AK` + `IAQYLPMN5HABCDEFGH", "` + long[:40] + `")`, `boto3.client("s3", "***", "***")`},
		{"dockerfile", "ENV DB_PASSWORD x\nENV AWS_SECRET_ACCESS_KEY wJalr\nENV A_PASSWORD=\"x\"", "ENV DB_PASSWORD ***\nENV AWS_SECRET_ACCESS_KEY ***\nENV A_PASSWORD=\"***\""},
		{"export", "export DB_PASS=x", "export DB_PASS=***"},
		{"export quoted", "export DB_PASS='x y'\n", "export DB_PASS='x y'\n"},
		{"command environment", "PGPASSWORD=x psql -h db", "PGPASSWORD=*** psql -h db"},
		{"flag", "tool --password x --user y", "tool --password *** --user y"},
		{"flag assigned", "tool --password=x --user=y", "tool --password=*** --user=y"},
		{"flag of java", "java -Ddb.password=x -jar y", "java -Ddb.password=*** -jar y"},
		{"flag in a list", `["tool", "--password", "x"]`, `["tool", "--password", "***"]`},
		{"mysql", "mysql -u root -px shop", "mysql -u root -p*** shop"},
		{"curl", "curl -u a:x http://127.0.0.1/", "curl -u a:*** http://127.0.0.1/"},
		{"curl quoted", "curl -s -u \"a:x\" http://127.0.0.1/", "curl -s -u \"a:***\" http://127.0.0.1/"},
		{"header", "X-Api-Key: x", "X-Api-Key: ***"},
		{"header in a command", `curl -H "X-Api-Key: x" http://127.0.0.1`, `curl -H "X-Api-Key: ***" http://127.0.0.1`},
		{"bearer of few letters", "Authorization: Bearer x", "Authorization: Bearer ***"},
		{"basic", "Authorization: Basic YTp4", "Authorization: Basic ***"},
		{"bearer in code", `req.Header.Set("Authorization", "Bearer abc")`, `req.Header.Set("Authorization", "Bearer ***")`},
		{"element", "<password>x</password>", "<password>***</password>"},
		{"attribute", `<add key="ApiKey" value="x"/>`, `<add key="ApiKey" value="***"/>`},
		{"connection string", `"Server=db;User=sa;Password=x;"`, `"Server=db;User=sa;Password=***;"`},
		{"data source name", `"host=db password=x"`, `"host=db password=***"`},
		{"account key", "DefaultEndpointsProtocol=https;AccountKey=abcdEFGH1234+/zz==;EndpointSuffix=y", "DefaultEndpointsProtocol=https;AccountKey=***;EndpointSuffix=y"},
		{"ini password", "password = Tr0ub4dor&3\n", "password = ***\n"},
		{"yaml words", "db:\n  password: changeme\n", "db:\n  password: ***\n"},
		{"kubernetes", "- name: DB_PASSWORD\n  value: x\n", "- name: DB_PASSWORD\n  value: ***\n"},
		{"typed", `var dbPassword string = "x1"`, `var dbPassword string = "***"`},
		{"typescript", `const apiKey: string = "abcdefgh";`, `const apiKey: string = "***";`},
		{"constant", `const DBPassword = "x"`, `const DBPassword = "***"`},
		{"aligned", `	Password:    "x",`, `	Password:    "***",`},
		{"escaped json", `"{\"password\": \"hunter2\"}"`, `"{\"password\": \"***\"}"`},
		{"url with signs", "redis://:p%40ss$word@db:6379", "redis://:***@db:6379"},
		{"npmrc", "//registry.example.com/:_authToken=abc123def456", "//registry.example.com/:_authToken=***"},
		{"gitlab", "glpat" + "-" + long[:20], "***"},
		{"npm", "np" + "m_" + long[:36], "***"},
		{"google", "AI" + "za" + long[:35], "***"},
		{"webhook", "https://hooks.slack.com/services/" + "T0/B0/" + long, "https://hooks.slack.com/services/***"},
		{"call", "password := readPassword()", "password := readPassword()"},
		{"parameter", "func checkPassword(password string) error", "func checkPassword(password string) error"},
		{"comparison", "token.Kind == token.INT", "token.Kind == token.INT"},
		{"condition", "if pass { return }", "if pass { return }"},
		{"count", "tokens: 5", "tokens: 5"},
		{"prose", "the password is required; a token: see below. Use --password to set it.", "the password is required; a token: see below. Use --password to set it."},
		{"keyword argument", "connect(user=user, password=password)", "connect(user=user, password=password)"},
		{"member", "password=self.password\npassword = config.db.password", "password=self.password\npassword = config.db.password"},
		{"schema", "password: string\nsecret: str\n", "password: string\nsecret: str\n"},
		{"joined", `"password="+pw+"&x=1"`, `"password="+pw+"&x=1"`},
		{"joined bearer", `"Authorization", "Bearer "+token`, `"Authorization", "Bearer "+token`},
		{"bearer of a variable", "Authorization: Bearer ${TOKEN}", "Authorization: Bearer ${TOKEN}"},
		{"reference in the environment", "DB_PASSWORD=$DB_PASS\nAPI_KEY=<your key>\nTOKEN=xxx", "DB_PASSWORD=$DB_PASS\nAPI_KEY=<your key>\nTOKEN=xxx"},
		{"name of a variable", `password = os.environ["DB_PASSWORD"]`, `password = os.environ["DB_PASSWORD"]`},
		{"tag", "Password string `json:\"password\" env:\"DB_PASSWORD\"`", "Password string `json:\"password\" env:\"DB_PASSWORD\"`"},
		{"working directory", "PWD=/home/ann/src", "PWD=/home/ann/src"},
		{"no secret in code", "password := os.Getenv(\"DB_PASSWORD\")", "password := os.Getenv(\"DB_PASSWORD\")"},
		{"no secret in a message", `errPassword = "the password is wrong"`, `errPassword = "the password is wrong"`},
		{"a word is no token", `token = "identifier_name"`, `token = "identifier_name"`},
		{"placeholder", `password: "${DB_PASSWORD}"`, `password: "${DB_PASSWORD}"`},
		{"field", "Password string `json:\"password\"`", "Password string `json:\"password\"`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Text(c.in)
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if Text(got) != got {
				t.Errorf("redacting again gives %q", Text(got))
			}
		})
	}
}

// Code that speaks of passwords and tokens stays as it is: of the sources of this program, only these lines change.
func TestRedactKeepsCode(t *testing.T) {
	reasons := map[string]string{
		"host=db password=x":       "a comment of Redact's that shows a connection string",
		"flag is --password x, in": "a comment of Redact's that shows a command",
	}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		before, after := strings.Split(string(src), "\n"), strings.Split(Text(string(src)), "\n")
	lines:
		for i, line := range before {
			if line == after[i] {
				continue
			}
			for part := range reasons {
				if strings.Contains(line, part) {
					continue lines
				}
			}
			t.Errorf("%s:%d: %s\nbecame %s", name, i+1, line, after[i])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("password = \"hunter2\"\n-----BEGIN PRIVATE KEY-----\nx")
	f.Add("token=abc123def://a:b@c eyJ")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if again := Text(got); again != got {
			t.Errorf("%q gives %q, and that gives %q", s, got, again)
		}
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
				Text(text)
			}
		})
	}
}

func ExampleText() {
	fmt.Println(Text(`db = "postgres://shop:hunter2@db/orders"`))
	// Output: db = "postgres://shop:***@db/orders"
}
