package import ArgumentParser
import CommandSupport

/// The `credential` command: `inspect`, and a group of commands for each credential format.
package struct CredentialTool: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Inspects, issues, presents and verifies digital credentials.",
        discussion: """
            Files are read as binary, hex, base64, base64url or PEM; - is standard input.
            Exit status: 0 verified or done; 1 refused, with the reason on standard output; 2 the input could not be \
            processed, with the error on standard error.
            HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment, also in lower case, name the proxies of the network.
            """,
        version: "credential \(CommandVersion.text)",
        subcommands: [
            InspectCommand.self, MdocCommand.self, WalletCommand.self, JWTCommand.self, SDJWTCommand.self,
            LinkedDataCommand.self, IdemixCommand.self, OID4VPCommand.self, KeyCommand.self, StatusListCommand.self,
        ]
    )

    package init() {}
}

/// `credential mdoc`: the commands for ISO/IEC 18013-5 documents.
struct MdocCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mdoc",
        abstract: "Verifies, issues and presents mobile documents (ISO/IEC 18013-5).",
        subcommands: [
            MdocVerifyCommand.self, MdocIssueCommand.self, MdocRequestCommand.self, MdocPresentCommand.self,
            MdocEngageCommand.self, MdocReadCommand.self, MdocLintCommand.self, MdocVICALCommand.self,
            MdocTestPKICommand.self,
        ]
    )
}

/// `credential jwt`: the commands for JSON Web Tokens.
struct JWTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt",
        abstract: "Verifies and issues JSON Web Tokens (RFC 7519).",
        subcommands: [JWTVerifyCommand.self, JWTIssueCommand.self]
    )
}

/// `credential sdjwt`: the commands for SD-JWTs and SD-JWT VCs.
struct SDJWTCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sdjwt",
        abstract: "Verifies, issues and presents SD-JWTs (RFC 9901) and SD-JWT VCs.",
        subcommands: [SDJWTVerifyCommand.self, SDJWTIssueCommand.self, SDJWTPresentCommand.self]
    )
}

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
            LinkedDataSignCommand.self, LinkedDataDeriveCommand.self, LinkedDataVerifyCommand.self,
            LinkedDataDIDCommand.self,
        ]
    )
}

/// `credential idemix`: the commands for Camenisch–Lysyanskaya credentials as IRMA uses them.
struct IdemixCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idemix",
        abstract: "Generates issuers' keys and inspects keys, proofs and signatures (IRMA).",
        subcommands: [IdemixKeygenCommand.self, IdemixInspectCommand.self]
    )
}

/// `credential oid4vp`: the commands for OpenID4VP.
struct OID4VPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oid4vp",
        abstract: "Makes, inspects and answers requests of OpenID4VP, draft 21 to 1.0, and verifies the answers.",
        subcommands: [
            OID4VPInspectCommand.self, OID4VPRequestCommand.self, OID4VPPresentCommand.self, OID4VPVerifyCommand.self,
        ] + servers
    )

    private static var servers: [any ParsableCommand.Type] {
        #if Server
        [OID4VPServeCommand.self]
        #else
        []
        #endif
    }
}
