import CryptoCore

extension JWEDecryptionPolicy {
    /// The algorithm of a recipient, which must be on the list.
    func algorithm(of recipient: JWERecipient) throws(JOSEError) -> JWEAlgorithm {
        guard let algorithm = try recipient.header.keyManagementAlgorithm() else {
            throw JOSEError(.missingAlgorithm, "the headers name no algorithm", path: ["alg"])
        }
        guard algorithm.isSupported else { throw Self.unsupported(algorithm.rawValue, "alg") }
        guard algorithms.contains(algorithm) else {
            throw JOSEError(.algorithmNotAllowed, "\(algorithm) is not on the list of the caller", path: ["alg"])
        }
        return algorithm
    }

    /// The content encryption of a message, which must be on the list and the same for every readable recipient.
    func encryption(of message: JWE) throws(JOSEError) -> (name: JWEEncryption, aead: AEADAlgorithm) {
        var named: JWEEncryption?
        for recipient in message.recipients where recipient.fault == nil {
            guard let encryption = try recipient.header.contentEncryption() else {
                throw JOSEError(.missingAlgorithm, "the headers name no content encryption", path: ["enc"])
            }
            guard named == nil || named == encryption else {
                throw JOSEError(.invalidRecipient, "enc differs between the recipients", path: ["enc"])
            }
            named = encryption
        }
        guard let named else { throw JOSEError(.malformed, "there is no recipient", path: ["recipients"]) }
        guard let aead = named.aead else { throw Self.unsupported(named.rawValue, "enc") }
        guard encryptions.contains(named) else {
            throw JOSEError(.algorithmNotAllowed, "\(named) is not on the list of the caller", path: ["enc"])
        }
        guard allowsUnprotectedEncryption || message.protectedHeader.contains("enc") else {
            throw JOSEError(.algorithmNotProtected, "enc is not in the protected header", path: ["enc"])
        }
        return (named, aead)
    }

    /// The size that the content may inflate to, or nil for content that is not compressed.
    func inflatedSize(of message: JWE) throws(JOSEError) -> Int? {
        guard let method = try message.protectedHeader.string("zip") else { return nil }
        guard method.hasSameBytes(as: "DEF") else { throw Self.unsupported(method, "zip") }
        guard let maximumInflatedSize else {
            throw JOSEError(.invalidCompression, "compressed content is not taken", path: ["zip"])
        }
        return maximumInflatedSize
    }

    private static func unsupported(_ name: String, _ parameter: String) -> JOSEError {
        JOSEError(.unsupportedAlgorithm, "\(name) is not implemented", path: [parameter])
    }
}
