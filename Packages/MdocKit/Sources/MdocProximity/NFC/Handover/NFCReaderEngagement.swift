package import CBORKit
public import MdocKit

/// A reader's engagement in a Handover Request message (ISO/IEC 18013-5, 9.2.1).
public struct NFCReaderEngagement: Sendable {
    /// The version of the structure.
    public let version: MdocVersion
    /// The structure as built or received.
    public let encodedBytes: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// Creates one of version 1.0, which has nothing else.
    public init() {
        version = .v1_0
        encodedBytes =
            CBORWriter.bytes { writer in
                writer.beginMap(count: 1)
                writer.write(unsigned: 0)
                writer.write(text: MdocVersion.v1_0.description)
            }[...]
    }

    /// Reads one.
    ///
    /// - Throws: ``MdocError`` where it is not the structure, or where its major version is not 1.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }
}

extension NFCReaderEngagement: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        version = try MdocVersion(try cbor(map.required(0)), &reading)
        encodedBytes = view.encodedBytes
    }
}
