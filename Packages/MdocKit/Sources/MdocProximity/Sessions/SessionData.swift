package import CBORKit
public import MdocKit

/// A message of a session after the first (ISO/IEC 18013-5, 12.2.4).
public struct SessionData: Sendable {
    /// The status of a session; an open set.
    public struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code.
        public let rawValue: UInt64

        /// Wraps a code.
        public init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// The message could not be decrypted; ends the session.
        public static let encryptionError = Status(rawValue: 10)
        /// The message is not CBOR; ends the session.
        public static let cborDecodingError = Status(rawValue: 11)
        /// The sender ends the session; data that comes along counts still.
        public static let termination = Status(rawValue: 20)

        /// The code and its meaning.
        public var description: String {
            switch self {
            case .encryptionError: "10 (session encryption error)"
            case .cborDecodingError: "11 (CBOR decoding error)"
            case .termination: "20 (session termination)"
            default: "\(rawValue)"
            }
        }
    }

    /// The encrypted request or response, if there is one.
    public let data: ArraySlice<UInt8>?
    /// The status of the session; nil while it continues.
    public let status: Status?
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// Creates a message.
    public init(data: [UInt8]? = nil, status: Status? = nil) {
        self.data = data.map { $0[...] }
        self.status = status
    }

    /// Reads a message.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// The encoded message.
    public func encoded() -> [UInt8] {
        CBORWriter.bytes { writer in
            writer.beginMap(count: (data == nil ? 0 : 1) + (status == nil ? 0 : 1))
            if let data {
                writer.write(text: "data")
                writer.write(bytes: data)
            }
            if let status {
                writer.write(text: "status")
                writer.write(unsigned: status.rawValue)
            }
        }
    }
}

extension SessionData: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        data = try map.value(forKey: "data").map { (view) throws(MdocError) in try cbor(view.bytes()) }
        status = try map.value(forKey: "status").map { (view) throws(MdocError) in
            Status(rawValue: try cbor(view.integer()))
        }
    }
}
