public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The DID method `key`: the DID is the key (The did:key Method).
///
/// Every key that ``Multikey`` knows; nothing is fetched.
public struct DIDKeyMethod: DIDResolver {
    /// Makes a resolver.
    public init() {}

    /// The document of the key that the DID encodes.
    ///
    /// An X25519 key serves key agreement only, any other key everything else. To an Ed25519 key belongs the X25519 key that
    /// is derived from it, for key agreement (The did:key Method, section 3.1).
    ///
    /// - Throws: ``DIDError/Code/unsupportedMethod`` for another method, ``DIDError/Code/invalidKey``,
    ///   ``DIDError/Code/unsupportedKey``.
    public func document(of did: DID, at time: Date) throws(DIDError) -> DIDDocument {
        let multikey = try multikey(of: did)
        let name = DIDURL(did, fragment: did.identifier)
        var methods = [VerificationMethod(id: name, multikey: multikey)]
        var relationships: [VerificationRelationship: [DIDURL]] = [:]
        for relationship in VerificationRelationship.all where multikey.serves(relationship) {
            relationships[relationship] = [name]
        }
        if let derived = try multikey.derivedForKeyAgreement() {
            let derivedName = DIDURL(did, fragment: derived.text)
            methods.append(VerificationMethod(id: derivedName, multikey: derived))
            relationships[.keyAgreement] = [derivedName]
        }
        return DIDDocument(id: did, verificationMethods: methods, relationships: relationships)
    }

    /// The verification method of a name; the key for key agreement is derived only if it is asked for.
    public func verificationMethod(
        _ url: DIDURL,
        for relationship: VerificationRelationship,
        at time: Date
    ) throws(DIDError) -> VerificationMethod {
        let multikey = try multikey(of: url.did)
        if multikey.serves(relationship), url == DIDURL(url.did, fragment: url.did.identifier) {
            return VerificationMethod(id: url, multikey: multikey)
        }
        return try document(of: url.did, at: time).verificationMethod(url, for: relationship, at: time)
    }

    private func multikey(of did: DID) throws(DIDError) -> Multikey {
        try did.requireMethod("key")
        return try Multikey(base58: did.identifier)
    }
}

extension Multikey {
    /// Returns `true` if a DID that is the key itself has it for a purpose.
    fileprivate func serves(_ relationship: VerificationRelationship) -> Bool {
        (publicKey.curve?.family == .montgomery) == (relationship == .keyAgreement)
    }

    /// The X25519 key of an Ed25519 key; nil for another key, and in a build without an engine for it.
    fileprivate func derivedForKeyAgreement() throws(DIDError) -> Multikey? {
        guard EllipticCurve.x25519.isSupported else { return nil }
        let derived: PublicKey?
        do throws(CryptoError) {
            derived = try publicKey.x25519Equivalent()
        } catch {
            throw DIDError(error)
        }
        return try derived.map { key throws(DIDError) in try Multikey(key) }
    }
}

extension DID {
    /// The `did:key` of a public key.
    ///
    /// ```swift
    /// let did = try DID.key(holderKey.publicKey)  // did:key:z6Mk…
    /// ```
    ///
    /// - Throws: ``DIDError/Code/unsupportedKey`` for a curve without a multicodec prefix.
    public static func key(_ publicKey: PublicKey) throws(DIDError) -> DID {
        DID(method: "key", identifier: try Multikey(publicKey).text)
    }
}
