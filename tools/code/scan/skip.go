package scan

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The reasons of Skipped.
const (
	Ignored    = "ignored"
	Binary     = "binary"
	TooLarge   = "too_large"
	Symlink    = "symlink"
	Unreadable = "unreadable"
	TooMany    = "too_many"
	Submodule  = "submodule"
	Secret     = "secret"
	BadName    = "bad_name" // with control characters, which would pass for more than a name wherever it is told
)

// sniffSize is how much of a file tells whether it is text: what git looks at, 8,000 bytes, rounded up.
const sniffSize = 8 << 10

// alwaysOut are folders that hold no sources of the repository, whatever its ignore files say.
var alwaysOut = map[string]bool{".git": true, "node_modules": true, ".hg": true, ".svn": true}

// binaryNames are the extensions of files that are never text. A file of another name is looked into.
var binaryNames = set(`.7z .a .aac .ai .apk .avi .avif .bin .bmp .bz2 .class .db .deb .dll .dmg .doc .docx .dylib .eot .exe .flac .gif
	.gz .heic .icns .ico .iso .jar .jpeg .jpg .lib .lz4 .m4a .mkv .mov .mp3 .mp4 .o .obj .odt .ogg .otf .pack .parquet .pdb .pdf .png
	.ppt .pptx .psd .pyc .pyd .pyo .rar .rpm .so .sqlite .sqlite3 .tar .tgz .tif .tiff .ttf .wasm .wav .webm .webp .whl .wmv .woff .woff2
	.xls .xlsx .xz .zip .zst`)

// secretNames are files that hold keys and passwords by their tools' conventions; secretEnds the ends of names of such files.
var (
	secretNames = set(`.netrc _netrc .pgpass .pypirc .git-credentials .htpasswd .dockercfg .s3cfg .boto id_rsa id_dsa id_ecdsa id_ed25519
		credentials credentials.json kubeconfig .vault-token master.key service-account.json .npmrc .my.cnf
		credentials.txt credentials.csv credentials.yml credentials.yaml secrets secrets.txt secrets.json secrets.yml secrets.yaml secrets.toml secrets.ini
		secret.txt passwords passwords.txt password.txt tokens.txt .secrets .credentials`)
	secretEnds = set(`.key .p12 .pfx .jks .keystore .kdbx .ppk .tfstate .ovpn`)
	// openEnvs are the ends of .env files that are written to be read: they hold names without values.
	openEnvs = set(`.example .sample .template .dist .defaults`)
	// certificateEnds are the ends of names of files that may hold a public certificate, or a private key: their text says which.
	certificateEnds = set(`.pem .crt .cer .cert`)
)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// isBadName reports whether a name holds control characters, line and paragraph separators among them, or marks of direction.
func isBadName(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029
	})
}

// isSecret reports whether a file of this name holds secrets by convention.
func isSecret(name string) bool {
	name = strings.ToLower(path.Base(name))
	ext := path.Ext(name)
	if name == ".env" || strings.HasPrefix(name, ".env.") || ext == ".env" {
		return !openEnvs[ext]
	}
	return secretNames[name] || secretEnds[ext]
}

// holdsKey reports whether a file of this name and beginning holds a private key, and not only certificates or public keys
// (RFC 7468). A .pem of neither is held for a secret.
func holdsKey(name string, head []byte) bool {
	ext := strings.ToLower(path.Ext(name))
	if !certificateEnds[ext] {
		return false
	}
	public := bytes.Contains(head, []byte("-----BEGIN CERTIFICATE")) || bytes.Contains(head, []byte("PUBLIC KEY-----"))
	return bytes.Contains(head, []byte("PRIVATE KEY")) || ext == ".pem" && !public
}

// isBinary reports whether the first bytes of a file are not those of a text. UTF-16 with a byte order mark is text; so are
// encodings of one byte a letter, as long as most of it is ASCII.
func isBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return false
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	odd := 0
	for i := 0; i < len(head); {
		c := head[i]
		if c < utf8.RuneSelf {
			if c < ' ' && (c < '\b' || c > '\r') && c != 0x1b {
				odd++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && size == 1 && utf8.FullRune(head[i:]) {
			odd++
		}
		i += size
	}
	return odd*10 > len(head)*3
}
