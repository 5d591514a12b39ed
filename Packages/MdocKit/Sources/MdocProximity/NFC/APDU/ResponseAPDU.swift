public import MdocKit

/// A card's response to a command (ISO/IEC 7816-4, 5.2).
public struct ResponseAPDU: Hashable, Sendable {
    /// The response data field, at most 65,536 bytes; empty if it is absent.
    public let data: [UInt8]
    /// The status of the command.
    public let status: StatusWord

    /// Creates a response.
    public init(data: [UInt8] = [], status: StatusWord) {
        self.data = data
        self.status = status
    }

    /// Reads a response.
    ///
    /// - Throws: `MdocError` with code `malformedAPDU` if it has less than two bytes or more than there can be.
    public init(decoding bytes: some Collection<UInt8>) throws(MdocError) {
        let bytes = Array(bytes)
        guard (2...0x10002).contains(bytes.count) else {
            throw MdocError(.malformedAPDU, "a response APDU has 2 to 65,538 bytes, not \(bytes.count)")
        }
        data = [UInt8](bytes.dropLast(2))
        status = StatusWord(rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
    }

    /// The response as it travels.
    public var encodedBytes: [UInt8] { data + .bigEndian(status.rawValue) }

    /// The data of a response whose status word is 9000.
    func successfulData(_ command: String) throws(MdocError) -> [UInt8] {
        guard status == .success else {
            throw MdocError(.unexpectedStatusWord, "\(command) is answered with \(status)")
        }
        return data
    }
}
