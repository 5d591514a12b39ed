import CryptoCore
import MdocKit
import MdocProximity
import TestSupport

/// The session that ISO/IEC 18013-5 prints in Annex D: the keys, and what the other side sends.
struct AnnexDSession: Sendable {
    static let shared: AnnexDSession = {
        do { return try AnnexDSession() } catch { fatalError("\(error)") }
    }()

    let engagement: DeviceEngagement
    let handover: Handover
    let handoverSelect: [UInt8]
    let deviceKey: PrivateKey
    let readerKey: PrivateKey
    let request: [UInt8]
    let response: [UInt8]
    /// A link of a website whose key is the reader's.
    let websiteLink: String
    private let handoverRequestBytes: [UInt8]

    private init() throws {
        engagement = try DeviceEngagement(decoding: Self.figure("device-engagement-nfc"))
        handoverSelect = try Self.figure("nfc-handover-select")
        handoverRequestBytes = try Self.figure("nfc-handover-request")
        handover = .nfc(select: handoverSelect, request: handoverRequestBytes)
        deviceKey = try PrivateKey(curve: .p256, rawRepresentation: Self.figure("ephemeral-device-key-private"))
        readerKey = try PrivateKey(curve: .p256, rawRepresentation: Self.figure("ephemeral-reader-key-private"))
        request = try Self.figure("device-request")
        response = try Self.figure("device-response")
        websiteLink = try ReaderEngagement(eReaderKey: readerKey.publicKey, uri: "https://a.example/").link
    }

    /// The reader's message of negotiated handover.
    var handoverRequest: HandoverRequest {
        get throws { try HandoverRequest(decoding: handoverRequestBytes) }
    }

    private static func figure(_ name: String) throws -> [UInt8] {
        try OwnVectors.bytes(hex: "iso-18013-5-annex-d/\(name).hex")
    }
}
