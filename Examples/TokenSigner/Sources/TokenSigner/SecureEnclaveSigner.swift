#if canImport(CryptoKit)
import Credentials
import CryptoKit
import Foundation

/// A signer whose P-256 key lives in the Secure Enclave of an Apple device.
///
/// The enclave keeps the key; the app stores ``handle``, which is of use on the same device alone.
struct SecureEnclaveSigner: Signer {
    let publicKey: CryptoCore.PublicKey
    private let key: SecureEnclave.P256.Signing.PrivateKey

    /// Makes a key in the enclave.
    init() throws {
        try self.init(SecureEnclave.P256.Signing.PrivateKey())
    }

    /// Takes a key up again.
    init(handle: Data) throws {
        try self.init(SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: handle))
    }

    private init(_ key: SecureEnclave.P256.Signing.PrivateKey) throws {
        self.key = key
        publicKey = try CryptoCore.PublicKey(curve: .p256, x963Representation: key.publicKey.x963Representation)
    }

    /// The encrypted key, which only the enclave that made it can read.
    var handle: Data { key.dataRepresentation }

    var algorithm: SignatureAlgorithm { .ecdsaSHA256 }

    func signature(for message: [UInt8]) async throws -> [UInt8] {
        Array(try key.signature(for: message).rawRepresentation)
    }
}
#endif
