package import CBORKit
public import MdocKit

/// A handover that both sides have completed: what a session over NFC engagement is bound to (ISO/IEC 18013-5, 12.7.1).
public struct NFCHandover: Sendable {
    /// The wallet's message.
    public let select: HandoverSelect
    /// The reader's message; nil in static handover.
    public let request: HandoverRequest?

    /// Pairs the messages.
    public init(select: HandoverSelect, request: HandoverRequest?) {
        self.select = select
        self.request = request
    }

    /// The member of the session transcript: the messages as sent.
    public var handover: Handover { .nfc(select: select.encodedBytes, request: request?.encodedBytes) }

    /// The wallet's engagement.
    public var deviceEngagement: DeviceEngagement { select.deviceEngagement }

    /// The ways to retrieve data that the messages agree on, see ``HandoverSelect/retrievalMethods(answering:)``.
    public func retrievalMethods() throws(MdocError) -> [DeviceRetrievalMethod] {
        try select.retrievalMethods(answering: request)
    }
}

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
    /// - Throws: `MdocError` if it is not the structure, or if its major version is not 1.
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
