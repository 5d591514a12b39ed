import ArgumentParser
import CommandSupport
import Foundation
import IdemixCore
import IdemixKeyProofs

/// `irma scheme issuer keyprove`: proves that an issuer's key pair is well formed.
struct IssuerKeyproveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyprove",
        abstract: "Proves that an issuer's public key is well formed.",
        discussion: """
            The proof shows that the modulus is the product of two safe primes and that the bases are squares, and nothing else \
            about the private key. It goes to Proofs in the issuer's folder. At 2048 bits it has about 700 MB, takes all \
            processors for half an hour or more and 1.5 GB of memory. Ctrl-C ends the work, and nothing is written.
            """
    )

    @Argument(help: "The folder of the issuer in the scheme; by default the current one.")
    var path = "."

    @Option(name: [.customShort("c"), .long], help: "The number of the key; by default the latest one.")
    var counter: UInt?

    @Option(name: [.customShort("s"), .customLong("privatekey")], help: "The file of the private key.")
    var privateKey: InputFile?

    @Option(name: [.customShort("p"), .customLong("publickey")], help: "The file of the public key.")
    var publicKey: InputFile?

    @Option(name: [.customShort("o"), .customLong("proof")], help: "The file for the proof.")
    var proof: String?

    @Flag(name: [.customShort("f"), .customLong("force-overwrite")], help: "Replace an existing proof.")
    var force = false

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let folder = try IssuerKeyFolder(path: path)
        let counter = try self.counter ?? folder.lastCounter(.privateKeys)
        let keys = try IdemixIssuerKeyPair(
            privateKey: privateKey ?? InputFile(argument: folder.path(.privateKeys, counter)),
            publicKey: publicKey ?? InputFile(argument: folder.path(.publicKeys, counter))
        )
        let file = OutputFile(path: proof ?? folder.path(.proofs, counter), replacedBy: "--force-overwrite")
        // Before the work, so that a refusal wastes none.
        if !force { try file.requireAbsence() }
        try file.makeFolder()
        let report = KeyProofReport(console: .current, words: Self.words)
        do {
            let proof = try await Interruption.cancelling { try await KeyProof.prove(keys) { report.report($0) } }
            Console.current.error("writing the proof")
            try KeyProofFile(path: file.path).write(proof)
        } catch let error as IdemixError where error.code == .unprovableStatement {
            return Outcome(report: .fields(["verdict": "refused", "reason": .text(error.message)]), isRefusal: true)
        } catch let error as IdemixError where error.code == .cancelled {
            throw ToolError("cancelled; nothing was written")
        }
        return Outcome(report: .fields(["proof": .verbatim(file.path), "counter": .number(Int(clamping: counter))]))
    }

    private static func words(_ step: KeyProofProgress.Step) -> String {
        switch step {
        case .preparation: "hiding the primes"
        case .commitments: "commitments"
        case .conclusion: "responses"
        }
    }
}
