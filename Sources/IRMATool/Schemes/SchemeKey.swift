import CommandSupport
import CryptoCore
import Foundation

/// The private keys of schemes in files: ECDSA on P-256, in the forms that the reference reads and writes.
enum SchemeKey {
    /// The label that the reference gives OpenSSH's form of a key that is sealed with a passphrase.
    private static let sealedLabel = "ENCRYPTED IRMA SCHEME PRIVATE KEY"
    /// The label of OpenSSH itself, whose files hold the same structure.
    private static let openSSHLabel = "OPENSSH PRIVATE KEY"

    /// Reads a key, and asks the user for its passphrase where it is sealed.
    ///
    /// - Throws: ``ToolError``.
    static func read(_ file: InputFile) async throws(ToolError) -> PrivateKey {
        var bytes = try file.read(sizeLimit: 1 << 20)
        defer { wipe(&bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        let key: PrivateKey
        if text.contains(sealedLabel) || text.contains(openSSHLabel) {
            let sealed = try file.reading("private key in PEM") { try PEM(text) }
            var passphrase = try await passphrase("Enter passphrase:")
            defer { wipe(&passphrase) }
            key = try file.reading("private key sealed with this passphrase") {
                try PrivateKey(openSSH: sealed.bytes, passphrase: passphrase)
            }
        } else {
            key = try file.reading("private key in PEM") { try PrivateKey(pem: text) }
        }
        guard key.publicKey.curve == .p256 else { throw ToolError("the key of a scheme is one on P-256") }
        return key
    }

    /// Asks for the passphrase of a new key, twice.
    ///
    /// - Throws: ``ToolError`` for an empty one, and for two that differ.
    static func newPassphrase() async throws(ToolError) -> [UInt8] {
        let first = try await passphrase("Enter passphrase for new key:")
        guard try await passphrase("Confirm passphrase:") == first else {
            throw ToolError("the passphrases differ")
        }
        return first
    }

    private static func passphrase(_ question: String) async throws(ToolError) -> [UInt8] {
        guard let line = await Console.current.readSecret(question), !line.isEmpty else {
            throw ToolError("the key needs a passphrase")
        }
        return Array(line.utf8)
    }

    /// Writes a key to a new file.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - file: The file.
    ///   - passphrase: The passphrase to seal it with, or nil for a key that only its file protects.
    static func write(_ key: PrivateKey, to file: OutputFile, passphrase: [UInt8]?) throws {
        let text: String
        if let passphrase {
            text = PEM(label: sealedLabel, bytes: try key.openSSH(passphrase: passphrase)).text
        } else {
            guard var der = key.sec1?.withUnsafeBytes({ Array($0) }) else {
                throw ToolError("the key has no form of SEC 1")
            }
            defer { wipe(&der) }
            text = PEM(label: "EC PRIVATE KEY", bytes: der).text
        }
        try file.write(Data(text.utf8), mode: 0o600, replacing: false)
    }
}
