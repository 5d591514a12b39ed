public import IdemixCore
public import JSONKit

/// The demand of a request for a proof that credentials of a type are not revoked.
public struct NonRevocationDemand: Hashable, IRMAMessage {
    /// The age in seconds that the accumulator may have without being reported, or nil for the verifier's default.
    public var tolerance: UInt64?
    /// The newest events by key counter, which a server attaches for the wallet; not verified.
    public var updates: [UInt: RevocationUpdate]

    /// Describes a demand.
    public init(tolerance: UInt64? = nil, updates: [UInt: RevocationUpdate] = [:]) {
        self.tolerance = tolerance
        self.updates = updates
    }

    /// Reads the object `{"tolerance"?, "updates"?}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        tolerance = try members.number("tolerance")
        updates =
            try members.map("updates", key: JSONValue.index) { json throws(IRMAError) in
                try RevocationUpdate(idemix: json)
            } ?? [:]
    }

    /// The demand as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        object.write("tolerance", ifPresent: tolerance)
        guard !updates.isEmpty else { return .object(object) }
        var updates = JSONObject()
        for (counter, update) in self.updates.sorted(by: { $0.key < $1.key }) {
            try updates.write(String(counter), idemix: update)
        }
        object["updates"] = .object(updates)
        return .object(object)
    }
}

/// The demands of a request for proofs of non-revocation, by credential type.
///
/// Requestors may send a bare list of types; servers send the demands.
public struct NonRevocationDemands: Hashable, IRMAMessage, ExpressibleByDictionaryLiteral {
    /// The demands by credential type.
    public var demands: [CredentialTypeIdentifier: NonRevocationDemand]
    /// Indicates the bare list of types, in which demands have no content.
    public var isList: Bool

    /// Collects demands.
    public init(_ demands: [CredentialTypeIdentifier: NonRevocationDemand] = [:], isList: Bool = false) {
        self.demands = demands
        self.isList = isList
    }

    /// Collects demands; of a type that occurs twice the last demand counts.
    public init(dictionaryLiteral elements: (CredentialTypeIdentifier, NonRevocationDemand)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { $1 }))
    }

    /// The demand for a credential type, or nil.
    public subscript(type: CredentialTypeIdentifier) -> NonRevocationDemand? { demands[type] }

    /// Reads an array of types, or an object of demands by type.
    public init(json: JSONValue) throws(IRMAError) {
        if json.arrayValue != nil {
            let types = try json.elements { json throws(IRMAError) in try CredentialTypeIdentifier(json: json) }
            let demands = types.map { ($0, NonRevocationDemand()) }
            self.init(Dictionary(demands, uniquingKeysWith: { $1 }), isList: true)
        } else {
            self.init(
                try json.map(key: CredentialTypeIdentifier.init) { json throws(IRMAError) in
                    json.isNull ? NonRevocationDemand() : try NonRevocationDemand(json: json)
                }
            )
        }
    }

    /// The types as an array where ``isList`` says so and no demand has content, else an object.
    public func json() throws(IRMAError) -> JSONValue {
        if isList, demands.values.allSatisfy({ $0 == NonRevocationDemand() }) {
            return try .list(demands.keys.sorted())
        }
        return try .map(demands, name: \.text) { demand throws(IRMAError) in try demand.json() }
    }
}
