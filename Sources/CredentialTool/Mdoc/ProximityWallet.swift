import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import MdocWallet

/// A wallet in proximity over a socket: how it decides, and what it presents.
struct ProximityWallet: ParsableArguments {
    @Option(
        name: .long,
        help: "A file of trusted authorities for readers: certificates in PEM or DER; may be repeated."
    )
    var trustReaders: [InputFile] = []

    @Flag(name: .long, help: "Present all requested elements without asking.")
    var yes = false

    /// Prints an engagement, and presents documents to the reader that connects until the session ends.
    ///
    /// - Parameters:
    ///   - documents: The documents of the wallet: each an IssuerSigned.
    ///   - deviceKey: The private key that they are bound to.
    ///   - address: The address to listen at.
    func present(_ documents: [InputFile], deviceKey: InputFile, at address: SocketAddress) async throws -> Outcome {
        let credentials = try documents.map { file in
            StoredMdoc(id: file.path, issuerSigned: try file.issuerSigned())
        }
        let key = try SoftwareSigner(try deviceKey.privateKey())
        return try await present(from: .files(credentials, key), at: address)
    }

    /// Prints an engagement, and presents credentials to the reader that connects until the session ends.
    func present(from credentials: PresentedCredentials, at address: SocketAddress) async throws -> Outcome {
        let now = Console.current.now
        let readers = ReaderAuthenticationVerifier(
            trustAnchors: try trustReaders.flatMap { try $0.certificates() },
            clock: { now() }
        )
        let listener = try SocketMdocListener(at: address.endpoint)
        let device = try EngagedDevice(retrievalMethods: [.socket(listener.endpoint)], options: .deployed)
        Console.current.output(device.engagement.uri)
        let session = await ProximityHolderSession(device, over: try await listener.accept(), options: .deployed)
        listener.close()

        var presented: [Outline] = []
        var deviations: [MdocDeviation] = []
        while let received = try await session.nextRequest() {
            deviations += received.request.deviations
            let match = try await credentials.match(received.request, at: now())
            let authentication = readers.verify(received.request, sessionTranscript: received.sessionTranscript)
            let consent = match.fullConsent()
            let question = ConsentQuestion(try match.summary(of: consent, readers: authentication))
            let isPermitted = if yes { true } else { await question.isAnsweredYes() }
            let decision = isPermitted ? consent : .declined
            let response = try await credentials.response(to: match, decision, received, at: now())
            try await session.respond(response)
            presented.append(try match.summary(of: decision, readers: authentication).outline)
        }
        await session.waitUntilClosed()
        let termination = await session.termination
        deviations = await session.deviations + deviations
        return Outcome(
            report: .fields([
                "presented": .list(presented),
                "deviations": deviations.outline,
                "ended": termination.map { .text("\($0)") },
            ]),
            isRefusal: termination?.isRegular != true
        )
    }
}

/// The credentials that a wallet in proximity presents: files with one key, or a store that counts the copies.
enum PresentedCredentials {
    case files([StoredMdoc], any Signer)
    case store(MdocCredentialStore)

    /// Compares a request with the credentials.
    func match(_ request: DeviceRequest, at time: Date) async throws -> RequestMatch {
        switch self {
        case .files(let credentials, _): RequestMatch(request, in: credentials, at: time)
        case .store(let store): try await store.match(request, at: time)
        }
    }

    /// Answers a request as the holder decided.
    func response(
        to match: RequestMatch,
        _ decision: ConsentDecision,
        _ received: ReceivedDeviceRequest,
        at time: Date
    ) async throws -> DeviceResponse {
        switch self {
        case .files(_, let key):
            try await match.response(
                to: decision,
                sessionTranscript: received.sessionTranscript,
                at: time,
                readerKeys: [received.eReaderKey]
            ) { _ in .signer(key) }
        case .store(let store):
            try await store.response(
                to: match,
                decision: decision,
                sessionTranscript: received.sessionTranscript,
                at: time,
                readerKeys: [received.eReaderKey]
            ) { _, handle in .signer(try SoftwareSigner(try PrivateKey(pkcs8: handle))) }
        }
    }
}

/// The address of a wallet: the path of a Unix socket, or an IP address and a port as `127.0.0.1:7000` or `[::1]:7000`.
struct SocketAddress: ExpressibleByArgument, Sendable {
    let endpoint: SocketEndpoint

    init?(argument: String) {
        guard let endpoint = SocketEndpoint(argument) else { return nil }
        self.endpoint = endpoint
    }
}
