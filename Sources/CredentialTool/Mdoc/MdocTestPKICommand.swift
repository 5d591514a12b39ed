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

    @Flag(name: .long, help: "Replace existing files.")
    var force = false

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        // A user-assigned code, so that the certificates keep their profiles.
        let pki = try await MdocTestPKI.make(country: "XX", at: Console.current.now())
        let deviceKey = try PrivateKey.generate(.p256)
        let certificates = [
            ("iaca.pem", pki.iaca.certificate.pem), ("document-signer.pem", pki.documentSigner.pem),
            ("reader-authority.pem", pki.readerAuthority.certificate.pem), ("reader.pem", pki.reader.pem),
        ]
        let keys = [
            ("document-signer-key.pem", pki.documentSignerKey.pem), ("reader-key.pem", pki.readerKey.pem),
            ("device-key.pem", deviceKey.pem),
        ]
        let files =
            certificates.map { (file: OutputFile(path: path(of: $0.0)), text: $0.1, mode: 0o644 as mode_t) }
            + keys.map { (file: OutputFile(path: path(of: $0.0)), text: $0.1, mode: 0o600) }
        try files[0].file.makeFolder()
        // None of the files is written unless all can be.
        if !force { for (file, _, _) in files { try file.requireAbsence() } }
        for (file, text, mode) in files { try file.write(Array(text.utf8), mode: mode, replacing: force) }
        return Outcome(report: .fields(["files": .list(files.map { .verbatim($0.file.path) })]))
    }

    private func path(of name: String) -> String { URL(fileURLWithPath: folder).appendingPathComponent(name).path }
}
