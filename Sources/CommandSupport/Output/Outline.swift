package import JSONKit

/// A command's report, as a tree that prints for people and for machines alike.
///
/// For people it reads like indented text, for machines it is a JSON value of the same shape. Text may come from an
/// attacker: its invisible characters are escaped for people, and it never begins a line.
package indirect enum Outline: Sendable {
    /// One value in this command's words, with another party's text in it.
    case text(String)
    /// A value as another party wrote it; for people backslashes are doubled, so that the escapes are unambiguous.
    case verbatim(String)
    /// Text of several lines whose breaks are this command's own, such as CBOR or JSON laid out.
    case block(String)
    /// A number that JSON can carry as such.
    case number(Int)
    /// A yes or no.
    case flag(Bool)
    /// Members by this command's own names in their order; for machines a name is in lower camel case.
    case labeled([(name: String, value: Outline)])
    /// Members by another party's names in their order, which stay as they are.
    case fields([(name: String, value: Outline)])
    /// Members without names.
    case list([Outline])
    /// A value that came as JSON: shown as such to machines, as fields and lists to people.
    case json(JSONValue)
    /// A value with a form for people and another for machines.
    case forms(people: Outline, machines: JSONValue)

    /// Members by this command's own names; those without a value are left out.
    package static func fields(_ members: KeyValuePairs<String, Outline?>) -> Outline {
        .labeled(members.compactMap { name, value in value.map { (name: name, value: $0) } })
    }

    /// Indicates that there is nothing to show below a name.
    package var isEmpty: Bool {
        switch self {
        case .labeled(let members): members.isEmpty
        case .fields(let members): members.isEmpty
        case .list(let members): members.isEmpty
        case .json(let value): value.outline.isEmpty
        case .forms(let people, _): people.isEmpty
        case .text, .verbatim, .block, .number, .flag: false
        }
    }
}

extension Outline: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self = .text(value)
    }
}
