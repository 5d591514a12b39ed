import ArgumentParser
import CommandSupport
import CredentialTransport
import CryptoCore
import Foundation
import JSONKit
import OID4VPKit
import OID4VPMessages

/// `credential oid4vp present`: answers a request from credentials in files or a stored wallet, as a wallet does.
struct OID4VPPresentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Answers a request from credentials: shows what is asked, and sends it on consent.",
        discussion: """
            The request is authenticated first: if that fails, nothing is shown and nothing leaves. The question names \
            the verifier with its proof, every claim that would leave, the purposes that the verifier states, the claims \
            that it is to keep, and the transactions that the answer authorizes. Of several credentials that fit, the \
            first one is taken. A copy from --wallet counts as used before its key signs.

            The answer is posted to the verifier, or written to --output as JSON. Over the Digital Credentials API, and \
            for modes with a redirect, the answer is printed.
            """
    )

    @Argument(help: "The request's URL, or a file with the request, or - for standard input.")
    var request: String

    @OptionGroup var walletOptions: WalletOptions

    @OptionGroup var trustOptions: RequestTrustOptions

    @Option(name: .long, help: "The request object, in place of fetching it from request_uri.")
    var requestObject: InputFile?

    @Option(name: .long, help: "The origin of the page that asks by the Digital Credentials API.")
    var origin: String?

    @Flag(name: .long, help: "Present the requested claims without asking.")
    var yes = false

    @Flag(name: .long, help: "Tell the verifier if nothing is presented (access_denied).")
    var reportRefusal = false

    @Option(name: .long, help: "The file to write the answer to, in place of sending it.")
    var output: String?

    @Flag(name: .long, help: "Replace an existing file.")
    var force = false

    @Option(name: .long, help: "The time of the presentation, in RFC 3339. By default now.")
    var at: TimeArgument?

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard yes || request != "-" else {
            throw ValidationError("standard input is for the answer to the question: name a file, or say --yes")
        }
    }

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        if let output, !force { try OutputFile(path: output).requireAbsence() }
        let wallet = try await walletOptions.wallet(at: now)
        var incoming = try incoming()
        if requestObject != nil { incoming = try incoming.withObjectAtHand(trustOptions.reading) }
        let transport = try WalletTransport(requestObject: requestObject, for: incoming)
        let authenticator = RequestAuthenticator(
            policy: try trustOptions.policy(formats: wallet.formats, transport: transport),
            transport: transport,
            options: trustOptions.reading
        )
        let verification = await incoming.authenticated(by: authenticator, at: now)
        guard let authenticated = verification.verified else { return Outcome(verification, [:]) }
        let exchange = PresentationExchange(
            wallet: wallet,
            verification: verification,
            request: authenticated,
            resolver: QueryResolver(transport: transport),
            transactions: walletOptions.transactionTypes,
            time: now
        )
        let answer = try await exchange.answer { question in
            if yes { return true }
            return await Console.current.confirms(question.lines)
        }
        guard answer.isPresentation || reportRefusal else {
            return Outcome(report: .labeled(answer.members), isRefusal: true)
        }
        let response = try await answer.response()
        let delivery = try await deliver(response, over: transport)
        return Outcome(
            report: .labeled(answer.members + delivery.members),
            isRefusal: !answer.isPresentation || delivery.isRefusal
        )
    }

    /// The request as it came.
    private func incoming() throws -> WalletRequest {
        if OID4VPInspectCommand.isURL(request) { return try WalletRequest(request, origin, trustOptions.reading) }
        let file = InputFile(argument: request)
        let text = try file.text()
        return try file.reading("request") { try WalletRequest(text, origin, trustOptions.reading) }
    }

    // MARK: Delivery

    private typealias Delivery = (members: [(name: String, value: Outline)], isRefusal: Bool)

    /// Sends the response, or writes it down.
    private func deliver(_ response: AuthorizationResponse, over transport: WalletTransport) async throws -> Delivery {
        if let output {
            let text = response.json.text() + "\n"
            try OutputFile(path: output).write(Data(text.utf8), mode: 0o600, replacing: force)
            return ([("written to", .verbatim(output))], false)
        }
        switch response.delivery {
        case .post(let url, _): return try await send(response, to: url, over: transport)
        case .open(let url): return ([("open", .verbatim(url))], false)
        case .page(let page):
            return ([("submit to", .verbatim(page.address)), ("response", .json(response.json))], false)
        case .platform, .app: return ([("response", .json(response.json))], false)
        }
    }

    private func send(
        _ response: AuthorizationResponse,
        to url: HTTPURL,
        over transport: WalletTransport
    ) async throws -> Delivery {
        let sender = ResponseSender(transport: transport, tolerances: trustOptions.tolerant ? .deployed : [])
        do throws(OID4VPError) {
            let answer = try await sender.send(response)
            var members: [(name: String, value: Outline)] = [("sent to", .verbatim("\(url)"))]
            if let address = answer.redirectURI { members.append(("redirect_uri", .verbatim(address))) }
            if let address = answer.refusedRedirectURI {
                members.append(("redirect_uri that is not to be opened", .verbatim(address)))
            }
            return (members, false)
        } catch {
            guard let answer = error.verifierAnswer else { throw error }
            return (
                [
                    ("refused by", .verbatim("\(url)")), ("status", .number(answer.status)),
                    ("message", .text(error.message)),
                ],
                true
            )
        }
    }
}

extension AuthorizationResponse {
    /// The answer in JSON: its parameters, for a platform with the protocol.
    fileprivate var json: JSONValue {
        switch delivery {
        case .platform(let name, let data): ["protocol": .string(name.text), "data": .object(data)]
        case .post, .open, .page, .app: .object(parameters)
        }
    }
}
