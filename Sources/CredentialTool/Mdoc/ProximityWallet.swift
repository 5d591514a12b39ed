import ArgumentParser
import CommandSupport
import CryptoCore
import MdocKit
import MdocProximity

/// A wallet in proximity over a socket: how it decides, and what it presents.
struct ProximityWallet: ParsableArguments {
    @Option(
        name: .long,
        help: "A file of trusted authorities for readers: certificates in PEM or DER; may be repeated."
    )
    var trustReaders: [InputFile] = []

    @Flag(name: .long, help: "Present all requested elements without asking.")
    var yes = false

    /// Prints an engagement, and presents documents to the reader that takes it up until the session ends.
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
            let match = RequestMatch(received.request, in: credentials, at: now())
            let authentication = readers.verify(received.request, sessionTranscript: received.sessionTranscript)
            let consent = match.fullConsent()
            let question = ConsentQuestion(try match.summary(of: consent, readers: authentication))
            let isPermitted = if yes { true } else { await question.isAnsweredYes() }
            let decision = isPermitted ? consent : .declined
            let response = try await match.response(
                to: decision,
                sessionTranscript: received.sessionTranscript,
                at: now(),
                readerKeys: [received.eReaderKey]
            ) { _ in .signer(key) }
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

/// The address of a wallet: the path of a Unix socket, or an IP address and a port as `127.0.0.1:7000` or `[::1]:7000`.
struct SocketAddress: ExpressibleByArgument, Sendable {
    let endpoint: SocketEndpoint

    init?(argument: String) {
        guard let endpoint = SocketEndpoint(argument) else { return nil }
        self.endpoint = endpoint
    }
}
