public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The properties of a wallet's credential that decide about its disclosure.
public struct HeldCredential: Hashable, Sendable {
    /// The local identity (`IdemixCredential.hash`).
    public var hash: [UInt8]
    /// The credential type.
    public var type: CredentialTypeIdentifier
    /// The values by base index; nil for an absent attribute.
    ///
    /// An index without an entry is that of an attribute that the credential cannot show.
    public var values: [Int: String?]
    /// The expiry.
    public var expiresAt: Date
    /// Indicates that the issuer revoked the credential.
    public var isRevoked: Bool
    /// Indicates that the credential has a witness, and can be proved not to be revoked.
    public var hasWitness: Bool

    /// Describes a credential.
    public init(
        hash: [UInt8],
        type: CredentialTypeIdentifier,
        values: [Int: String?],
        expiresAt: Date,
        isRevoked: Bool = false,
        hasWitness: Bool = false
    ) {
        self.hash = hash
        self.type = type
        self.values = values
        self.expiresAt = expiresAt
        self.isRevoked = isRevoked
        self.hasWitness = hasWitness
    }

    /// Describes a credential of a type that the schemes have.
    ///
    /// Attributes that the type has gained since the issuance are absent, unless the key of the credential has no base for
    /// them. One that is random-blind has no entry: the issuer and the holder chose no value for it.
    ///
    /// - Throws: ``IRMAError/Code/unknownIdentifier``; ``IRMAError/Code/malformed`` for metadata that cannot be read
    ///   and for attributes that are not text.
    public init(_ credential: IdemixCredential, schemes: SchemeSnapshot, isRevoked: Bool = false) throws(IRMAError) {
        do throws(IdemixError) {
            let metadata = try credential.metadata()
            guard let found = schemes.credentialType(hash: metadata.credentialTypeHash),
                let type = schemes.credentialType(CredentialTypeIdentifier(found.identifier))
            else { throw IdemixError(.unknownCredentialType, "no known credential type has this hash") }
            var values: [Int: String?] = [:]
            for (index, attribute) in zip(CredentialTypeDescription.firstBaseIndex..., type.attributes) {
                guard !attribute.isRevocation else { continue }
                guard credential.attributes.indices.contains(index - 1) else {
                    if index <= credential.lastBaseIndex, !attribute.isRandomBlind { values[index] = .some(nil) }
                    continue
                }
                let integer = credential.attributes[index - 1]
                values[index] =
                    attribute.isRandomBlind
                    ? AttributeEncoding.randomBlindText(of: integer) : try metadata.encoding.text(of: integer)
            }
            self.init(
                hash: credential.hash,
                type: type.id,
                values: values,
                expiresAt: metadata.expiryDate,
                isRevoked: isRevoked,
                hasWitness: credential.witness != nil
            )
        } catch {
            let code: IRMAError.Code = error.code == .unknownCredentialType ? .unknownIdentifier : .malformed
            throw IRMAError(code, error.message, path: error.path, cause: error)
        }
    }
}

extension IdemixCredential {
    /// The index of the last base of the credential's key.
    var lastBaseIndex: Int { publicKey.attributeCapacity + 1 }
}
