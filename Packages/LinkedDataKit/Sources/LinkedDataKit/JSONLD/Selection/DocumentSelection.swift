import JSONKit
import VerificationCore

/// The part of a document that pointers select (Data Integrity ECDSA Cryptosuites 1.0, sections 3.4.11 to 3.4.13).
///
/// Each object on the way to a selected value keeps its `id`, unless it is the label of a blank node, and its `type`. Arrays
/// keep the selected elements only, so that places move; the selection knows where they were.
struct DocumentSelection {
    /// The selected part, with the contexts of the document.
    let document: JSONObject
    /// The indexes that the elements of an array had, by the place of the array in the whole document.
    private let indexes: [Int: [Int]]

    /// Selects a part.
    ///
    /// - Parameters:
    ///   - document: The document without proofs.
    ///   - pointers: The places of the selected values, at least one.
    ///   - places: The places of the document.
    /// - Throws: ``LinkedDataError/Code/invalidPointer`` for a place that the document does not have.
    init(of document: JSONObject, by pointers: [JSONPointer], in places: PlaceTable) throws(LinkedDataError) {
        var root = Branch()
        for pointer in pointers {
            _ = try pointer.value(in: document)
            root.add(pointer.tokens[...])
        }
        var selector = Selector(places: places)
        self.document = selector.select(document, root, at: PlaceTable.document)
        indexes = selector.indexes
    }

    /// The step in the whole document for one in the selected part, from a place of the whole document.
    func original(of step: PlaceStep, in parent: Int) -> PlaceStep {
        guard case .index(let index) = step, let indexes = indexes[parent], indexes.indices.contains(index) else {
            return step
        }
        return .index(indexes[index])
    }
}

/// The pointers that lead through one value, as a tree no deeper than ``JSONPointer/maximumDepth``.
private struct Branch {
    private(set) var isWhole = false
    private(set) var children: [ExactText: Branch] = [:]

    mutating func add(_ tokens: ArraySlice<ExactText>) {
        guard let first = tokens.first else {
            isWhole = true
            return
        }
        children[first, default: Branch()].add(tokens.dropFirst())
    }
}

/// Copies the selected part, as deep as the pointers lead.
private struct Selector {
    let places: PlaceTable
    private(set) var indexes: [Int: [Int]] = [:]

    mutating func select(_ object: JSONObject, _ branch: Branch, at place: Int) -> JSONObject {
        guard !branch.isWhole else { return object }
        var members: [JSONObject.Entry] = []
        for (name, value) in object {
            if Self.isKept(name, value, at: place) {
                members.append(JSONObject.Entry(name: name, value: value))
            } else if let child = branch.children[ExactText(name)] {
                let value = select(value, child, at: places.place(.name(ExactText(name)), in: place))
                members.append(JSONObject.Entry(name: name, value: value))
            }
        }
        return JSONObject(distinct: members)
    }

    /// Returns `true` for a member that belongs to every selection of its object.
    private static func isKept(_ name: String, _ value: JSONValue, at place: Int) -> Bool {
        switch name {
        case "@context": place == PlaceTable.document
        case "type": true
        case "id": value.stringValue?.utf8.starts(with: "_:".utf8) == false
        default: false
        }
    }

    private mutating func select(_ value: JSONValue, _ branch: Branch, at place: Int) -> JSONValue {
        guard !branch.isWhole else { return value }
        switch value {
        case .object(let object): return .object(select(object, branch, at: place))
        case .array(let elements):
            var selected: [(index: Int, branch: Branch)] = []
            for (token, branch) in branch.children {
                if let index = JSONPointer.index(token, in: elements) { selected.append((index, branch)) }
            }
            selected.sort { $0.index < $1.index }
            indexes[place] = selected.map { $0.index }
            var values: [JSONValue] = []
            for (index, branch) in selected {
                values.append(select(elements[index], branch, at: places.place(.index(index), in: place)))
            }
            return .array(values)
        default: return value
        }
    }
}
