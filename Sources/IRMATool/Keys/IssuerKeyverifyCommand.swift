import ArgumentParser
import CommandSupport
import Foundation
import IdemixCore
import IdemixKeyProofs

/// `irma scheme issuer keyverify`: verifies the proof that an issuer's public key is well formed.
struct IssuerKeyverifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyverify",
        abstract: "Verifies the proof that an issuer's public key is well formed.",
        discussion: """
            The proof is that of keyprove. Proofs that the Go implementation made are refused, unless --gabi is given: they neither \
            hide the primes of the key nor show that their halves are prime. At 2048 bits the work takes many minutes of all \
            processors and more than a gigabyte of memory.
            """
    )

    @Argument(help: "The folder of the issuer in the scheme; by default the current one.")
    var path = "."

    @Option(name: [.customShort("c"), .long], help: "The number of the key; by default the latest one with a proof.")
    var counter: UInt?

    @Option(name: [.customShort("p"), .customLong("publickey")], help: "The file of the public key.")
    var publicKey: InputFile?

    @Option(name: [.customShort("o"), .customLong("proof")], help: "The file of the proof.")
    var proof: String?

    @Flag(name: .long, help: "Accept proofs that the Go implementation made, with the deviation unboundStepFactors.")
    var gabi = false

    @Option(name: .customLong("at"), help: "The time of the verification, in RFC 3339.")
    var time: TimeArgument?

    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        let folder = try IssuerKeyFolder(path: path)
        // The number is not needed where both files are named.
        let counter = try self.counter ?? (publicKey == nil || proof == nil ? folder.lastCounter(.proofs) : 0)
        let file = publicKey ?? InputFile(argument: folder.path(.publicKeys, counter))
        let publicBytes = try file.read()
        let key = try file.reading("public key") { try IdemixIssuerPublicKey(xml: publicBytes) }
        let statement = KeyStatement(key)
        Console.current.error("reading the proof")
        let proof = try KeyProofFile(path: self.proof ?? folder.path(.proofs, counter)).read(for: statement)
        let policy = gabi ? .gabi : KeyProofPolicy()
        let time = time?.date ?? Console.current.now()
        let report = KeyProofReport(console: .current, words: Self.words)
        do {
            let verification = try await Interruption.cancelling {
                try await proof.verify(statement, policy: policy, at: time) { report.report($0) }
            }
            return Outcome(verification, ["bits": .number(statement.n.bitCount)])
        } catch is CancellationError {
            throw ToolError("cancelled; nothing was found out")
        }
    }

    private static func words(_ step: KeyProofProgress.Step) -> String {
        switch step {
        case .preparation: "structure"
        case .commitments: "commitments"
        case .conclusion: "modulus"
        }
    }
}
