public import MdocKit

/// A service that a tag offers for the exchange of messages, and how to exchange them: the service parameter record `Tp`
/// (NFC Forum, Tag NDEF Exchange Protocol 1.0, 4.1.2).
public struct TNEPServiceParameters: Hashable, Sendable {
    /// The name of the service for Connection Handover.
    public static let handoverServiceName = "urn:nfc:sn:handover"

    /// The service's name, at most 255 bytes.
    public let serviceName: String
    /// The communication mode: 0 is one response to one command.
    public let communicationMode: UInt8
    /// The minimum waiting time as it travels, 0 to 63; ``waitingTime`` is its meaning.
    public let waitingTimeInteger: UInt8
    /// The largest number of waiting time extensions for one message, 0 to 15.
    public let maximumWaitingTimeExtensions: UInt8
    /// The longest NDEF message in bytes that the tag takes and gives.
    public let maximumMessageSize: UInt16

    /// Creates parameters; the defaults offer Connection Handover.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if the name is empty or too long or a number out of its range.
    public init(
        serviceName: String = handoverServiceName,
        communicationMode: UInt8 = 0,
        waitingTimeInteger: UInt8 = 0,
        maximumWaitingTimeExtensions: UInt8 = 15,
        maximumMessageSize: UInt16 = 0x7fff - 2
    ) throws(MdocError) {
        guard (1...255).contains(serviceName.utf8.count), waitingTimeInteger < 64, maximumWaitingTimeExtensions < 16
        else { throw MdocError(.invalidValue, "parameters of a TNEP service out of range") }
        self.serviceName = serviceName
        self.communicationMode = communicationMode
        self.waitingTimeInteger = waitingTimeInteger
        self.maximumWaitingTimeExtensions = maximumWaitingTimeExtensions
        self.maximumMessageSize = maximumMessageSize
    }

    /// The time that a reader waits before it asks for a message: 2^(n/4 − 1) ms for n = ``waitingTimeInteger``.
    public var waitingTime: Duration {
        let quarters = Int(waitingTimeInteger)
        // 2^(k/4) for the quarters k of a power of two.
        let fraction = [1, 1.189_207_115, 1.414_213_562, 1.681_792_831][quarters % 4]
        return .microseconds(500 * fraction * Double(1 << (quarters / 4)))
    }
}

extension TNEPServiceParameters {
    private static let version: UInt8 = 0x10

    /// Reads the parameters out of a record; nil if it is of another type.
    ///
    /// Bits that are reserved are skipped.
    init?(_ record: NDEFRecord) throws(MdocError) {
        guard record.isOf(.wellKnown, "Tp") else { return nil }
        var reader = ByteReader(record.payload, of: "a service parameter record", refusing: .malformedHandover)
        let version = try reader.byte("version")
        guard version >> 4 == Self.version >> 4 else {
            throw MdocError(.unsupportedVersion, "TNEP of major version \(version >> 4) is not supported")
        }
        try self.init(
            serviceName: String(decoding: try reader.counted("service name"), as: UTF8.self),
            communicationMode: try reader.byte("communication mode"),
            waitingTimeInteger: try reader.byte("waiting time") & 0x3f,
            maximumWaitingTimeExtensions: try reader.byte("waiting time extensions") & 0x0f,
            maximumMessageSize: UInt16(truncatingIfNeeded: try reader.integer(2, "message size"))
        )
        try reader.requireEnd()
    }

    /// The service parameter record.
    func record() throws(MdocError) -> NDEFRecord {
        var payload = [Self.version, UInt8(truncatingIfNeeded: serviceName.utf8.count)] + Array(serviceName.utf8)
        payload += [communicationMode, waitingTimeInteger, maximumWaitingTimeExtensions]
        payload += .bigEndian(maximumMessageSize)
        return try NDEFRecord(.wellKnown, "Tp", payload: payload)
    }
}
