import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPMessages
import OID4VPVerifier

/// `credential oid4vp request`: makes a verifier's request, and keeps what the answer is checked against.
struct OID4VPRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Makes a request from a DCQL query or a presentation definition; prints the URL for wallets.",
        discussion: """
            Without --request-uri the request is in the URL, signed where the client signs. With it the URL is a \
            reference, and --object, which is then needed, takes the request object to be served there. With --origin the request is for the \
            Digital Credentials API, and its JSON is printed.

            --transaction takes nonce, state, encryption key and query, for `credential oid4vp verify`. It holds a \
            private key.
            """
    )

    @Argument(help: "The DCQL query or presentation definition: JSON, or - for standard input.")
    var query = InputFile(argument: "-")

    @Option(name: .long, help: "The file to write the transaction to.")
    var transaction: String

    @OptionGroup var party: RelyingPartyOptions

    @Option(name: .long, help: "The address of the answer: response_uri, or redirect_uri for modes with a redirect.")
    var responseURI: String?

    @Option(
        name: .long,
        help: "The response mode; direct_post.jwt without it, or dc_api.jwt with --origin."
    )
    var responseMode: String?

    @Option(name: .long, help: "The version: v1, or draft23 or draft21 for a presentation definition.")
    var version: VersionArgument?

    @Option(name: .long, help: "The address that wallets fetch the request object from.")
    var requestURI: String?

    @Flag(name: .long, help: "Let wallets fetch the request object with POST, which lets them send their metadata.")
    var post = false

    @Option(name: .long, help: "The file to write the request object to.")
    var object: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with an entry of transaction_data, a JSON object; may be repeated.",
            valueName: "file"
        )
    )
    var transactionData: [InputFile] = []

    @Option(name: .long, help: "The number of seconds for which the request is valid.")
    var lifetime = 300.0

    @Option(name: .long, help: "The scheme or address of the wallet; by default that of the profile or openid4vp://.")
    var wallet: String?

    @Flag(name: .long, help: "Replace existing files.")
    var force = false

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard origin.isEmpty == (responseURI != nil) else {
            throw ValidationError("Say where the answer goes: with --response-uri, or with --origin.")
        }
        guard object == nil || requestURI != nil else { throw ValidationError("--object belongs to --request-uri") }
        guard object != nil || requestURI == nil else {
            throw ValidationError("--request-uri needs --object, the file for the request object to be served there")
        }
        guard object != transaction else {
            throw ValidationError("the request object and the transaction cannot go to one file")
        }
        guard !post || requestURI != nil else { throw ValidationError("--post belongs to --request-uri") }
        guard origin.isEmpty || requestURI == nil else {
            throw ValidationError("--request-uri and --origin exclude each other")
        }
        guard !transactionData.contains(where: { $0.path.hasPrefix("{") }) else {
            throw ValidationError("--transaction-data takes a file with the JSON object, or - for standard input")
        }
        guard lifetime > 0, lifetime <= RequestContent.maximumLifetime else {
            throw ValidationError("--lifetime must be a positive number of seconds, at most ten years")
        }
    }

    func run() async throws {
        let now = Console.current.now()
        let builder = RequestBuilder(try party.relyingParty(verifying: .everyFormat))
        let request = try builder.makeRequest(try content(), at: now)
        for deviation in request.deviations { Console.current.error("tolerated: \(deviation)") }
        let toWallet = try await form(of: request, by: builder, at: now)
        let file = OutputFile(path: transaction)
        if !force { try file.requireAbsence() }
        if let object {
            let target = OutputFile(path: object)
            if !force { try target.requireAbsence() }
            let signed = try await builder.signedObject(of: request, at: now)
            try target.write(Data(signed.utf8), mode: 0o644, replacing: force)
        }
        try file.write(Data(request.encodedBytes), mode: 0o600, replacing: force)
        guard outputOptions.json else { return Console.current.output(toWallet.stringValue ?? toWallet.text()) }
        let report = Outline.fields([
            "request": .json(toWallet), "client": request.expectation.clientID.map { .verbatim($0) },
            "expires": .text(request.expiresAt.utcText), "transaction": .verbatim(transaction),
        ])
        Console.current.output(report.json)
    }

    private var origin: [String] { party.origin }

    private func content() throws -> RequestContent {
        let json = JSONValue.object(try query.jsonObject())
        let asked: ResponseExpectation.Query = try query.reading("query") {
            json["credentials"] != nil
                ? .dcql(try DCQLQuery(json: json)) : .definition(try PresentationDefinition(json: json))
        }
        let isPlatform = !origin.isEmpty
        var content = RequestContent(
            asked,
            mode: responseMode.map { ResponseMode($0) } ?? (isPlatform ? .digitalCredentialsJWT : .directPostJWT),
            address: responseURI,
            version: version?.version ?? (asked.dcql == nil ? .draft23 : .v1)
        )
        content.transactionData = try transactionData.map { try $0.jsonObject() }
        content.lifetime = lifetime
        return content
    }

    /// The request as it goes to a wallet: a URL, or the object for the Digital Credentials API.
    private func form(
        of request: CreatedRequest,
        by builder: RequestBuilder,
        at time: Date
    ) async throws -> JSONValue {
        let isSigned = builder.party.client.signer != nil
        if !origin.isEmpty {
            let made = try await builder.digitalCredentialsRequest(
                for: request,
                form: isSigned ? .signed : .unsigned,
                at: time
            )
            return ["protocol": .string(made.form.rawValue), "data": .object(made.data)]
        }
        if let requestURI {
            let link = try builder.link(
                toReference: requestURI,
                for: request,
                method: post ? .post : .get,
                invocation: wallet
            )
            return .string(link)
        }
        let link =
            isSigned
            ? try await builder.signedLink(for: request, invocation: wallet, at: time)
            : try builder.unsignedLink(for: request, invocation: wallet)
        return .string(link)
    }
}

/// A version of OpenID4VP on the command line.
struct VersionArgument: ExpressibleByArgument, Sendable {
    let version: OpenID4VPVersion

    init?(argument: String) {
        guard let version = OpenID4VPVersion(rawValue: argument) else { return nil }
        self.version = version
    }

    static let allValueStrings = [OpenID4VPVersion.v1, .draft23, .draft21].map(\.rawValue)
}
