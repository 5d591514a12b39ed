import Credentials
import Foundation
import IRMAClient
import IRMAServer

/// IRMA: a shop asks for a name out of a card, and for nothing else in it.
struct IRMAQuestion: Question {
    let server: SessionServer
    private let wallet: IRMAWallet

    private static let card = CredentialTypeIdentifier("demo.bank.card")

    /// Makes a scheme with an issuer, the server and the wallet.
    ///
    /// - Parameters:
    ///   - url: The URL of the wallets' endpoints.
    ///   - transport: Reaches them for the demo's wallet.
    static func make(url: String, transport: any HTTPStreamingTransport) async throws -> IRMAQuestion {
        // A key of 1024 bits is short, for speed: a real issuer has 2048 bits or more.
        let keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 0,
            expiryDate: Date() + 365 * 86_400,
            baseCount: 6
        )
        let schemes = try SchemeSnapshot([
            IRMAScheme(
                SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true),
                issuers: [IssuerDescription(id: "demo.bank")],
                credentialTypes: [
                    CredentialTypeDescription(
                        id: card,
                        attributes: [AttributeDescription("name"), AttributeDescription("number")]
                    )
                ],
                publicKeys: ["demo.bank": [keys.publicKey]]
            )
        ])
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: "demo.bank", schemes: schemes)
        let server = try SessionServer(
            url: url,
            material: ServerMaterial(schemes: schemes, issuerKeys: ring),
            // Requests of a demo say so, and wallets of users refuse them.
            options: SessionServerOptions(mode: .development)
        )
        let wallet = try await IRMAWallet(
            storage: InMemoryCredentialStorage(),
            schemes: WalletSchemes(schemes),
            transport: transport,
            options: WalletOptions(isDeveloperMode: true)
        )
        return IRMAQuestion(server: server, wallet: wallet)
    }

    /// Lets the bank issue a card to the wallet.
    func issueCard() async throws {
        let card = CredentialRequest(Self.card, attributes: ["name": "Alice", "number": "12 345"])
        let session = try await server.start(SessionRequest(.issuing([card]), disclose: []))
        _ = try await answer(session.pointer.qrText())
    }

    func ask() async throws -> AskedQuestion {
        let session = try await server.start(SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"]]]))
        let path = "/irma/" + session.pointer.url.dropFirst(server.url.count)
        var question = AskedQuestion(
            token: session.token,
            text: try session.pointer.qrText(),
            link: try SessionLink(session.pointer, form: .universal).text(at: Date()),
            statusPath: path + "/frontend/status",
            eventsPath: path + "/frontend/statusevents",
            cancelPath: path
        )
        question.authorization = session.frontend?.authorization
        question.pairingPaths = (path + "/frontend/options", path + "/frontend/pairingcompleted")
        return question
    }

    func answer(_ scanned: String) async throws -> String? {
        let session = try wallet.session(scanned: scanned)
        switch try await session.start() {
        case .request(let request):
            try await Self.answer(request, of: session)
            return nil
        case .pairing(let code):
            // The code is typed at the page later, or the session ends, which its state tells.
            Task { try await Self.answer(session.waitForPairing(), of: session) }
            return code
        }
    }

    private static func answer(_ request: WalletRequest, of session: WalletSession) async throws {
        guard let choice = request.firstChoice else {
            await session.cancel()
            throw WalletError(.requiredAttributeMissing, "the wallet has no such card")
        }
        _ = try await session.answer(choice)
    }

    func outcome(of token: String) async throws -> Outcome? {
        let result = try await server.result(of: token)
        guard result.status.isFinal else { return nil }
        let verified = result.verifiedAttributes
        let report = try await server.verification(of: token)
        return Outcome(
            status: result.status.name,
            isVerified: verified != nil,
            reason: verified != nil ? nil : result.error?.message ?? result.proofStatus?.name ?? result.status.name,
            verification: try report.map { try StrictJSONEncoder().encodeValue($0) },
            claims: verified?.flatMap { $0 ?? [] }.map(Self.claim) ?? []
        )
    }

    func cancel(_ token: String) async throws { try await server.cancel(token) }

    private static func claim(_ attribute: DisclosedAttribute) -> Outcome.Claim {
        let names = attribute.id.text.split(separator: ".")
        return Outcome.Claim(
            source: names.dropLast().joined(separator: "."),
            name: names.last.map(String.init) ?? "",
            value: attribute.rawValue ?? ""
        )
    }
}
