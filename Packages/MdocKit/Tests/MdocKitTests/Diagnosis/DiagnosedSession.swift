import CBORKit
import CryptoCore
import MdocKit
import MdocResults
import Testing

/// A reader that knows everything of its session but the way that the wallet took.
struct DiagnosedSession: Sendable {
    let utopia: Utopia
    let knowledge: SessionKnowledge

    /// The engagement and the reader's key without tag 24, the keys of the first in an order of their own.
    static let engagement: [UInt8] = [
        0xa3, 0x05, 0x80, 0x00, 0x63, 0x31, 0x2e, 0x31, 0x01, 0x82, 0x01, 0xd8, 0x18, 0x40,
    ]
    static let readerKey: [UInt8] = [0xa1, 0x01, 0x02]
    static let readerEngagement: [UInt8] = [0xa1, 0x00, 0x63, 0x31, 0x2e, 0x31]
    static let select: [UInt8] = [0x91, 0x02]
    static let request: [UInt8] = [0x91, 0x03]
    static let encryptionParameters: [UInt8] = [0xa1, 0x61, 0x6e, 0x41, 0x01]
    static let thumbprint = [UInt8](repeating: 7, count: 32)

    init() async throws {
        utopia = try await Utopia()
        var knowledge = SessionKnowledge()
        knowledge.sessionTranscript = SessionTranscript(handover: .qr)
        knowledge.deviceEngagementBytes = Self.tagged(Self.engagement)
        knowledge.eReaderKeyBytes = Self.tagged(Self.readerKey)
        knowledge.readerEngagementBytes = Self.tagged(Self.readerEngagement)
        knowledge.encryptionParametersBytes = Self.tagged(Self.encryptionParameters)
        knowledge.nfcHandoverSelect = Self.select
        knowledge.nfcHandoverRequest = Self.request
        knowledge.clientID = "x509_san_dns:reader.example"
        knowledge.nonce = "nonce"
        knowledge.responseURI = "https://reader.example/response"
        knowledge.redirectURI = "https://reader.example/redirect"
        knowledge.origin = "https://reader.example"
        knowledge.mdocGeneratedNonce = "Z2VuZXJhdGVk"
        knowledge.jwkThumbprints = [[UInt8](repeating: 6, count: 32), Self.thumbprint]
        knowledge.encryptionInfo = "gmVkY2FwaaA"
        knowledge.platformNonce = [1, 2, 3]
        knowledge.merchantID = "merchant"
        knowledge.teamID = "team"
        knowledge.packageName = "org.example.reader"
        knowledge.recipient = utopia.readerKey.publicKey
        self.knowledge = knowledge
    }

    /// An item in tag 24.
    static func tagged(_ item: [UInt8]) -> [UInt8] {
        CBOR.tagged(24, .bytes(item)).encoded()
    }

    /// A transcript without engagement and reader's key, of a handover put together by hand.
    static func transcript(_ handover: CBOR) throws -> SessionTranscript {
        try SessionTranscript(decoding: CBOR.array([.null, .null, handover]).encoded())
    }

    /// A handover with the digest of an item.
    static func digest(_ name: String, of info: CBOR) -> CBOR {
        [.text(name), .bytes(HashAlgorithm.sha256.digest(of: info.encoded()))]
    }

    /// A transcript of proximity with the usual members unless there are others.
    static func proximity(
        engagement: [UInt8]? = nil,
        readerKey: [UInt8]? = nil,
        _ handover: Handover = .qr
    ) -> SessionTranscript {
        SessionTranscript(
            deviceEngagementBytes: engagement ?? tagged(Self.engagement),
            eReaderKeyBytes: readerKey ?? tagged(Self.readerKey),
            handover: handover
        )
    }

    /// The document of a wallet that took a transcript.
    func document(over transcript: SessionTranscript, withMAC: Bool = false) async throws -> MdocDocument {
        let prepared = try PreparedMdocDocument(await utopia.licence(), sessionTranscript: transcript)
        guard withMAC else { return try await prepared.signed(with: SoftwareSigner(utopia.deviceKey)) }
        return try await prepared.authenticated(
            with: utopia.deviceKey,
            readerKey: utopia.ephemeralReaderKey.publicKey
        )
    }

    /// The diagnosis of a document.
    func diagnosis(of document: MdocDocument) async -> DeviceAuthenticationDiagnosis {
        await DeviceAuthenticationDiagnosis(
            of: document,
            knowing: knowledge,
            readerKeys: [utopia.readerKey, utopia.ephemeralReaderKey]
        )
    }
}
