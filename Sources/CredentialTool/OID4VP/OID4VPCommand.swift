import ArgumentParser

/// `credential oid4vp`: the commands for OpenID4VP.
struct OID4VPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oid4vp",
        abstract: "Makes, inspects and answers requests of OpenID4VP, draft 21 to 1.0, and verifies the answers.",
        subcommands: [
            OID4VPInspectCommand.self, OID4VPRequestCommand.self, OID4VPPresentCommand.self, OID4VPVerifyCommand.self,
        ]
    )
}
