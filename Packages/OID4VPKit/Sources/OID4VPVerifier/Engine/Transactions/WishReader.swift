import JSONKit
@_spi(Layers) import VerificationCore

/// Reads the members of a requestor's request; unknown ones are refused, since a misspelt one could make a transaction
/// less safe than it was meant to be.
///
/// Of a stored request they are ignored, as they were when the transaction started.
struct WishReader {
    private let object: JSONObject
    private let isStored: Bool

    /// The largest number of elements of a list.
    static let maximumElements = 64

    /// - Parameters:
    ///   - names: The names of the members.
    ///   - isStored: Indicates a request that a store has kept.
    init(_ json: JSONValue, knowing names: Set<String>, isStored: Bool) throws(TransactionError) {
        guard let object = json.objectValue else {
            throw TransactionError(.invalidRequest, "the wish is no object")
        }
        for name in object.names where !isStored && !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            throw Self.refusal(String(name.prefix(64)), "the member is unknown")
        }
        self.object = object
        self.isStored = isStored
    }

    static func refusal(_ name: String, _ message: String, cause: (any Error)? = nil) -> TransactionError {
        TransactionError(.invalidRequest, message, path: [name], cause: cause)
    }

    func text(_ name: String) throws(TransactionError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw Self.refusal(name, "it must be a text that is not empty")
        }
        return text
    }

    func flag(_ name: String) throws(TransactionError) -> Bool? {
        guard let value = object[name] else { return nil }
        guard let flag = value.boolValue else { throw Self.refusal(name, "it must be true or false") }
        return flag
    }

    func seconds(_ name: String) throws(TransactionError) -> Int64? {
        guard let value = object[name] else { return nil }
        guard let seconds = try? value.numberValue?.integer(as: Int64.self) else {
            throw Self.refusal(name, "it must be a whole number of seconds")
        }
        return seconds
    }

    func choice<Choice: RawRepresentable<String>>(
        _ name: String,
        of choices: [Choice]
    ) throws(TransactionError) -> Choice? {
        guard let text = try text(name) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
            let known = choices.map(\.rawValue).joined(separator: ", ")
            throw Self.refusal(name, "it must be one of \(known)")
        }
        return choice
    }

    func objects(_ name: String) throws(TransactionError) -> [JSONObject] {
        var objects: [JSONObject] = []
        for element in try elements(name) {
            guard let object = element.objectValue else { throw Self.refusal(name, "it must be a list of objects") }
            objects.append(object)
        }
        return objects
    }

    private func elements(_ name: String) throws(TransactionError) -> [JSONValue] {
        guard let value = object[name] else { return [] }
        guard let elements = value.arrayValue, !elements.isEmpty, elements.count <= Self.maximumElements else {
            throw Self.refusal(name, "it must be a list of 1 to \(Self.maximumElements) elements")
        }
        return elements
    }

    /// A DCQL query that can be read, and has no unknown members unless it was stored.
    func checked(dcql json: JSONValue) throws(TransactionError) -> JSONValue {
        do throws(OID4VPError) {
            _ = try DCQLQuery(json: json, options: isStored ? DCQLReadingOptions(limits: .stored) : .authoring)
        } catch {
            let path = error.path.isEmpty ? ["dcql_query"] : error.path
            throw TransactionError(.invalidRequest, "the query cannot be read", path: path, cause: error.withoutPlace)
        }
        return json
    }

    /// A presentation definition that can be read.
    func checked(definition json: JSONValue) throws(TransactionError) -> JSONValue {
        do throws(OID4VPError) {
            _ = try PresentationDefinition(json: json, limits: isStored ? .stored : .default)
        } catch {
            throw Self.refusal("presentation_definition", "the definition cannot be read", cause: error)
        }
        return json
    }
}
