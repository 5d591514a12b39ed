public import CryptoCore
public import DIDKit
public import JOSEKit
public import LinkedDataKit
public import OID4VPMessages

/// The holder who presents W3C credentials, and the key that signs.
public struct W3CHolder: Sendable {
    /// The identifier of the holder in the presentation.
    public let id: String
    /// The name of the key.
    public let verificationMethod: DIDURL
    /// The proof suite for linked-data presentations.
    public let suite: LinkedDataProofSuite
    /// The algorithm of a suite with a JWS, and of presentations as tokens; nil for the key's natural one.
    public let algorithm: JWSAlgorithm?
    /// The key; nil if the caller makes linked-data proofs by itself.
    package let key: PublicKey?

    /// Describes a holder.
    ///
    /// - Parameters:
    ///   - id: The identifier; nil for the DID of the key's name.
    ///   - verificationMethod: The name of the key.
    ///   - key: The key.
    ///   - suite: The proof suite.
    ///   - algorithm: The algorithm where the key has several; nil for the natural one.
    public init(
        id: String? = nil,
        verificationMethod: DIDURL,
        key: PublicKey,
        suite: LinkedDataProofSuite,
        algorithm: JWSAlgorithm? = nil
    ) {
        self.init(id: id, verificationMethod, key, suite, algorithm)
    }

    /// A holder whose key may be unknown.
    package init(
        id: String? = nil,
        _ verificationMethod: DIDURL,
        _ key: PublicKey?,
        _ suite: LinkedDataProofSuite,
        _ algorithm: JWSAlgorithm? = nil
    ) {
        self.id = id ?? verificationMethod.did.text
        self.verificationMethod = verificationMethod
        self.key = key
        self.suite = suite
        self.algorithm = algorithm
    }
}

/// The keys of the holder that credentials do not hold themselves.
public struct HolderKeys: Sendable {
    /// The holder who presents W3C credentials; nil for none.
    public var holder: W3CHolder?
    /// The holders of single credentials, in place of the common one.
    public var holders: [CredentialName: W3CHolder]
    /// The keys of SD-JWTs whose issuer names the holder's key (`cnf` with `kid`), by the name.
    ///
    /// A name that is not among them is resolved as a DID URL.
    public var namedKeys: [ExactText: PublicKey]

    /// Sets the keys.
    public init(
        holder: W3CHolder? = nil,
        holders: [CredentialName: W3CHolder] = [:],
        namedKeys: [ExactText: PublicKey] = [:]
    ) {
        self.holder = holder
        self.holders = holders
        self.namedKeys = namedKeys
    }

    /// The holder of a credential.
    ///
    /// - Throws: `OID4VPError` with code `missingHolderKey`.
    func holder(of item: PresentationItem) throws(OID4VPError) -> W3CHolder {
        guard let holder = holders[item.credential] ?? holder else {
            throw OID4VPError(.missingHolderKey, "no holder is given for the credential", path: [item.format.text])
        }
        return holder
    }
}

/// The key that signs a presentation, as the credential or the holder names it.
public enum HolderKeyReference: Sendable {
    /// The device key of an mdoc: the encoded COSE_Key.
    case coseKey([UInt8])
    /// The key in an SD-JWT.
    case jwk(JWK)
    /// The name of a key: that in an SD-JWT, or of the holder of W3C credentials.
    case name(String)
}
