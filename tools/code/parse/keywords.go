package parse

// The reserved words of the languages, by their specifications.
const (
	keywordsGo = `break case chan const continue default defer else fallthrough for func go goto if import interface map package range
 return select struct switch type var`
	keywordsPython = `False None True and as assert async await break class continue def del elif else except finally for from global if
 import in is lambda nonlocal not or pass raise return try while with yield match case`
	keywordsJS = ` async await break case catch class const continue debugger default delete do else export extends false finally for from
 function get if import in instanceof let new null of return set static super switch this throw true try typeof undefined var void while
 with yield`
	keywordsTS = ` abstract any as asserts boolean declare enum implements infer interface is keyof module namespace never number object
 override private protected public readonly require satisfies string symbol type unknown unique`
	declaresJS   = "class:class function:function"
	declaresTS   = " interface:interface enum:enum namespace:module module:module type:type"
	keywordsJava = ` abstract assert boolean break byte case catch char class const continue default do double else enum extends false final
 finally float for goto if implements import instanceof int interface long native new null package private protected public record return
 sealed permits short static strictfp super switch synchronized this throw throws transient true try var void volatile while yield`
	keywordsCSharp = ` as async await base bool checked decimal delegate dynamic event explicit extern fixed foreach get implicit in init
 internal is lock nameof namespace object operator out override params partial readonly ref sbyte sealed set sizeof stackalloc string struct
 typeof uint ulong unchecked unsafe ushort using value virtual when where with`
	keywordsRust = `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref
 return self Self static struct super trait true type union unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16
 u32 u64 u128 usize`
	keywordsC = ` auto break case char const continue default defined do double else enum extern float for goto if inline int long register
 restrict return short signed sizeof static struct switch typedef union unsigned void volatile while`
	keywordsCPP = ` alignas alignof bool catch class concept const_cast consteval constexpr constinit co_await co_return co_yield decltype
 delete dynamic_cast explicit export false final friend mutable namespace new noexcept nullptr operator override private protected public
 reinterpret_cast requires static_assert static_cast template this throw true try typeid typename using virtual`
	keywordsKotlin = `abstract actual annotation as break by catch class companion const constructor continue crossinline data do else enum
 expect external false final finally for fun get if import in infix init inline inner interface internal is lateinit noinline null object open
 operator out override package private protected public return sealed set super suspend tailrec this throw true try typealias val var
 vararg when where while`
	keywordsSwift = `actor any as associatedtype async await break case catch class continue convenience default defer deinit do else enum
 extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let mutating nil open
 operator override private protocol public repeat required rethrows return self Self set some static struct subscript super switch throw
 throws true try typealias unowned var weak where while`
	keywordsPHP = `abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty
 enddeclare endfor endforeach endif endswitch endwhile enum extends final finally fn for foreach function global goto if implements include
 include_once instanceof insteadof interface isset list match namespace new null or print private protected public readonly require
 require_once return static switch throw trait true false try unset use var while xor yield php`
	keywordsRuby = `BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or
 redo rescue retry return self super then true undef unless until when while yield`
	keywordsShell = `case do done elif else esac export fi for function if in local readonly return select set shift then time until while`
	keywordsSQL   = `add all alter and as asc begin between by case check column constraint create cross database default delete desc distinct
 drop else end exists foreign from full function group having if in index inner insert into is join key language left like limit materialized
 not null offset on or order outer primary procedure references replace return returns right row rows select set table temporary then to
 trigger type union unique update using values view when where with`
)

// builtins are names that every file of a language has and that tell nothing of it.
var builtins = map[string]map[string]bool{
	"python": set(`abs all any bool bytearray bytes callable chr classmethod dict dir divmod enumerate eval exec filter float format frozenset
 getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max min next object oct open ord pow print
 property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip self cls Exception ValueError
 TypeError KeyError IndexError RuntimeError StopIteration AttributeError NotImplementedError OSError`),
	"javascript": set(jsBuiltins),
	"typescript": set(jsBuiltins + " Partial Record Pick Omit Readonly Required Exclude Extract NonNullable ReturnType"),
	"java":       set("String Object Integer Long Double Boolean Override System"),
	"rust":       set("Self Some None Ok Err Option Result Vec String Box"),
	"csharp":     set("String Object Int32"),
}

const jsBuiltins = `Array Boolean Date Error JSON Map Math Number Object Promise RegExp Set String Symbol WeakMap WeakSet console parseInt parseFloat
 isNaN require undefined`
