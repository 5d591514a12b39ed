import JSONKit
import VerificationCore

/// Names for the blank nodes of a document that are the same in each part of it.
///
/// The Recommendation puts an IRI into each node object without a name, so that a node has it in every selection (Data
/// Integrity ECDSA Cryptosuites 1.0, sections 3.4.5 to 3.4.9), and compacts the document again for that. Here a node goes by
/// its place in the whole document, keys of maps and names below `@nest` included, which gives the same groups of statements
/// for documents in compacted form. Only a graph and the node in it share one place, so that graph containers are refused.
///
/// One value serves the expansions and conversions of one document, one after the other.
final class BlankNodeNames {
    private enum Name: Hashable {
        /// The object at a place.
        case place(Int)
        /// The cell of a list that is named by its place.
        case cell(list: Int, index: Int)
        /// The label in the document.
        case label(ExactText)
    }

    let places = PlaceTable()
    /// The part of the document that is expanded; nil for the whole.
    var selection: DocumentSelection?
    private var numbers: [Name: Int] = [:]
    private var count = 0

    /// The place in the whole document that a step in the expanded part leads to.
    func place(_ step: PlaceStep, in parent: Int) -> Int {
        places.place(selection?.original(of: step, in: parent) ?? step, in: parent)
    }

    /// The number of the object at a place.
    func number(at place: Int) -> Int { number(of: .place(place)) }

    /// The number of a cell of a list.
    func number(ofCell index: Int, inList list: Int) -> Int { number(of: .cell(list: list, index: index)) }

    /// The number of the node with a label.
    func number(ofLabel label: String) -> Int { number(of: .label(ExactText(label))) }

    /// A number that no other node has.
    func newNumber() -> Int {
        defer { count += 1 }
        return count
    }

    private func number(of name: Name) -> Int {
        if let known = numbers[name] { return known }
        let number = newNumber()
        numbers[name] = number
        return number
    }

    /// The form of a number as the value of `@id` in expanded form, where every other one is a text.
    static func id(_ number: Int) -> JSONValue { .integer(number) }

    /// The number that a value of `@id` stands for; nil for a text.
    static func number(of id: JSONValue?) -> Int? {
        guard case .number(let number)? = id else { return nil }
        return try? number.integer(as: Int.self)
    }
}

extension Expander {
    /// The object with its number as `@id`, where blank nodes are named and it has no name.
    func named(_ object: JSONObject, at place: @autoclosure () -> Int) -> JSONObject {
        guard let names, !object.contains("@id") else { return object }
        var object = object
        object["@id"] = BlankNodeNames.id(names.number(at: place()))
        return object
    }

    /// The place of a job, where blank nodes are named; else that of the document.
    func place(_ job: Int) -> Int { job < 0 ? PlaceTable.document : jobs[job].place }

    /// The place that a step leads to, where blank nodes are named; else that of the document.
    func place(_ step: ExpansionJob.Step, in parent: Int) -> Int {
        guard let names else { return parent }
        return switch step {
        case .none: parent
        case .name(let name): names.place(.name(ExactText(name)), in: parent)
        case .index(let index): names.place(.index(index), in: parent)
        }
    }

    /// Refuses a structure whose nodes have no place of their own, where blank nodes are named.
    func refuseWithoutPlace(_ message: String, _ job: Int, _ step: ExpansionJob.Step) throws(LinkedDataError) {
        if names != nil { throw failure(.unsupportedSelection, message, job, step) }
    }
}
