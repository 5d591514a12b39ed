#if Client && SQLite
import CommandSupport
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import JOSEKit
import JSONKit
import SDJWTKit

/// SD-JWT copies in a folder: each as `<name>.sd-jwt` beside its private key, `<name>.pem`; the name is the key's thumbprint (RFC 7638).
struct FolderCopyHolder: SDJWTCopyHolder {
    private let folder: URL
    private let verifier: SDJWTVerifier

    /// Takes a folder, which is made if it is missing.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - authorities: The certificates of authorities that vouch for issuers.
    ///   - clock: The time of verification.
    init(path: String, trusting authorities: [Certificate], clock: @escaping @Sendable () -> Date) throws(ToolError) {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ToolError("--copies: the folder cannot be made: \(error)")
        }
        verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256, .es384, .es512]),
            issuerKeys: X509IssuerKeys(anchors: authorities),
            clock: clock
        )
    }

    func makeKeys(_ count: Int) throws(WalletError) -> [JWK] {
        do {
            return try (0..<count).map { _ in
                let key = try PrivateKey.generate(.p256)
                let publicKey = try JWK(key.publicKey)
                try file(of: publicKey, "pem").write(Array(key.pem.utf8), mode: 0o600, replacing: false)
                return publicKey
            }
        } catch {
            throw WalletError(.storageFailed, "a key for a copy cannot be kept", cause: error)
        }
    }

    func keep(_ copies: [String], of types: Set<CredentialTypeIdentifier>) async throws(WalletError) {
        var files: [(file: OutputFile, text: String)] = []
        for (position, copy) in copies.enumerated() {
            do {
                files.append((try await verifiedFile(for: copy, of: types), copy))
            } catch {
                let path = ["sdjwts[\(position)]"]
                throw WalletError(.crypto, "the SD-JWT copy does not verify", path: path, cause: error)
            }
        }
        for (file, text) in files {
            do {
                try file.write(Array(text.utf8), mode: 0o600, replacing: true)
            } catch {
                throw WalletError(.storageFailed, "a copy cannot be kept", cause: error)
            }
        }
    }

    /// The file for a copy that verifies, has one of the types, and is bound to a key of the folder.
    private func verifiedFile(for copy: String, of types: Set<CredentialTypeIdentifier>) async throws -> OutputFile {
        let verified = try await verifier.verify(try SDJWT(compact: copy), expecting: .noKeyBinding).get()
        guard let type = verified.credentialType, types.contains(CredentialTypeIdentifier(type)) else {
            throw ToolError("it has another type than the credentials of the session")
        }
        guard let confirmation = verified["cnf"]?["jwk"] else { throw ToolError("it is bound to no key") }
        let key = try JWK(json: confirmation)
        guard FileManager.default.fileExists(atPath: file(of: key, "pem").path) else {
            throw ToolError("it is bound to a key that the wallet does not have")
        }
        return file(of: key, "sd-jwt")
    }

    private func file(of key: JWK, _ suffix: String) -> OutputFile {
        OutputFile(path: folder.appendingPathComponent("\(Base64URL.encode(key.thumbprint())).\(suffix)").path)
    }
}
#endif
