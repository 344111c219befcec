package offline

import "catena/planner/plan"

// cueWords steer a question; by themselves they name no value.
var cueWords = plan.WordSet(`first last next previous after before following above below most least highest lowest best worst more less fewer only same
total sum average number count how many much times time top bottom than between difference other besides either or and not no did does was were is are has have
earliest latest largest smallest longest shortest biggest greatest fewest consecutive list listed name second third fourth fifth one two three also immediately directly right`)

// listingNoise are words about the table itself, or that any caption explains: they say nothing that a row could.
var listingNoise = plan.WordSet(`chart table list listed listing season game match team player club event race tournament competition series career show film album song book person people man woman
place placed position finish finished finishing score scored scoring win won winning lose lost play played playing compete competed competing participate participated attend attended
shown appear appeared released start started end ended elected awarded drafted selected picked chosen nominated represent represented wear worn join joined enter entered earn earned
receive received achieve achieved accomplish held hold take took taken give given make made become became happen happened occur occurred title titled
entire whole overall combined altogether history throughout actual currently current member members individual item row column entry data information record recorded
according recently ever immediately directly right exactly consecutive top bottom order rank ranked ranking sport sports country time times year date result results
use used spent stay stayed live lived built build opened open close closed founded establish established locate located base based born die died say said tell
least most more less many much number amount total only other different same besides except another next previous follow follows followed following precede preceded prior
higher lower greater better worse earlier later longer shorter older younger taller together complete completed contain contains include includes exist exists mention mentioned
come came go went done get got run ran lead led serve served work worked vs versus against`)

// personNouns name columns that say who.
var personNouns = plan.WordSet(`name player driver winner champion rider cyclist swimmer athlete skater runner candidate contestant actor actress artist singer director author writer coach manager captain
nominee recipient person athlete competitor opponent representative senator president member governor officer wrestler boxer fighter golfer jockey owner designer composer performer scorer skip
laureate incumbent premier footballer pilot astronaut judge minister lieutenant leader host guest chef team nation country club company`)

// placeNouns name columns that say where, timeNouns when.
var (
	placeNouns = plan.WordSet("location venue place city town country site stadium arena state region headquarters hometown ground county district province circuit course destination")
	timeNouns  = plan.WordSet("date year season time day month period opened opening founded established released release birth built premiere airdate aired")
	rankNouns  = plan.WordSet("position pos place rank ranking finish standing standings placing result results overall final")
)

// nextWords and priorWords lead from a row to one beside it.
var (
	nextWords  = plan.WordSet("after next following below behind follows followed succeeded succeeding")
	priorWords = plan.WordSet("before previous above preceding prior ahead preceded precedes")
)
