import CBORKit
import CryptoCore

/// The derivation of a key for one recipient: HKDF over a secret with COSE_KDF_Context (RFC 9053 section 5).
struct KeyDerivation {
    /// The function under HKDF.
    let function: KeyDistributionPrimitive.HKDFFunction
    /// The use of the key.
    let use: ContentKeyUse
    /// The shared context, known to both sides beside the message.
    let known: COSEKeyDerivationContext
    /// The headers of the recipient.
    let headers: COSEHeaders

    /// The derived key.
    func key(from secret: SecretBytes) throws(COSEError) -> SecretBytes {
        let context = try encodedContext()
        do {
            switch function {
            case .hmac(let hash):
                return try HKDF.deriveKey(
                    hash: hash,
                    inputKeyMaterial: secret,
                    salt: try salt() ?? [],
                    info: context,
                    length: use.keyLength
                )
            case .aesCBCMAC(let keyLength):
                guard secret.count == keyLength else {
                    throw COSEError(.keyMismatch, "the shared secret has \(secret.count) bytes instead of \(keyLength)")
                }
                return try expand(secret, context)
            }
        } catch let error as COSEError {
            throw error
        } catch {
            throw COSEError(.operationFailed, "HKDF failed", cause: error)
        }
    }

    /// The expand step of HKDF with AES-CBC-MAC in the place of HMAC; there is no extract step (RFC 9053 section 5.1).
    private func expand(_ secret: SecretBytes, _ context: [UInt8]) throws(CryptoError) -> SecretBytes {
        var output: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 1
        while output.count < use.keyLength {
            block = try AESCBCMAC.authenticationCode(for: block + context + [counter], key: secret)
            output += block
            counter += 1
        }
        return SecretBytes(output[..<use.keyLength])
    }

    /// Returns `true` if a salt or a PartyU nonce makes the derived key unique.
    func isUnique() throws(COSEError) -> Bool {
        if try salt() != nil { return true }
        return try COSEPartyInfo(.u, in: headers, known: known.partyU).nonce != nil
    }

    /// The salt of the headers, or the one that the application knows.
    private func salt() throws(COSEError) -> [UInt8]? {
        guard let salt = try headers.bytes(.salt, "salt") else { return known.salt }
        if let known = known.salt, !salt.elementsEqual(known) {
            throw COSEError(.invalidRecipient, "the message has another value than the application", path: ["salt"])
        }
        return [UInt8](salt)
    }

    /// COSE_KDF_Context in deterministic CBOR (RFC 9053 section 5.2).
    func encodedContext() throws(COSEError) -> [UInt8] {
        let partyU = try COSEPartyInfo(.u, in: headers, known: known.partyU)
        let partyV = try COSEPartyInfo(.v, in: headers, known: known.partyV)
        var writer = CBORWriter()
        writer.beginArray(count: known.suppPrivInfo == nil ? 4 : 5)
        writer.write(integer: use.algorithm.rawValue)
        partyU.encode(to: &writer)
        partyV.encode(to: &writer)
        writer.beginArray(count: known.suppPubOther == nil ? 2 : 3)
        writer.write(integer: use.keyLength * 8)
        writer.write(bytes: headers.authenticatedBytes)
        if let other = known.suppPubOther { writer.write(bytes: other) }
        if let info = known.suppPrivInfo { writer.write(bytes: info) }
        return writer.finish()
    }
}
