import CBORKit
public import CryptoCore
public import IdemixCore

/// A revocation authority's record of an issued credential.
public struct IssuanceRecord: Hashable, Sendable {
    /// The issuer's name for the credential.
    public var revocationKey: String
    /// The credential type.
    public var credentialType: CredentialTypeIdentifier
    /// The time of issuance in nanoseconds since 1970.
    public var issued: Int64
    /// The counter of the issuer's key.
    public var keyCounter: UInt
    /// The prime e of the credential's witness.
    public var attribute: BigInteger
    /// The expiry in nanoseconds since 1970.
    public var validUntil: Int64
    /// The time of revocation in nanoseconds since 1970, or nil.
    public var revokedAt: Int64?

    /// Describes a credential.
    public init(
        revocationKey: String,
        credentialType: CredentialTypeIdentifier,
        issued: Int64,
        keyCounter: UInt,
        attribute: BigInteger,
        validUntil: Int64,
        revokedAt: Int64? = nil
    ) {
        self.revocationKey = revocationKey
        self.credentialType = credentialType
        self.issued = issued
        self.keyCounter = keyCounter
        self.attribute = attribute
        self.validUntil = validUntil
        self.revokedAt = revokedAt
    }

    /// Reads a record.
    ///
    /// - Throws: ``IRMAError/Code/malformed``.
    public init(decodingCBOR bytes: some Collection<UInt8>) throws(IRMAError) {
        do {
            let map = try CBORDocument(Array(bytes)).root.map()
            revocationKey = try map.required("Key").text()
            credentialType = CredentialTypeIdentifier(try map.required("CredType").text())
            issued = try map.required("Issued").integer()
            keyCounter = try map.required("PKCounter").integer()
            attribute = BigInteger(bytes: try map.required("Attr").bytes())
            validUntil = try map.required("ValidUntil").integer()
            let revokedAt: Int64 = try map.value(forKey: "RevokedAt")?.integer() ?? 0
            self.revokedAt = revokedAt == 0 ? nil : revokedAt
        } catch {
            throw IRMAError(.malformed, "not an issuance record", cause: error)
        }
    }

    /// The record in CBOR, which is also what the issuer signs.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for a negative attribute.
    public func cborEncoded() throws(IRMAError) -> [UInt8] {
        guard !attribute.isNegative else { throw IRMAError(.malformed, "the number is negative", path: ["Attr"]) }
        var writer = CBORWriter()
        writer.beginMap(count: revokedAt == nil ? 6 : 7)
        writer.write(text: "Key")
        writer.write(text: revocationKey)
        writer.write(text: "CredType")
        writer.write(text: credentialType.text)
        writer.write(text: "Issued")
        writer.write(integer: issued)
        writer.write(text: "PKCounter")
        writer.write(integer: keyCounter)
        writer.write(text: "Attr")
        writer.write(bytes: attribute.bytes)
        writer.write(text: "ValidUntil")
        writer.write(integer: validUntil)
        if let revokedAt {
            writer.write(text: "RevokedAt")
            writer.write(integer: revokedAt)
        }
        return writer.finish()
    }
}

extension IssuanceRecord {
    /// The algorithm of a signed record: ECDSA on P-256 with SHA-256.
    public static let algorithm = SignatureAlgorithm.ecdsaSHA256

    /// The record under the signature of the issuer's key for revocation, as an issuing server posts it to the authority.
    ///
    /// - Throws: ``IRMAError/Code/signingFailed``.
    public func signed(with signer: any Signer) async throws(IRMAError) -> [UInt8] {
        let message = try cborEncoded()
        let signature: [UInt8]
        do {
            signature = try await signer.signature(for: message)
        } catch {
            throw IRMAError(.signingFailed, "the signer gave no signature", cause: error)
        }
        return try completed(with: signature, by: signer.publicKey)
    }

    /// The record under a signature over ``cborEncoded()`` that was made elsewhere, as r‖s.
    ///
    /// - Throws: ``IRMAError/Code/signingFailed`` for a signature that does not verify.
    public func completed(with signature: [UInt8], by key: PublicKey) throws(IRMAError) -> [UInt8] {
        let message = try cborEncoded()
        guard key.isValidSignature(signature, for: message, algorithm: Self.algorithm) else {
            throw IRMAError(.signingFailed, "the signature does not verify")
        }
        var writer = CBORWriter()
        writer.beginMap(count: 2)
        writer.write(text: "Msg")
        writer.write(bytes: message)
        writer.write(text: "Sig")
        do {
            writer.write(bytes: try ECDSASignature(rawRepresentation: signature, curve: .p256).derRepresentation)
        } catch {
            throw IRMAError(.signingFailed, "the signature is not r and s", cause: error)
        }
        return writer.finish()
    }

    /// Reads a signed record, and verifies it.
    ///
    /// - Parameters:
    ///   - bytes: The signed record.
    ///   - key: The issuer's key for revocation.
    /// - Throws: ``IRMAError/Code/malformed``, ``IRMAError/Code/proofFailed`` for a signature that does not verify.
    public init(verifying bytes: some Collection<UInt8>, with key: PublicKey) throws(IRMAError) {
        let message: [UInt8]
        let signature: [UInt8]
        do {
            let map = try CBORDocument(Array(bytes)).root.map()
            message = Array(try map.required("Msg").bytes())
            signature = Array(try map.required("Sig").bytes())
        } catch {
            throw IRMAError(.malformed, "not a map of Msg and Sig", cause: error)
        }
        guard key.isValidSignature(signature, for: message, algorithm: Self.algorithm, format: .der) else {
            throw IRMAError(.proofFailed, "the signature does not verify")
        }
        try self.init(decodingCBOR: message)
    }
}
