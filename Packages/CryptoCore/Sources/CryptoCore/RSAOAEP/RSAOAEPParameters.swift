import CryptoExtras

/// The parameters of RSA-OAEP, once a build is known to have an engine for it.
struct RSAOAEPParameters {
    let hash: HashAlgorithm
    let label: [UInt8]

    #if OpenSSL
    init(hash: HashAlgorithm, label: [UInt8]) throws(CryptoError) {
        guard Int32(exactly: label.count) != nil else {
            throw CryptoError(.invalidLength, "RSA-OAEP takes no label of \(label.count) bytes")
        }
        (self.hash, self.label) = (hash, label)
    }
    #else
    /// swift-crypto's name for the parameters.
    let padding: _RSA.Encryption.Padding

    init(hash: HashAlgorithm, label: [UInt8]) throws(CryptoError) {
        guard label.isEmpty, hash == .sha1 || hash == .sha256 else {
            throw .needsOpenSSL("RSA-OAEP with \(hash)\(label.isEmpty ? "" : " and a label")")
        }
        (self.hash, self.label) = (hash, label)
        padding = hash == .sha1 ? .PKCS1_OAEP : .PKCS1_OAEP_SHA256
    }
    #endif
}
