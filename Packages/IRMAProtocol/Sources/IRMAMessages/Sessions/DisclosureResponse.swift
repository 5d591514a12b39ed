public import IdemixCore
public import JSONKit

/// A wallet's answer to a disclosure request (`POST proofs`).
public struct DisclosureResponse: Hashable, IRMAMessage {
    /// The proofs, which are not verified.
    public var proofs: IdemixProofList
    /// The places of the attributes that answer the request, one list for each disjunction.
    public var indices: [[AttributePosition]]

    /// Describes an answer.
    public init(proofs: IdemixProofList, indices: [[AttributePosition]]) {
        self.proofs = proofs
        self.indices = indices
    }

    /// Reads the object `{"proofs", "indices"}`.
    public init(json: JSONValue) throws(IRMAError) {
        let members = try MessageMembers(json)
        proofs = try members.idemix("proofs") ?? IdemixProofList([])
        indices = try members.indices() ?? []
    }

    /// The answer as an object.
    public func json() throws(IRMAError) -> JSONValue {
        var object = JSONObject()
        try object.write("proofs", idemix: proofs)
        object.write(indices: indices)
        return .object(object)
    }
}
