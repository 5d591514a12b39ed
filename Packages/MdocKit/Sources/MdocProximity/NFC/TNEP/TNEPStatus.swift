import MdocKit

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

    /// Reads the status out of a message; nil where it has no such record.
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
