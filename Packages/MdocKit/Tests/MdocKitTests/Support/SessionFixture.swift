import COSEKit
import CryptoCore
import MdocKit
import MdocProximity

/// The keys and the engagement of a session, and messages as either side would make them.
struct SessionFixture: Sendable {
    let deviceKey: PrivateKey
    let readerKey: PrivateKey
    let engagement: DeviceEngagement
    let transcript: SessionTranscript

    init(curve: EllipticCurve = .p256, handover: Handover = .qr, capabilities: EngagementCapabilities? = nil) throws {
        deviceKey = try PrivateKey.generate(curve)
        readerKey = try PrivateKey.generate(curve)
        engagement = try DeviceEngagement(
            eDeviceKey: deviceKey.publicKey,
            retrievalMethods: [],
            capabilities: capabilities
        )
        transcript = SessionTranscript(
            deviceEngagementBytes: engagement.taggedBytes,
            eReaderKeyBytes: try SessionEstablishment.eReaderKeyBytes(for: readerKey.publicKey),
            handover: handover
        )
    }

    /// A reader that has sent nothing.
    func reader() async throws -> ReaderSessionMachine {
        try await ReaderSessionMachine(
            engagement: engagement,
            handover: transcript.handover,
            readerKey: readerKey
        )
    }

    /// A wallet that waits for its reader.
    func engagedDevice() throws -> EngagedDevice {
        try EngagedDevice(engagement: engagement, key: deviceKey)
    }

    /// The cipher of one side, without a machine.
    func cipher(_ role: SessionEncryption.Role) throws -> SessionEncryption {
        try SessionEncryption(
            role: role,
            sharedSecret: deviceKey.sharedSecret(with: readerKey.publicKey),
            sessionTranscript: transcript
        )
    }

    /// The reader's first message with some request.
    func establishment(_ request: [UInt8], _ reader: inout SessionEncryption) throws -> [UInt8] {
        let message = try SessionEstablishment(
            eReaderKeyBytes: SessionEstablishment.eReaderKeyBytes(for: readerKey.publicKey),
            data: reader.encrypt(request)
        )
        return [UInt8](message.encodedBytes)
    }

    /// A wallet in a session, after its first request.
    func device(_ reader: inout SessionEncryption) async throws -> DeviceSessionMachine {
        let message = try establishment([1], &reader)
        switch try await engagedDevice().receive(message, handover: transcript.handover) {
        case .established(let machine, _): return machine
        case .ended(let termination, _): throw MdocError(.sessionEnded, termination.description)
        }
    }

    /// Asks for a name.
    static func request(_ docType: DocType = .mDL) throws -> DeviceRequest {
        let items = try ItemsRequest(docType: docType, nameSpaces: [.mDL: ["family_name": false]])
        return try DeviceRequest(docRequests: [DocRequest(items)])
    }
}

extension SessionTermination {
    /// The initiator of the end, and its status.
    var summary: String { "\(initiator) \(status?.rawValue.description ?? "-")" }
}
