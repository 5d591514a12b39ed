/// The reason that a presentation session brought no verifiable response.
///
/// ```swift
/// do {
///     let response = try await session.requestMobileCredentials(request: [request])
/// } catch let error as PresentationSessionError where error.type == .timeoutError {
///     // The session is still open: ask again.
/// }
/// ```
public struct PresentationSessionError: Error, Sendable, Codable {
    /// The kind of failure, by name; an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The holder, the wallet or the requester ended the session before there was a response.
        public static let sessionAborted = Kind(rawValue: "SessionAborted")
        /// No response came in time; a session in proximity is still open.
        public static let timeoutError = Kind(rawValue: "TimeoutError")
        /// The wallet answered with an error, or with a malformed response.
        public static let responseError = Kind(rawValue: "ResponseError")
        /// The response could not be verified at all; a credential that fails a check is no such error.
        public static let verificationError = Kind(rawValue: "VerificationError")
        /// No wallet could be reached, or the channel to it was lost.
        public static let walletUnavailable = Kind(rawValue: "WalletUnavailable")
        /// An error that none of the other kinds describes.
        public static let unknown = Kind(rawValue: "Unknown")

        /// The name.
        public var description: String { rawValue }

        /// The failure in a sentence without its end, for people.
        public var sentence: String {
            switch self {
            case .sessionAborted: "User aborted the session"
            case .timeoutError: "The wallet did not respond in time"
            case .responseError: "The wallet's response cannot be processed"
            case .verificationError: "The wallet's response could not be verified"
            case .walletUnavailable: "The wallet is unavailable"
            default: "The session failed"
            }
        }
    }

    /// The kind of failure.
    public let type: Kind
    /// A description of the error, for people.
    public let message: String
    /// The error underneath; nil for an error read from JSON.
    public private(set) var cause: (any Error)?

    private enum CodingKeys: String, CodingKey {
        case type, message
    }

    /// Says why a session failed; the kind's ``Kind/sentence`` is the message unless there is another.
    public init(_ type: Kind, message: String? = nil, cause: (any Error)? = nil) {
        self.type = type
        self.message = message ?? type.sentence
        self.cause = cause
    }

    /// The kind with a detail after its sentence.
    init(_ type: Kind, detail: String, cause: (any Error)? = nil) {
        self.init(type, message: "\(type.sentence): \(detail)", cause: cause)
    }
}

extension PresentationSessionError: Hashable {
    /// Compares kind and message.
    public static func == (left: PresentationSessionError, right: PresentationSessionError) -> Bool {
        left.type == right.type && left.message == right.message
    }

    /// Hashes kind and message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(message)
    }
}

extension PresentationSessionError: CustomStringConvertible {
    /// Kind and message, on one line.
    public var description: String { "\(type): \(message)" }
}
