public import JSONKit

/// The place of an attribute in a list of proofs, as a wallet names it in `indices`.
public struct AttributePosition: Hashable, IRMAMessage {
    /// The position of the proof in the list.
    public var credential: Int
    /// The base index of the attribute: 1 for the metadata, which answers a request for a credential as a whole.
    public var attribute: Int

    /// Describes a place.
    public init(credential: Int, attribute: Int) {
        self.credential = credential
        self.attribute = attribute
    }

    /// Reads the object `{"cred", "attr"}`.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, also for a negative number.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        credential = try Self.number("cred", members)
        attribute = try Self.number("attr", members)
    }

    private static func number(_ name: String, _ members: MessageMembers) throws(IRMAError) -> Int {
        guard let number: Int = try members.number(name) else {
            throw IRMAError(.malformed, "the member is missing", path: [name])
        }
        guard number >= 0 else { throw IRMAError(.malformed, "the number is negative", path: [name]) }
        return number
    }

    /// The place as an object.
    public func json() -> JSONValue { ["cred": .integer(credential), "attr": .integer(attribute)] }
}

extension MessageMembers {
    /// The places of disclosed attributes, one list for each disjunction; nil if absent.
    func indices() throws(IRMAError) -> [[AttributePosition]]? {
        try list("indices") { json throws(IRMAError) in
            try json.elements { json throws(IRMAError) in try AttributePosition(json: json) }
        }
    }
}

extension JSONObject {
    /// Writes the places of disclosed attributes.
    mutating func write(indices: [[AttributePosition]]) {
        self["indices"] = .array(indices.map { .array($0.map { $0.json() }) })
    }
}
