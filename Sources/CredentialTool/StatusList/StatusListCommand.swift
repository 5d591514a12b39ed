import ArgumentParser
import CBORKit
import COSEKit
import CommandSupport
import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit

/// `credential status-list`: the commands for status lists.
struct StatusListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status-list",
        abstract: "Creates status lists, and looks statuses up in them (Token Status List).",
        subcommands: [StatusListCreateCommand.self, StatusListCheckCommand.self]
    )
}

/// `credential status-list check`: verifies a list, and prints the status of an entry.
struct StatusListCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verifies a status list token, and prints the status at an index.",
        discussion: """
            The list is a token, a snapshot of which --uri names one, or a URL, which is fetched by a build with the \
            trait Client. Anything but a valid entry is a refusal.

            The purpose of status list signers has no number yet: --key-purpose takes the one that issuers and verifiers \
            agreed on. Without it, a certificate must have no extended key usage.
            """
    )

    @Argument(help: "The list: a file with a token or a snapshot, - for standard input, or a URL.")
    var list: StatusSource

    @Option(name: .long, help: "The index of the entry.")
    var index: Int

    @Option(name: .long, help: "The public key of the list's signer: PEM, DER, JWK or COSE_Key.")
    var key: InputFile?

    @Option(
        name: .long,
        help: "A file of certificates that the token's chain must lead to, PEM or DER; may be repeated."
    )
    var trust: [InputFile] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            A purpose of which the signer's certificate must name one in its extended key usage; may be repeated. \
            Without it the certificate must not be limited to any purpose.
            """,
            valueName: "oid"
        )
    )
    var keyPurpose: [PurposeArgument] = []

    @Option(name: .long, help: "The URI that credentials name the list by; by default the one that the token states.")
    var uri: String?

    @Option(
        name: .long,
        help: """
            The time to verify at, in RFC 3339 such as 2024-10-01T12:00:00Z; a day means its first moment in UTC. By \
            default now.
            """
    )
    var at: TimeArgument?

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard (key == nil) != trust.isEmpty else {
            throw ValidationError("Say whose signature is accepted: with --key, or with --trust.")
        }
        guard index >= 0 else { throw ValidationError("--index must not be negative") }
        guard keyPurpose.isEmpty || !trust.isEmpty else { throw ValidationError("--key-purpose belongs to --trust") }
    }

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        let (uri, token) = try await token()
        var policy = StatusListPolicy.mdoc
        policy.requiresExpirationTime = false
        policy.tolerances = .deployed
        let verification = token.verify(for: uri, with: try signer(), policy: policy, at: now)
        guard let list = verification.verified else { return Outcome(verification, ["uri": .verbatim(uri)]) }
        let status = list.status(at: index)
        return Outcome(
            report: .fields([
                "verdict": status.isValid ? "verified" : "refused",
                "status": .text("\(status)"),
                "uri": .verbatim(uri),
                "index": .number(index),
                "entries": .number(list.list.count),
                "issued at": .text(list.issuedAt.utcText),
                "expires at": list.expirationTime.map { .text($0.utcText) },
                "deviations": list.deviations.isEmpty ? nil : .list(list.deviations.map { .text("\($0)") }),
            ]),
            isRefusal: !status.isValid
        )
    }

    private func signer() throws -> StatusListKey {
        if let key { return .publicKey(try key.publicKey()) }
        let anchors = try trust.flatMap { try $0.certificates() }
        return .certificates(
            anchors: anchors,
            policy: keyPurpose.isEmpty
                ? .statusListTokenSignerWithoutPurpose
                : .statusListTokenSigner(purposes: Set(keyPurpose.map(\.purpose)))
        )
    }

    /// The token, and the URI that it is verified for.
    private func token() async throws -> (uri: String, token: StatusListToken) {
        switch list {
        case .url(let url):
            let list = try await Network.statusList(at: url)
            return (uri ?? url.description, list)
        case .file(let file):
            let lists = try file.statusLists().filter { list in uri.map { $0.hasSameBytes(as: list.uri) } ?? true }
            guard let list = lists.first, lists.count == 1 else {
                throw ToolError(
                    "\(file.name) holds \(lists.count) lists\(uri == nil ? "; say which with --uri" : " of that --uri")"
                )
            }
            return (list.uri, try file.token(list))
        }
    }
}

/// A purpose of certificates on the command line: an object identifier in dotted form.
struct PurposeArgument: ExpressibleByArgument, Sendable {
    let purpose: OID

    init?(argument: String) {
        guard let purpose = OID(argument) else { return nil }
        self.purpose = purpose
    }
}

extension CredentialStatus {
    /// Indicates that the list says `VALID`.
    fileprivate var isValid: Bool {
        if case .valid = self { true } else { false }
    }
}

extension InputFile {
    /// A list of the file as a token.
    func token(_ list: StatusListAnswer) throws(ToolError) -> StatusListToken {
        try reading("status list token") {
            try StatusListToken(list.token, form: list.type == .statusListJWT ? .jwt : .cwt)
        }
    }

    /// The list of the one token in the file, unverified.
    func statusList() throws(ToolError) -> StatusList {
        let lists = try statusLists()
        guard let list = lists.first, lists.count == 1 else { throw ToolError("\(name) holds \(lists.count) lists") }
        return try reading("status list token") {
            if list.type == .statusListJWT {
                let claims = try JWTClaims(decoding: JWT(compact: list.token).jws.unverifiedPayload ?? [])
                return try StatusListClaim(json: claims["status_list"] ?? .null).list
            }
            guard case .sign1(let message) = try COSETaggedMessage(decoding: list.token),
                let claim = try CWTClaims(decoding: message.unverifiedPayload ?? []).view(.claimStatusList)
            else { throw ToolError("it has no status list") }
            return try StatusListClaim(cbor: claim).list
        }
    }
}

extension Network {
    /// Fetches the token of a list.
    static func statusList(at url: HTTPURL) async throws -> StatusListToken {
        let transport = try transport()
        let request = HTTPTransportRequest.get(url, accepting: [.statusListJWT, .statusListCWT], statuses: .successful)
        let response = try await transport.response(to: request)
        return try StatusListToken(response.body, form: response.contentType == .statusListJWT ? .jwt : .cwt)
    }
}
