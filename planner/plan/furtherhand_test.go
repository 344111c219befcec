package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// hotelTools are the tools of faults by a further hand: nested objects, lists of objects, bounds, patterns and unions.
var hotelTools = func() []Tool {
	tool := func(name string, destructive bool, properties string, required ...string) Tool {
		need, _ := json.Marshal(append([]string{}, required...))
		return Tool{Name: name, Destructive: destructive, ReadOnly: !destructive,
			InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` + properties + `},"required":` + string(need) + `}`)}
	}
	return []Tool{
		tool("find_rooms", false, `"city":{"type":"string"},"guests":{"type":"integer","minimum":1,"maximum":8},"check_in":{"type":"string","format":"date"},`+
			`"nights":{"type":"integer","minimum":1},"price":{"type":"object","additionalProperties":false,"properties":{"min":{"type":"number"},"max":{"type":"number"},"currency":{"type":"string","enum":["EUR","USD","CHF"]}}},`+
			`"amenities":{"type":"array","items":{"type":"string","enum":["wifi","pool","parking","breakfast"]}},"smoking":{"type":"boolean"},"sort":{"type":"string","enum":["price","rating","distance"]}`, "city"),
		tool("room_details", false, `"room_id":{"type":"string","pattern":"^R-[0-9]{4}$"},"language":{"type":"string","enum":["en","de","fr"]}`, "room_id"),
		tool("book_room", true, `"room_id":{"type":"string"},"guests":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"],"additionalProperties":false}},`+
			`"at":{"type":"string","format":"date-time"},"pay":{"type":"string","enum":["card","invoice"]}`, "room_id", "guests"),
		tool("cancel_booking", true, `"booking_id":{"type":"integer"},"refund":{"type":"boolean"}`, "booking_id"),
		tool("rates", false, `"days":{"type":"array","items":{"type":"string","format":"date"}},"percent_off":{"type":"number","minimum":0,"maximum":100},"wait":{"type":"string","format":"duration"}`),
	}
}()

