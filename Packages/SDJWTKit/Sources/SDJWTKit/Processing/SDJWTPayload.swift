public import JSONKit

/// The Processed SD-JWT Payload (RFC 9901, section 7.1): the open claims, and those that were disclosed.
public struct SDJWTPayload: Sendable {
    /// The claims, without `_sd`, `_sd_alg` and the elements of arrays that are withheld.
    public let claims: JSONObject

    private let trace: ClaimTrace

    /// - Parameters:
    ///   - claims: The claims.
    ///   - trace: The origin of the values; its first node is that of the payload.
    init(_ claims: JSONObject, _ trace: ClaimTrace) {
        self.claims = claims
        self.trace = trace
    }

    /// The payload as a value, with the origin of its claims.
    var root: ProcessedClaim { ProcessedClaim(.object(claims), trace, node: 0) }

    /// The value of a claim at the top level, or nil if absent.
    public subscript(name: String) -> JSONValue? { claims[name] }

    /// The claims that came from Disclosures, wherever they stand; indices count the disclosed elements.
    public var disclosedClaims: [ClaimPath] {
        var paths: [ClaimPath] = []
        var pending = [(path: ClaimPath([]), claim: root)]
        while let (path, claim) = pending.popLast() {
            if claim.disclosure != nil { paths.append(path) }
            pending += claim.children.reversed().map { (path.appending($0.step), $0.claim) }
        }
        return paths
    }

    /// The values that a path selects; empty if there are none.
    ///
    /// - Throws: ``SDJWTError/Code/claimPathMismatch`` if a step meets a value of another type than it demands.
    public func values(at path: ClaimPath) throws(SDJWTError) -> [JSONValue] {
        try path.values(in: .object(claims))
    }

    /// The values that a path selects where the elements of arrays are counted as they were issued, the withheld ones and
    /// decoys among them; empty if there are none.
    ///
    /// - Throws: ``SDJWTError/Code/claimPathMismatch`` if a step meets a value of another type than it demands.
    public func values(atIssued path: ClaimPath) throws(SDJWTError) -> [JSONValue] {
        try root.selections(at: path, countsWithheld: true).compactMap(\.claim.value)
    }

    /// Returns `true` if the top-level claim with this name is present, but was or could have been hidden in whole or
    /// in part.
    func isConcealable(_ name: String) -> Bool {
        guard let place = claims.position(of: name), let node = trace.child(at: place, of: 0) else { return false }
        return !trace.nodes[node].isPlain
    }
}
