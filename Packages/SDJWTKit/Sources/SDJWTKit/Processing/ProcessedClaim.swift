import JSONKit

/// A value of a processed payload, together with the Disclosures that it and what is inside it came from.
struct ProcessedClaim: Sendable {
    /// What the value consists of.
    enum Content: Sendable {
        /// A value in which nothing was hidden.
        case plain(JSONValue)
        /// Members, of which at least one is hidden or was, or holds something that was; and whether there are digests
        /// without a Disclosure, which may stand for more of them.
        case object([Member], isComplete: Bool)
        /// Elements, of which at least one is hidden or was, or holds something that was.
        case array([ProcessedClaim])
        /// An element of an array whose Disclosure is not there.
        case withheld
    }

    typealias Member = (name: String, claim: ProcessedClaim)

    let content: Content
    /// The Disclosure that the value came from, by its place; nil for a value that everybody sees, and for one that is
    /// withheld.
    let disclosure: Int?

    /// Whether the value and all inside it stood in the open.
    var isPlain: Bool {
        guard disclosure == nil, case .plain = content else { return false }
        return true
    }

    var isWithheld: Bool {
        if case .withheld = content { true } else { false }
    }

    /// The value without what is withheld; nil if it is itself.
    var value: JSONValue? {
        switch content {
        case .plain(let value): value
        case .object(let members, _):
            .object(JSONObject(distinct: members.compactMap { member in member.claim.value.map { (member.name, $0) } }))
        case .array(let elements): .array(elements.compactMap(\.value))
        case .withheld: nil
        }
    }

    var kind: JSONKind? {
        switch content {
        case .plain(let value): value.kind
        case .object: .object
        case .array: .array
        case .withheld: nil
        }
    }
}

extension ProcessedClaim {
    private static func plain(_ value: JSONValue) -> ProcessedClaim {
        ProcessedClaim(content: .plain(value), disclosure: nil)
    }

    /// The member with this name; nil where there is none, or where this is no object.
    func member(_ name: String) -> ProcessedClaim? {
        switch content {
        case .plain(let value): value[name].map(Self.plain)
        case .object(let members, _): members.first { $0.name.hasSameBytes(as: name) }?.claim
        default: nil
        }
    }

    /// Whether the member with this name is there, but was or could have been hidden in whole or in part.
    func hasConcealableMember(_ name: String) -> Bool {
        guard case .object(let members, _) = content else { return false }
        for index in 0..<members.count where members[index].name.hasSameBytes(as: name) {
            return !members[index].claim.isPlain
        }
        return false
    }

    /// The members of an object, none for anything else.
    var members: [Member] {
        switch content {
        case .plain(.object(let object)): object.map { ($0.name, .plain($0.value)) }
        case .object(let members, _): members
        default: []
        }
    }

    /// The elements of an array, those that are withheld included; none for anything else.
    var elements: [ProcessedClaim] {
        switch content {
        case .plain(.array(let elements)): elements.map(Self.plain)
        case .array(let elements): elements
        default: []
        }
    }

    /// What is inside, with the steps that lead there; elements are counted without those that are withheld.
    var children: [(step: ClaimPath.Component, claim: ProcessedClaim)] {
        members.map { (.name($0.name), $0.claim) }
            + elements.filter { !$0.isWithheld }.enumerated().map { (.index($0.offset), $0.element) }
    }
}
