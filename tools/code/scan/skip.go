package scan

import (
	"bytes"
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
