//go:build cgo

package parse

import (
	"strings"
	"unsafe"

	java "github.com/tree-sitter/tree-sitter-java/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

// role is what a kind of node does to the complexity of the function around it, and what it is a reference or an import of.
type role uint8

const (
	roleNone     role = iota
	roleIf            // a path, and nesting; if in else is one chain
	roleElif          // a path
	roleElse          // costs a reader, but is no path of its own
	roleLoop          // a path, and nesting
	roleSwitch        // nesting; its cases are the paths
	roleCase          // a path, unless it takes all that is left
	roleCatch         // a path, and nesting
	roleTernary       // a path, and nesting
	roleFunction      // nesting
	roleFilter        // a path: the clauses of a comprehension
	roleTry           // a path: Rust's ?
	roleJump          // costs a reader when it names a label
	roleBinary        // may be a sequence of logical operators
	roleParen
	roleLogical // a logical operator: a path each; costs a reader at each change of operator
	roleCall
	roleMember
	roleIdentifier
	roleType
	roleComment
	roleImport
)

// roles reads "if: if_statement; loop: for_statement while_statement".
func roles(text string) map[string]role {
	names := map[string]role{"if": roleIf, "elif": roleElif, "else": roleElse, "loop": roleLoop, "switch": roleSwitch, "case": roleCase,
		"catch": roleCatch, "ternary": roleTernary, "function": roleFunction, "filter": roleFilter, "try": roleTry, "jump": roleJump,
		"binary": roleBinary, "paren": roleParen, "logical": roleLogical, "call": roleCall, "member": roleMember, "identifier": roleIdentifier,
		"type": roleType, "comment": roleComment, "import": roleImport}
	out := make(map[string]role)
	for part := range strings.SplitSeq(text, ";") {
		name, kinds, _ := strings.Cut(part, ":")
		for _, k := range strings.Fields(kinds) {
			out[k] = names[strings.TrimSpace(name)]
		}
	}
	return out
}

// grammarMaker is what is needed to make a grammar.
type grammarMaker struct {
	language func() unsafe.Pointer
	roles    map[string]role
	symbols  map[string]SymbolKind
}

const rolesJS = `if: if_statement; else: else_clause; loop: for_statement for_in_statement while_statement do_statement;
 switch: switch_statement; case: switch_case; catch: catch_clause; ternary: ternary_expression;
 function: function_declaration generator_function_declaration function_expression generator_function arrow_function method_definition;
 jump: break_statement continue_statement; binary: binary_expression; paren: parenthesized_expression; logical: && || ??;
 call: call_expression new_expression; member: member_expression nested_identifier nested_type_identifier;
 identifier: identifier property_identifier private_property_identifier shorthand_property_identifier; type: type_identifier;
 comment: comment html_comment; import: import_statement`

const symbolsJS = `function_declaration:function generator_function_declaration:function class_declaration:class method_definition:method
 variable_declarator:variable field_definition:method assignment_expression:function function_expression:function arrow_function:function
 class:class`

var makeJS = grammarMaker{javascript.Language, roles(rolesJS), kinds(symbolsJS)}

const symbolsTS = symbolsJS + ` interface_declaration:interface type_alias_declaration:type enum_declaration:enum
 abstract_class_declaration:class internal_module:module module:module method_signature:method abstract_method_signature:method
 function_signature:function public_field_definition:method`

var grammarMakers = map[string]grammarMaker{
	"javascript": makeJS,
	"typescript": {typescript.LanguageTypescript, roles(rolesJS), kinds(symbolsTS)},
	"tsx":        {typescript.LanguageTSX, roles(rolesJS), kinds(symbolsTS)},
	"python": {python.Language, roles(`if: if_statement; elif: elif_clause; else: else_clause; loop: for_statement while_statement;
 switch: match_statement; case: case_clause; catch: except_clause except_group_clause; ternary: conditional_expression; function: function_definition lambda;
 filter: for_in_clause if_clause; binary: boolean_operator comparison_operator; paren: parenthesized_expression; logical: and or;
 call: call; member: attribute; identifier: identifier; comment: comment;
 import: import_statement import_from_statement future_import_statement`),
		kinds("function_definition:function class_definition:class assignment:variable")},
	"java": {java.Language, roles(`if: if_statement; loop: for_statement enhanced_for_statement while_statement do_statement; switch: switch_expression switch_statement;
 case: switch_label; catch: catch_clause; ternary: ternary_expression;
 function: lambda_expression method_declaration constructor_declaration compact_constructor_declaration; jump: break_statement continue_statement;
 binary: binary_expression; paren: parenthesized_expression; logical: && ||; call: method_invocation object_creation_expression;
 member: field_access scoped_identifier scoped_type_identifier; identifier: identifier; type: type_identifier; comment: line_comment block_comment;
 import: import_declaration package_declaration`),
		kinds(`class_declaration:class interface_declaration:interface enum_declaration:enum record_declaration:class
 annotation_type_declaration:interface method_declaration:method constructor_declaration:method compact_constructor_declaration:method
 annotation_type_element_declaration:method`)},
	"rust": {rust.Language, roles(`if: if_expression; else: else_clause; loop: for_expression while_expression loop_expression; switch: match_expression;
 case: match_arm; function: closure_expression function_item; try: try_expression; jump: break_expression continue_expression;
 binary: binary_expression let_chain; paren: parenthesized_expression; logical: && ||; call: call_expression macro_invocation;
 member: field_expression scoped_identifier scoped_type_identifier; identifier: identifier field_identifier; type: type_identifier;
 comment: line_comment block_comment; import: use_declaration extern_crate_declaration`),
		kinds(`function_item:function function_signature_item:function struct_item:class enum_item:enum union_item:class trait_item:interface
 mod_item:module type_item:type const_item:constant static_item:variable macro_definition:function impl_item:impl`)},
}

// grammarName is the grammar for a language: TypeScript with JSX has its own.
func grammarName(language, path string) string {
	if language == "typescript" && strings.HasSuffix(strings.ToLower(path), ".tsx") {
		return "tsx"
	}
	return language
}
