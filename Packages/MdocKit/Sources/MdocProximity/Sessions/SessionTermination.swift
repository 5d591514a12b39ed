import CryptoCore
import MdocKit

/// The end of a session (ISO/IEC 18013-5, 12.2.4).
public struct SessionTermination: Error, Hashable, Sendable, CustomStringConvertible {
    /// The initiator of the end.
    public enum Initiator: Hashable, Sendable {
        /// This side: it was told to, or could not go on with what it received.
        case thisSide
        /// The other side, with a status.
        case otherSide
        /// Neither side: the channel was closed or failed.
        case channel
    }

    /// The initiator of the end.
    public let initiator: Initiator
    /// The status that was sent or received; nil if the channel was lost.
    public let status: SessionData.Status?
    /// A description of the end, for a developer.
    public let message: String

    init(_ initiator: Initiator, _ status: SessionData.Status?, _ message: String) {
        self.initiator = initiator
        self.status = status
        self.message = message.escapedForDisplay()
    }

    /// Indicates a regular end: status 20, from either side.
    public var isRegular: Bool { status == .termination }

    /// The initiator, the status and the reason, on one line.
    public var description: String {
        let status = status.map { ", status \($0)" } ?? ""
        return "ended by \(initiator)\(status): \(message)"
    }

    /// The error of an operation on the ended session.
    var error: MdocError { MdocError(.sessionEnded, "the session has ended", cause: self) }

    /// Indicates that the caller of this side ended the session.
    package var isRequested: Bool { self == .requested }
}

extension SessionTermination {
    /// The other side sent a status.
    static func received(_ status: SessionData.Status) -> SessionTermination {
        SessionTermination(.otherSide, status, "the other side ended the session")
    }

    /// The caller of this side ended the session.
    static let requested = SessionTermination(.thisSide, .termination, "this side ended the session")

    /// The channel is gone.
    static func channelLost(_ reason: String) -> SessionTermination {
        SessionTermination(.channel, nil, reason)
    }
}
