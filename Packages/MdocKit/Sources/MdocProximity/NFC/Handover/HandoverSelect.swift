public import MdocKit

/// A Handover Select message: the wallet's engagement, and how to retrieve data (ISO/IEC 18013-5, 9.2.1).
///
/// The session is bound to its bytes as built or received, and to those of the engagement in it.
public struct HandoverSelect: Sendable {
    /// The NDEF message.
    public let message: NDEFMessage
    /// The carriers in the wallet's order, at least one; exactly one in negotiated handover.
    public let carriers: [HandoverCarrier]
    /// The wallet's engagement.
    public let deviceEngagement: DeviceEngagement
    /// The deviations from the standards that were tolerated in reading the message and its engagement.
    public private(set) var deviations: [MdocDeviation] = []

    private static let engagementType: StaticString = "iso.org:18013:deviceengagement"
    private static let engagementID = Array("mdoc".utf8)

    /// Builds a message of any carriers.
    ///
    /// - Parameters:
    ///   - carriers: The methods for retrieving data.
    ///   - deviceEngagement: The wallet's engagement, without ways to retrieve data of its own.
    /// - Throws: `MdocError` with code `malformedHandover` if there is no carrier, two have the same id, or the
    ///   engagement has ways to retrieve data.
    public init(carriers: [HandoverCarrier], deviceEngagement: DeviceEngagement) throws(MdocError) {
        let payload = [UInt8](deviceEngagement.encodedBytes)
        let auxiliary = try NDEFRecord(.external, Self.engagementType, id: Self.engagementID, payload: payload)
        let parts = try HandoverMessage(type: "Hs", carriers: carriers, auxiliary: [auxiliary])
        try self.init(parts.message, carriers, deviceEngagement)
    }

    /// Reads a message; its records may come in any order.
    ///
    /// Carriers that do not refer to the engagement are skipped: they are not for an mdoc.
    ///
    /// - Throws: `MdocError` for a malformed message, if a limit is passed, if no carrier refers to the engagement, or
    ///   if one of them or the engagement cannot be read; with code `handoverRefused` if it holds an error.
    public init(
        decoding bytes: some Collection<UInt8>,
        options: MdocReadingOptions = .strict,
        limits: NFCLimits = NFCLimits()
    ) throws(MdocError) {
        try self.init(try NDEFMessage(decoding: bytes, limits: limits), options, limits)
    }

    /// Reads a message out of its records.
    init(_ message: NDEFMessage, _ options: MdocReadingOptions, _ limits: NFCLimits) throws(MdocError) {
        let parts = try HandoverMessage(message, type: "Hs", options: options, limits: limits)
        guard let record = try message.only(.external, Self.engagementType) else {
            throw MdocError(.malformedHandover, "the Handover Select message has no device engagement")
        }
        guard record.id == Self.engagementID else {
            throw MdocError(.malformedHandover, "the device engagement does not have the id mdoc")
        }
        let carriers = parts.carriers.filter { $0.alternative.auxiliaryReferences.contains(record.id) }.map(\.carrier)
        try self.init(message, carriers, try DeviceEngagement(decoding: record.payload, options: options))
        deviations = parts.deviations + deviceEngagement.deviations
    }

    private init(
        _ message: NDEFMessage,
        _ carriers: [HandoverCarrier],
        _ deviceEngagement: DeviceEngagement
    ) throws(MdocError) {
        guard !carriers.isEmpty else {
            throw MdocError(.malformedHandover, "no carrier refers to the device engagement")
        }
        guard deviceEngagement.retrievalMethods.isEmpty else {
            throw MdocError(.malformedHandover, "an engagement over NFC has no ways to retrieve data of its own")
        }
        self.message = message
        self.carriers = carriers
        self.deviceEngagement = deviceEngagement
    }

    /// The NDEF message as built or received.
    public var encodedBytes: [UInt8] { message.encodedBytes }
}
