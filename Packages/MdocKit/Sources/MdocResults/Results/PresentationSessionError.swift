import MdocKit

/// The reason that a presentation session brought no verifiable response.
public struct PresentationSessionError: Error, Hashable, Sendable, Codable {
    /// The kind of failure, by name; an open set.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The holder or the requester ended the session before there was a response.
        public static let sessionAborted = Kind(rawValue: "SessionAborted")
        /// The wallet answered with an error, or with a malformed response.
        public static let responseError = Kind(rawValue: "ResponseError")
        /// The response could not be verified at all; a credential that fails a check is no such error.
        public static let verificationError = Kind(rawValue: "VerificationError")
        /// No wallet could be reached.
        public static let walletUnavailable = Kind(rawValue: "WalletUnavailable")
        /// Anything else.
        public static let unknown = Kind(rawValue: "Unknown")

        /// The name.
        public var description: String { rawValue }

        /// The failure in a sentence without its end, for people.
        public var sentence: String {
            switch self {
            case .sessionAborted: "User aborted the session"
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

    /// Says why a session failed; the kind's ``Kind/sentence`` is the message unless there is another.
    public init(_ type: Kind, message: String? = nil) {
        self.type = type
        self.message = message ?? type.sentence
    }

    /// Takes an error that reading or verifying a response gave: a `MdocError` is a `ResponseError`, a cancelled task
    /// `SessionAborted`, and others are `Unknown`.
    public init(_ error: any Error) {
        switch error {
        case let error as PresentationSessionError: self = error
        case let error as MdocError:
            self.init(.responseError, message: "\(Kind.responseError.sentence): \(error.message)")
        case is CancellationError: self.init(.sessionAborted, message: "The session was cancelled")
        default: self.init(.unknown)
        }
    }
}

extension PresentationSessionError: CustomStringConvertible {
    /// Kind and message, on one line.
    public var description: String { "\(type): \(message)" }
}
