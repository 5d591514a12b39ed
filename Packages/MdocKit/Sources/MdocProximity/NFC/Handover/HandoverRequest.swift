public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Handover Request message: the carriers that a reader supports, in negotiated handover (ISO/IEC 18013-5, 9.2.1).
///
/// The session is bound to its bytes as built or received.
public struct HandoverRequest: Sendable {
    /// The NDEF message.
    public let message: NDEFMessage
    /// The carriers in the reader's order, at least one.
    public let carriers: [HandoverCarrier]
    /// The random number of the record `cr`, by which two devices decide which one is the requester; nil if it is absent.
    ///
    /// It is not needed with a wallet, which is never the requester.
    public let collisionResolution: UInt16?
    /// The reader's engagement, if there is one.
    public let readerEngagement: NFCReaderEngagement?
    /// The deviations from the standards that were tolerated in reading the message and its engagement.
    public private(set) var deviations: [MdocDeviation] = []

    /// Builds a message.
    ///
    /// - Parameters:
    ///   - carriers: The carriers that the reader supports. Bluetooth Low Energy needs a UUID if the wallet may become
    ///     the central.
    ///   - readerEngagement: The reader's engagement; nil to leave it out.
    ///   - collisionResolution: A random number for the record `cr`; nil to leave it out.
    /// - Throws: `MdocError` with code `malformedHandover` if there is no carrier, two have the same id, or a UUID is
    ///   missing.
    public init(
        carriers: [HandoverCarrier],
        readerEngagement: NFCReaderEngagement? = NFCReaderEngagement(),
        collisionResolution: UInt16? = nil
    ) throws(MdocError) {
        var auxiliary: [NDEFRecord] = []
        if let engagement = readerEngagement {
            let payload = [UInt8](engagement.encodedBytes)
            auxiliary = [try NDEFRecord(.external, Self.engagementType, id: Self.engagementID, payload: payload)]
        }
        var leading: [NDEFRecord] = []
        if let collisionResolution {
            leading = [try NDEFRecord(.wellKnown, "cr", payload: .bigEndian(collisionResolution))]
        }
        self.init(
            try HandoverMessage(type: "Hr", leading: leading, carriers: carriers, auxiliary: auxiliary),
            readerEngagement,
            collisionResolution
        )
        try requireUUID()
    }

    /// Reads a message; its records may come in any order.
    ///
    /// - Throws: `MdocError` for a malformed message, if a limit is passed, or if a carrier or the reader's engagement
    ///   cannot be read.
    public init(
        decoding bytes: some Collection<UInt8>,
        options: MdocReadingOptions = .strict,
        limits: NFCLimits = NFCLimits()
    ) throws(MdocError) {
        try self.init(try NDEFMessage(decoding: bytes, limits: limits), options, limits)
    }

    /// Reads a message out of its records.
    init(_ message: NDEFMessage, _ options: MdocReadingOptions, _ limits: NFCLimits) throws(MdocError) {
        let parts = try HandoverMessage(message, type: "Hr", options: options, limits: limits)
        var engagement: NFCReaderEngagement?
        if let record = try message.only(.external, Self.engagementType) {
            engagement = try NFCReaderEngagement(decoding: record.payload, options: options)
        }
        self.init(parts, engagement, try Self.collisionResolution(parts.inner))
        deviations = parts.deviations + (engagement?.deviations ?? [])
        try requireUUID()
    }

    private init(_ parts: HandoverMessage, _ engagement: NFCReaderEngagement?, _ collisionResolution: UInt16?) {
        message = parts.message
        carriers = parts.carriers.map(\.carrier)
        readerEngagement = engagement
        self.collisionResolution = collisionResolution
    }

    private static let engagementType: StaticString = "iso.org:18013:readerengagement"
    private static let engagementID = Array("mdocreader".utf8)

    private static func collisionResolution(_ inner: NDEFMessage) throws(MdocError) -> UInt16? {
        guard let record = try inner.only(.wellKnown, "cr") else { return nil }
        guard record.payload.count == 2 else {
            throw MdocError(
                .malformedHandover,
                "a collision resolution record has 2 bytes, not \(record.payload.count)"
            )
        }
        return UInt16(record.payload[0]) << 8 | UInt16(record.payload[1])
    }

    /// In mdoc central client mode the wallet looks for the reader's UUID.
    private func requireUUID() throws(MdocError) {
        guard ble.allSatisfy({ !$0.modes(from: .reader).contains(.centralClient) || $0.serviceUUID != nil }) else {
            throw MdocError(.malformedHandover, "mdoc central client mode is offered without a UUID")
        }
    }

    private var ble: [BLEOutOfBandData] {
        carriers.compactMap { if case .ble(let data) = $0.configuration { data } else { nil } }
    }
}

extension HandoverRequest {
    /// The NDEF message as built or received.
    public var encodedBytes: [UInt8] { message.encodedBytes }

    /// Indicates that NFC data transfer is offered.
    public var offersNFC: Bool {
        carriers.contains { if case .nfc = $0.configuration { true } else { false } }
    }

    /// The BLE modes that are offered.
    public var bleModes: Set<BLEMode> {
        ble.reduce(into: []) { $0.formUnion($1.modes(from: .reader)) }
    }

    /// The service UUID for mdoc central client mode; nil if that is not offered.
    public var centralClientUUID: UUID? {
        ble.first { $0.modes(from: .reader).contains(.centralClient) }?.serviceUUID
    }
}
