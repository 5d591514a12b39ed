#if Client && SQLite
import CommandSupport
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import JOSEKit
import JSONKit
import SDJWTKit
import VerificationCore

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
            policy: .credential(algorithms: CopyCertificates.algorithms),
            issuerKeys: X509IssuerKeys(
                CertificatePathValidator(
                    anchors: authorities,
                    policy: CopyCertificates.policy,
                    cache: CertificateChainCache()
                )
            ),
            clock: clock
        )
    }

    func makeKeys(_ count: Int) throws(WalletError) -> [JWK] {
        do {
            return try (0..<count).map { _ in
                let key = try PrivateKey.generate(.p256)
                let publicKey = try JWK(key.publicKey)
                var text = Array(key.pem.utf8)
                defer { wipe(&text) }
                try file(of: publicKey, "pem").write(text, mode: 0o600, replacing: false)
                return publicKey
            }
        } catch {
            throw WalletError(.storageFailed, "a key for a copy cannot be kept", cause: error)
        }
    }

    func keep(_ copies: [String], of credentials: [LoggedCredential]) async throws(WalletError) {
        var files: [(file: OutputFile, text: String)] = []
        for (position, copy) in copies.enumerated() {
            do {
                let file = try await verifiedFile(for: copy, of: credentials)
                guard !files.contains(where: { $0.file.path == file.path }) else {
                    throw ToolError("it is bound to the key of another copy")
                }
                files.append((file, copy))
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

    func removeKeys(_ keys: [JWK]) {
        for key in keys {
            for suffix in ["sd-jwt", "pem"] { try? FileManager.default.removeItem(atPath: file(of: key, suffix).path) }
        }
    }

    /// The file for a copy that verifies, says what one of the credentials says, and is bound to a key of the folder that has no
    /// other copy.
    private func verifiedFile(for copy: String, of credentials: [LoggedCredential]) async throws -> OutputFile {
        let sdJWT = try SDJWT(compact: copy)
        let verified = try await verifier.verify(sdJWT, expecting: .noKeyBinding).get()
        guard credentials.contains(where: { Self.says(verified, sdJWT.disclosures, what: $0) }) else {
            throw ToolError("it says something else than the credentials of the session")
        }
        guard let confirmation = verified["cnf"]?["jwk"] else { throw ToolError("it is bound to no key") }
        let key = try JWK(json: confirmation)
        guard FileManager.default.fileExists(atPath: file(of: key, "pem").path) else {
            throw ToolError("it is bound to a key that the wallet does not have")
        }
        let file = file(of: key, "sd-jwt")
        // A copy that comes again may be there.
        guard try !FileManager.default.fileExists(atPath: file.path) || Self.text(of: file) == copy else {
            throw ToolError("it is bound to the key of an earlier copy")
        }
        return file
    }

    private static func text(of file: OutputFile) throws -> String {
        String(decoding: try InputFile(argument: file.path).read(), as: UTF8.self)
    }

    /// Returns `true` if a copy has the type of a credential, and tells of its attributes nothing else, and no others.
    private static func says(
        _ copy: VerifiedSDJWT,
        _ disclosures: [SDJWTDisclosure],
        what credential: LoggedCredential
    ) -> Bool {
        guard copy.credentialType == credential.type.text else { return false }
        var values: [ExactText: ExactText?] = [:]
        for attribute in credential.attributes {
            values[ExactText(attribute.id.attribute ?? "")] = .some(attribute.value.map(ExactText.init))
        }
        let hasOthers = disclosures.contains { $0.claimName.map { values[ExactText($0)] == nil } ?? true }
        return !hasOthers
            && values.allSatisfy { name, value in
                guard let claim = copy[name.text] else { return true }
                return claim.stringValue.map { ExactText($0) == value } ?? false
            }
    }

    private func file(of key: JWK, _ suffix: String) -> OutputFile {
        OutputFile(path: folder.appendingPathComponent("\(Base64URL.encode(key.thumbprint())).\(suffix)").path)
    }
}
#endif
