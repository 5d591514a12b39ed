import CommandSupport
import CryptoCore
import Foundation

/// The private keys of schemes in files: ECDSA on P-256, in the PEM that the reference reads.
enum SchemeKey {
    /// The label of a key that the reference has sealed with a passphrase.
    private static let sealedLabel = "ENCRYPTED IRMA SCHEME PRIVATE KEY"

    /// Reads a key.
    ///
    /// - Throws: ``ToolError``, also for a key with a passphrase.
    static func read(_ file: InputFile) throws(ToolError) -> PrivateKey {
        var bytes = try file.read(sizeLimit: 1 << 20)
        defer { wipe(&bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.contains(sealedLabel), !text.contains("OPENSSH PRIVATE KEY") else {
            throw ToolError(
                "\(file.name) is sealed with a passphrase, which is not supported: copy it without one (keycopy --pass=false)"
            )
        }
        let key = try file.reading("private key in PEM") { try PrivateKey(pem: text) }
        guard key.publicKey.curve == .p256 else { throw ToolError("the key of a scheme is one on P-256") }
        return key
    }

    /// Writes a key to a new file.
    static func write(_ key: PrivateKey, to file: OutputFile) throws {
        guard var der = key.sec1?.withUnsafeBytes({ Array($0) }) else {
            throw ToolError("the key has no form of SEC 1")
        }
        defer { wipe(&der) }
        try file.write(Data(PEM(label: "EC PRIVATE KEY", bytes: der).text.utf8), mode: 0o600, replacing: false)
    }
}
