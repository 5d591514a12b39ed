extension DeviceResponse {
    /// The status of a wallet's response (ISO/IEC 18013-5, 10.3.2, table of status codes); an open set.
    public struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code.
        public let rawValue: UInt64

        /// Wraps a code.
        public init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// Normal processing; documents may still be absent.
        public static let ok = Status(rawValue: 0)
        /// An error that the wallet does not explain.
        public static let generalError = Status(rawValue: 10)
        /// The request is not CBOR.
        public static let cborDecodingError = Status(rawValue: 11)
        /// The request is CBOR of another structure.
        public static let cborValidationError = Status(rawValue: 12)

        /// The code and its meaning.
        public var description: String {
            switch self {
            case .ok: "0 (OK)"
            case .generalError: "10 (general error)"
            case .cborDecodingError: "11 (CBOR decoding error)"
            case .cborValidationError: "12 (CBOR validation error)"
            default: "\(rawValue)"
            }
        }
    }
}
