import MdocKit

/// The choice of a service, or of none: the service select record `Ts` (NFC Forum, Tag NDEF Exchange Protocol 1.0, 4.2).
struct TNEPServiceSelect: Hashable {
    /// The service's name; empty ends the use of the service.
    let serviceName: String

    init(serviceName: String) {
        self.serviceName = serviceName
    }

    /// Reads a message that is one service select record; nil if its only record is of another type or it has more.
    init?(_ message: NDEFMessage) throws(MdocError) {
        guard message.records.count == 1, message.records[0].isOf(.wellKnown, "Ts") else { return nil }
        var reader = ByteReader(
            message.records[0].payload,
            of: "a service select record",
            refusing: .malformedHandover
        )
        serviceName = String(decoding: try reader.counted("service name"), as: UTF8.self)
        try reader.requireEnd()
    }

    /// The message of this record alone.
    func message() throws(MdocError) -> NDEFMessage {
        let name = Array(serviceName.utf8)
        guard name.count <= 255 else { throw MdocError(.invalidValue, "a service name has at most 255 bytes") }
        return try NDEFMessage([
            NDEFRecord(.wellKnown, "Ts", payload: [UInt8(truncatingIfNeeded: name.count)] + name)
        ])
    }
}

/// A tag's status after a write: the TNEP status record `Te` (NFC Forum, Tag NDEF Exchange Protocol 1.0, 4.3).
struct TNEPStatus: Hashable {
    let code: UInt8

    /// The service is selected.
    static let success = TNEPStatus(code: 0)
    /// The message does not go with the protocol.
    static let protocolError = TNEPStatus(code: 1)

    init(code: UInt8) {
        self.code = code
    }

    /// Reads the status out of a message; nil if it has no such record.
    init?(_ message: NDEFMessage) throws(MdocError) {
        guard let record = try message.only(.wellKnown, "Te") else { return nil }
        guard record.payload.count == 1 else {
            throw MdocError(.malformedHandover, "a TNEP status record has one byte, not \(record.payload.count)")
        }
        code = record.payload[0]
    }

    /// The message of this record alone.
    func message() throws(MdocError) -> NDEFMessage {
        try NDEFMessage([NDEFRecord(.wellKnown, "Te", payload: [code])])
    }
}