// hotelFaults were written before their writer had read a rule of repair.
func hotelFaults() (out []otherFault) {
	for _, v := range []struct {
		tool, args, want string
		may              bool
	}{
		{"find_rooms", `{"city":"Bern","guests":"2 adults"}`, `{"city":"Bern","guests":2}`, true},
		{"find_rooms", `{"city":"Bern","guests":"2 adults, 1 child"}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":"2+1"}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":"a couple"}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":"two"}`, `{"city":"Bern","guests":2}`, true},
		{"find_rooms", `{"city":"Bern","guests":"at least 2"}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":"2-4"}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":0}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":"III"}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":[2]}`, `{"city":"Bern","guests":2}`, true},
		{"find_rooms", `{"city":"Bern","guests":{"adults":2,"children":1}}`, "", false},
		{"find_rooms", `{"city":"Bern","guests":"2 (or 3)"}`, "", false},
		{"find_rooms", `{"city":"Bern","nights":"1 week"}`, "", false},
		{"find_rooms", `{"city":"Bern","nights":"a fortnight"}`, "", false},
		{"find_rooms", `{"city":"Bern","nights":"3 days"}`, "", true},
		{"find_rooms", `{"city":"Bern","nights":"3 nights"}`, `{"city":"Bern","nights":3}`, true},
		{"find_rooms", `{"city":"Bern","nights":"3 nights minimum"}`, "", false},
		{"find_rooms", `{"city":"Bern","nights":"-3"}`, "", false},
		{"find_rooms", `{"city":"Bern","nights":"3.0"}`, `{"city":"Bern","nights":3}`, true},
		{"find_rooms", `{"city":"Bern","nights":"3e0"}`, `{"city":"Bern","nights":3}`, true},
		{"find_rooms", `{"city":"Bern","nights":"3,000"}`, "", true},
		{"find_rooms", `{"city":["Bern","Basel"]}`, "", false},
		{"find_rooms", `{"city":"Bern or Basel"}`, `{"city":"Bern or Basel"}`, true},
		{"find_rooms", `{"city":{"name":"Bern"}}`, "", true},
		{"find_rooms", `{"city":{"name":"Bern","country":"CH"}}`, "", false},
		{"find_rooms", `{"City":"Bern"}`, `{"city":"Bern"}`, false},
		{"find_rooms", `{"town":"Bern"}`, `{"city":"Bern"}`, true},
		{"find_rooms", `{"not_city":"Bern"}`, "", false},
		{"find_rooms", `{"city!":"Bern"}`, "", true},
		{"find_rooms", `{"exclude_city":"Bern"}`, "", false},
		{"find_rooms", `{"city":"Bern","max_price":200}`, `{"city":"Bern","price":{"max":200}}`, true},
		{"find_rooms", `{"city":"Bern","price":200}`, "", false},
		{"find_rooms", `{"city":"Bern","price":"under 200"}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"max":"200 EUR"}}`, `{"city":"Bern","price":{"max":200,"currency":"EUR"}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"max":"200 EUR","currency":"USD"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"max":"200 USD","currency":"USD"}}`, `{"city":"Bern","price":{"max":200,"currency":"USD"}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"max":"$200","currency":"EUR"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"max":"€200"}}`, "", true},
		{"find_rooms", `{"city":"Bern","price":{"maximum":200}}`, `{"city":"Bern","price":{"max":200}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"max":"two hundred"}}`, `{"city":"Bern","price":{"max":200}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"max":"2k"}}`, `{"city":"Bern","price":{"max":2000}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"max":"200 per night"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"min":"<100"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"max":"no limit"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"max":"200.50.1"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":"{\"max\":200}"}`, `{"city":"Bern","price":{"max":200}}`, true},
		{"find_rooms", `{"city":"Bern","price":[100,200]}`, "", false},
		{"find_rooms", `{"city":"Bern","price.max":200}`, `{"city":"Bern","price":{"max":200}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"currency":"euros"}}`, `{"city":"Bern","price":{"currency":"EUR"}}`, true},
		{"find_rooms", `{"city":"Bern","price":{"currency":"eur"}}`, `{"city":"Bern","price":{"currency":"EUR"}}`, false},
		{"find_rooms", `{"city":"Bern","price":{"currency":"EUR/USD"}}`, "", false},
		{"find_rooms", `{"city":"Bern","price":{"currency":"non-EUR"}}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":"wifi and pool"}`, `{"city":"Bern","amenities":["wifi","pool"]}`, true},
		{"find_rooms", `{"city":"Bern","amenities":"wifi or pool"}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":"wifi, not pool"}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":"wifi without pool"}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":{"wifi":true,"pool":true}}`, `{"city":"Bern","amenities":["wifi","pool"]}`, true},
		{"find_rooms", `{"city":"Bern","amenities":{"wifi":true,"pool":false}}`, "", true},
		{"find_rooms", `{"city":"Bern","amenities":["wifi","no pool"]}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":["wifi","pool?"]}`, `{"city":"Bern","amenities":["wifi","pool"]}`, true},
		{"find_rooms", `{"city":"Bern","amenities":["wifi",null]}`, "", true},
		{"find_rooms", `{"city":"Bern","amenities":["Wi-Fi","PARKING"]}`, `{"city":"Bern","amenities":["wifi","parking"]}`, false},
		{"find_rooms", `{"city":"Bern","amenities":["whirlpool"]}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":["free parking"]}`, "", true},
		{"find_rooms", `{"city":"Bern","amenities":["wifi/pool"]}`, "", true},
		{"find_rooms", `{"city":"Bern","amenities":[["wifi"],["pool"]]}`, `{"city":"Bern","amenities":["wifi","pool"]}`, true},
		{"find_rooms", `{"city":"Bern","amenities":"[wifi, pool]"}`, `{"city":"Bern","amenities":["wifi","pool"]}`, true},
		{"find_rooms", `{"city":"Bern","amenities":"none"}`, "", false},
		{"find_rooms", `{"city":"Bern","amenities":"all"}`, "", false},
		{"find_rooms", `{"city":"Bern","smoking":"non-smoking"}`, "", true},
		{"find_rooms", `{"city":"Bern","smoking":"allowed"}`, "", true},
		{"find_rooms", `{"city":"Bern","smoking":"off"}`, `{"city":"Bern","smoking":false}`, true},
		{"find_rooms", `{"city":"Bern","smoking":"0"}`, `{"city":"Bern","smoking":false}`, true},
		{"find_rooms", `{"city":"Bern","smoking":"no preference"}`, "", false},
		{"find_rooms", `{"city":"Bern","smoking":"either"}`, "", false},
		{"find_rooms", `{"city":"Bern","smoking":"nope"}`, `{"city":"Bern","smoking":false}`, true},
		{"find_rooms", `{"city":"Bern","smoking":"true, unless Basel"}`, "", false},
		{"find_rooms", `{"city":"Bern","smoking":"true (default false)"}`, `{"city":"Bern","smoking":true}`, true},
		{"find_rooms", `{"city":"Bern","no_smoking":true}`, "", true},
		{"find_rooms", `{"city":"Bern","non_smoking":true}`, "", true},
		{"find_rooms", `{"city":"Bern","sort":"-price"}`, "", false},
		{"find_rooms", `{"city":"Bern","sort":"price desc"}`, "", false},
		{"find_rooms", `{"city":"Bern","sort":"price:asc"}`, "", true},
		{"find_rooms", `{"city":"Bern","sort":"by price"}`, `{"city":"Bern","sort":"price"}`, true},
		{"find_rooms", `{"city":"Bern","sort":"price, then rating"}`, "", false},
		{"find_rooms", `{"city":"Bern","sort":"lowest price"}`, "", true},
		{"find_rooms", `{"city":"Bern","sort":"prices"}`, `{"city":"Bern","sort":"price"}`, true},
		{"find_rooms", `{"city":"Bern","sort":"priceless"}`, "", false},
		{"find_rooms", `{"city":"Bern","sort":["price","rating"]}`, "", false},
		{"find_rooms", `{"city":"Bern","sort":{"by":"price","order":"desc"}}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":"2026/12/24"}`, `{"city":"Bern","check_in":"2026-12-24"}`, true},
		{"find_rooms", `{"city":"Bern","check_in":"24.12.2026"}`, `{"city":"Bern","check_in":"2026-12-24"}`, true},
		{"find_rooms", `{"city":"Bern","check_in":"12/11/2026"}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":"December 24"}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":"24 Dec 2026"}`, `{"city":"Bern","check_in":"2026-12-24"}`, true},
		{"find_rooms", `{"city":"Bern","check_in":"2026-12-24T15:00:00Z"}`, "", true},
		{"find_rooms", `{"city":"Bern","check_in":"2026-12-24 to 2026-12-27"}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":"before 2026-12-24"}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":"2026-12"}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":20261224}`, `{"city":"Bern","check_in":"2026-12-24"}`, true},
		{"find_rooms", `{"city":"Bern","check_in":1798070400}`, "", true},
		{"find_rooms", `{"city":"Bern","check_in":{"year":2026,"month":12,"day":24}}`, "", true},
		{"find_rooms", `{"city":"Bern","check_in":"2026-24-12"}`, "", true},
		{"find_rooms", `{"city":"Bern","check_in":"next Friday"}`, "", false},
		{"find_rooms", `{"city":"Bern","check_in":"2026-12-24?"}`, `{"city":"Bern","check_in":"2026-12-24"}`, true},
		{"room_details", `{"room_id":1234}`, "", true},
		{"room_details", `{"room_id":"r-1234"}`, "", true},
		{"room_details", `{"room_id":"R1234"}`, "", true},
		{"room_details", `{"room_id":"R-123"}`, "", false},
		{"room_details", `{"room_id":"R-1234 or R-1235"}`, "", false},
		{"room_details", `{"room_id":"#R-1234"}`, "", true},
		{"room_details", `{"room_id":"R-XXXX"}`, "", false},
		{"room_details", `{"room_id":"R-1234","language":"German"}`, `{"room_id":"R-1234","language":"de"}`, true},
		{"room_details", `{"room_id":"R-1234","language":"en-US"}`, `{"room_id":"R-1234","language":"en"}`, true},
		{"room_details", `{"room_id":"R-1234","language":"es"}`, "", false},
		{"room_details", `{"room_id":"R-1234","language":"den"}`, "", false},
		{"room_details", `{"room_id":"R-1234","lang":"en"}`, `{"room_id":"R-1234","language":"en"}`, true},
		{"room_details", `{"room":"R-1234"}`, `{"room_id":"R-1234"}`, true},
		{"room_details", `{"id":"R-1234"}`, `{"room_id":"R-1234"}`, true},
		{"room_details", `{"booking_id":"R-1234"}`, "", true},
		{"book_room", `{"room_id":"R-1","guests":"Ann"}`, "", true},
		{"book_room", `{"room_id":"R-1","guests":{"name":"Ann"}}`, `{"room_id":"R-1","guests":[{"name":"Ann"}]}`, true},
		{"book_room", `{"room_id":"R-1","guests":["Ann","Bob"]}`, `{"room_id":"R-1","guests":[{"name":"Ann"},{"name":"Bob"}]}`, true},
		{"book_room", `{"room_id":"R-1","guests":2}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":{"Ann":34,"Bob":36}}`, "", true},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann","age":"thirty"}]}`, `{"room_id":"R-1","guests":[{"name":"Ann","age":30}]}`, true},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann","age":"30ish"}]}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann","age":"adult"}]}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"first_name":"Ann"}]}`, "", true},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"},{}]}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"<guest>"}]}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"}],"pay":"credit card"}`, `{"room_id":"R-1","guests":[{"name":"Ann"}],"pay":"card"}`, true},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"}],"pay":"cash"}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"}],"pay":"card if possible"}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"}],"confirm":false}`, "", false},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"}],"at":"2026-12-24"}`, "", true},
		{"book_room", `{"room_id":"R-1","guests":[{"name":"Ann"}],"at":"2026-12-24 15:00"}`, "", true},
		{"book_room", `{"room_id":["R-1","R-2"],"guests":[{"name":"Ann"}]}`, "", false},
		{"cancel_booking", `{"booking_id":"17"}`, `{"booking_id":17}`, true},
		{"cancel_booking", `{"booking_id":"#17"}`, `{"booking_id":17}`, true},
		{"cancel_booking", `{"booking_id":"17, 18"}`, "", false},
		{"cancel_booking", `{"booking_id":"17-18"}`, "", false},
		{"cancel_booking", `{"booking_id":"1.7"}`, "", false},
		{"cancel_booking", `{"booking_id":"1,700"}`, "", true},
		{"cancel_booking", `{"booking_id":"017"}`, "", true},
		{"cancel_booking", `{"booking_id":"17th"}`, "", true},
		{"cancel_booking", `{"booking_id":"seventeen"}`, `{"booking_id":17}`, true},
		{"cancel_booking", `{"booking_id":"all"}`, "", false},
		{"cancel_booking", `{"booking_id":"not 17"}`, "", false},
		{"cancel_booking", `{"booking_id":17,"refund":"partial"}`, "", false},
		{"cancel_booking", `{"booking_id":17,"refund":"if allowed"}`, "", false},
		{"cancel_booking", `{"booking_id":17,"refund":50}`, "", false},
		{"cancel_booking", `{"booking_id":17,"refund":"no refund"}`, "", true},
		{"cancel_bookings", `{"booking_id":17}`, "", false},
		{"rates", `{"days":"2026-12-24,2026-12-25"}`, `{"days":["2026-12-24","2026-12-25"]}`, true},
		{"rates", `{"days":"2026-12-24..2026-12-27"}`, "", false},
		{"rates", `{"days":["2026-12-24/2026-12-27"]}`, "", false},
		{"rates", `{"days":["Monday"]}`, "", false},
		{"rates", `{"days":["2026-12-24","tomorrow"]}`, "", false},
		{"rates", `{"percent_off":"10%"}`, `{"percent_off":10}`, true},
		{"rates", `{"percent_off":"10 percent"}`, `{"percent_off":10}`, true},
		{"rates", `{"percent_off":"0.1"}`, `{"percent_off":0.1}`, true},
		{"rates", `{"percent_off":"10-20%"}`, "", false},
		{"rates", `{"percent_off":"up to 10%"}`, "", false},
		{"rates", `{"percent_off":"half"}`, "", true},
		{"rates", `{"percent_off":"1/4"}`, "", true},
		{"rates", `{"percent_off":"-10%"}`, "", false},
		{"rates", `{"percent_off":110}`, "", false},
		{"rates", `{"percent_off":"10 EUR"}`, "", false},
		{"rates", `{"wait":"10 minutes"}`, `{"wait":"PT10M"}`, true},
		{"rates", `{"wait":"10"}`, "", false},
		{"rates", `{"wait":600}`, "", false},
	} {
		f := otherFault{text: one(v.tool, v.args), may: v.may}
		if v.want != "" {
			f.want = fmt.Sprintf(`[{"id":"s1","tool":%q,"args":%s}]`, v.tool, v.want)
		}
		out = append(out, f)
	}
	find := `{"id":"s1","tool":"find_rooms","args":{"city":"Bern"}}`
	good := `{"steps":[` + find + `],"answer":[{"$ref":"s1"}]}`
	meant := `[` + find + `]`
	then := func(tool, args, more string) string {
		return `{"steps":[` + find + `,{"id":"s2","tool":"` + tool + `","args":` + args + more + `}],"answer":[{"$ref":"s2"}]}`
	}
	both := func(args string) string {
		return `[` + find + `,{"id":"s2","tool":"room_details","args":` + args + `}]`
	}
	first := both(`{"room_id":{"$ref":"s1.rows[0].room_id"}}`)
	return append(out, []otherFault{
		{text: then("room_details", `{"room_id":"$s1.rows[0].room_id"}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":"{{s1.rows[0].room_id}}"}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":"${s1.rows[0].room_id}"}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":"<s1.rows[0].room_id>"}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":{"ref":"s1.rows[0].room_id"}}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":{"$ref":"#/steps/s1/rows/0/room_id"}}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows.0.room_id"}}`, ""), want: first, may: true},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[1:2].room_id"}}`, "")},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[?price<200].room_id"}}`, "")},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[first].room_id"}}`, ""), may: true},
		{text: then("room_details", `{"room_id":{"$ref":"last(s1.rows).room_id"}}`, "")},
		{text: then("room_details", `{"room_id":{"$ref":"max(s1.rows[*].room_id)"}}`, "")},
		{text: then("room_details", `{"room_id":"the room_id of the first row of s1"}`, "")},
		{text: then("room_details", `{"room_id":"s1.rows[0].room_id + 1"}`, "")},
		{text: then("room_details", `{"room_id":"R-{{s1.rows[0].number}}"}`, ""), want: both(`{"room_id":{"$concat":["R-",{"$ref":"s1.rows[0].number"}]}}`)},
		{text: then("room_details", `{"room_id":{"$ref":"s3.rows[0].room_id"}}`, "")},
		{text: then("room_details", `{"room_id":{"$ref":"s2.rows[0].room_id"}}`, "")},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"when":"s1 has rows"`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"only_if":{"$ref":"s1"}`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"retry":3`), may: true},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"depends_on":["s1"]`), want: first, may: true},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"reason":"to see it"`), want: first, may: true},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"optional":true`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"status":"rejected"`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"status":"pending"`), want: first},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"loop":{"$ref":"s1.rows"}`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"delay":"2h"`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"execute":false`)},
		{text: then("room_details", `{"room_id":{"$ref":"s1.rows[0].room_id"}}`, `,"dry_run":true`)},
		{text: "```json\n" + good + "\n```\n```json\n" + strings.Replace(good, "Bern", "Basel", 1) + "\n```"},
		{text: "Draft:\n" + good + "\nFinal:\n" + strings.Replace(good, "Bern", "Basel", 1), may: true},
		{text: "First I thought of\n" + good + "\nbut that is not what was asked."},
		{text: "You asked me not to search Bern, so I would not use\n" + good},
		{text: "The user did not ask for this:\n" + good},
		{text: "(cancelled) " + good}, {text: "REJECTED\n" + good}, {text: "DEPRECATED: " + good},
		{text: good + "\n\nOn second thought, no."}, {text: good + "\nActually, scrap that."}, {text: good + "\n-- withdrawn"},
		{text: good + "\nPlease disregard this."}, {text: good + "\n(This is only a draft; do nothing yet.)"},
		{text: "Wrong:\n" + good + "\nRight: nothing has to be called."},
		{text: "Here you go — it searches Bern only:\n" + good, want: meant}, {text: "<plan>" + good + "</plan>", want: meant}, {text: "plan = " + good + ";", want: meant},
		{text: "<tool_call>\n{\"name\":\"find_rooms\",\"arguments\":{\"city\":\"Bern\"}}\n</tool_call>", want: meant, may: true},
		{text: `{"function_call":{"name":"find_rooms","arguments":"{\"city\":\"Bern\"}"}}`, want: meant, may: true},
		{text: `{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"find_rooms","arguments":"{\"city\":\"Bern\"}"}}]}`, want: strings.Replace(meant, `"s1"`, `"call_1"`, 1), may: true},
		{text: `[{"find_rooms":{"city":"Bern"}}]`, want: meant, may: true}, {text: `find_rooms(city="Bern")`, want: meant, may: true},
		{text: "steps:\n  - id: s1\n    tool: find_rooms\n    args:\n      city: Bern\nanswer: s1", want: meant, may: true},
		{text: `<steps><step id="s1" tool="find_rooms"><city>Bern</city></step></steps>`, want: meant, may: true},
		{text: "Thought: search\nAction: find_rooms\nAction Input: {\"city\": \"Bern\"}", want: meant, may: true},
		{text: strings.Replace(good, `"args"`, `"args":{"city":"Basel"},"args"`, 1)},
		{text: strings.Replace(good, `"tool":"find_rooms"`, `"tool":"find_rooms","tool":"rates"`, 1)},
		{text: strings.Replace(good, `"find_rooms"`, `["find_rooms","rates"]`, 1)}, {text: strings.Replace(good, `"find_rooms"`, `"find_rooms or rates"`, 1)},
		{text: strings.Replace(good, `"find_rooms"`, `"find_room"`, 1), want: meant, may: true}, {text: strings.Replace(good, `"find_rooms"`, `"hotel.find_rooms"`, 1), want: meant, may: true},
		{text: strings.Replace(good, `"find_rooms"`, `"lose_rooms"`, 1)}, {text: strings.Replace(good, `"find_rooms"`, `"dont_find_rooms"`, 1)},
		{text: strings.Replace(good, `"find_rooms"`, `"!find_rooms"`, 1)}, {text: strings.Replace(good, `"find_rooms"`, `"rooms"`, 1)},
		{text: strings.Replace(good, `[{"$ref":"s1"}]`, `"s1"`, 1), want: meant, may: true},
		{text: strings.Replace(good, `[{"$ref":"s1"}]`, `"$s1"`, 1), want: meant, may: true}, {text: strings.Replace(good, `[{"$ref":"s1"}]`, `"All rooms of s1 but the first"`, 1)},
	}...)
}

// TestFaultsByAFurtherHand is TestFaultsByAnotherHand over tools with nested arguments, and forms of other programs'
// calls.
func TestFaultsByAFurtherHand(t *testing.T) { holdFaults(t, hotelFaults(), hotelTools) }

// TestNumbersBehindDots: a number behind a dot is an element where a list stands, and a field where one is called so.
func TestNumbersBehindDots(t *testing.T) {
	tool := func(name, output string) Tool {
		in := `{"type":"object","properties":{"id":{"type":"string"}}}`
		return Tool{Name: name, ReadOnly: true, InputSchema: json.RawMessage(in), OutputSchema: json.RawMessage(output)}
	}
	const item = `{"type":"object","properties":{"id":{"type":"string"}},"additionalProperties":false}`
	tools := []Tool{
		tool("table", ""),
		tool("list", `{"type":"object","properties":{"items":{"type":"array","items":`+item+`}},"additionalProperties":false}`),
		tool("years", `{"type":"object","properties":{"years":{"type":"object","properties":{"2026":`+item+`},"additionalProperties":false}},"additionalProperties":false}`),
	}
	for _, c := range []struct{ tool, ref, want string }{
		{"table", "s1.rows.0.id", "s1.rows[0].id"},
		{"table", "#/steps/s1/rows/0/id", "s1.rows[0].id"},
		{"table", "s1.items.0.id", `s1.items["0"].id`}, // nothing is known of it
		{"list", "s1.items.2.id", "s1.items[2].id"},
		{"list", "s1.items.02.id", `s1.items["02"].id`},
		{"years", "s1.years.2026.id", `s1.years["2026"].id`},
		{"years", "s1.years.0.id", `s1.years["0"].id`},
	} {
		text := fmt.Sprintf(`{"steps":[{"id":"s1","tool":%q},{"id":"s2","tool":"table","args":{"id":{"$ref":%q}}}]}`, c.tool, c.ref)
		p, err := Parse(text, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p, _ = Mend(p, tools)
		got, _ := p.Steps[1].Args["id"].(Ref)
		ours, err := ParseRef(c.want)
		if err != nil || got.String() != ours.String() {
			t.Errorf("%s of %s: %s, want %s, %v", c.ref, c.tool, got, c.want, err)
		}
	}
}
