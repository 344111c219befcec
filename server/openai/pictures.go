package openai

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"catena/chat"
	"catena/server"
)

// maxPictures bounds the pictures in the text of an answer, in bytes: clients send the text again with every message
// that follows.
const maxPictures = 512 << 10

// pictureMedia are the kinds of pictures that stand in texts.
var pictureMedia = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// withPictures is the text of an answer with its charts behind it, for protocols that have no place for pictures but
// Markdown. They stand in the text itself: a link would need a key that the page which shows the answer does not have.
// A picture beyond the bound is left to its words, which the text has.
func withPictures(resp chat.Response) string {
	text, left := strings.TrimRight(resp.Response, "\n"), maxPictures
	for _, c := range server.ChartsOf(resp.Charts) {
		data, media := server.ChartPicture(c)
		size := base64.StdEncoding.EncodedLen(len(data))
		if size == 0 || size > left || !slices.Contains(pictureMedia, media) {
			continue
		}
		left -= size
		text += fmt.Sprintf("\n\n![%s](data:%s;base64,%s)", caption(c.Title), media,
			base64.StdEncoding.EncodeToString(data))
	}
	if left == maxPictures {
		return resp.Response
	}
	return text
}

// caption is a title that cannot end the name of a picture.
func caption(title string) string {
	const most = 200
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]()\\`<>!*_", r) || r < ' ' {
			return ' '
		}
		return r
	}, title)
	return cmp.Or(strings.TrimSpace(server.Clip(plain, most)), "Chart")
}
