import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import IdemixCore

/// `irma scheme issuer revocation-keypair`: gives an older key pair what revocation needs.
struct IssuerRevocationKeypairCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revocation-keypair",
        abstract: "Adds material for revocation to a key pair without it.",
        discussion: "Both files are replaced, each as a whole. The scheme has to be signed again afterwards."
    )

    @Argument(help: "The private key in XML.")
    var privateKey: InputFile

    @Argument(help: "The public key in XML.")
    var publicKey: InputFile

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard !privateKey.isStandardInput, !publicKey.isStandardInput else {
            throw ValidationError("Both keys must be files, which are replaced.")
        }
    }

    func outcome() async throws -> Outcome {
        let keys = try IdemixIssuerKeyPair(privateKey: privateKey, publicKey: publicKey)
        guard keys.privateKey.revocationKey == nil, !keys.publicKey.supportsRevocation else {
            throw ToolError("the key pair supports revocation already")
        }
        let extended = try keys.addingRevocation()
        try OutputFile(path: privateKey.path).write(try extended.privateKey.xml(), mode: 0o600, replacing: true)
        try OutputFile(path: publicKey.path).write(extended.publicKey.xml, mode: 0o644, replacing: true)
        return Outcome(
            report: .fields(["private key": .verbatim(privateKey.path), "public key": .verbatim(publicKey.path)])
        )
    }
}
