public import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CLSignature: IdemixJSON {
    /// Reads the object `{"A", "e", "v", "KeyshareP"}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            A: try members.integer("A"),
            e: try members.integer("e"),
            v: try members.integer("v"),
            keyshareP: try members.optional("KeyshareP") { json throws(IdemixError) in try BigInteger(json: json) }
        )
    }

    /// The signature as an object; `KeyshareP` is `null` without a keyshare server.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("A", A)
        try object.write("e", e)
        try object.write("v", v)
        object["KeyshareP"] = .null
        try object.write("KeyshareP", ifPresent: keyshareP)
        return .object(object)
    }
}

extension IssuerSignatureProof: IdemixJSON {
    /// Reads the object `{"c", "e_response"}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(challenge: try members.integer("c"), eResponse: try members.integer("e_response"))
    }

    /// The proof as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("c", challenge)
        try object.write("e_response", eResponse)
        return .object(object)
    }
}

extension IssuedCLSignature: IdemixJSON {
    /// Reads the object `{"proof", "signature", "nonrev"?, "m_issuer"?}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            signature: try members.required("signature") { json throws(IdemixError) in try CLSignature(json: json) },
            proof: try members.required("proof") { json throws(IdemixError) in
                try IssuerSignatureProof(json: json)
            },
            issuerShares: try members.integers("m_issuer"),
            witness: try members.optional("nonrev") { json throws(IdemixError) in try ReceivedWitness(json: json) }
        )
    }

    /// The message as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("proof", proof)
        try object.write("signature", signature)
        try object.write("nonrev", ifPresent: witness)
        if !issuerShares.isEmpty { try object.write("m_issuer", indexed: issuerShares) }
        return .object(object)
    }
}

extension ReceivedWitness: IdemixJSON {
    /// Reads the object `{"u", "e", "sacc", "Updated"}`.
    ///
    /// - Throws: ``IdemixError/Code/malformedJSON`` for an `Updated` that is not a time of RFC 3339, among the others.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            u: try members.integer("u"),
            e: try members.integer("e"),
            signedAccumulator: try members.required("sacc") { json throws(IdemixError) in
                try SignedAccumulator(json: json)
            },
            updated: try members.optional("Updated") { json throws(IdemixError) in try Self.time(json) } ?? nil
        )
    }

    /// The witness as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("u", u)
        try object.write("e", e)
        try object.write("sacc", signedAccumulator)
        object["Updated"] = .string(updated.map { $0.formatted(.iso8601) } ?? Self.zeroTime)
        return .object(object)
    }

    /// The zero time of the Go implementation: never updated.
    private static let zeroTime = "0001-01-01T00:00:00Z"

    private static func time(_ json: JSONValue) throws(IdemixError) -> Date? {
        let text = try json.text()
        guard text != zeroTime else { return nil }
        let hasFraction = text.utf8.contains(UInt8(ascii: "."))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
        do {
            return try style.parse(text)
        } catch {
            throw IdemixError(.malformedJSON, "the text is no time of RFC 3339", cause: error)
        }
    }
}
