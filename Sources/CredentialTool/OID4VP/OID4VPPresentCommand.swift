import ArgumentParser
import CommandSupport
import CredentialTransport
import CryptoCore
import Foundation
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTWallet

/// `credential oid4vp present`: answers a request from credentials in files or a stored wallet, as a wallet does.
struct OID4VPPresentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: "Answers a request from credentials: shows what is asked, and sends it on consent.",
        discussion: """
            The request is authenticated first: if that fails, nothing is shown and nothing leaves. The question names \
            the verifier with its proof, every claim that would leave, the purposes that the verifier states, the claims \
            that it is to keep, and the transactions that the answer authorizes. Attestations about the verifier \
            (verifier_info) are listed, and none is verified. Of several credentials that fit, the \
            first one is presented; where the verifier takes several, --all-matching presents all. A copy from --wallet counts as used before its key signs.

            The answer is posted to the verifier, once more if the connection fails before the verifier answers, or \
            written to --output as JSON. Over the Digital Credentials API, and \
            for modes with a redirect, the answer is printed.
            """
    )

    @Argument(help: "The request's URL, or a file with the request, or - for standard input.")
    var request: String

    @OptionGroup var walletOptions: WalletOptions

    @OptionGroup var trustOptions: RequestTrustOptions

    @OptionGroup var networkOptions: WalletNetworkOptions

    @Option(name: .long, help: "The request object, in place of fetching it from request_uri.")
    var requestObject: InputFile?

    @Option(name: .long, help: "The origin of the page that asks by the Digital Credentials API.")
    var origin: String?

    @Flag(name: .long, help: "Present the requested claims without asking.")
    var yes = false

    @Flag(
        name: .long,
        help: "Present every credential that fits, where the verifier takes several; by default the first one."
    )
    var allMatching = false

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

    /// The number of times that credentials are chosen while other presentations take the copies first.
    private static let maximumChoices = 16

    func outcome() async throws -> Outcome {
        let now = at?.date ?? Console.current.now()
        if let output, !force { try OutputFile(path: output).requireAbsence() }
        let wallet = try await walletOptions.wallet(at: now)
        var incoming = try incoming()
        if requestObject != nil { incoming = try incoming.withObjectAtHand(trustOptions.reading) }
        let transport = try WalletTransport(networkOptions, requestObject: requestObject, for: incoming)
        let authenticator = RequestAuthenticator(
            policy: try trustOptions.policy(transport: transport),
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
            presentsAllMatching: allMatching,
            time: now
        )
        let (answer, response) = try await answer(in: exchange)
        guard let response else { return Outcome(report: .labeled(answer.members), isRefusal: true) }
        let delivery = try await deliver(response, over: transport)
        return Outcome(
            report: .labeled(delivery.verdict(of: answer.members) + delivery.members),
            isRefusal: !answer.isPresentation || delivery.isRefusal
        )
    }

    /// The answer that the holder permits, with its response; without one, the verifier is told nothing.
    ///
    /// Where another presentation takes a copy between the choice and the signature, the credentials are chosen again, and the
    /// holder is asked only if the question has changed.
    private func answer(
        in exchange: PresentationExchange
    ) async throws -> (PresentationExchange.Answer, AuthorizationResponse?) {
        var exchange = exchange
        var permitted: [String]?
        var choices = 0
        while true {
            choices += 1
            let answer = try await exchange.answer { question in
                let lines = question.lines
                if yes || lines == permitted { return true }
                guard await Console.current.confirms(lines) else { return false }
                permitted = lines
                return true
            }
            guard answer.isPresentation || reportRefusal else { return (answer, nil) }
            do {
                return (answer, try await answer.response())
            } catch let error as CredentialStoreError where error.code == .spentCopy && choices < Self.maximumChoices {
                exchange.wallet = try await walletOptions.wallet(at: exchange.time)
            }
        }
    }

    /// The request as it came.
    private func incoming() throws -> WalletRequest {
        if OID4VPInspectCommand.isURL(request) { return try WalletRequest(request, origin, trustOptions.reading) }
        let file = InputFile(argument: request)
        let text = try file.text()
        return try file.reading("request") { try WalletRequest(text, origin, trustOptions.reading) }
    }

    // MARK: Delivery

    /// Sends the response, or writes it down.
    private func deliver(
        _ response: AuthorizationResponse,
        over transport: WalletTransport
    ) async throws -> PresentationDelivery {
        if let output {
            let text = response.json.text() + "\n"
            try OutputFile(path: output).write(Data(text.utf8), mode: 0o600, replacing: force)
            return PresentationDelivery([("written to", .verbatim(output))])
        }
        switch response.delivery {
        case .post(let url, _): return try await send(response, to: url, over: transport)
        case .open(let url): return PresentationDelivery([("open", .verbatim(url))])
        case .page(let page):
            return PresentationDelivery([("submit to", .verbatim(page.address)), ("response", .json(response.json))])
        case .platform, .app: return PresentationDelivery([("response", .json(response.json))])
        }
    }

    private func send(
        _ response: AuthorizationResponse,
        to url: HTTPURL,
        over transport: WalletTransport
    ) async throws -> PresentationDelivery {
        let sender = ResponseSender(transport: transport, tolerances: trustOptions.tolerant ? .deployed : [])
        return try await PresentationDelivery.sending(response, to: url, with: sender)
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
