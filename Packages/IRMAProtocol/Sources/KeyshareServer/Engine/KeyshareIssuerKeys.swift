public import IRMAMessages
public import IdemixCore

/// The issuers' keys that the server takes part in proofs for, as they were at one time.
///
/// A key that its issuer did not make properly reveals the server's secrets: only keys of schemes that the operator
/// trusts belong here.
public struct KeyshareIssuerKeys: Sendable {
    private let find: @Sendable (KeyshareKeyIdentifier) -> IdemixIssuerPublicKey?

    /// The keys of a table.
    public init(_ keys: [KeyshareKeyIdentifier: IdemixIssuerPublicKey]) {
        find = { keys[$0] }
    }

    /// The keys of the issuers of schemes.
    ///
    /// - Parameters:
    ///   - schemes: The schemes whose keyshare server this is; one that names no keyshare server has no keys here.
    ///   - snapshot: The schemes as they are now.
    public init(of schemes: Set<SchemeIdentifier>, in snapshot: SchemeSnapshot) {
        find = { identifier in
            let issuer = IssuerIdentifier(identifier.issuer)
            guard issuer.isWellFormed, schemes.contains(issuer.scheme),
                snapshot.schemes[issuer.scheme]?.keyshareScheme != nil
            else { return nil }
            return snapshot.publicKey(of: issuer, counter: identifier.counter)
        }
    }

    /// The key of a name, or nil if the server takes no part in proofs for it.
    public func publicKey(_ identifier: KeyshareKeyIdentifier) -> IdemixIssuerPublicKey? { find(identifier) }
}
