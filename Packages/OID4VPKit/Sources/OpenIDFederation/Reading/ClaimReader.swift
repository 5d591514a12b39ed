import JSONKit

/// Reads the claims of a statement, and says in each error where it is.
struct ClaimReader {
    let members: JSONObject
    private var place: [String] = []

    init(_ members: JSONObject) {
        self.members = members
    }

    /// - Throws: ``FederationError/Code/malformed`` for anything but an object.
    init(_ value: JSONValue) throws(FederationError) {
        guard let members = value.objectValue else { throw FederationError(.malformed, "it must be an object") }
        self.init(members)
    }

    /// The same reader of a nested object.
    func inside(_ name: String) -> ClaimReader {
        var reader = self
        reader.place.append(name)
        return reader
    }

    /// An error about a claim.
    func invalid(_ name: String, _ message: String, cause: FederationError? = nil) -> FederationError {
        FederationError(.malformed, message, path: place + [name], cause: cause)
    }

    func requiredText(_ name: String) throws(FederationError) -> String {
        guard let text = members[name]?.stringValue, !text.isEmpty else {
            throw invalid(name, "it must be a non-empty text")
        }
        return text
    }

    func object(_ name: String) throws(FederationError) -> JSONValue? {
        guard let value = members[name] else { return nil }
        guard value.objectValue != nil else { throw invalid(name, "it must be an object") }
        return value
    }

    /// A number of things, 0 or more; nil if the claim is missing.
    func count(_ name: String) throws(FederationError) -> Int? {
        guard let value = members[name] else { return nil }
        guard let count = try? value.numberValue?.integer(as: Int.self), count >= 0 else {
            throw invalid(name, "it must be a non-negative integer")
        }
        return count
    }

    /// Texts; nil if the claim is missing.
    func texts(_ name: String) throws(FederationError) -> [String]? {
        guard let value = members[name] else { return nil }
        guard let elements = value.arrayValue else { throw invalid(name, "it must be an array") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.stringValue, !text.isEmpty else { throw invalid(name, "it must hold texts") }
            texts.append(text)
        }
        return texts
    }

    /// Identifiers of entities, at least one; nil if the claim is missing.
    func identifiers(_ name: String) throws(FederationError) -> [EntityIdentifier]? {
        guard let texts = try texts(name) else { return nil }
        guard !texts.isEmpty else { throw invalid(name, "it must not be empty") }
        return try texts.map { text throws(FederationError) in
            do throws(FederationError) {
                return try EntityIdentifier(text)
            } catch {
                throw invalid(name, "\"\(text)\" is no identifier of an entity", cause: error)
            }
        }
    }
}
