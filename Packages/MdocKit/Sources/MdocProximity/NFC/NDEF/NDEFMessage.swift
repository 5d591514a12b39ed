public import MdocKit

/// A message of one or more records (NFC Forum, NFC Data Exchange Format).
///
/// The bytes are kept as built or received: in a handover they become part of the session transcript. A payload that is
/// itself a message stays bytes, so that nothing nests. A caller that knows its type reads it with another call.
public struct NDEFMessage: Hashable, Sendable {
    /// The records in their order, at least one.
    public let records: [NDEFRecord]
    /// The message as built or received.
    public let encodedBytes: [UInt8]

    /// Builds a message.
    ///
    /// - Throws: `MdocError` with code `malformedNDEF` if there is no record, or one of the reserved format.
    public init(_ records: [NDEFRecord]) throws(MdocError) {
        guard !records.isEmpty, !records.contains(where: { $0.typeNameFormat == .reserved }) else {
            throw MdocError(.malformedNDEF, "an NDEF message has at least one record, and none of a reserved format")
        }
        var bytes: [UInt8] = []
        for (index, record) in records.enumerated() {
            record.encode(to: &bytes, isFirst: index == 0, isLast: index == records.count - 1)
        }
        self.records = records
        encodedBytes = bytes
    }

    /// Reads a message, which must fill the bytes.
    ///
    /// - Throws: `MdocError` with code `chunkedNDEFRecord` if a record comes in chunks, `limitExceeded` if it is too
    ///   long or has too many records, or `malformedNDEF` for another message.
    public init(decoding bytes: some Collection<UInt8>, limits: NFCLimits = NFCLimits()) throws(MdocError) {
        guard bytes.count <= limits.messageSize else {
            throw MdocError(
                .limitExceeded,
                "an NDEF message of \(bytes.count) bytes exceeds the limit of \(limits.messageSize)"
            )
        }
        var reader = ByteReader(bytes, of: "an NDEF message", refusing: .malformedNDEF)
        var records: [NDEFRecord] = []
        var flags: NDEFRecord.Flags = []
        repeat {
            guard records.count < limits.records else {
                throw MdocError(.limitExceeded, "more NDEF records than the limit of \(limits.records)")
            }
            records.append(try NDEFRecord(&reader, &flags))
            guard flags.contains(.messageBegin) == (records.count == 1) else {
                throw MdocError(.malformedNDEF, "not the first NDEF record alone says that it begins the message")
            }
        } while !flags.contains(.messageEnd)
        try reader.requireEnd()
        self.records = records
        encodedBytes = [UInt8](bytes)
    }

    /// The only record of a type; nil if absent.
    func only(
        _ format: NDEFRecord.TypeNameFormat,
        _ type: StaticString
    ) throws(MdocError) -> NDEFRecord? {
        let found = records.filter { $0.isOf(format, type) }
        guard found.count <= 1 else { throw MdocError(.malformedHandover, "more than one record of type \(type)") }
        return found.first
    }
}
