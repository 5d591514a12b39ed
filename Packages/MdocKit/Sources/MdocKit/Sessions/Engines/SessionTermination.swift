import CryptoCore

/// How a session came to its end (ISO/IEC 18013-5, 12.2.4).
public struct SessionTermination: Hashable, Sendable, CustomStringConvertible {
    /// Who ended it.
    public enum Initiator: Hashable, Sendable {
        /// This side: it was told to, or could not go on with what it received.
        case thisSide
        /// The other side, with a status.
        case otherSide
        /// Nobody: the channel was closed or failed.
        case channel
    }

    /// Who ended it.
    public let initiator: Initiator
    /// The status that was sent or received; nil where the channel was lost.
    public let status: SessionData.Status?
    /// What happened, for a developer.
    public let message: String

    init(_ initiator: Initiator, _ status: SessionData.Status?, _ message: String) {
        self.initiator = initiator
        self.status = status
        self.message = message.escapedForDisplay()
    }

    /// Whether it was a regular end: status 20, from either side.
    public var isRegular: Bool { status == .termination }

    /// Who, with which status and why, on one line.
    public var description: String {
        let status = status.map { ", status \($0)" } ?? ""
        return "ended by \(initiator)\(status): \(message)"
    }

    /// What an operation throws that the session can no longer do.
    var error: MdocError { MdocError(.sessionEnded, description) }
}

extension SessionTermination {
    /// The other side sent a status.
    static func received(_ status: SessionData.Status) -> SessionTermination {
        SessionTermination(.otherSide, status, "the other side ended the session")
    }

    /// This side was told to end the session.
    static let requested = SessionTermination(.thisSide, .termination, "this side ended the session")

    /// The channel is gone.
    static func channelLost(_ reason: String) -> SessionTermination {
        SessionTermination(.channel, nil, reason)
    }
}
