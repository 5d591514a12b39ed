import ArgumentParser

/// `credential oid4vp`: the commands for OpenID4VP.
struct OID4VPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oid4vp",
        abstract: "Inspects requests of OpenID4VP, draft 21 to 1.0.",
        subcommands: [OID4VPInspectCommand.self]
    )
}
