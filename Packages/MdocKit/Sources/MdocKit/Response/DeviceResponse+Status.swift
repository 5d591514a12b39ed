extension DeviceResponse {
    /// The status of a wallet's response (ISO/IEC 18013-5, 10.3.2, table of status codes); an open set.
    public struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code.
        public let rawValue: UInt64

        /// The code, as ``rawValue`` too.
        public var value: UInt64 { rawValue }

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

        /// The user or the wallet cancelled.
        ///
        /// It is a status of the session (12.2.4) that some wallets put into a response; it is read and never written.
        public static let cancelled = Status(rawValue: 20)

        /// The code and its meaning.
        public var description: String {
            switch self {
            case .ok: "0 (OK)"
            case .generalError: "10 (general error)"
            case .cborDecodingError: "11 (CBOR decoding error)"
            case .cborValidationError: "12 (CBOR validation error)"
            case .cancelled: "20 (cancelled)"
            default: "\(rawValue)"
            }
        }
    }
}
