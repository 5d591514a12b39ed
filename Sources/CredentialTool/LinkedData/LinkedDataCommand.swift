import ArgumentParser

/// `credential ld`: the commands for linked data.
struct LinkedDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ld",
        abstract: "Expands, canonicalizes, signs and verifies linked data: JSON-LD, RDF, and credentials made of them.",
        discussion: """
            Nothing is fetched. Documents may name the contexts of credentials, Data Integrity, the older proof suites, \
            DIDs and status lists; others are handed in with --context.
            """,
        subcommands: [
            LinkedDataExpandCommand.self, LinkedDataNQuadsCommand.self, LinkedDataCanonizeCommand.self,
            LinkedDataSignCommand.self, LinkedDataVerifyCommand.self, LinkedDataDIDCommand.self,
        ]
    )
}
