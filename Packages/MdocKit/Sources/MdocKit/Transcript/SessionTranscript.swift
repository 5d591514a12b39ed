package import CBORKit
import CryptoCore

/// The binding of a response or a reader's signature to one session (ISO/IEC 18013-5, 12.7.1).
///
/// The encoded bytes are kept as built or received: digests, signatures and keys are computed over those.
public struct SessionTranscript: Hashable, Sendable {
    /// DeviceEngagementBytes, the tag-24 item exactly as exchanged; nil if the flow has none.
    public let deviceEngagementBytes: [UInt8]?
    /// EReaderKeyBytes, the tag-24 item exactly as exchanged; nil if the flow has none.
    ///
    /// For encrypted documents of the second edition this is EncryptionParametersBytes.
    public let eReaderKeyBytes: [UInt8]?
    /// The contact between the two sides.
    public let handover: Handover
    /// The transcript as one encoded array: the form that device and reader authentication take in.
    public let encodedBytes: [UInt8]
    /// The deviations from the standard that were tolerated in reading it; equality passes over them.
    public private(set) var deviations: [MdocDeviation] = []

    /// Puts a transcript together.
    ///
    /// - Parameters:
    ///   - deviceEngagementBytes: The tag-24 item exactly as exchanged: never decode and encode it again.
    ///   - eReaderKeyBytes: The tag-24 item exactly as exchanged.
    ///   - handover: The contact between the two sides.
    public init(deviceEngagementBytes: [UInt8]? = nil, eReaderKeyBytes: [UInt8]? = nil, handover: Handover) {
        self.deviceEngagementBytes = deviceEngagementBytes
        self.eReaderKeyBytes = eReaderKeyBytes
        self.handover = handover
        encodedBytes = CBORWriter.bytes { writer in
            writer.beginArray(count: 3)
            writer.write(optionalItem: deviceEngagementBytes)
            writer.write(optionalItem: eReaderKeyBytes)
            writer.write(encoded: handover.encodedBytes)
        }
    }

    /// Reads a transcript, bare or as SessionTranscriptBytes, and keeps its bytes.
    ///
    /// - Throws: ``MdocError`` if it is not an array of three.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// SessionTranscriptBytes: the transcript in a tag-24 byte string, the form that key derivations hash.
    public var taggedBytes: [UInt8] { CBORWriter.embedding(encodedBytes) }

    /// The salt of every key derivation in the session: SHA-256 of SessionTranscriptBytes.
    package var salt: [UInt8] { HashAlgorithm.sha256.digest(of: taggedBytes) }

    /// Returns `true` for the same bytes.
    public static func == (left: SessionTranscript, right: SessionTranscript) -> Bool {
        left.encodedBytes == right.encodedBytes
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(encodedBytes)
    }
}

extension SessionTranscript: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let transcript = view.tag == nil ? view : try reading.embedded(view)
        let members = try cbor(transcript.array())
        guard members.count == 3 else {
            throw MdocError(
                .invalidValue,
                "a session transcript has three members, not \(members.count)",
                at: transcript
            )
        }
        let items = Array(members)
        deviceEngagementBytes = try Self.member(items[0], &reading)
        eReaderKeyBytes = try Self.member(items[1], &reading)
        handover = Handover(encodedBytes: items[2].encodedBytes)
        encodedBytes = [UInt8](transcript.encodedBytes)
    }

    /// A tag-24 item or null.
    private static func member(_ view: CBORView, _ reading: inout Reading) throws(MdocError) -> [UInt8]? {
        guard !view.isNull else { return nil }
        _ = try reading.embedded(view)
        return [UInt8](view.encodedBytes)
    }
}

extension CBORWriter {
    /// The bytes that a closure writes.
    ///
    /// - Parameter capacity: The number of bytes to make room for at first.
    package static func bytes(capacity: Int = 256, _ write: (inout CBORWriter) -> Void) -> [UInt8] {
        var writer = CBORWriter(capacity: capacity)
        write(&writer)
        return writer.finish()
    }

    /// An encoded item in a tag-24 byte string.
    package static func embedding(_ item: some Collection<UInt8>) -> [UInt8] {
        // The heads of the tag and of the byte string take at most eleven bytes.
        bytes(capacity: item.count + 11) { $0.write(embedded: item) }
    }

    /// Writes a byte string, or null.
    mutating func write(optionalBytes bytes: [UInt8]?) {
        if let bytes { write(bytes: bytes) } else { writeNull() }
    }

    /// Writes an item that is encoded already, or null.
    mutating func write(optionalItem item: [UInt8]?) {
        if let item { write(encoded: item) } else { writeNull() }
    }
}
