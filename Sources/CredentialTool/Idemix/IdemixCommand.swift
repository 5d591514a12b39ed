import ArgumentParser

/// `credential idemix`: the commands for Camenisch–Lysyanskaya credentials as IRMA uses them.
struct IdemixCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idemix",
        abstract: "Generates issuers' keys and inspects keys, proofs and signatures (IRMA).",
        subcommands: [IdemixKeygenCommand.self, IdemixInspectCommand.self]
    )
}
