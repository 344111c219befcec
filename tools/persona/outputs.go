package persona

import "slices"

// What the tools give, as schemas. Only what is always there is required, and more may come.

// record is an object with all its fields but the optional ones in every result.
func record(fields object, optional ...string) object {
	skip := map[string]bool{}
	for _, name := range optional {
		skip[name] = true
	}
	required := []string{}
	for name := range fields {
		if !skip[name] {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return object{"type": "object", "properties": fields, "required": required}
}

func listOf(items object) object { return object{"type": "array", "items": items} }

var (
	aText    = object{"type": "string"}
	aNumber  = object{"type": "number"}
	aCount   = object{"type": "integer", "minimum": 0}
	aTime    = object{"type": "string", "format": "date-time"}
	done     = object{"type": "boolean"}
	texts    = listOf(aText)
	aPerson  = record(object{"id": aText, "name": aText, "attachment_style": aText})
	aLevel   = object{"type": "number", "minimum": 0, "maximum": MaxLevel}
	aValence = object{"type": "number", "minimum": -1, "maximum": 1}
	levels   = record(object{"trust_level": aLevel, "intimacy_level": aLevel, "relationship_strength": aLevel})
)

// outputs are the schemas of the successes, by the names of the tools.
var outputs = map[string]object{
	"update_relationship_metrics": record(object{"success": done, "notes": texts, "updated_relationship": record(object{
		"participants": texts, "participant_names": texts, "trust_level": aLevel, "intimacy_level": aLevel, "relationship_strength": aLevel,
		"changes": record(object{"trust_delta": aNumber, "intimacy_delta": aNumber, "strength_delta": aNumber})})}),
	"record_interaction": record(object{"success": done, "interaction_id": aText,
		"recorded": record(object{"sender_id": aText, "recipient_id": aText, "content_length": aCount, "emotional_valence": aValence,
			"relationship_impact": aValence, "timestamp": aTime}),
		"relationship": record(object{"interaction_count": aCount, "emotional_valence": aNumber, "last_interaction": aTime})}),
	"analyze_persona_compatibility": record(object{"compatibility_analysis": record(object{
		"persona1": aPerson, "persona2": aPerson, "relationship_type": aText, "compatibility_level": aText, "score": aNumber, "analysis": aText,
		"reasons": texts, "strengths": texts, "challenges": texts, "recommendations": texts, "basis": aText, "relationship": levels}, "relationship")}),
	"autonomous_strategy_selection": record(object{"strategy_selection": record(object{"persona_id": aText, "selected_strategy": aText,
		"attachment_style": aText, "context": aText, "available_strategies": texts, "reasoning": aText, "notes": texts, "basis": aText})}),
	"assess_goal_progress": record(object{"handle": object{"type": "string", "description": "Names the table of the goals for other tools' data arguments."},
		"goal_progress": record(object{"persona_id": aText, "persona_name": aText,
			"assessed_goals":   listOf(record(object{"goal": aText, "progress": aNumber, "measure": aText, "assessment": aText})),
			"overall_progress": aNumber, "relationships": aCount, "assessment_timestamp": aTime, "basis": aText})}, "handle"),
	"generate_contextual_response": record(object{"contextual_response": record(object{"persona_id": aText, "persona_name": aText, "response": aText,
		"strategy_used": aText, "attachment_style": aText, "context": aText, "psychological_rationale": aText, "composed_by": aText, "notes": texts})}),
	"commit_relationship_state": record(object{"success": done, "committed": record(object{"participants": texts, "timestamp": aTime,
		"relationship": object{"type": "object"}})}),
	"finalize_demo_session": record(object{"success": done, "finalized": record(object{"committed_relationships": aCount, "personas": aCount,
		"interactions": aCount, "timestamp": aTime, "means": object{"type": "object"}}, "means")}),
}
