package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"catena/planner/plan"
)

//go:embed topics.txt
var topicLines string

// How services say what they do, and how people ask. Written for this command.
var (
	serviceFrames = strings.Split(`Get %s|Get %s by id|Retrieves %s|Returns %s for a given query|Fetch %s from the API|Search for %s|Find %s|Look up %s|Provides %s|Tool for %s|An assistant for %s|Access to %s|Manage %s|List %s with optional filters|Create or update %s|Query %s|Your guide to %s|Compare and explore %s|Check %s|Explore %s in one place`, "|")
	askFrames     = strings.Split(`%s|%s|%s|Please %s|Can you help me? %s|I was wondering, %s|Hi! %s|Hello, I have a question: %s|Could you tell me: %s|I am planning something and need to know: %s|My friend asks: %s|%s Thanks a lot!|%s I would like the details.|Quick question: %s|For my project: %s|I need help with this. %s|%s Give me a short answer.`, "|")
	wantFrames    = strings.Split(`I need %s|I want %s|Can you find %s for me?|I am looking for %s|Show me %s|Could you please get me %s|Please give me %s|Help me with %s|I'd like to know about %s|What can you tell me about %s?|Where can I find %s?|Is there a tool for %s?|Recommend something for %s|Find %s near {city}|I want to see %s for {company}|How do I get %s?|Fetch %s for {day}, please|Tell {person} about %s|What is the best way to get %s?|I have to deal with %s. Can you assist?`, "|")
	slots         = map[string][]string{
		"city": strings.Split("Lisbon|Denver|Osaka|Nairobi|Leeds|Toronto|Lyon|Seattle|Mumbai|Bogota|Hamburg|Cape Town|New York|London|Paris|Sydney", "|"), "country": strings.Split("Norway|Kenya|Peru|Vietnam|Canada|Italy|Japan|Germany|the United States|Brazil|India|China", "|"),
		"person": strings.Split("Anna|Mr. Lopez|my boss|Kenji|Dr. Weber|my sister|Tom Hanks|Marie Curie|John|Emily", "|"), "company": strings.Split("Siemens|Toyota|a small bakery|Nokia|our supplier|Apple|Tesla|Microsoft", "|"),
		"day": strings.Split("tomorrow|on Friday|next week|on 3 March|today|in July|on 2023-05-14", "|"), "time": strings.Split("7 am|half past nine|18:30|noon", "|"), "number": strings.Split("3|12|45|7|250", "|"), "money": strings.Split("500 dollars|2,000 euros|$300,000", "|"),
		"language": strings.Split("Spanish|German|Hindi|Japanese|French|Chinese", "|"), "thing": strings.Split("solar energy|the Roman empire|electric bikes|quantum computers|dinosaurs|climate change|healthy food", "|"),
	}
)

var slot = regexp.MustCompile(`\{[a-z]+\}`)

// topics makes pairs of what services offer and what people ask of them.
func (t *texts) topics() {
	const asks, wants, both = 10, 10, 12
	random := rand.New(rand.NewPCG(11, 13))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	fill := func(s string) string {
		return slot.ReplaceAllStringFunc(s, func(name string) string { return pick(slots[strings.Trim(name, "{}")]) })
	}
	for _, line := range strings.Split(strings.TrimSpace(topicLines), "\n") {
		offers, ways, _ := strings.Cut(line, " | ")
		things := strings.Split(offers, "; ")
		for _, way := range strings.Split(ways, "; ") {
			for range asks {
				t.add(fmt.Sprintf(pick(serviceFrames), pick(things)), fill(fmt.Sprintf(pick(askFrames), way)))
			}
		}
		for _, thing := range things {
			for range wants {
				t.add(fmt.Sprintf(pick(serviceFrames), thing), fill(fmt.Sprintf(pick(wantFrames), thing)))
			}
			t.add(thing)
		}
		said := strings.Split(ways, "; ")
		for range both {
			t.add(fmt.Sprintf(pick(serviceFrames), pick(things))+". "+fmt.Sprintf(pick(serviceFrames), pick(things))+".",
				fill(fmt.Sprintf(pick(askFrames), pick(said))+" and "+fmt.Sprintf(pick(wantFrames), pick(things))))
		}
	}
}

// asked makes, of a sample of what things do, what people say who ask for them.
func (t *texts) asked() {
	random := rand.New(rand.NewPCG(17, 19))
	verbs := strings.Split(`Get|Fetch|Find|Compute|Tell me|Show me|I need|Can you give me|Please find|What is|I am looking for|How do I get|Do you know|Help me find`, "|")
	for _, about := range t.about {
		b := strings.TrimSuffix(about, ".")
		if len(b) < 20 || len(b) > 110 || strings.ContainsAny(b, "{}|%") || !drawn(b, 0.2) {
			continue
		}
		first, rest, _ := strings.Cut(b, " ")
		switch low := strings.ToLower(first); {
		case low == "a" || low == "an" || low == "the":
			t.add(verbs[random.IntN(len(verbs))] + " " + b)
		case describing[low]:
			t.add(verbs[random.IntN(len(verbs))] + " " + rest)
		case strings.HasSuffix(first, "s") && len(first) > 4:
			t.add("I want to " + strings.TrimSuffix(low, "s") + " " + rest)
		default:
			t.add(fmt.Sprintf(wantFrames[random.IntN(13)], strings.ToLower(first[:1])+b[1:]))
		}
	}
}

var describing = plan.WordSet("returns return gets get shows prints finds computes")
