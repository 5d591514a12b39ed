import ArgumentParser
import CommandSupport
import CredentialTesting
import CryptoCore
import Foundation

/// `credential mdoc test-pki`: writes keys and certificates to try the other commands with.
struct MdocTestPKICommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-pki",
        abstract: "Writes an issuing authority, a document signer, a reader and a device key, for tests only.",
        discussion: "The keys are written in the clear: nothing real must ever trust these certificates."
    )

    @Argument(help: "The folder to write to; it is created if missing.")
    var folder: String

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        // A user-assigned code, so that the certificates keep their profiles.
        let pki = try await MdocTestPKI.make(country: "XX", at: Console.current.now())
        let deviceKey = try PrivateKey.generate(.p256)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let paths = [
            try write(pki.iaca.certificate.pem, to: "iaca.pem"),
            try write(pki.documentSigner.pem, to: "document-signer.pem"),
            try write(pki.documentSignerKey.pem, to: "document-signer-key.pem", isSecret: true),
            try write(pki.readerAuthority.certificate.pem, to: "reader-authority.pem"),
            try write(pki.reader.pem, to: "reader.pem"),
            try write(pki.readerKey.pem, to: "reader-key.pem", isSecret: true),
            try write(deviceKey.pem, to: "device-key.pem", isSecret: true),
        ]
        return Outcome(report: .fields(["files": .list(paths.map { .verbatim($0) })]))
    }

    /// Writes a file and returns its path.
    private func write(_ text: String, to name: String, isSecret: Bool = false) throws -> String {
        let path = URL(fileURLWithPath: folder).appendingPathComponent(name).path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: isSecret ? 0o600 : 0o644]
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes) else {
            throw ToolError("cannot write \(path.escapedForDisplay(backslash: true))")
        }
        return path
    }
}
