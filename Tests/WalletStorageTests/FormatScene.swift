import CBORKit
import CredentialServing
import CredentialTesting
import CredentialTransport
import CryptoCore
import Foundation
import HTTPTypes
import IRMAClient
import IRMAMessages
import IRMAServer
import IdemixCore
import JOSEKit
import JSONKit
import MdocKit
import MdocWallet
import SDJWTKit
import SDJWTWallet

/// Issuers of credentials in every format.
struct FormatScene: Sendable {
    static let now = Date(timeIntervalSince1970: 1_780_000_000)
    private static let day: TimeInterval = 86_400
    private static let card = CredentialTypeIdentifier("demo.bank.card")

    private let schemes: SchemeSnapshot
    private let server: SessionServer
    private let transport: InMemoryHTTPTransport

    init() async throws {
        let keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 0,
            expiryDate: Self.now + 365 * Self.day,
            baseCount: 6
        )
        schemes = try SchemeSnapshot([
            IRMAScheme(
                SchemeDescription(id: "demo", url: "https://schemes.example/demo", isDemo: true),
                issuers: [IssuerDescription(id: "demo.bank")],
                credentialTypes: [
                    CredentialTypeDescription(id: Self.card, attributes: [AttributeDescription("name")])
                ],
                publicKeys: ["demo.bank": [keys.publicKey]]
            )
        ])
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: "demo.bank", schemes: schemes)
        server = try SessionServer(
            url: "https://bank.example/irma/",
            material: ServerMaterial(schemes: schemes, issuerKeys: ring),
            options: SessionServerOptions(mode: .development),
            services: SessionServices(clock: SessionClock(now: { Self.now }, timer: ContinuousClock()))
        )
        let engine = try MountedEngines(["/irma": try server.walletEngine()])
        transport = InMemoryHTTPTransport { request in
            let head = HTTPRequest(
                method: request.method,
                scheme: "https",
                authority: request.url.host.description,
                path: request.url.path,
                headerFields: request.headerFields
            )
            let body = ServerRequestBody(bytes: request.body)
            let response = await engine.response(to: ServerRequest(head: head, body: body))
            return InMemoryHTTPAnswer(
                status: response.status.code,
                headerFields: response.headerFields,
                body: response.body.bytesIfReady ?? []
            )
        }
    }

    /// Puts a credential of each format into a storage.
    func fill(_ storage: any CredentialStorage) async throws {
        try await MdocCredentialStore(storage).add([try await mdoc()], rotation: .once, at: Self.now)
        try await SDJWTCredentialStore(storage).add([try await sdJWT()], rotation: .once, at: Self.now)
        try await issue(to: try await irmaWallet(over: storage))
    }

    // MARK: mdocs and SD-JWT VCs

    private func mdoc() async throws -> NewMdocCopy {
        let pki = try await MdocTestPKI.make(at: Self.now)
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(pki.iaca.certificate)], clock: { Self.now })
        let key = try PrivateKey.generate(.p256)
        let validity = ValidityInfo(
            signed: Self.now - Self.day,
            validFrom: Self.now - Self.day,
            validUntil: Self.now + 30 * Self.day
        )
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: key.publicKey, validityInfo: validity)
        try builder.add("Doe", as: "family_name", in: .mDL)
        let issued = try await builder.sign(
            with: SoftwareSigner(pki.documentSignerKey),
            x5chain: [pki.documentSigner]
        )
        let verified = try verifier.verifyForStorage(issued).get()
        return try NewMdocCopy(verified, deviceKey: key.publicKey, keyHandle: key.pkcs8)
    }

    private func sdJWT() async throws -> NewSDJWTCopy {
        let issuer = try SoftwareSigner(PrivateKey.generate(.p256))
        let verifier = SDJWTVerifier(
            policy: .credential(algorithms: [.es256]),
            issuerKeys: KnownIssuerKeys(issuer.publicKey),
            clock: { Self.now }
        )
        let key = try PrivateKey.generate(.p256)
        var builder = SDJWTBuilder(credentialType: "urn:example:pid", claims: ["given_name": "Erika"])
        builder.holderKey = try JWK(key.publicKey)
        let issued = try await builder.sign(with: issuer)
        let verified = try await verifier.verifyForStorage(issued, holderKey: key.publicKey).get()
        return try NewSDJWTCopy(verified, keyHandle: key.pkcs8)
    }

    // MARK: IRMA

    func irmaWallet(over storage: any CredentialStorage) async throws -> IRMAWallet {
        try await IRMAWallet(
            storage: storage,
            schemes: WalletSchemes(schemes),
            transport: transport,
            options: WalletOptions(isDeveloperMode: true, preparedDisclosures: 0),
            clock: WalletClock(now: { Self.now }, timer: ContinuousClock())
        )
    }

    /// Issues a card.
    func issue(to wallet: IRMAWallet) async throws {
        let card = CredentialRequest(Self.card, attributes: ["name": "Alice"])
        _ = try await answer(SessionRequest(.issuing([card])), with: wallet)
    }

    /// Lets a wallet show the name of the card.
    ///
    /// - Returns: `true` if the proof holds.
    func show(_ wallet: IRMAWallet) async throws -> Bool {
        let request = SessionRequest(.disclosing, disclose: [[["demo.bank.card.name"]]])
        let result = try await server.result(of: try await answer(request, with: wallet))
        return result.proofStatus == .valid
    }

    private func answer(_ request: SessionRequest, with wallet: IRMAWallet) async throws -> String {
        let started = try await server.start(request)
        let session = try wallet.session(with: started.pointer)
        guard let choice = try await session.request().firstChoice else {
            throw WalletError(.credentialNotAvailable, "the wallet has no card")
        }
        _ = try await session.answer(choice)
        return started.token
    }
}
