package import JSONKit

/// Reads the members of a received object, and says in each error where it is.
package struct MemberReader {
    /// The members.
    package let members: JSONObject
    private let code: OID4VPError.Code
    private let place: Place

    /// A place in what was received, of which only an error makes a path.
    package indirect enum Place {
        /// A structure with the names of those around it.
        case path([String])
        /// An element of the array in a member.
        case element(Int, of: String, in: Place)
        /// A member.
        case member(String, of: Place)

        /// The names from the root on.
        package var path: [String] {
            switch self {
            case .path(let path): path
            case .element(let index, let name, let place): place.path + ["\(name)[\(index)]"]
            case .member(let name, let place): place.path + [name]
            }
        }
    }

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - value: The value that should be an object.
    ///   - code: The code of errors.
    ///   - path: The names of the structures around.
    /// - Throws: An error with that code for another value.
    package init(_ value: JSONValue?, _ code: OID4VPError.Code, at path: [String]) throws(OID4VPError) {
        try self.init(value, code, at: .path(path))
    }

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - value: The value that should be an object.
    ///   - code: The code of errors.
    ///   - place: The place of the value.
    /// - Throws: An error with that code for another value.
    package init(_ value: JSONValue?, _ code: OID4VPError.Code, at place: Place) throws(OID4VPError) {
        guard let members = value?.objectValue else {
            let message = value == nil ? MessageFault.missing.rawValue : "it must be an object"
            throw OID4VPError(code, message, path: place.path)
        }
        self.members = members
        self.code = code
        self.place = place
    }

    /// Reads the members of an object.
    package init(_ members: JSONObject, _ code: OID4VPError.Code, at path: [String]) {
        self.members = members
        self.code = code
        place = .path(path)
    }

    /// The value of a member, or nil.
    package subscript(name: String) -> JSONValue? { members[name] }

    /// The path of a member.
    package func path(_ name: String) -> [String] { place.path + [name] }

    /// The place of a member.
    package func place(_ name: String) -> Place { .member(name, of: place) }

    /// The place of an element of the array in a member.
    package func place(_ index: Int, of name: String) -> Place { .element(index, of: name, in: place) }

    /// An error about a member.
    package func invalid(_ name: String, _ message: String) -> OID4VPError {
        OID4VPError(code, message, path: path(name))
    }

    /// An error about a fault of a member.
    package func invalid(_ name: String, _ fault: MessageFault) -> OID4VPError { invalid(name, fault.rawValue) }

    /// An error about the object.
    package func invalid(_ message: String) -> OID4VPError { OID4VPError(code, message, path: place.path) }

    /// A text that is not empty; nil if the member is missing.
    package func text(_ name: String) throws(OID4VPError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else { throw invalid(name, .emptyText) }
        return text
    }

    /// A text that is not empty.
    package func requiredText(_ name: String) throws(OID4VPError) -> String {
        guard let text = try text(name) else { throw invalid(name, .missing) }
        return text
    }

    /// A truth value, with a default where the member is missing.
    package func bool(_ name: String, default fallback: Bool) throws(OID4VPError) -> Bool {
        try bool(name) ?? fallback
    }

    /// A truth value; nil if the member is missing.
    package func bool(_ name: String) throws(OID4VPError) -> Bool? {
        guard let value = members[name] else { return nil }
        guard let bool = value.boolValue else { throw invalid(name, .notBoolean) }
        return bool
    }

    /// A non-negative integer; nil if the member is missing.
    package func count(_ name: String) throws(OID4VPError) -> Int? {
        guard let value = members[name] else { return nil }
        guard let count = try? value.numberValue?.integer(as: Int.self), count >= 0 else {
            throw invalid(name, "it must be a non-negative integer")
        }
        return count
    }

    /// The elements of an array, which may be empty; nil if the member is missing.
    package func list(_ name: String, atMost limit: Int) throws(OID4VPError) -> [JSONValue]? {
        if members[name]?.arrayValue?.isEmpty == true { return [] }
        return try elements(name, atMost: limit)
    }

    /// The elements of an array that is not empty; nil if the member is missing.
    package func elements(_ name: String, atMost limit: Int) throws(OID4VPError) -> [JSONValue]? {
        guard let value = members[name] else { return nil }
        return try Self.elements(value, atMost: limit, code, at: path(name))
    }

    /// The elements of an array that is not empty.
    package func requiredElements(_ name: String, atMost limit: Int) throws(OID4VPError) -> [JSONValue] {
        guard let elements = try elements(name, atMost: limit) else { throw invalid(name, .missing) }
        return elements
    }

    /// Texts that are not empty, in an array that is not empty; nil if the member is missing.
    package func texts(_ name: String, atMost limit: Int) throws(OID4VPError) -> [String]? {
        guard let value = members[name] else { return nil }
        return try Self.texts(value, atMost: limit, code, at: path(name))
    }

    /// Texts that are not empty, in an array that is not empty.
    package static func texts(
        _ value: JSONValue,
        atMost limit: Int,
        _ code: OID4VPError.Code,
        at path: @autoclosure () -> [String]
    ) throws(OID4VPError) -> [String] {
        try elements(value, atMost: limit, code, at: path()).map { element throws(OID4VPError) in
            guard let text = element.stringValue, !text.isEmpty else {
                throw OID4VPError(code, .emptyTexts, path: path())
            }
            return text
        }
    }

    /// The elements of an array that is not empty.
    package static func elements(
        _ value: JSONValue,
        atMost limit: Int,
        _ code: OID4VPError.Code,
        at path: @autoclosure () -> [String]
    ) throws(OID4VPError) -> [JSONValue] {
        guard let elements = value.arrayValue, !elements.isEmpty else {
            throw OID4VPError(code, .emptyArray, path: path())
        }
        guard elements.count <= limit else {
            throw OID4VPError(.limitExceeded, "it has more than \(limit) elements", path: path())
        }
        return elements
    }
}
