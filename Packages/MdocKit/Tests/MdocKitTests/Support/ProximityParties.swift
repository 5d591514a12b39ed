import COSEKit
import CredentialTesting
import CryptoCore
import MdocKit
import MdocProximity
import MdocResults
import TestSupport
import Testing

/// A relying party's session and the wallet's end of its channel.
struct ProximityParties {
    let session: ProximityPresentationSession
    let utopia: Utopia
    let clock: ManualClock

    /// The wallet's engagement, until it is used.
    private let device: DeviceKey
    private let holderEnd: InMemoryMdocTransport

    private struct DeviceKey {
        let engagement: DeviceEngagement
        let key: PrivateKey
    }

    private struct FixedConnector: MdocTransportConnector {
        let transport: any MdocTransport

        func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport { transport }
    }

    /// Asks for two elements.
    static let request = MobileCredentialRequest(
        docType: .mDL,
        namespaces: [.mDL: ["family_name": false, "age_over_18": false]]
    )

    static func meet(
        policy: MdocVerificationPolicy = MdocVerificationPolicy(),
        options: MdocReadingOptions = .strict,
        onEvent: @escaping @Sendable (ProximitySessionEvent) -> Void = { _ in },
        onSessionTerminated: @escaping @Sendable (SessionTermination) -> Void = { _ in }
    ) async throws -> ProximityParties {
        let utopia = try await Utopia()
        let clock = ManualClock()
        let key = try PrivateKey.generate(.p256)
        let engagement = try DeviceEngagement(
            eDeviceKey: key.publicKey,
            retrievalMethods: [.nfc(NFCExamples.options(255, 256))]
        )
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        let reader = MobileCredentialVerifier(
            verifier: utopia.verifier(policy: policy),
            connector: FixedConnector(transport: readerEnd),
            options: options,
            clock: clock
        )
        let session = try await reader.createProximityPresentationSession(
            encodedDeviceEngagementString: engagement.uri,
            onEvent: onEvent,
            onSessionTerminated: onSessionTerminated
        )
        return ProximityParties(
            session: session,
            utopia: utopia,
            clock: clock,
            device: DeviceKey(engagement: engagement, key: key),
            holderEnd: holderEnd
        )
    }

    /// A wallet that keeps to the standard.
    func wallet() async throws -> ProximityHolderSession {
        await ProximityHolderSession(
            try EngagedDevice(engagement: device.engagement, key: device.key),
            over: holderEnd,
            clock: clock
        )
    }

    /// Receives the first request, and answers with messages of the test's own.
    func answer(_ messages: (inout DeviceSessionMachine) throws -> [[UInt8]]) async throws {
        let first = try #require(try await holderEnd.receive())
        switch try await EngagedDevice(engagement: device.engagement, key: device.key).receive(first) {
        case .established(var machine, _):
            for message in try messages(&machine) { try await holderEnd.send(message) }
        case .ended(let termination, _): throw termination
        }
    }

    /// Receives the first request, and answers with messages that no session machine makes.
    func answerInCipher(_ messages: (inout SessionEncryption) throws -> [[UInt8]]) async throws {
        let first = try SessionEstablishment(decoding: #require(try await holderEnd.receive()))
        var cipher = try await SessionEncryption(
            role: .device,
            keyAgreement: device.key,
            peerKey: first.eReaderKey.publicKey(),
            sessionTranscript: session.sessionTranscript
        )
        for message in try messages(&cipher) { try await holderEnd.send(message) }
    }

    /// The next message of the reader; nil once the channel is closed.
    func nextMessage() async throws -> [UInt8]? { try await holderEnd.receive() }

    /// Closes the wallet's end of the channel.
    func hangUp() async { await holderEnd.close() }

    /// The response of a wallet with the usual licence.
    func response(to received: ReceivedDeviceRequest, _ credential: IssuerSigned? = nil) async throws -> DeviceResponse
    {
        let docRequest = try #require(received.request.docRequests.first)
        let issued = if let credential { credential } else { try await utopia.licence() }
        let disclosed = try issued.limitDisclosures(docRequest: docRequest)
        let prepared = try PreparedMdocDocument(disclosed, sessionTranscript: received.sessionTranscript)
        return try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(utopia.deviceKey))])
    }
}

extension DeviceSessionMachine {
    /// The message with a response of any bytes.
    mutating func message(with response: [UInt8], terminating: Bool = false) throws -> [UInt8] {
        for case .send(let message) in try respond(response, terminating: terminating) { return message }
        throw MdocError(.noRequest, "nothing to send")
    }
}
